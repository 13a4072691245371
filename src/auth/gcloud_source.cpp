// SPDX-License-Identifier: MIT
#include "auth/gcloud_source.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "auth/gcloud_config.h"
#include "util/ascii.h"
#include "util/path_text.h"

namespace yume::auth {
namespace {

namespace fs = std::filesystem;
using platform::ProcessEndKind;

// gcloud makes a new one each time but does not tell its expiry, which is an hour away.
constexpr std::chrono::minutes k_lifetime{55};
constexpr std::chrono::minutes k_absence_remembered{10};
constexpr std::size_t k_most_output = 64U * 1024U;

class Output final : public platform::ProcessOutput {
 public:
  void on_output(std::string_view bytes) override { append(output_, bytes); }
  void on_error_output(std::string_view bytes) override { append(messages_, bytes); }

  // What was printed, without the end of its line; too much is cut, and then no token.
  Secret take_output() {
    if (output_.ends_with('\n')) output_.pop_back();
    if (output_.ends_with('\r')) output_.pop_back();
    return Secret(std::move(output_));
  }
  [[nodiscard]] bool mentions(std::string_view words) const {
    return messages_.find(words) != std::string::npos;
  }

 private:
  static void append(std::string& to, std::string_view bytes) {
    to += bytes.substr(0, k_most_output - std::min(k_most_output, to.size()));
  }

  std::string output_;
  std::string messages_;
};

Error broken(std::string why) {
  return {.code = ErrorCode::auth, .message = std::move(why)};
}

Error failure(const platform::ProcessEnd& end, const Output& output,
              std::chrono::milliseconds limit) {
  switch (end.kind) {
    case ProcessEndKind::timed_out:
      return broken("it did not answer within " + std::to_string(limit.count() / 1000) + " s");
    case ProcessEndKind::cancelled:
      return {.code = ErrorCode::cancelled, .message = "it was interrupted"};
    case ProcessEndKind::signalled:
      return broken("it was killed by signal " + std::to_string(end.signal));
    case ProcessEndKind::exited:
      break;
  }
  // Its own words are not shown: nobody knows what they hold.
  std::string why = "it failed with exit code " + std::to_string(end.exit_code);
  why += output.mentions("gcloud auth login") ? "; the login has expired. Run: gcloud auth login"
                                              : ". To see why, run: gcloud auth print-access-token";
  return broken(why);
}

// "You do not currently have an active account selected", "Your current active account [x] does not
// have any valid credentials".
bool is_logged_out(const platform::ProcessEnd& end, const Output& output) {
  return end.kind == ProcessEndKind::exited && end.exit_code == 1 &&
         output.mentions("active account");
}

bool is_wanted_variable(std::string_view name) {
  constexpr std::array<std::string_view, 17> k_names = {"HOME",
                                                        "USER",
                                                        "LOGNAME",
                                                        "LANG",
                                                        "TMPDIR",
                                                        "TZ",
                                                        "http_proxy",
                                                        "HTTP_PROXY",
                                                        "https_proxy",
                                                        "HTTPS_PROXY",
                                                        "no_proxy",
                                                        "NO_PROXY",
                                                        "all_proxy",
                                                        "ALL_PROXY",
                                                        "SSL_CERT_FILE",
                                                        "SSL_CERT_DIR",
                                                        "REQUESTS_CA_BUNDLE"};
  // Without these no program runs on Windows, or finds its files.
  constexpr std::array<std::string_view, 8> k_of_windows = {
      "SYSTEMROOT",  "WINDIR",  "SYSTEMDRIVE",  "COMSPEC",
      "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP"};
  return name.starts_with("CLOUDSDK_") || name.starts_with("LC_") ||
         std::find(k_of_windows.begin(), k_of_windows.end(), ascii_upper(name)) !=
             k_of_windows.end() ||
         std::find(k_names.begin(), k_names.end(), name) != k_names.end();
}

TokenOwner owner_of(const std::string& account) {
  return account.ends_with(".gserviceaccount.com") ? TokenOwner::service : TokenOwner::user;
}

}  // namespace

GcloudSource::GcloudSource(GcloudSettings settings, const platform::Environment& environment,
                           const platform::FileSystem& files, platform::ProcessRunner& processes)
    : settings_(std::move(settings)),
      environment_(environment),
      files_(files),
      processes_(processes) {}

bool GcloudSource::seems_configured() const {
  if (read_gcloud_config(environment_, files_).account.empty()) return false;
  const auto programs = find_gcloud(settings_.search, environment_, files_);
  return programs.ok() && !programs->empty();
}

std::optional<TokenIdentity> GcloudSource::identity() const {
  const auto programs = find_gcloud(settings_.search, environment_, files_);
  if (programs.ok() && programs->empty()) return std::nullopt;
  const GcloudConfig config = read_gcloud_config(environment_, files_);
  const fs::path directory = gcloud_directory(environment_);
  // A login writes these two; some variables change the account as well.
  std::string version = (programs.ok() ? to_utf8(programs->front()) : settings_.search.named) +
                        "\n" + file_version(files_, config.file) + "\n" +
                        file_version(files_, directory / "credentials.db");
  for (const auto& [name, value] : environment_.variables) {
    if (name.starts_with("CLOUDSDK_")) version.append("\n").append(name).append("=").append(value);
  }
  return TokenIdentity{.place = to_utf8(config.file), .version = fingerprint(version)};
}

Result<std::variant<Token, NoToken>> GcloudSource::fetch(platform::WallTime /*now*/,
                                                         const CancelToken& cancel) {
  using Answer = std::variant<Token, NoToken>;
  YUME_TRY(const auto programs, find_gcloud(settings_.search, environment_, files_));
  for (const fs::path& program : programs) {
    Output output;
    YUME_TRY(std::vector<std::string> argv,
             gcloud_command(program, settings_.search, environment_, files_));
    argv.insert(argv.end(), {"auth", "print-access-token"});
    const auto end = processes_.run({.argv = std::move(argv),
                                     // Python looks for modules where it is started
                                     .cwd = program.root_path(),
                                     .environment = child_environment(),
                                     .timeout = settings_.limit,
                                     .stderr_mode = platform::StderrMode::apart},
                                    output, cancel);
    const bool executable = end.ok() || end.error().code != ErrorCode::permission_denied;
    if (!executable && settings_.search.named.empty()) continue;
    if (!end.ok()) return broken(end.error().message);
    if (is_logged_out(*end, output)) return Answer(NoToken{.remember = k_absence_remembered});
    if (end->kind != ProcessEndKind::exited || end->exit_code != 0) {
      return failure(*end, output, settings_.limit);
    }
    Secret token = output.take_output();
    if (!is_access_token(token.reveal())) {
      return broken("it printed something that is not an access token");
    }
    const GcloudConfig config = read_gcloud_config(environment_, files_);
    return Answer(Token{.value = std::move(token),
                        .lifetime = k_lifetime,
                        .account = config.account,
                        .project = config.project,
                        .quota_project = config.quota_project,
                        .owner = owner_of(config.account)});
  }
  return Answer(NoToken{});
}

std::vector<std::string> GcloudSource::child_environment() const {
  std::vector<std::string> variables = {"PATH=" + safe_path(settings_.search, environment_, files_),
                                        "CLOUDSDK_CORE_DISABLE_PROMPTS=1"};
  for (const auto& [name, value] : environment_.variables) {
    if (is_wanted_variable(name) && name != "CLOUDSDK_CORE_DISABLE_PROMPTS") {
      variables.push_back(name + "=" + value);
    }
  }
  if (!environment_.get("HOME")) variables.push_back("HOME=" + to_utf8(environment_.home));
  return variables;
}

}  // namespace yume::auth
