// SPDX-License-Identifier: MIT
#include "app/agents/gemini_outputs.h"

#include "auth/sha256.h"
#include "transcript/convert/call_outcome.h"
#include "transcript/gemini_cli/project_sessions.h"
#include "transcript/gemini_cli/session_reader.h"

#include <algorithm>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

class Collector final : public transcript::RecordTarget {
 public:
  explicit Collector(std::map<std::string, std::string>& outputs) : outputs_(outputs) {}

  void begin(const transcript::SessionFacts& /*facts*/) override {}
  void record(transcript::SessionRecord record) override {
    for (const transcript::SaidBlock& block : record.blocks) {
      const auto* call = std::get_if<transcript::SaidCall>(&block);
      if (call == nullptr || !call->result) continue;
      outputs_.insert_or_assign(call->id, transcript::outcome_of(*call).text);
    }
  }
  void end() override {}

 private:
  std::map<std::string, std::string>& outputs_;
};

}  // namespace

GeminiOutputs::GeminiOutputs(fs::path cwd, const platform::Environment& environment,
                             const platform::FileSystem& files)
    : cwd_(std::move(cwd)), folder_(transcript::gemini_cli_folder(environment)), files_(files) {}

void GeminiOutputs::read(const std::string& session) {
  outputs_.clear();
  session_ = session;
  if (folder_.empty()) return;
  const auto known =
      transcript::gemini_sessions_of({.names = {cwd_}, .sha256_hex = auth::sha256_hex}, folder_,
                                     transcript::Subagents::no, files_);
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.id == session; });
  if (found == known.end()) return;
  const auto real = files_.real_path(found->file);
  if (!real.ok()) return;
  auto file = files_.open_real(*real);
  if (!file.ok()) return;
  transcript::FileBytes bytes(std::move(file).value());
  Collector collector(outputs_);
  // What cannot be read is not there: the line's own text stands.
  (void)transcript::read_gemini_session(bytes, collector);
}

std::optional<std::string> GeminiOutputs::find(const std::string& session,
                                               const std::string& call) {
  const auto look = [&]() -> std::optional<std::string> {
    const auto found = outputs_.find(call);
    if (session != session_ || found == outputs_.end()) return std::nullopt;
    return found->second;
  };
  if (auto known = look()) return known;
  read(session);
  return look();
}

}  // namespace yume::app
