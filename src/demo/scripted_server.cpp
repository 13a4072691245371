// SPDX-License-Identifier: MIT
#include "demo/scripted_server.h"

#include <utility>

namespace yume::demo {

Responder answer_in_order(std::vector<Answer> answers) {
  return [answers = std::move(answers)](const RecordedRequest&, std::size_t index) -> Answer {
    if (index < answers.size()) return answers[index];
    return plain_answer({.status = 500, .content_type = "text/plain", .body = "script exhausted"});
  };
}

Result<std::unique_ptr<ScriptedServer>> ScriptedServer::start(Options options) {
  std::unique_ptr<ScriptedServer> server(new ScriptedServer(std::move(options)));
  YUME_TRY(server->http_,
           HttpServer::start(
               {.answer = [self = server.get()](
                              RecordedRequest request) { return self->answer(std::move(request)); },
                .wait_for_gate = [self = server.get()](
                                     const std::string& gate) { return self->wait_at(gate); }}));
  return server;
}

ScriptedServer::ScriptedServer(Options options) : responder_(std::move(options.responder)) {}

ScriptedServer::~ScriptedServer() {
  close();
}

std::string ScriptedServer::base_url() const {
  return "http://127.0.0.1:" + std::to_string(http_->port());
}

std::vector<RecordedRequest> ScriptedServer::requests() const {
  const std::lock_guard lock(mutex_);
  return {requests_.begin(), requests_.end()};
}

bool ScriptedServer::wait_for_request(std::size_t count) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return closing_ || requests_.size() >= count; });
  return requests_.size() >= count;
}

void ScriptedServer::open_gate(std::string_view name) {
  {
    const std::lock_guard lock(mutex_);
    open_gates_.emplace(name);
  }
  changed_.notify_all();
}

void ScriptedServer::close() {
  const std::lock_guard one_closer(close_mutex_);
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  if (http_) http_->close();
}

Answer ScriptedServer::answer(RecordedRequest request) {
  const auto [recorded, index] = record(std::move(request));
  return responder_(*recorded, index);
}

std::pair<const RecordedRequest*, std::size_t> ScriptedServer::record(RecordedRequest request) {
  std::pair<const RecordedRequest*, std::size_t> recorded;
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back(std::move(request));
    recorded = {&requests_.back(), requests_.size() - 1};
  }
  changed_.notify_all();
  return recorded;
}

Next ScriptedServer::wait_at(const std::string& gate) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return closing_ || open_gates_.contains(gate); });
  return closing_ ? Next::end_connection : Next::keep_open;
}

}  // namespace yume::demo
