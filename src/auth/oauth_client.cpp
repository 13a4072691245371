// SPDX-License-Identifier: MIT
#include "auth/oauth_client.h"

#include "auth/token_source.h"
#include "util/json_io.h"
#include "util/json_tree.h"

namespace yume::auth {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

constexpr int k_repeats = 2;
constexpr milliseconds k_first_pause{200};
constexpr std::size_t k_largest_answer = 256U * 1024U;
constexpr std::size_t k_longest_text = 200;
constexpr int k_deepest = 16;
constexpr std::chrono::seconds k_usual_lifetime{3600};
constexpr std::chrono::hours k_longest_lifetime{12};  // the most Google grants

class Collector final : public net::BodySink {
 public:
  bool on_head(const net::HttpHead& /*head*/) override { return true; }
  bool on_body(std::string_view bytes) override {
    too_large_ = too_large_ || text_.size() + bytes.size() > k_largest_answer;
    if (!too_large_) text_ += bytes;
    return !too_large_;
  }

  [[nodiscard]] bool too_large() const { return too_large_; }
  Secret take() { return Secret(std::move(text_)); }

 private:
  std::string text_;
  bool too_large_ = false;
};

bool worth_repeating(const Result<HttpAnswer>& answer) {
  if (!answer.ok()) return answer.error().code == ErrorCode::network;
  return answer->head.status >= 500;
}

// A discarded value when it is not JSON.
json parse(std::string_view text) {
  if (!check_json(text, k_deepest).ok()) return json(json::value_t::discarded);
  return read_json(text);
}

std::string text_field(const json& object, const char* name) {
  if (!object.is_object()) return {};
  const auto found = object.find(name);
  return found != object.end() && found->is_string() ? printable(found->get<std::string>()) : "";
}

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

void append_encoded(std::string& out, std::string_view text) {
  constexpr std::string_view k_digits = "0123456789ABCDEF";
  for (const char c : text) {
    if (is_unreserved(c)) {
      out.push_back(c);
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    out.push_back('%');
    out.push_back(k_digits[byte >> 4U]);
    out.push_back(k_digits[byte & 15U]);
  }
}

}  // namespace

Result<HttpAnswer> OauthClient::send(net::HttpRequest request, const CancelToken& cancel) {
  milliseconds pause = k_first_pause;
  for (int repeat = 0;; ++repeat, pause *= 2) {
    auto answer = send_once(request, cancel);
    if (repeat == k_repeats || !worth_repeating(answer)) return answer;
    if (!clock_.sleep_for(pause, cancel)) return answer;
  }
}

Result<HttpAnswer> OauthClient::send_once(const net::HttpRequest& request,
                                          const CancelToken& cancel) {
  Collector collector;
  auto head = transport_.perform(request, collector, cancel);
  if (collector.too_large()) {
    return Error{.code = ErrorCode::too_large,
                 .message = "the token endpoint's answer is too long"};
  }
  if (!head.ok()) {
    Error error = head.error();
    // A name that cannot be resolved: what a missing network looks like.
    if (error.code == ErrorCode::not_found) error.message += "; is this machine offline?";
    return error;
  }
  return HttpAnswer{.head = std::move(head).value(), .body = collector.take()};
}

Secret form_body(const std::vector<std::pair<std::string_view, std::string_view>>& fields) {
  std::string text;
  // Once and large enough: growing would leave copies of the secrets behind.
  std::size_t most = 0;
  for (const auto& [name, value] : fields) most += 3 * (name.size() + value.size()) + 2;
  text.reserve(most);
  for (const auto& [name, value] : fields) {
    if (!text.empty()) text.push_back('&');
    append_encoded(text, name);
    text.push_back('=');
    append_encoded(text, value);
  }
  return Secret(std::move(text));
}

net::HttpRequest get_request(std::string url) {
  net::HttpRequest request;
  request.method = "GET";
  request.url = std::move(url);
  request.deadlines = {.connect = milliseconds(5'000),
                       .first_byte = milliseconds(10'000),
                       .idle = milliseconds(10'000)};
  return request;
}

net::HttpRequest form_request(std::string url, const Secret& body) {
  net::HttpRequest request = get_request(std::move(url));
  request.method = "POST";
  request.headers = {{"Content-Type", "application/x-www-form-urlencoded"}};
  request.body = {body.reveal()};
  return request;
}

Result<AccessToken> read_access_token(const HttpAnswer& answer) {
  const json object = parse(answer.body.reveal());
  const auto wrong = [](const char* why) {
    return Error{.code = ErrorCode::protocol,
                 .message = std::string("the token endpoint's answer has ") + why};
  };
  if (!object.is_object() || !object.contains("access_token") ||
      !object["access_token"].is_string()) {
    return wrong("no access_token");
  }
  AccessToken token{.value = Secret(object["access_token"].get<std::string>()),
                    .lifetime = k_usual_lifetime};
  if (!is_access_token(token.value.reveal())) return wrong("a malformed access_token");
  const auto lifetime = object.find("expires_in");
  if (lifetime != object.end() && lifetime->is_number_integer()) {
    const auto seconds = lifetime->get<std::int64_t>();
    constexpr auto k_most = std::chrono::seconds(k_longest_lifetime).count();
    if (seconds < 1) return wrong("a token that has expired already");
    token.lifetime = std::chrono::seconds(seconds < k_most ? seconds : k_most);
  }
  return token;
}

Refusal read_refusal(const HttpAnswer& answer) {
  const json object = parse(answer.body.reveal());
  if (!object.is_object() || !object.contains("error")) return {};
  const json& error = object["error"];
  if (error.is_object()) {
    return {.code = text_field(error, "status"),
            .description = text_field(error, "message"),
            .subtype = {}};
  }
  return {.code = text_field(object, "error"),
          .description = text_field(object, "error_description"),
          .subtype = text_field(object, "error_subtype")};
}

std::string describe(const HttpAnswer& answer) {
  const Refusal refusal = read_refusal(answer);
  std::string text = "the token endpoint answered " + std::to_string(answer.head.status);
  if (!refusal.code.empty()) text += " " + refusal.code;
  if (!refusal.description.empty()) text += " (" + refusal.description + ")";
  return text;
}

std::string printable(std::string_view text) {
  std::string shown;
  for (const char c : text.substr(0, k_longest_text))
    shown.push_back(c >= ' ' && c <= '~' ? c : ' ');
  return shown;
}

}  // namespace yume::auth
