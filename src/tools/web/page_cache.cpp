// SPDX-License-Identifier: MIT
#include "tools/web/page_cache.h"

#include <algorithm>
#include <utility>

namespace yume::tools::web {

std::shared_ptr<const ReadPage> PageCache::find(const std::string& url, platform::SteadyTime now) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(entries_.begin(), entries_.end(),
                                  [&url](const Entry& one) { return one.url == url; });
  const bool fresh = found != entries_.end() && now - found->since < k_lifetime;
  return fresh ? found->page : nullptr;
}

void PageCache::add(const std::string& url, std::shared_ptr<const ReadPage> page,
                    platform::SteadyTime now) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const Entry& one) {
    if (one.url != url) return false;
    text_ -= one.page->content.text.size();
    return true;
  });
  text_ += page->content.text.size();
  entries_.push_back({.url = url, .page = std::move(page), .since = now});
  while (entries_.size() > k_most_pages || text_ > k_most_text) drop_oldest();
}

void PageCache::drop_oldest() {
  text_ -= entries_.front().page->content.text.size();
  entries_.pop_front();
}

}  // namespace yume::tools::web
