// SPDX-License-Identifier: MIT
#include "agent/web_searcher.h"

#include "agent/prompt_texts.h"
#include "permissions/hosts.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace yume::agent {
namespace {

using tools::web::SearchAnswer;
using tools::web::SearchRequest;

// The model talks to us alone, and on a tool's thread, which never emits.
class SilentSink final : public core::EventSink {
 public:
  bool post(core::Event /*event*/) override { return true; }
  bool flush(const CancelToken& /*cancel*/) override { return true; }
};

gemini::RequestSettings search_settings(gemini::RequestSettings settings) {
  settings.system_instruction = std::string(prompt_text("web_search"));
  settings.functions.clear();
  settings.google_search = true;
  return settings;
}

std::string question(const SearchRequest& request) {
  std::string text = request.query;
  for (const std::string& domain : request.blocked_domains) text += " -site:" + domain;
  std::string_view between = " (site:";
  for (const std::string& domain : request.allowed_domains) {
    text.append(std::exchange(between, " OR site:")).append(domain);
  }
  if (!request.allowed_domains.empty()) text += ")";
  return text;
}

bool covers(const std::vector<std::string>& domains, const std::string& host) {
  return std::any_of(domains.begin(), domains.end(), [&](const std::string& domain) {
    return permissions::host_matches(domain, host) ||
           permissions::host_matches("*." + domain, host);
  });
}

// The addresses lead through a redirect of Google's; where to is said by the domain, or the title.
bool is_wanted(const gemini::GroundingSource& source, const SearchRequest& request) {
  if (source.uri.empty()) return false;
  const std::string& host = source.domain.empty() ? source.title : source.domain;
  if (covers(request.blocked_domains, host)) return false;
  return request.allowed_domains.empty() || covers(request.allowed_domains, host);
}

SearchAnswer with_sources(std::string text, const gemini::Grounding& grounding,
                          const SearchRequest& request) {
  SearchAnswer answer;
  std::vector<std::size_t> numbers;
  for (const gemini::GroundingSource& source : grounding.sources) {
    if (is_wanted(source, request)) {
      answer.sources.push_back(
          {.title = source.title.empty() ? source.domain : source.title, .url = source.uri});
      numbers.push_back(answer.sources.size());
    } else {
      numbers.push_back(0);
    }
  }
  answer.text = gemini::with_marks(text, grounding.supports, numbers);
  return answer;
}

Error failed(std::string why) {
  return Error{.code = ErrorCode::protocol, .message = std::move(why)};
}

}  // namespace

GroundedSearcher::GroundedSearcher(ModelClient& client, gemini::ModelInfo model,
                                   gemini::RequestSettings settings)
    : client_(client), encoder_(std::move(model), search_settings(std::move(settings))) {}

void GroundedSearcher::use(gemini::ModelInfo model, gemini::RequestSettings settings) {
  encoder_ = gemini::RequestEncoder(std::move(model), search_settings(std::move(settings)));
}

Result<SearchAnswer> GroundedSearcher::search(const SearchRequest& request,
                                              const CancelToken& cancel) {
  const std::lock_guard lock(mutex_);
  gemini::History history;
  history.add_user_text(question(request));
  SilentSink sink;
  AskResult answer = client_.ask(encoder_, history, sink, cancel, {.least_thinking = true});
  std::move(answer.reply.billed.begin(), answer.reply.billed.end(), std::back_inserter(billed_));
  if (const std::size_t queries = answer.reply.grounding.queries.size(); queries > 0) {
    billed_.push_back({.web_searches = static_cast<std::int64_t>(queries)});
  }
  if (answer.cancelled) {
    return Error{.code = ErrorCode::cancelled, .message = "it was interrupted"};
  }
  if (answer.failure) return answer.failure->error;
  std::string& text = answer.reply.last_text;
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
    return failed(answer.reply.prompt_blocked ? "the server refused it" : "there was no answer");
  }
  return with_sources(std::move(text), answer.reply.grounding, request);
}

std::vector<core::Usage> GroundedSearcher::take_billed() {
  const std::lock_guard lock(mutex_);
  return std::exchange(billed_, {});
}

}  // namespace yume::agent
