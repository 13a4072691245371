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

}  // namespace

SharedObject SharedJson::read() const {
  return read_object(file_).object;
}

Result<void> SharedJson::update(const std::function<bool(SharedObject&)>& change) const {
  if (const auto made = platform::make_private_directories(file_.parent_path()); !made) {
    return made.error();
  }
  fs::path lock_path = file_;
  lock_path += ".lock";
  YUME_TRY(const auto lock, platform::lock_file(lock_path, k_patience, clock_));
  Content content = read_object(file_);
  if (content.is_broken) {
    fs::path aside = file_;
    aside += ".broken-" + random_hex(8);
    if (const auto moved = platform::rename_file(file_, aside); !moved) return moved.error();
  }
  if (!change(content.object)) return {};
  constexpr int k_indent = 1;
  const std::string text = write_json(content.object, {.indent = k_indent, .ascii_only = true});
  return platform::replace_private(file_, text + "\n", durability_);
}

}  // namespace yume::transcript
