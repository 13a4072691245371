// SPDX-License-Identifier: MIT
#include "transcript/shared_json.h"

#include "util/json_io.h"
#include "util/json_tree.h"
#include "util/uuid.h"

#include <optional>
#include <utility>

namespace yume::transcript {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_largest_file = 64U << 20U;
constexpr std::chrono::milliseconds k_patience{5'000};

struct Content {
  SharedObject object = SharedObject::object();
  bool is_broken = false;
};

Content read_object(const fs::path& file) {
  const auto text = platform::read_part(file, 0, k_largest_file);
  if (!text.ok()) return {.object = SharedObject::object(), .is_broken = false};
  Content content;
  if (check_json(*text).ok()) {
    content.object = read_ordered_json(*text);
  }
  content.is_broken = !check_json(*text).ok() || !content.object.is_object();
  if (content.is_broken) content.object = SharedObject::object();
  return content;
}

// What is known of both stays as it is in `into`.
void add_missing(SharedObject& into, const SharedObject& from) {
  for (const auto& [key, value] : from.items()) {
    const auto known = into.find(key);
    if (known == into.end()) {
      into[key] = value;
    } else if (known->is_object() && value.is_object()) {
      add_missing(*known, value);
    }
  }
}

fs::path lock_of(fs::path file) {
  return file += ".lock";
}

bool is_there(const fs::path& file) {
  return platform::read_part(file, 0, 1).ok();
}

}  // namespace

bool SharedJson::missing() const {
  return !is_there(file_) && !is_there(former_);
}

SharedObject SharedJson::read() const {
  SharedObject object = read_object(file_).object;
  add_missing(object, read_object(former_).object);
  return object;
}

Result<void> SharedJson::update(const std::function<bool(SharedObject&)>& change) const {
  if (const auto made = platform::make_private_directories(file_.parent_path()); !made) {
    return made.error();
  }
  YUME_TRY(const auto lock, platform::lock_file(lock_of(file_), k_patience, clock_));
  const auto set_aside = [this](const fs::path& broken) {
    fs::path aside = file_;
    return platform::rename_file(broken, aside += ".broken-" + random_hex(8));
  };
  Content content = read_object(file_);
  if (content.is_broken) {
    if (const auto moved = set_aside(file_); !moved) return moved.error();
  }
  const Content old = read_object(former_);
  if (old.is_broken) {
    if (const auto moved = set_aside(former_); !moved) return moved.error();
  }
  const bool moves = is_there(former_);
  add_missing(content.object, old.object);
  if (!change(content.object) && !moves) return {};
  constexpr int k_indent = 1;
  const std::string text = write_json(content.object, {.indent = k_indent, .ascii_only = true});
  const auto written = platform::replace_private(file_, text + "\n", durability_);
  if (!written.ok() || !moves) return written;
  // Left behind, it would only bring back what is forgotten later.
  if (const auto gone = platform::remove_tree(lock_of(former_)); !gone) return gone.error();
  return platform::remove_tree(former_);
}

}  // namespace yume::transcript
