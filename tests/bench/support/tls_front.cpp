// SPDX-License-Identifier: MIT
#include "tls_front.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "platform/process.h"
#include "support/loopback_listener.h"
#include "util/cancel.h"

namespace yume::bench {
namespace {

namespace fs = std::filesystem;

constexpr int k_port_attempts = 10;
constexpr std::chrono::seconds k_patience{10};

Error front_error(std::string message) {
  return Error{.code = ErrorCode::io, .message = std::move(message)};
}

// Debian keeps nginx where a normal user's PATH does not look.
std::optional<std::string> find_program(const std::string& name) {
  for (const char* directory : {"/usr/sbin/", "/usr/bin/", "/usr/local/sbin/", "/usr/local/bin/"}) {
    const std::string path = directory + name;
    if (::access(path.c_str(), X_OK) == 0) return path;
  }
  return std::nullopt;
}

struct Collected final : platform::ProcessOutput {
  std::string text;
  void on_output(std::string_view bytes) override { text += bytes; }
};

platform::ProcessSpec command_in(const fs::path& directory, std::vector<std::string> argv) {
  platform::ProcessSpec spec;
  spec.argv = std::move(argv);
  spec.cwd = directory;
  spec.environment = {"PATH=/usr/bin:/bin"};
  return spec;
}

// What it printed.
Result<std::string> openssl(const fs::path& directory, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), find_program("openssl").value_or("/usr/bin/openssl"));
  Collected output;
  const CancelSource never;
  YUME_TRY(const platform::ProcessEnd end,
           platform::make_process_runner()->run(command_in(directory, std::move(arguments)), output,
                                                never.get_token()));
  if (end.exit_code != 0) return front_error("openssl: " + output.text);
  return output.text;
}

std::string configuration(const fs::path& directory, std::uint16_t port,
                          const std::string& upstream_url) {
  std::ostringstream text;
  text << "daemon off;\nmaster_process off;\n"  // no change of user when root measures
       << "pid nginx.pid;\nevents {}\nhttp {\n  access_log off;\n";
  for (const char* kind : {"client_body", "proxy", "fastcgi", "uwsgi", "scgi"}) {
    text << "  " << kind << "_temp_path " << (directory / kind).string() << ";\n";
  }
  text << "  server {\n    listen 127.0.0.1:" << port << " ssl http2;\n"
       << "    ssl_certificate server.pem;\n    ssl_certificate_key server.key;\n"
       << "    location / {\n      proxy_pass " << upstream_url
       << ";\n      proxy_http_version 1.1;\n      proxy_buffering off;\n    }\n  }\n}\n";
  return text.str();
}

bool accepts_connections(std::uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool connected =
      ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return connected;
}

}  // namespace

// Runs until it is destroyed, unless it ends by itself.
class TlsFront::Nginx {
 public:
  explicit Nginx(const fs::path& directory)
      : thread_([this, spec = command_in(
                           directory, {find_program("nginx").value_or(""), "-p", directory.string(),
                                       "-c", "nginx.conf", "-e", "stderr"})] {
          (void)platform::make_process_runner()->run(spec, output_, stop_.get_token());
          ended_ = true;
        }) {}
  ~Nginx() { (void)end(); }
  Nginx(const Nginx&) = delete;
  Nginx& operator=(const Nginx&) = delete;

  bool ended() const { return ended_; }

  // Everything it has printed.
  const std::string& end() {
    stop_.request_stop();
    if (thread_.joinable()) thread_.join();
    return output_.text;
  }

 private:
  Collected output_;
  CancelSource stop_;
  std::atomic<bool> ended_ = false;
  std::thread thread_;  // last: it uses the others
};

TlsFront::TlsFront(fs::path directory) : directory_(std::move(directory)) {}

TlsFront::~TlsFront() = default;

std::optional<std::string> TlsFront::missing() {
  for (const char* name : {"nginx", "openssl"}) {
    if (!find_program(name)) return std::string(name) + " is not installed";
  }
  return std::nullopt;
}

Result<std::unique_ptr<TlsFront>> TlsFront::start(const fs::path& directory,
                                                  const std::string& upstream_url) {
  std::unique_ptr<TlsFront> front(new TlsFront(directory));
  fs::create_directories(front->ca_directory());
  if (auto made = front->make_certificates(); !made.ok()) return std::move(made).error();
  Result<void> served;
  for (int attempt = 0; attempt < k_port_attempts; ++attempt) {
    served = front->serve(upstream_url);
    if (served.ok()) return front;
  }
  return std::move(served).error();
}

Result<void> TlsFront::make_certificates() const {
  const auto key = [](std::vector<std::string> arguments) {
    for (const char* argument :
         {"-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"}) {
      arguments.emplace_back(argument);
    }
    return arguments;
  };
  std::ofstream(directory_ / "server.ext") << "subjectAltName=IP:127.0.0.1\n";
  const std::array commands = {
      key({"req", "-x509", "-days", "2", "-subj", "/CN=bench authority", "-keyout", "ca.key",
           "-out", "ca.pem"}),
      key({"req", "-subj", "/CN=bench server", "-keyout", "server.key", "-out", "server.csr"}),
      std::vector<std::string>{"x509", "-req", "-in", "server.csr", "-CA", "ca.pem", "-CAkey",
                               "ca.key", "-set_serial", "1", "-days", "2", "-extfile", "server.ext",
                               "-out", "server.pem"},
  };
  for (const auto& command : commands) {
    if (auto done = openssl(directory_, command); !done.ok()) return std::move(done).error();
  }
  YUME_TRY(std::string hash, openssl(directory_, {"x509", "-in", "ca.pem", "-noout", "-hash"}));
  while (hash.ends_with('\n')) hash.pop_back();
  fs::copy_file(directory_ / "ca.pem", ca_directory() / (hash + ".0"));
  return {};
}

// One attempt: the port may be taken between our look at it and nginx's bind.
Result<void> TlsFront::serve(const std::string& upstream_url) {
  YUME_TRY(const auto listener, test::listen_on_loopback());
  port_ = listener->port();
  listener->close();
  std::ofstream(directory_ / "nginx.conf") << configuration(directory_, port_, upstream_url);
  nginx_ = std::make_unique<Nginx>(directory_);
  const auto deadline = std::chrono::steady_clock::now() + k_patience;
  while (!accepts_connections(port_)) {
    if (nginx_->ended() || std::chrono::steady_clock::now() > deadline) {
      return front_error("nginx did not start: " + nginx_->end());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return {};
}

}  // namespace yume::bench
