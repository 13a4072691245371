// SPDX-License-Identifier: MIT
// The pages a session has read lately, so that the next window of one is not fetched again.
// Thread-safe.
#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <mutex>
#include <string>

#include "platform/clock.h"
#include "tools/web/page_text.h"

namespace yume::tools::web {

struct ReadPage {
  std::string url;  // after redirects
  int status = 0;
  std::size_t bytes = 0;  // of its body
  PageText content;
};

class PageCache {
 public:
  static constexpr std::chrono::minutes k_lifetime{15};
  static constexpr std::size_t k_most_pages = 16;
  static constexpr std::size_t k_most_text = 32U << 20U;

  // Null when the page is not there, or too old.
  std::shared_ptr<const ReadPage> find(const std::string& url, platform::SteadyTime now);
  void add(const std::string& url, std::shared_ptr<const ReadPage> page, platform::SteadyTime now);

 private:
  struct Entry {
    std::string url;
    std::shared_ptr<const ReadPage> page;  // shared: a window is cut from it while others come
    platform::SteadyTime since;
  };

  void drop_oldest();

  std::mutex mutex_;
  std::deque<Entry> entries_;  // oldest first
  std::size_t text_ = 0;       // bytes of all
};

}  // namespace yume::tools::web
