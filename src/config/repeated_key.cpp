// SPDX-License-Identifier: MIT
#include "config/repeated_key.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace yume::config {
namespace {

constexpr std::array<std::string_view, 3> k_restricting = {"permissions", "sandbox", "hooks"};

// Follows a text of JSON and remembers the keys of the objects that it is in.
class KeyWatch : public nlohmann::json_sax<nlohmann::json> {
 public:
  [[nodiscard]] const std::string& repeated() const { return repeated_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override {
    return false;
  }

  bool start_object(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_array() override { return leave(); }

  bool key(string_t& name) override {
    Level& level = levels_.back();
    level.key = name;
    if (level.keys.insert(name).second || !could_restrict()) return true;
    for (const Level& one : levels_) {
      if (!one.key.empty()) repeated_ += (repeated_.empty() ? "" : ".") + one.key;
    }
    return false;
  }

 private:
  struct Level {
    std::set<std::string> keys = {};
    std::string key = {};  // empty in a list
  };

  bool enter() {
    levels_.emplace_back();
    return true;
  }
  bool leave() {
    levels_.pop_back();
    return true;
  }
  [[nodiscard]] bool could_restrict() const {
    return std::find(k_restricting.begin(), k_restricting.end(), levels_.front().key) !=
           k_restricting.end();
  }

  std::vector<Level> levels_;
  std::string repeated_;
};

}  // namespace

Result<void> check_for_repeated_keys(std::string_view text) {
  KeyWatch watch;
  (void)nlohmann::json::sax_parse(text, &watch);
  if (watch.repeated().empty()) return {};
  return Error{.code = ErrorCode::invalid_argument,
               .message = "'" + watch.repeated() +
                          "' stands there twice, and only the last would count: make them one"};
}

}  // namespace yume::config
