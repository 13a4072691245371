// SPDX-License-Identifier: MIT
#include "transcript/alias_book.h"

#include "platform/kept_files.h"
#include "transcript/shared_json.h"

#include <algorithm>
#include <utility>

namespace yume::transcript {
bool is_made_up_id(std::string_view id) {
  constexpr std::string_view k_synthetic = "syn_";
  constexpr std::size_t k_digits = 22;
  if (id.starts_with("temp-") || id.starts_with("session-")) return true;
  return id.starts_with(k_synthetic) && id.size() == k_synthetic.size() + k_digits &&
         id.find_first_not_of("0123456789abcdef", k_synthetic.size()) == std::string_view::npos;
}

AliasBook::AliasBook(const std::filesystem::path& views, const platform::Clock& clock)
    : views_(views), clock_(clock) {}

SharedJson AliasBook::aliases() const {
  constexpr const char* k_name = "aliases.json";
  return {views_.parent_path() / k_name, views_ / k_name, platform::Durability::survives_power_cut,
          clock_};
}

std::optional<std::string> AliasBook::find(const std::string& alias) const {
  const SharedObject known = aliases().read();
  const auto found = known.find(alias);
  if (found == known.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

Result<void> AliasBook::bind(const std::string& alias, const std::string& id) const {
  return aliases().update([&](SharedObject& known) {
    known[alias] = id;
    return true;
  });
}

Result<std::optional<std::string>> AliasBook::bind_chosen(const std::string& alias,
                                                          const Choose& choose) const {
  std::optional<std::string> chosen;
  const auto done = aliases().update([&](SharedObject& known) {
    std::set<std::string> taken;
    for (const auto& [name, id] : known.items()) {
      if (name != alias && id.is_string()) taken.insert(id.get<std::string>());
    }
    chosen = choose(taken);
    if (chosen) known[alias] = *chosen;
    return chosen.has_value();
  });
  if (!done.ok()) return done.error();
  return chosen;
}

Result<void> AliasBook::forget(const std::string& id) const {
  // Without the file there is nothing to forget, and no folder to make.
  if (aliases().missing()) return {};
  return aliases().update([&](SharedObject& known) {
    std::vector<std::string> names;
    for (const auto& [name, bound] : known.items()) {
      if (bound.is_string() && bound.get<std::string>() == id) names.push_back(name);
    }
    for (const std::string& name : names) known.erase(name);
    return !names.empty();
  });
}

}  // namespace yume::transcript
