// SPDX-License-Identifier: MIT
#include "mcp/server.h"

#include "jsonrpc/codec.h"
#include "util/overloaded.h"

#include <system_error>
#include <utility>

namespace yume::mcp {
namespace {

// A server whose lists never end, or that asks without end, is not believed.
constexpr int k_most_pages = 50;
constexpr std::size_t k_most_questions = 64;

Error as_error(const std::string& server, const std::string& method,
               const jsonrpc::ErrorObject& error) {
  return {.code = ErrorCode::protocol,
          .message = "the MCP server " + server + " answered " + method +
                     " with an error: " + error.message + " (" + std::to_string(error.code) + ")"};
}

Result<RawJson> result_of(Result<jsonrpc::Reply> reply, const std::string& server,
                          const std::string& method) {
  if (!reply.ok()) return std::move(reply).error();
  if (const auto* error = std::get_if<jsonrpc::ErrorObject>(&*reply)) {
    return as_error(server, method, *error);
  }
  return std::get<RawJson>(std::move(*reply));
}

}  // namespace

class Server::Link final : public Listener {
 public:
  explicit Link(Server& server) : server_(server) {}

  Result<void> open(const Connect& connect) {
    YUME_TRY(connection_, connect(*this));
    return {};
  }
  Connection& connection() { return *connection_; }
  void close() {
    if (connection_) connection_->close();
  }

  void on_request(jsonrpc::Request request, Answer answer) override {
    server_.on_request(std::move(request), std::move(answer));
  }
  void on_notification(jsonrpc::Notification notification) override {
    server_.on_notification(notification);
  }
  void on_closed(const Error& why) override { server_.on_closed(*this, why); }

  std::optional<Error> ended;  // guarded by the server's mutex

 private:
  Server& server_;
  std::unique_ptr<Connection> connection_;
};

Server::Server(core::McpServerConfig config, Connect connect, ServerDeps deps)
    : config_(std::move(config)),
      connect_(std::move(connect)),
      deps_(std::move(deps)),
      facts_(std::make_shared<const ServerFacts>()) {}

Server::~Server() {
  begin_end();
  if (thread_.joinable()) thread_.join();
  link_.reset();
}

std::shared_ptr<const ServerFacts> Server::facts() const {
  const std::lock_guard lock(mutex_);
  return facts_;
}

void Server::connect(Done done) {
  const std::lock_guard lock(mutex_);
  if (closing_) return;
  wants_connection_ = true;
  wants_end_of_link_ = true;
  if (done) waiting_.push_back(std::move(done));
  cancel_.request_stop();  // a handshake that is under way begins anew
  cancel_ = CancelSource();
  publish({});
  wake_.notify_one();
  if (thread_.joinable()) return;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& failure) {
    publish({.status = core::McpStatus::failed,
             .error = std::string("no thread can be started for it: ") + failure.what()});
    wants_connection_ = false;
  }
}

void Server::disable() {
  std::vector<Done> waiting;
  {
    const std::lock_guard lock(mutex_);
    waiting = std::exchange(waiting_, {});
    wants_connection_ = false;
    wants_end_of_link_ = true;
    cancel_.request_stop();
    cancel_ = CancelSource();
    publish({.status = core::McpStatus::disabled});
    wake_.notify_one();
  }
  deps_.on_change();
  for (const Done& done : waiting) {
    done(Error{.code = ErrorCode::cancelled, .message = config_.name + " was switched off"});
  }
}

void Server::begin_end() {
  std::shared_ptr<Link> link;
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    cancel_.request_stop();
    link = link_;
    wake_.notify_one();
  }
  if (link) link->close();
}

void Server::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] {
      return closing_ || wants_connection_ || wants_end_of_link_ || tools_changed_ ||
             prompts_changed_ || !questions_.empty();
    });
    if (closing_) break;
    work_once(lock);
  }
  drop_link(lock);
}

void Server::work_once(std::unique_lock<std::mutex>& lock) {
  if (std::exchange(wants_end_of_link_, false)) {
    drop_link(lock);
  } else if (std::exchange(wants_connection_, false)) {
    connect_now(lock);
  } else if (std::exchange(tools_changed_, false)) {
    refresh(List::tools, lock);
  } else if (std::exchange(prompts_changed_, false)) {
    refresh(List::prompts, lock);
  } else if (!questions_.empty()) {
    const auto answer = std::move(questions_.front());
    questions_.pop_front();
    lock.unlock();
    answer();
    lock.lock();
  }
}

// Destroyed without the lock: its threads may be about to report something.
void Server::drop_link(std::unique_lock<std::mutex>& lock) {
  auto link = std::exchange(link_, nullptr);
  lock.unlock();
  if (link) link->close();
  link.reset();
  lock.lock();
}

void Server::connect_now(std::unique_lock<std::mutex>& lock) {
  const CancelToken cancel = cancel_.get_token();
  lock.unlock();
  auto link = std::make_shared<Link>(*this);
  const auto opened = link->open(connect_);
  Result<ServerFacts> facts = opened.ok() ? Result<ServerFacts>(ServerFacts{}) : opened.error();
  if (opened.ok()) {
    {
      const std::lock_guard guard(mutex_);
      link_ = link;  // so that its requests find it
    }
    facts = shake_hands(*link, cancel);
  }
  lock.lock();
  // Somebody wants it otherwise by now, and what came of this does not matter.
  if (cancel.stop_requested()) {
    if (link_ == link) link_ = nullptr;
    lock.unlock();
    link->close();
    link.reset();
    lock.lock();
    return;
  }
  const std::vector<Done> waiting = std::exchange(waiting_, {});
  if (facts.ok() && link->ended) facts = *link->ended;
  Result<void> outcome;
  if (facts.ok()) {
    publish(std::move(facts).value());
  } else {
    outcome = facts.error();
    fail(facts.error());
    link_ = nullptr;
  }
  lock.unlock();
  if (!outcome.ok()) {
    deps_.log.write("mcp", config_.name + ": " + outcome.error().message);
    link->close();
  }
  link.reset();
  deps_.on_change();  // first: whoever hears that it is done finds it so
  for (const Done& done : waiting) done(outcome);
  lock.lock();
}

// The mutex is held.
void Server::publish(ServerFacts facts) {
  ++generation_;
  facts_ = std::make_shared<const ServerFacts>(std::move(facts));
}

// The mutex is held.
void Server::fail(const Error& why) {
  const bool wants_login = why.code == ErrorCode::auth;
  publish({.status = wants_login ? core::McpStatus::needs_auth : core::McpStatus::failed,
           .error = why.message});
}

namespace {

template <class T>
Result<std::vector<T>> list_all(
    const std::function<Result<RawJson>(const std::string& cursor)>& ask,
    Result<Page<T>> (*read)(const RawJson&)) {
  std::vector<T> all;
  std::string cursor;
  for (int page = 0; page < k_most_pages; ++page) {
    YUME_TRY(const RawJson result, ask(cursor));
    YUME_TRY(Page<T> items, read(result));
    std::move(items.items.begin(), items.items.end(), std::back_inserter(all));
    if (items.next.empty() || items.next == cursor) break;
    cursor = std::move(items.next);
  }
  return all;
}

}  // namespace

Result<ServerFacts> Server::shake_hands(Link& link, const CancelToken& cancel) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point deadline = Clock::now() + deps_.times.connect;
  const auto ask = [&](const std::string& method, RawJson params) -> Result<RawJson> {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    if (left.count() <= 0) {
      return Error{.code = ErrorCode::timeout,
                   .message = "the MCP server " + config_.name + " was not ready within " +
                              std::to_string(deps_.times.connect.count()) +
                              " ms (MCP_TIMEOUT raises the limit)"};
    }
    return result_of(link.connection().call(method, std::move(params), left, cancel), config_.name,
                     method);
  };
  const auto list = [&](const char* method) {
    return [&ask, method](const std::string& cursor) { return ask(method, list_params(cursor)); };
  };
  ServerFacts facts{.status = core::McpStatus::connected};
  YUME_TRY(const RawJson hello, ask("initialize", initialize_params(deps_.client)));
  auto read = read_hello(hello);
  if (!read.ok()) {
    return Error{.code = ErrorCode::protocol,
                 .message = "the MCP server " + config_.name + ": " + read.error().message};
  }
  facts.hello = std::move(read).value();
  link.connection().use_version(facts.hello.protocol_version);
  if (const auto told = link.connection().notify({.method = "notifications/initialized"});
      !told.ok()) {
    return told.error();
  }
  if (facts.hello.has_tools) {
    YUME_TRY(facts.tools, list_all<ToolInfo>(list("tools/list"), read_tools));
  }
  if (facts.hello.has_prompts) {
    // Without them its tools are still of use.
    auto prompts = list_all<PromptInfo>(list("prompts/list"), read_prompts);
    if (prompts.ok()) facts.prompts = std::move(prompts).value();
  }
  return facts;
}

void Server::refresh(List list, std::unique_lock<std::mutex>& lock) {
  const auto before = facts_;
  const CancelToken cancel = cancel_.get_token();
  if (before->status != core::McpStatus::connected) return;
  lock.unlock();
  ServerFacts facts = *before;
  Error problem;
  bool good = false;
  const auto ask = [&](const char* method) {
    return [this, method, &cancel](const std::string& cursor) {
      return this->ask(method, list_params(cursor), cancel);
    };
  };
  if (list == List::tools) {
    auto tools = list_all<ToolInfo>(ask("tools/list"), read_tools);
    if ((good = tools.ok())) facts.tools = std::move(tools).value();
    if (!good) problem = tools.error();
  } else {
    auto prompts = list_all<PromptInfo>(ask("prompts/list"), read_prompts);
    if ((good = prompts.ok())) facts.prompts = std::move(prompts).value();
    if (!good) problem = prompts.error();
  }
  lock.lock();
  if (facts_ != before) return;  // it has ended, or begins anew
  if (good) publish(std::move(facts));
  lock.unlock();
  if (good) {
    deps_.on_change();
  } else {
    deps_.log.write("mcp", config_.name + ": " + problem.message);
  }
  lock.lock();
}

Result<RawJson> Server::ask(const std::string& method, RawJson params, const CancelToken& cancel) {
  std::shared_ptr<Link> link;
  std::shared_ptr<const ServerFacts> now;
  {
    const std::lock_guard lock(mutex_);
    link = link_;
    now = facts_;
  }
  if (!link || now->status != core::McpStatus::connected) {
    return Error{.code = ErrorCode::io,
                 .message = "the MCP server " + config_.name + " is " +
                            std::string(core::to_string(now->status)) +
                            (now->error.empty() ? "" : ": " + now->error)};
  }
  return result_of(link->connection().call(method, std::move(params), deps_.times.call, cancel),
                   config_.name, method);
}

void Server::on_closed(Link& link, const Error& why) {
  {
    const std::lock_guard lock(mutex_);
    link.ended = why;
    if (closing_ || link_.get() != &link) return;
    if (facts_->status != core::McpStatus::connected) return;  // whoever connects reports it
    fail(why);
  }
  deps_.log.write("mcp", config_.name + ": " + why.message);
  deps_.on_change();
}

void Server::on_notification(const jsonrpc::Notification& notification) {
  const std::string& method = notification.method;
  if (method == "notifications/message") {
    deps_.log.write("mcp", config_.name + ": " + log_text(notification.params));
    return;
  }
  if (method == "notifications/progress") {
    const auto progress = read_progress(notification.params);
    if (!progress) return;
    OnProgress tell;
    {
      const std::lock_guard lock(mutex_);
      const auto found = progress_.find(progress->token);
      if (found != progress_.end()) tell = found->second;
    }
    if (tell) tell(*progress);
    return;
  }
  const std::lock_guard lock(mutex_);
  tools_changed_ |= method == "notifications/tools/list_changed";
  prompts_changed_ |= method == "notifications/prompts/list_changed";
  wake_.notify_one();
}

void Server::on_request(jsonrpc::Request request, Listener::Answer answer) {
  if (request.method != "elicitation/create" || !deps_.elicit) {
    answer_request(request, answer);
    return;
  }
  const std::lock_guard lock(mutex_);
  if (questions_.size() >= k_most_questions) {
    answer(jsonrpc::ErrorObject{.message = "too many questions wait for their answers"});
    return;
  }
  questions_.emplace_back([this, request = std::move(request), answer = std::move(answer),
                           cancel = cancel_.get_token()] {
    answer(deps_.elicit(config_.name, request.params, cancel));
  });
  wake_.notify_one();
}

void Server::answer_request(const jsonrpc::Request& request, const Listener::Answer& answer) {
  if (request.method == "ping") {
    answer(RawJson{"{}"});
  } else if (request.method == "roots/list") {
    answer(roots_result(deps_.roots));
  } else {
    answer(jsonrpc::method_not_found(request.method));
  }
}

void Server::take_from_host(const RawJson& message) {
  std::visit(Overloaded{
                 [&](jsonrpc::Request request) {
                   std::shared_ptr<Link> link;
                   {
                     const std::lock_guard lock(mutex_);
                     link = link_;
                     if (!link || questions_.size() >= k_most_questions) return;
                     // Answered on the server's thread: the host is asked for it.
                     questions_.emplace_back(
                         [this, link, request = std::move(request), cancel = cancel_.get_token()] {
                           const auto answer = [&](jsonrpc::Reply reply) {
                             link->connection().answer(request.id, std::move(reply));
                           };
                           if (request.method == "elicitation/create" && deps_.elicit) {
                             answer(deps_.elicit(config_.name, request.params, cancel));
                           } else {
                             answer_request(request, answer);
                           }
                         });
                     wake_.notify_one();
                   }
                 },
                 [&](const jsonrpc::Notification& notification) { on_notification(notification); },
                 [](const jsonrpc::Response&) {},  // nothing was asked this way
                 [&](const jsonrpc::Malformed&) {
                   deps_.log.write("mcp", config_.name + ": the host sent what is no message");
                 },
             },
             jsonrpc::decode(message.text));
}

std::string Server::watch_progress(OnProgress on_progress) {
  const std::lock_guard lock(mutex_);
  const std::string token = std::to_string(++last_token_);
  progress_.emplace(token, std::move(on_progress));
  return token;
}

void Server::forget_progress(const std::string& token) {
  const std::lock_guard lock(mutex_);
  progress_.erase(token);
}

}  // namespace yume::mcp
