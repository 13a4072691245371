// SPDX-License-Identifier: MIT
#include "markdown/terminal_stream.h"

#include "markdown/terminal_table.h"

#include <algorithm>
#include <utility>

namespace yume::markdown {
namespace {

// How much is looked at together. A piece of a text may be a line, or all of it.
constexpr std::size_t k_enough = 2U << 10U;
// A block or a line that is longer is shown in parts.
constexpr std::size_t k_longest = 64U << 10U;

// Of `text`, which may end inside of a character: all whole ones.
std::size_t whole_characters(std::string_view text) {
  constexpr std::size_t k_longest_character = 4;
  for (std::size_t back = 1; back <= std::min(k_longest_character, text.size()); ++back) {
    const auto byte = static_cast<unsigned char>(text[text.size() - back]);
    if (byte < 0x80) return text.size();
    if (byte < 0xC0) continue;
    const std::size_t length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2;
    return length > back ? text.size() - back : text.size();
  }
  return text.size();
}

std::size_t count_ends(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// Where the line begins; lines count from 1.
std::size_t begin_of_line(std::string_view text, std::size_t line) {
  std::size_t at = 0;
  for (; line > 1; --line) {
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) return at;
    at = end + 1;
  }
  return at;
}

std::string_view first_lines(std::string_view text, std::size_t count) {
  return text.substr(0, begin_of_line(text, count + 1));
}

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

bool ends_in_blank_line(std::string_view text) {
  if (!text.ends_with('\n')) return false;
  text.remove_suffix(1);
  return is_blank(text.substr(text.rfind('\n') + 1));
}

struct Part {
  std::size_t line;
  Joint::Kind joint;
};

// What can be shown without the rest: the blocks, and the items of lists.
std::vector<Part> parts_of(const std::vector<Block>& blocks) {
  std::vector<Part> parts;
  for (const Block& block : blocks) {
    if (block.line > 0) parts.push_back({block.line, Joint::Kind::none});
    if (block.kind != Block::Kind::list) continue;
    for (std::size_t i = 1; i < block.inner.size(); ++i) {
      parts.push_back({block.inner[i].line, Joint::Kind::list});
    }
  }
  return parts;
}

// Leaves the last block; of a list its last item.
std::vector<Block> take_all_but_last(std::vector<Block>& blocks) {
  Block last = std::move(blocks.back());
  blocks.pop_back();
  std::vector<Block> before = std::exchange(blocks, {});
  if (last.kind == Block::Kind::list && last.inner.size() > 1) {
    Block item = std::move(last.inner.back());
    last.inner.pop_back();
    blocks.push_back({.kind = Block::Kind::list,
                      .inner = {},
                      .first_number = last.first_number,
                      .line = item.line});
    blocks.back().inner.push_back(std::move(item));
    before.push_back(std::move(last));
  } else {
    blocks.push_back(std::move(last));
  }
  return before;
}

// `[name]: where it leads`
bool may_name_links(std::string_view source) {
  return source.find("]:") != std::string_view::npos;
}

}  // namespace

std::string TerminalStream::add(std::string_view text) {
  std::string out;
  bool ended = false;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::string_view piece = text.substr(0, std::min(end, k_longest - line_.size()));
    line_ += piece;
    text.remove_prefix(piece.size());
    if (text.empty()) break;
    const bool has_end = text.front() == '\n';
    std::string next;
    if (has_end) {
      text.remove_prefix(1);
    } else {
      next = line_.substr(whole_characters(line_));
      line_.resize(line_.size() - next.size());
    }
    end_line(out);
    line_ = std::move(next);
    ended = true;
  }
  if (ended && pending_.size() < k_enough) settle(out);
  return out;
}

std::string TerminalStream::finish() {
  std::string out;
  if (!line_.empty()) pending_ += line_ + "\n";
  write(pending_, out);
  *this = TerminalStream(look_);
  return out;
}

std::vector<std::string> TerminalStream::open_lines() const {
  std::vector<std::string> lines = terminal_text(parse(pending_ + line_), look_, joint_).lines;
  if (!lines.empty() && any_ && joint_.kind == Joint::Kind::none) lines.insert(lines.begin(), "");
  return lines;
}

void TerminalStream::end_line(std::string& out) {
  pending_.append(line_).push_back('\n');
  line_.clear();
  if (pending_.size() >= std::max(due_, k_enough)) settle(out);
}

// Only the last block can still change. Of a list that is its last item, of code that is not closed
// and of a long table what comes next.
void TerminalStream::settle(std::string& out) {
  if (is_blank(pending_)) return pending_.clear();
  std::vector<Block> blocks = parse(pending_);
  const std::vector<Part> parts = parts_of(blocks);
  const std::size_t cut = parts.empty() ? 0 : begin_of_line(pending_, parts.back().line);
  if (cut > 0) {
    const std::string_view source = std::string_view(pending_).substr(0, cut);
    const bool alone = blocks.back().line > 0 && !may_name_links(pending_);
    const unsigned number =
        alone ? write(terminal_text(take_all_but_last(blocks), look_, joint_), out)
              : write(source, out);
    pending_.erase(0, cut);
    joint_ = {.kind = parts.back().joint, .number = number};
    if (!alone) blocks = parse(pending_);
  }
  if (blocks.size() == 1 && blocks.front().line > 0) cut_inside(blocks, out);
  if (pending_.size() >= k_longest) {
    write(pending_, out);
    pending_.clear();
    joint_ = {};
  }
  due_ = std::min(pending_.size() + pending_.size() / 8, k_longest);
}

void TerminalStream::cut_inside(const std::vector<Block>& last, std::string& out) {
  if (last.front().kind == Block::Kind::code) cut_code(last, out);
  if (last.front().kind == Block::Kind::table) cut_table(last, out);
}

// Closed, it has a line more than its content and the fence above that.
void TerminalStream::cut_code(const std::vector<Block>& code, std::string& out) {
  const std::size_t content = count_ends(code.front().text);
  const bool open = code.front().is_fenced && count_ends(pending_) == content + 1;
  if (!open || content == 0) return;
  write(terminal_text(code, look_, joint_), out);
  pending_ = first_lines(pending_, 1);
  joint_ = {.kind = Joint::Kind::code};
}

void TerminalStream::cut_table(const std::vector<Block>& table, std::string& out) {
  const bool goes_on = joint_.kind == Joint::Kind::table;
  const std::size_t rows = table.front().inner.size();
  if (rows < (goes_on ? 2 : k_rows_that_decide) || ends_in_blank_line(pending_)) return;
  TerminalText text = terminal_text(table, look_, joint_);
  write(text, out);
  pending_ = first_lines(pending_, 2);
  joint_ = {.kind = Joint::Kind::table, .columns = std::move(text.columns)};
}

// A line may say where the links of others lead. Which of them were looked at together is chance,
// so each part is read alone. Returns the number of the next item of a list that ends here.
unsigned TerminalStream::write(std::string_view source, std::string& out) {
  const std::vector<Block> blocks = parse(source);
  if (!may_name_links(source)) return write(terminal_text(blocks, look_, joint_), out);
  const std::vector<Part> parts = parts_of(blocks);
  if (parts.empty()) return write(terminal_text(blocks, look_, joint_), out);
  unsigned number = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t from = begin_of_line(source, parts[i].line);
    const std::size_t to =
        i + 1 < parts.size() ? begin_of_line(source, parts[i + 1].line) : source.size();
    if (i > 0) joint_ = {.kind = parts[i].joint, .number = number};
    number = write(terminal_text(parse(source.substr(from, to - from)), look_, joint_), out);
  }
  return number;
}

unsigned TerminalStream::write(const TerminalText& text, std::string& out) {
  if (text.lines.empty()) return text.next_number;
  if (any_ && joint_.kind == Joint::Kind::none) out += '\n';
  for (const std::string& line : text.lines) out.append(line).push_back('\n');
  any_ = true;
  return text.next_number;
}

}  // namespace yume::markdown
