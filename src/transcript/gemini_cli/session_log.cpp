// SPDX-License-Identifier: MIT
#include "transcript/gemini_cli/session_log.h"

#include "util/json_members.h"
#include "util/json_scan.h"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <utility>

namespace yume::transcript {
namespace {

constexpr std::string_view k_byte_order_mark = "\xEF\xBB\xBF";
constexpr std::size_t k_piece = 256U << 10U;
// A record comes nowhere near it, and would not fit into memory several times.
constexpr std::uint64_t k_longest_message = 512U << 20U;
constexpr std::uint32_t k_nowhere = std::numeric_limits<std::uint32_t>::max();

std::uint64_t hash_of(std::string_view id) {
  return std::hash<std::string_view>()(id) | 1U;  // 0 means none
}

std::string text_of(std::string_view written) {
  return json_text("\"" + std::string(written) + "\"").value_or("");
}

// What one JSON value of the file says: a line of a log, or the whole.
struct Entry {
  MessagePlace self;       // as a message
  bool is_list = false;    // an array of messages
  bool says_type = false;  // of a message
  bool has_content = false;
  bool sets = false;  // $set
  bool has_messages = false;
  bool rewinds = false;
  std::uint64_t rewound_to = 0;
  std::deque<MessagePlace> messages;
  SessionFacts facts;
};

void merge(std::string& known, std::string& news) {
  if (!news.empty()) known = std::move(news);
}

// Collects an Entry from the events of a scan.
class EntryReader final : public JsonScanHandler {
 public:
  void restart() {
    entry = {};
    depth_ = 0;
    list_depth_ = k_none;
    keys_ = {};
  }

  void on_begin(JsonContainer container, std::uint64_t at) override {
    if (depth_ == 0) {
      entry.self.offset = at;
      entry.is_list = container == JsonContainer::array;
      if (entry.is_list) list_depth_ = 0;
    }
    const bool array = container == JsonContainer::array;
    if (depth_ == 1) {
      if (keys_[0] == "$set" && !array) entry.sets = true;
      if (keys_[0] == "messages" && array) begin_list();
      if (keys_[0] == "content") entry.has_content = true;
    }
    if (depth_ == 2 && keys_[0] == "$set" && keys_[1] == "messages" && array) begin_list();
    if (in_list() && depth_ == list_depth_ + 1 && !array) message_ = {.offset = at};
    depth_ += 1;
    if (depth_ <= k_kept) keys_[depth_ - 1].clear();
  }

  void on_end(std::uint64_t behind) override {
    depth_ -= 1;
    if (depth_ == 0) entry.self.length = length_of(entry.self, behind);
    if (!in_list()) return;
    if (depth_ == list_depth_) {
      list_depth_ = k_none;
    } else if (depth_ == list_depth_ + 1 && message_.offset != k_no_offset) {
      message_.length = length_of(message_, behind);
      if (message_.length > 0) entry.messages.push_back(message_);
      message_.offset = k_no_offset;
    }
  }

  void on_key(std::string_view key) override {
    if (depth_ <= k_kept) keys_[depth_ - 1].assign(key);
  }

  void on_string(std::string_view text) override {
    const bool of_message = in_list() && depth_ == list_depth_ + 2;
    if (of_message && depth_ <= k_kept && keys_[depth_ - 1] == "id") {
      message_.id_hash = hash_of(text);
      return;
    }
    if (depth_ == 1) on_member(keys_[0], text);
    if (depth_ == 2 && keys_[0] == "$set") on_fact(keys_[1], text);
    // The folder that the session was had in comes first.
    const bool folder = (depth_ == 2 && keys_[0] == "directories") ||
                        (depth_ == 3 && keys_[0] == "$set" && keys_[1] == "directories");
    if (folder && entry.facts.cwd.empty()) entry.facts.cwd = text_of(text);
  }

  void on_scalar(std::string_view /*text*/) override {}

  Entry entry;

 private:
  static constexpr std::size_t k_none = std::numeric_limits<std::size_t>::max() - 8;
  static constexpr std::uint64_t k_no_offset = std::numeric_limits<std::uint64_t>::max();
  static constexpr std::size_t k_kept = 5;

  static std::uint32_t length_of(const MessagePlace& place, std::uint64_t behind) {
    const std::uint64_t length = behind - place.offset;
    return length > k_longest_message ? 0 : static_cast<std::uint32_t>(length);
  }

  [[nodiscard]] bool in_list() const { return list_depth_ != k_none; }

  void begin_list() {
    list_depth_ = depth_;
    entry.has_messages = true;
    entry.messages.clear();
    message_.offset = k_no_offset;
  }

  void on_member(std::string_view key, std::string_view text) {
    if (key == "id") entry.self.id_hash = hash_of(text);
    if (key == "$rewindTo") {
      entry.rewinds = true;
      entry.rewound_to = hash_of(text);
    }
    if (key == "type") {
      constexpr std::array<std::string_view, 5> k_types = {"user", "gemini", "info", "error",
                                                           "warning"};
      entry.says_type = std::find(k_types.begin(), k_types.end(), text) != k_types.end();
    }
    if (key == "content") entry.has_content = true;
    on_fact(key, text);
  }

  void on_fact(std::string_view key, std::string_view text) {
    SessionFacts& facts = entry.facts;
    if (key == "sessionId") facts.id = text_of(text);
    if (key == "projectHash") facts.project_hash = text_of(text);
    if (key == "startTime") facts.started = text_of(text);
    if (key == "lastUpdated") facts.updated = text_of(text);
    if (key == "summary") facts.summary = text_of(text);
    if (key == "kind") facts.kind = text_of(text);
  }

  std::size_t depth_ = 0;
  std::size_t list_depth_ = k_none;  // of the array whose elements are messages
  MessagePlace message_ = {.offset = k_no_offset};
  std::array<std::string, k_kept> keys_;
};

// Applies the file's entries in their order.
class LogReader {
 public:
  LogReader(ByteSource& bytes, IsReal is_real) : bytes_(bytes), is_real_(is_real) {}

  Result<SessionLog> read() {
    if (const auto read = each_line(); !read) return read.error();
    if (has_header_) return finished();
    // No log, so it is one value: an old session, a list, or a single message.
    SessionLog lines = std::exchange(log_, {});
    YUME_TRY(const bool whole, read_whole());
    if (!whole) log_ = std::move(lines);
    return finished();
  }

 private:
  template <class Take>
  Result<void> each_piece(Take take) {
    std::vector<char> buffer(k_piece);
    for (std::uint64_t at = 0;;) {
      YUME_TRY(const std::size_t got, bytes_.read_at(at, buffer));
      if (got == 0) return {};
      std::string_view piece(buffer.data(), got);
      std::uint64_t from = at;
      if (at == 0 && piece.starts_with(k_byte_order_mark)) {
        piece.remove_prefix(k_byte_order_mark.size());
        from = k_byte_order_mark.size();
      }
      take(piece, from);
      at += got;
    }
  }

  Result<void> each_line() {
    scanner_.restart(0);
    bool blank = true;
    const auto end_line = [this, &blank] {
      if (scanner_.finish()) {
        apply_line();
      } else if (!blank) {
        log_.skipped += 1;
      }
    };
    const auto read = each_piece([&](std::string_view piece, std::uint64_t at) {
      if (blank && at <= k_byte_order_mark.size()) begin_line(at);
      while (!piece.empty()) {
        const std::size_t end = piece.find('\n');
        const std::string_view line = piece.substr(0, end);
        blank = blank && line.find_first_not_of(" \t\r") == std::string_view::npos;
        scanner_.feed(line);
        if (end == std::string_view::npos) return;
        end_line();
        piece.remove_prefix(end + 1);
        at += end + 1;
        begin_line(at);
        blank = true;
      }
    });
    if (!read) return read.error();
    end_line();
    return {};
  }

  void begin_line(std::uint64_t at) {
    reader_.restart();
    scanner_.restart(at);
  }

  Result<bool> read_whole() {
    bool first = true;
    const auto read = each_piece([&](std::string_view piece, std::uint64_t at) {
      if (std::exchange(first, false)) begin_line(at);
      scanner_.feed(piece);
    });
    if (!read) return read.error();
    if (first || !scanner_.finish()) return false;
    Entry& entry = reader_.entry;
    const bool single = !entry.is_list && entry.says_type && entry.has_content;
    if (!entry.is_list && !entry.has_messages && !single) return false;
    take_facts(entry.facts);
    if (single) {
      log_.messages.append(entry.self);
    } else {
      for (; !entry.messages.empty(); entry.messages.pop_front()) {
        log_.messages.append(entry.messages.front());
      }
    }
    log_.is_session = true;
    return true;
  }

  // The order in which Gemini CLI itself asks what a line is.
  void apply_line() {
    Entry& entry = reader_.entry;
    if (entry.rewinds) {
      log_.messages.rewind(entry.rewound_to);
    } else if (entry.self.id_hash != 0) {
      if (entry.self.length > 0) log_.messages.put(entry.self);
      log_.is_session = log_.is_session || entry.says_type;
    } else if (entry.sets) {
      take_facts(entry.facts);
      if (entry.has_messages) replace_with(entry.messages);
    } else if (!entry.facts.id.empty() || entry.has_messages) {
      has_header_ = has_header_ || !entry.facts.project_hash.empty();
      take_facts(entry.facts);
      if (entry.has_messages) replace_with(entry.messages);
    } else {
      log_.skipped += 1;
    }
  }

  void take_facts(SessionFacts& news) {
    SessionFacts& known = log_.facts;
    merge(known.id, news.id);
    merge(known.project_hash, news.project_hash);
    merge(known.started, news.started);
    merge(known.updated, news.updated);
    merge(known.summary, news.summary);
    merge(known.kind, news.kind);
    merge(known.cwd, news.cwd);
  }

  void replace_with(std::deque<MessagePlace>& places) {
    if (any_real(log_.messages)) log_.erased = std::move(log_.messages);
    log_.messages.clear();
    for (; !places.empty(); places.pop_front()) log_.messages.put(places.front());
  }

  bool any_real(const MessageList& list) {
    return std::any_of(list.places().begin(), list.places().end(),
                       [this](const MessagePlace& place) { return is_real_(bytes_, place); });
  }

  // A checkpoint that erased everything real (the same minute, another process) is not believed.
  SessionLog finished() {
    log_.is_session = log_.is_session || has_header_;
    const bool erased = !log_.erased.places().empty() && !any_real(log_.messages);
    if (erased) log_.messages = std::move(log_.erased);
    log_.erased.clear();
    return std::move(log_);
  }

  ByteSource& bytes_;
  IsReal is_real_;
  EntryReader reader_;
  JsonScanner scanner_{reader_, {.reported_depth = 5}};
  SessionLog log_;
  bool has_header_ = false;
};

}  // namespace

void MessageList::put(const MessagePlace& place) {
  const std::uint32_t known = place.id_hash == 0 ? k_nowhere : find(place.id_hash);
  if (known != k_nowhere) {
    places_[known] = place;
  } else {
    append(place);
  }
}

void MessageList::append(const MessagePlace& place) {
  if (places_.size() >= k_nowhere - 1) return;
  places_.push_back(place);
  if (place.id_hash != 0) index(static_cast<std::uint32_t>(places_.size() - 1));
}

void MessageList::rewind(std::uint64_t id_hash) {
  const std::uint32_t known = find(id_hash);
  places_.resize(known == k_nowhere ? 0 : known);
}

void MessageList::clear() {
  places_.clear();
  slots_.clear();
  used_ = 0;
}

void MessageList::index(std::uint32_t at) {
  if ((used_ + 1) * 3 > slots_.size() * 2) {
    slots_.assign(std::max<std::size_t>(64, places_.size() * 3), 0);
    used_ = 0;
    for (std::uint32_t i = 0; i < at; ++i) {
      if (places_[i].id_hash != 0) index(i);
    }
  }
  std::size_t slot = places_[at].id_hash % slots_.size();
  while (slots_[slot] != 0) slot = slot + 1 == slots_.size() ? 0 : slot + 1;
  slots_[slot] = at + 1;
  used_ += 1;
}

std::uint32_t MessageList::find(std::uint64_t id_hash) const {
  if (slots_.empty()) return k_nowhere;
  std::size_t slot = id_hash % slots_.size();
  for (; slots_[slot] != 0; slot = slot + 1 == slots_.size() ? 0 : slot + 1) {
    const std::uint32_t at = slots_[slot] - 1;
    if (at < places_.size() && places_[at].id_hash == id_hash) return at;
  }
  return k_nowhere;
}

Result<SessionLog> read_session_log(ByteSource& bytes, IsReal is_real) {
  return LogReader(bytes, is_real).read();
}

}  // namespace yume::transcript
