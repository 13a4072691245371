// SPDX-License-Identifier: MIT
#include "transcript/transcript_reader.h"

#include "core/media_check.h"
#include "transcript/transcript_records.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace yume::transcript {
namespace {

constexpr std::size_t k_padding = 64;  // simdjson reads beyond the end of what it parses
constexpr std::size_t k_none = std::numeric_limits<std::size_t>::max();
constexpr std::string_view k_interrupted =
    "The call was interrupted before it finished; whether it had an effect is not known. Look "
    "before you repeat it.";
constexpr std::string_view k_not_run =
    "The call was not run: the turn was interrupted before its time came.";

// Everything the lines say, before any of it is put together.
struct Lines {
  std::vector<Record> records;
  // By the reply's id.
  std::unordered_map<std::string, std::vector<core::RawContent>> contents;
  std::unordered_map<std::string, std::vector<core::PastCall>> calls;
  std::map<std::string, std::string> withheld;  // by the call's id
  core::WorkState state;
  std::size_t skipped = 0;
  std::optional<std::string> rewound_to;  // when nothing was added since

  void add(Record record) {
    if (record.kind == Record::Kind::prompt || record.kind == Record::Kind::reply) {
      rewound_to.reset();
    }
    records.push_back(std::move(record));
  }
  void add(ContentNote note) {
    if (!note.calls.empty()) {
      auto& known = calls[note.message_id];
      std::move(note.calls.begin(), note.calls.end(), std::back_inserter(known));
    }
    contents[note.message_id].push_back(std::move(note.content));
  }
  void add(RewindNote note) { rewound_to = std::move(note.leaf); }
  void add(const WithheldNote& note) {
    for (const std::string& id : note.call_ids) withheld[id] = note.instead;
    if (note.media) withhold_media(note);
  }
  // It counts for what stands before it in the file.
  void withhold_media(const WithheldNote& note) {
    auto first = records.begin();
    if (!note.after.empty()) {
      first = std::find_if(first, records.end(),
                           [&note](const Record& record) { return record.uuid == note.after; });
      if (first != records.end()) ++first;
    }
    for (; first != records.end(); ++first) {
      for (core::UserBlock& block : first->prompt.blocks) {
        if (const auto* media = std::get_if<core::Media>(&block)) {
          block = core::withheld_text(*media, note.instead);
        }
      }
      for (core::PastResult& result : first->results) {
        for (const core::Media& media : std::exchange(result.media, {})) {
          result.text.append(result.text.empty() ? "" : "\n");
          result.text += core::withheld_text(media, note.instead);
        }
      }
    }
  }
  void add(StateNote note) {
    for (const auto& [path, hash] : note.state.files) state.files[path] = hash;
    state.shell_cwd = std::move(note.state.shell_cwd);
    state.todos = std::move(note.state.todos);
    state.running = std::move(note.state.running);
  }
  // Of a reply that is cut in two, the model's own form says too much.
  void forget_rest_of_reply(std::size_t last) {
    const std::string id = records[last].message_id;
    const bool cut =
        std::any_of(records.begin() + static_cast<std::ptrdiff_t>(last) + 1, records.end(),
                    [&id](const Record& later) { return !id.empty() && later.message_id == id; });
    if (!cut) return;
    contents.erase(id);
    calls.erase(id);
  }
  void add(ForeignLine) {}
  void add(BadLine) { ++skipped; }
};

// No record comes near it, and a parser would need several times as much memory.
constexpr std::size_t k_longest_line = 256U << 20U;

bool is_blank(std::string_view line) {
  constexpr std::string_view k_blank(" \t\r\0", 4);  // a disk that lost power leaves zeros
  return line.find_first_not_of(k_blank) == std::string_view::npos;
}

// Looks for each newline, which is far faster than looking at each byte.
std::size_t count_lines(const std::string& bytes) {
  std::size_t lines = 1;
  for (std::size_t at = 0; (at = bytes.find('\n', at)) != std::string::npos; ++at) ++lines;
  return lines;
}

Lines read_lines(const std::string& bytes) {
  Lines lines;
  lines.records.reserve(count_lines(bytes));
  LineReader reader;
  std::string last;  // copied, because the parser wants to look beyond its end
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', at), bytes.size());
    std::string_view line(bytes.data() + at, end - at);
    std::size_t room = bytes.size() - at;
    const bool readable = line.size() <= k_longest_line;
    if (readable && room < line.size() + k_padding) {
      last = line;
      last.append(k_padding, '\0');
      line = std::string_view(last.data(), line.size());
      room = last.size();
    }
    if (!readable) {
      lines.add(BadLine{});
    } else if (!is_blank(line)) {
      std::visit([&lines](auto&& read) { lines.add(std::forward<decltype(read)>(read)); },
                 reader.read(line.data(), line.size(), room));
    }
    at = end + 1;
  }
  return lines;
}

// Which records make up the conversation, and in which order.
class Chain {
 public:
  explicit Chain(const Lines& lines) : records_(lines.records) {
    for (std::size_t i = 0; i < records_.size(); ++i) places_.emplace(records_[i].uuid, i);
    for (const Record& record : records_) relink(record);
  }

  // The place of the last record, as far as anybody has said anything; k_none when there is none.
  std::size_t leaf(const std::optional<std::string>& rewound_to) const {
    if (rewound_to) return rewound_to->empty() ? k_none : place(*rewound_to);
    for (std::size_t i = records_.size(); i-- > 0;) {
      const Record& record = records_[i];
      const bool counts = record.kind == Record::Kind::prompt || record.kind == Record::Kind::reply;
      if (!counts) continue;
      // Right after a compaction what it kept comes behind its summary.
      const auto tail = tails_.find(record.uuid);
      return tail == tails_.end() ? i : place(tail->second);
    }
    return k_none;
  }

  // From the first to `leaf`.
  std::vector<std::size_t> walk(std::size_t leaf) const {
    std::vector<std::size_t> chain;
    std::vector<bool> seen(records_.size());
    for (std::size_t at = leaf; at != k_none && !seen[at]; at = before(at)) {
      seen[at] = true;
      chain.push_back(at);
    }
    std::reverse(chain.begin(), chain.end());
    return with_siblings(chain, seen);
  }

  std::size_t place(const std::string& uuid) const {
    const auto found = places_.find(uuid);
    return found == places_.end() ? k_none : found->second;
  }

 private:
  // Claude Code lets the results of parallel calls branch off, each at its own call, so that a walk
  // back passes only one of them: the other lines of a reply are put beside those that it met.
  std::vector<std::size_t> with_siblings(const std::vector<std::size_t>& chain,
                                         std::vector<bool>& seen) const {
    std::unordered_map<std::string_view, std::vector<std::size_t>> lines;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      const Record& record = records_[i];
      const bool block = record.kind == Record::Kind::reply && !record.message_id.empty();
      if (block) lines[record.message_id].push_back(i);
    }
    std::vector<std::size_t> all;
    for (const std::size_t at : chain) {
      const auto reply = lines.find(records_[at].message_id);
      if (reply != lines.end() && records_[at].kind == Record::Kind::reply) {
        for (const std::size_t sibling : reply->second) {
          if (sibling >= at || seen[sibling]) continue;
          seen[sibling] = true;
          all.push_back(sibling);
        }
      }
      all.push_back(at);
    }
    return all;
  }

  // A boundary counts only with its summary: a kill may have come between them.
  void relink(const Record& boundary) {
    if (boundary.kind != Record::Kind::boundary || boundary.kept.empty()) return;
    const std::size_t summary = place(boundary.anchor);
    if (summary == k_none || !records_[summary].is_summary) return;
    std::string parent = boundary.anchor;
    if (boundary.kept_is_range) {
      parents_[boundary.kept.front()] = parent;
    } else {
      for (const std::string& uuid : boundary.kept) {
        parents_[uuid] = parent;
        parent = uuid;
      }
    }
    if (place(boundary.kept.back()) != k_none) tails_[boundary.anchor] = boundary.kept.back();
  }

  std::size_t before(std::size_t at) const {
    const Record& record = records_[at];
    const auto relinked = parents_.find(record.uuid);
    if (relinked != parents_.end()) return place(relinked->second);
    if (record.parent && record.parent->empty()) return k_none;
    const std::size_t found = record.parent ? place(*record.parent) : k_none;
    if (found != k_none && found < at) return found;
    // A damaged line: what stands before it in the file came before it.
    return at == 0 ? k_none : at - 1;
  }

  const std::vector<Record>& records_;
  std::unordered_map<std::string_view, std::size_t> places_;
  std::map<std::string, std::string> parents_;  // where a compaction changed them
  std::map<std::string, std::string> tails_;    // by a summary's uuid: the last of what was kept
};

class Builder {
 public:
  explicit Builder(Lines lines) : lines_(std::move(lines)) {
    for (Record& record : lines_.records) {
      for (core::PastResult& result : record.results) {
        results_.insert_or_assign(result.call_id, std::move(result));
      }
      for (const core::PastCall& call : record.calls) out_.call_ids.push_back(call.id);
    }
    for (const auto& [id, calls] : lines_.calls) {
      for (const core::PastCall& call : calls) out_.call_ids.push_back(call.id);
    }
  }

  core::Conversation build(const std::vector<std::size_t>& chain) {
    for (const std::size_t at : chain) {
      add(lines_.records[at]);
      out_.chain.push_back(lines_.records[at].uuid);
    }
    finish_reply();
    if (!chain.empty()) {
      out_.leaf_uuid = out_.chain.back();
      const Record& last = lines_.records[chain.back()];
      out_.interrupted = last.kind == Record::Kind::prompt && last.is_hidden;
    }
    out_.state = std::move(lines_.state);
    out_.skipped = lines_.skipped;
    return std::move(out_);
  }

 private:
  void add(Record& record) {
    if (record.kind == Record::Kind::prompt) add_prompt(record);
    if (record.kind == Record::Kind::reply && !record.is_hidden) add_reply(record);
  }

  void add_prompt(Record& record) {
    if (record.is_hidden || record.prompt.blank()) return;
    finish_reply();
    out_.entries.emplace_back(core::PastPrompt{.message = std::move(record.prompt),
                                               .position = out_.chain.size(),
                                               .is_summary = record.is_summary,
                                               .is_synthetic = record.is_synthetic});
  }

  void add_reply(Record& record) {
    const bool goes_on =
        reply_ && !record.message_id.empty() && reply_->message_id == record.message_id;
    if (!goes_on) {
      finish_reply();
      reply_.emplace();
      reply_->message_id = record.message_id;
      reply_->position = out_.chain.size();
    }
    if (reply_->text.empty()) {
      reply_->text = std::move(record.text);
    } else {
      reply_->text += record.text;
    }
    std::move(record.calls.begin(), record.calls.end(), std::back_inserter(reply_->calls));
    out_.model = record.model;
    if (record.usage.prompt_tokens > 0) out_.last_request = record.usage;
  }

  // The model's own list of calls also has those that were never announced.
  void use_raw_contents() {
    const auto contents = lines_.contents.find(reply_->message_id);
    if (contents == lines_.contents.end()) return;
    reply_->raw = std::move(contents->second);
    lines_.contents.erase(contents);
    std::vector<core::PastCall> all;
    if (const auto calls = lines_.calls.find(reply_->message_id); calls != lines_.calls.end()) {
      all = std::move(calls->second);
    }
    for (core::PastCall& call : all) {
      const auto announced =
          std::find_if(reply_->calls.begin(), reply_->calls.end(),
                       [&call](const core::PastCall& one) { return one.id == call.id; });
      if (announced == reply_->calls.end()) {
        unannounced_.insert(call.id);
        call.input = {"{}"};
      } else {
        call.input = std::move(announced->input);
      }
    }
    reply_->calls = std::move(all);
  }

  void finish_reply() {
    if (!reply_) return;
    use_raw_contents();
    core::PastResults answers;
    for (const core::PastCall& call : reply_->calls) answers.results.push_back(answer_to(call.id));
    const bool empty = reply_->text.empty() && reply_->calls.empty();
    if (!empty) out_.entries.emplace_back(*std::move(reply_));
    reply_.reset();
    if (!answers.results.empty()) out_.entries.emplace_back(std::move(answers));
  }

  core::PastResult answer_to(const std::string& call_id) {
    if (const auto withheld = lines_.withheld.find(call_id); withheld != lines_.withheld.end()) {
      return {.call_id = call_id, .text = withheld->second, .is_error = true};
    }
    if (auto result = results_.extract(call_id)) return std::move(result.mapped());
    const bool announced = !unannounced_.contains(call_id);
    if (announced) out_.open_calls.push_back(call_id);
    return {.call_id = call_id,
            .text = std::string(announced ? k_interrupted : k_not_run),
            .is_error = true};
  }

  Lines lines_;
  core::Conversation out_;
  std::unordered_map<std::string, core::PastResult> results_;
  std::set<std::string> unannounced_;
  std::optional<core::PastReply> reply_;
};

}  // namespace

Result<core::Conversation> read_transcript(ReadRequest request) {
  Lines lines = read_lines(request.bytes);
  request.bytes = {};  // a long session need not be in memory twice
  const Chain chain(lines);
  std::vector<std::size_t> places = chain.walk(chain.leaf(lines.rewound_to));
  if (request.up_to) {
    const auto found = std::find(places.begin(), places.end(), chain.place(*request.up_to));
    if (found == places.end()) {
      return Error{.code = ErrorCode::not_found,
                   .message = "No message found with message.uuid of: " + *request.up_to};
    }
    places.erase(std::next(found), places.end());
    lines.forget_rest_of_reply(*found);
  }
  return Builder(std::move(lines)).build(places);
}

}  // namespace yume::transcript
