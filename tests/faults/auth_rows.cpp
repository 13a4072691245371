// SPDX-License-Identifier: MIT
// Faults of credentials (reliability.md 4.3, A-01 to A-11). A-08 (clock skew) is in
// tests/unit/auth with a clock that can jump, A-09 (secrecy) in tests/secrets.
#include "faults/fault_row.h"

#include <sys/stat.h>

#include <fstream>

namespace yume::faults {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

void install(const fs::path& directory, const std::string& script, unsigned mode = 0755) {
  write(directory / "gcloud", "#!/bin/sh\n" + script + "\n");
  fs::permissions(directory / "gcloud", fs::perms(mode));
}

// A machine with this gcloud and no key.
Row with_gcloud(const std::string& id, const std::string& what, const std::string& script) {
  return {.id = id,
          .what = what,
          .environment = {{"GEMINI_API_KEY", std::nullopt}, {"PATH", "%{sdk}:/usr/bin:/bin"}},
          .arguments = {"--gcloud-path", "%{sdk}/gcloud"},
          .prepare = [script](const Place& place) { install(place.sdk(), script); }};
}

const char* const k_token = "echo ya29.test-token";
const char* const k_no_login = "no Gemini credentials found";

demo::Script refused(int code, const std::string& reason) {
  return answer(code, error_body(code, "X", "refused",
                                 R"({"@type":"x/ErrorInfo","reason":")" + reason + R"("})"));
}

void add_gcloud(std::vector<Row>& rows) {
  rows.push_back({.id = "A-01",
                  .what = "no credentials at all",
                  .environment = {{"GEMINI_API_KEY", std::nullopt}},
                  .error = k_no_login,
                  .requests = 0,
                  .lines_with = {"gcloud auth login", "gcloud auth application-default login",
                                 "GEMINI_API_KEY"}});
  rows.push_back({.id = "A-02",
                  .what = "gcloud in the workspace only",
                  .environment = {{"GEMINI_API_KEY", std::nullopt}, {"PATH", "%{work}:."}},
                  .prepare = [](const Place& place) { install(place.workspace(), k_token); },
                  .error = k_no_login,
                  .requests = 0});
  rows.push_back({.id = "A-02",
                  .what = "gcloud not executable",
                  .environment = {{"GEMINI_API_KEY", std::nullopt}, {"PATH", "%{sdk}"}},
                  .prepare = [](const Place& place) { install(place.sdk(), k_token, 0644); },
                  .error = k_no_login,
                  .requests = 0});
  Row hang = with_gcloud("A-03", "gcloud hangs", "sleep 1000");
  hang.error = "10 s";
  hang.requests = 0;
  rows.push_back(hang);
  for (const auto& [what, script] : std::vector<std::pair<std::string, std::string>>{
           {"two lines", "echo ya29.a; echo ya29.b"},
           {"a megabyte", "head -c 1000000 /dev/zero | tr '\\0' a"},
           {"NUL bytes", "printf 'ya29\\0x'"},
           {"an HTML page", "echo '<html>no</html>'"},
           {"nothing", "true"}}) {
    Row junk = with_gcloud("A-04", "gcloud prints " + what, script);
    junk.error = "gcloud";
    junk.requests = 0;
    junk.none_with = {"<html>", "ya29"};
    rows.push_back(junk);
  }
  Row warned =
      with_gcloud("A-04", "gcloud warns on stderr", "echo WARNING: old >&2; echo ya29.test-token");
  warned.backend = {good()};
  rows.push_back(warned);
}

void add_refusals(std::vector<Row>& rows) {
  Row renewed = with_gcloud("A-05", "401, then good with a new token", k_token);
  renewed.backend = {refused(401, "ACCESS_TOKEN_EXPIRED"), good()};
  renewed.requests = 2;
  rows.push_back(renewed);
  Row twice = with_gcloud("A-05", "401 again with the new token", k_token);
  twice.backend = {refused(401, "ACCESS_TOKEN_EXPIRED"), refused(401, "ACCESS_TOKEN_EXPIRED"),
                   good()};
  twice.error = "API Error: 401";
  twice.requests = 2;
  rows.push_back(twice);
  Row denied = with_gcloud("A-06", "403 for the role", k_token);
  denied.backend = {refused(403, "IAM_PERMISSION_DENIED")};
  denied.error = "roles/aiplatform.user";
  rows.push_back(denied);
  Row passed_over = with_gcloud("A-06", "403 for the scope, and a key is there", k_token);
  passed_over.environment["GEMINI_API_KEY"] = "test-key";
  passed_over.backend = {refused(403, "ACCESS_TOKEN_SCOPE_INSUFFICIENT"), good()};
  passed_over.requests = 2;
  passed_over.lines_with = {"gcloud was refused by the server"};
  rows.push_back(passed_over);
  Row pinned = passed_over;
  pinned.what = "the same with --auth gcloud";
  pinned.arguments.insert(pinned.arguments.end(), {"--auth", "gcloud"});
  pinned.requests = 1;
  pinned.error = "no Gemini API scope";
  pinned.lines_with = {};
  rows.push_back(pinned);
}

// An ADC file that is no good; `prepare` makes it.
Row bad_file(const std::string& what, const std::string& error,
             std::function<void(const fs::path&)> prepare) {
  return {.id = "A-07",
          .what = "ADC file: " + what,
          .environment = {{"GEMINI_API_KEY", std::nullopt},
                          {"GOOGLE_APPLICATION_CREDENTIALS", "%{home}/adc.json"}},
          .prepare =
              [prepare = std::move(prepare)](const Place& place) {
                if (prepare) prepare(place.home() / "adc.json");
              },
          .error = error,
          .requests = 0,
          .lines_with = {"adc.json"}};
}

void add_files(std::vector<Row>& rows) {
  const std::string name = "adc.json";
  rows.push_back(bad_file("missing", name, {}));
  rows.push_back(
      bad_file("a directory", name, [](const fs::path& path) { fs::create_directory(path); }));
  rows.push_back(
      bad_file("a FIFO", name, [](const fs::path& path) { ::mkfifo(path.c_str(), 0600); }));
  rows.push_back(bad_file("1 GB", name, [](const fs::path& path) {
    write(path, "{");
    fs::resize_file(path, 1U << 30U);
  }));
  rows.push_back(bad_file("not JSON", name, [](const fs::path& path) { write(path, "{oops"); }));
  rows.push_back(bad_file("no refresh_token", "refresh_token", [](const fs::path& path) {
    write(path, R"({"type":"authorized_user","client_id":"a","client_secret":"b"})");
  }));
  rows.push_back(bad_file("an unknown type", name,
                          [](const fs::path& path) { write(path, R"({"type":"alien"})"); }));
}

}  // namespace

std::vector<Row> auth_rows() {
  std::vector<Row> rows;
  add_gcloud(rows);
  add_refusals(rows);
  add_files(rows);
  rows.push_back({.id = "A-10",
                  .what = "a broken ADC file and a key: the key, with a notice",
                  .backend = {good()},
                  .environment = {{"GOOGLE_APPLICATION_CREDENTIALS", "%{home}/none.json"}},
                  .lines_with = {"none.json", "application default credentials"}});
  rows.push_back({.id = "A-11",
                  .what = "a key with a line break",
                  .environment = {{"GEMINI_API_KEY", "abc\r\nX-Evil: 1"}},
                  .error = "GEMINI_API_KEY",
                  .requests = 0,
                  .none_with = {"X-Evil"}});
  return rows;
}

}  // namespace yume::faults
