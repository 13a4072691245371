// SPDX-License-Identifier: MIT
#include "platform/path_walk.h"

#include "util/path_text.h"

#include <deque>
#include <iterator>
#include <utility>

namespace yume::platform {
namespace {

namespace fs = std::filesystem;

constexpr int k_most_links = 40;  // as the Linux kernel

class Walk {
 public:
  Walk(const fs::path& path, const LookAt& look_at) : asked_(path), look_at_(look_at) {
    push_front(path);
  }

  Walked walk() && {
    while (!pending_.empty()) {
      const fs::path name = std::move(pending_.front());
      pending_.pop_front();
      if (name.empty() || name == ".") continue;
      if (name == "..") {
        real_ = real_.parent_path();  // the root is its own parent
        missing_ = false;
        continue;
      }
      if (const auto stepped = step(name); !stepped) return {stepped.error(), std::move(passed_)};
    }
    return {std::move(real_), std::move(passed_)};
  }

 private:
  void push_front(const fs::path& path) {
    if (path.has_root_directory()) {
      real_ = path.root_path().make_preferred();  // Windows: `Z:/` is `Z:\`
      missing_ = false;
    }
    const fs::path relative = path.relative_path();
    pending_.insert(pending_.begin(), relative.begin(), relative.end());
  }

  Result<void> step(const fs::path& name) {
    if (!missing_) {
      YUME_TRY(Hop hop, look_at_(real_, name));
      if (hop.kind == Hop::Kind::link) return follow(hop.path);
      if (hop.kind == Hop::Kind::entry) {
        real_ /= hop.path;
        return {};
      }
      missing_ = true;
    }
    real_ /= name;
    return {};
  }

  Result<void> follow(const fs::path& target) {
    if (++links_ > k_most_links) {
      return Error{
          .code = ErrorCode::invalid_argument,
          .message = "cannot resolve " + to_utf8(asked_) + ": too many levels of symbolic links"};
    }
    push_front(target);
    fs::path name_now = real_;
    for (const fs::path& rest : pending_) name_now /= rest;
    passed_.push_back(name_now.lexically_normal());
    return {};
  }

  const fs::path& asked_;
  const LookAt& look_at_;
  fs::path real_;
  std::deque<fs::path> pending_;  // what is still to be walked
  std::vector<fs::path> passed_;
  int links_ = 0;
  bool missing_ = false;  // nothing more is there to be asked for
};

}  // namespace

Walked walk_path(const fs::path& path, const LookAt& look_at) {
  return Walk(path, look_at).walk();
}

std::vector<fs::path> all_names(const fs::path& path, Walked walked) {
  std::vector<fs::path> names = {path};
  std::move(walked.passed.begin(), walked.passed.end(), std::back_inserter(names));
  if (walked.real.ok() && names.back() != *walked.real) names.push_back(*walked.real);
  return names;
}

}  // namespace yume::platform
