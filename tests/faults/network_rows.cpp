// SPDX-License-Identifier: MIT
// Faults of the network and of what comes over it (reliability.md 4.2, N-01 to N-26). N-04 and N-05
// (certificates, handshakes), N-22's zero bytes and N-23 (proxies) are in tests/tls, which has
// servers for them.
#include "faults/fault_row.h"

#include "faults/odd_servers.h"
#include "support/raw_script.h"

#include <fmt/format.h>

#include <signal.h>

namespace yume::faults {
namespace {

const char* const k_write = R"({"file_path":"f","content":"x"})";

// A stream that stops in the middle: `last` says how.
demo::Script broken(const std::vector<std::string>& events, demo::Step last) {
  demo::Script script = stream(events);
  script.steps.push_back(std::move(last));
  return script;
}

// The head and the chunks' sizes, too.
demo::Answer byte_by_byte(const std::vector<std::string>& events) {
  std::string bytes =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (const std::string& event : events) {
    bytes += fmt::format("{:x}\r\ndata: {}\r\n\r\n\r\n", event.size() + 10, event);
  }
  test::RawScript script;
  for (const char byte : bytes + "0\r\n\r\n") {
    script.steps.emplace_back(demo::SendBytes{std::string(1, byte)});
  }
  return test::raw_answer(std::move(script));
}

// Neither chunks nor a length: the body ends with the connection.
demo::Script bare_stream(const std::string& body) {
  return {.headers = {{"Content-Type", "text/event-stream"}, {"Connection", "close"}},
          .steps = {demo::SendBytes{body}}};
}

std::string data(const std::string& event, const std::string& end = "\n\n") {
  return "data: " + event + end;
}

void add_connections(std::vector<Row>& rows) {
  rows.push_back({.id = "N-01",
                  .what = "connection refused",
                  .url = closed_port_url(),
                  .error = "cannot connect to 127.0.0.1:",
                  .requests = 0,
                  .lines_with = {"api_retry"}});
  rows.push_back({.id = "N-02",
                  .what = "the name cannot be resolved",
                  // A label of 64 letters is refused by the resolver before it asks anybody.
                  .environment = {{"YUME_MAX_RETRIES", "1"}},
                  .url = "https://" + std::string(64, 'a') + ".invalid",
                  .error = "cannot resolve host",
                  .requests = 0,
                  .lines_with = {"api_retry"}});
  rows.push_back({.id = "N-03",
                  .what = "nobody accepts",
                  .environment = {{"YUME_CONNECT_TIMEOUT_MS", "200"}, {"YUME_MAX_RETRIES", "1"}},
                  .url = black_hole_url(),
                  .error = "no connection to 127.0.0.1:",
                  .requests = 0,
                  .lines_with = {"api_retry"}});
  rows.push_back({.id = "N-06",
                  .what = "headers never come",
                  .backend = std::vector<demo::Answer>(3, test::raw_answer({{demo::Stall{}}})),
                  .environment = {{"YUME_FIRST_BYTE_TIMEOUT_MS", "200"}},
                  .error = "sent nothing for",
                  .requests = 2});
  rows.push_back(
      {.id = "N-25",
       .what = "the server drops the idle connection between two requests",
       // Without the word that it will close it.
       .backend = {test::raw_answer(
                       {{demo::SendBytes{
                             "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" +
                             data(call_event("Read", R"({"file_path":"x"})", "STOP"))},
                         demo::CloseConnection{}}}),
                   good()},
       .requests = 2});
}

void add_cuts(std::vector<Row>& rows) {
  rows.push_back({.id = "N-07",
                  .what = "stall before any part",
                  .backend = {broken({}, demo::Stall{}), good()},
                  .environment = {{"YUME_IDLE_TIMEOUT_MS", "200"}},
                  .requests = 2});
  rows.push_back({.id = "N-07 for good",
                  .what = "stalls after text, twice: a deadline of ours, not a broken connection",
                  .backend = {broken({text_event("one ")}, demo::Stall{}),
                              broken({text_event("two ")}, demo::Stall{})},
                  .environment = {{"YUME_IDLE_TIMEOUT_MS", "200"}},
                  .error = "sent nothing for 200 ms; the reply is not complete",
                  .requests = 2,
                  .none_with = {"connection broke"}});
  rows.push_back({.id = "N-08",
                  .what = "stall after a call: dropped, as its stream did not end",
                  .backend = {broken({call_event("Write", k_write)}, demo::Stall{}), good()},
                  .environment = {{"YUME_IDLE_TIMEOUT_MS", "200"}},
                  .requests = 2,
                  .none_with = {"tool_result"}});
  rows.push_back({.id = "N-09",
                  .what = "reset inside text: kept, and the model goes on from it",
                  .backend = {broken({text_event("one ")}, demo::ResetConnection{}),
                              stream({text_event("two", "STOP")})},
                  .requests = 2,
                  .lines_with = {"one two"}});
  rows.push_back(
      {.id = "N-10",
       .what = "reset inside a call",
       .backend = {broken({call_event("Write", k_write).substr(0, 90)}, demo::ResetConnection{}),
                   good()},
       .requests = 2,
       .none_with = {"tool_result"}});
  rows.push_back({.id = "N-11",
                  .what = "reset after the finish",
                  .backend = {broken({text_event("fine", "STOP")}, demo::ResetConnection{})}});
  demo::Script asleep = broken({text_event("one ")}, demo::WaitForGate{"asleep"});
  asleep.steps.emplace_back(demo::ResetConnection{});
  rows.push_back(
      {.id = "N-26",
       .what = "asleep while the connection breaks",
       .backend = {asleep, stream({text_event("two", "STOP")})},
       .arguments = {"--include-partial-messages"},
       .on_stdout =
           [slept = false](test::ChildProcess& child, demo::ScriptedServer& server) mutable {
             const bool begun = child.stdout_text().find("one ") != std::string::npos;
             if (!begun || std::exchange(slept, true)) return;
             child.send_signal(SIGSTOP);
             server.open_gate("asleep");
             child.send_signal(SIGCONT);
           },
       .requests = 2,
       .lines_with = {"one two"}});
}

void add_streams(std::vector<Row>& rows) {
  rows.push_back({.id = "N-12",
                  .what = "one byte a write",
                  .backend = {byte_by_byte(
                      {text_event("f\xC3\xA9in"), text_event("e \xF0\x9F\x98\x80", "STOP")})},
                  .lines_with = {"f\\u00e9ine \\ud83d\\ude00"}});
  const std::string one = text_event("one ");
  const std::string two = text_event("two", "STOP");
  for (const std::string& odd :
       {data(one, "\r\r") + data(two, "\r\r"), data(one, "\n\n") + ": comment\n\n" + data(two),
        "\xEF\xBB\xBF" + data(one, "\r\n\r\n") + "data:\r\n\r\ndata:" + two,
        "event: x\nid: 7\nretry: 1\n" + data(one.substr(0, 15), "\n") + data(one.substr(15)) +
            data(two, "\n")}) {
    rows.push_back({.id = "N-13",
                    .what = "odd framing",
                    .backend = {bare_stream(odd)},
                    .lines_with = {"one two"}});
  }
  rows.push_back({.id = "N-14",
                  .what = "one event of 64 MB",
                  .backend = {bare_stream("data: " + std::string(64U << 20U, 'x'))},
                  .error = "larger than 32 MiB"});
  rows.push_back({.id = "N-15",
                  .what = "a stream that never ends",
                  .environment = {{"YUME_REPLY_TIMEOUT_MS", "300"}},
                  .url = endless_stream_url(),
                  .error = "did not end within",
                  .requests = 0});
  rows.push_back(
      {.id = "N-16",
       .what = "a compressed answer nobody asked for",
       .backend = {answer(200, "\x1f\x8b", "text/event-stream", {{"Content-Encoding", "gzip"}})},
       .error = "the answer is compressed (gzip)"});
  rows.push_back({.id = "N-17",
                  .what = "100,000 levels of nesting, twice",
                  .backend = std::vector<demo::Answer>(
                      2, bare_stream(data("{\"candidates\":" + std::string(100'000, '[')))),
                  .error = "not a Gemini answer",
                  .requests = 2});
  std::string many_keys = "{";
  for (int i = 0; i < 1'000'000; ++i) many_keys += "\"k" + std::to_string(i) + "\":0,";
  rows.push_back({.id = "N-17",
                  .what = "a million keys",
                  .backend = {bare_stream(data(many_keys + two.substr(1)))},
                  .lines_with = {"\"two\""}});
  rows.push_back(
      {.id = "N-17",
       .what = "a number of 10 MB",
       .backend = {bare_stream(data(R"({"usageMetadata":{"promptTokenCount":)" +
                                    std::string(10U << 20U, '9') + "}," + two.substr(1)))},
       .lines_with = {"\"two\""}});
  rows.push_back(
      {.id = "N-17",
       .what = "duplicate keys, lone surrogates, NUL",
       .backend = {bare_stream(
           data(R"({"candidates":[{"content":{"parts":[{"text":"a","text":"b\ud83dc\u0000"}]},)"
                R"("finishReason":"STOP"}]})"))},
       .lines_with = {"b\\ufffdc\\u0000"}});
}

void add_answers(std::vector<Row>& rows) {
  const auto busy = answer(429, error_body(429, "RESOURCE_EXHAUSTED", "slow"), "application/json",
                           {{"retry-after-ms", "1"}});
  rows.push_back({.id = "N-18",
                  .what = "429 twice, then good",
                  .backend = {busy, busy, good()},
                  .requests = 3,
                  .lines_with = {"\"retry_delay_ms\":1,"}});
  rows.push_back({.id = "N-19",
                  .what = "the daily quota is gone",
                  .backend = {answer(429, error_body(429, "RESOURCE_EXHAUSTED", "quota",
                                                     R"({"@type":"x/QuotaFailure","violations":)"
                                                     R"([{"quotaId":"RequestsPerDay"}]})"))},
                  .error = "daily quota used up"});
  const auto failing = [](int code) {
    return answer(code, "busy", "text/plain", {{"retry-after-ms", "1"}});
  };
  rows.push_back({.id = "N-20",
                  .what = "500, 502, then good",
                  .backend = {failing(500), failing(502), good()},
                  .requests = 3});
  rows.push_back({.id = "N-21",
                  .what = "400",
                  .backend = {answer(400, error_body(400, "INVALID_ARGUMENT", "bad field x"))},
                  .error = "API Error: 400 bad field x"});
  for (const int code : {301, 302, 307, 308}) {
    rows.push_back(
        {.id = "N-22",
         .what = "redirect " + std::to_string(code),
         .backend = {answer(code, "", "text/html", {{"Location", "http://127.0.0.1:9/"}})},
         .error = "unexpected redirect (" + std::to_string(code) + ")"});
  }
  rows.push_back({.id = "N-24",
                  .what = "a captive portal",
                  .backend = {answer(200, "<html>log in</html>", "text/html")},
                  .error = "the answer is not from Gemini (content type 'text/html')"});
}

}  // namespace

std::vector<Row> network_rows() {
  std::vector<Row> rows;
  add_connections(rows);
  add_cuts(rows);
  add_streams(rows);
  add_answers(rows);
  return rows;
}

}  // namespace yume::faults
