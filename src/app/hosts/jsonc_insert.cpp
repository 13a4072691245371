// SPDX-License-Identifier: MIT
#include "app/hosts/jsonc_insert.h"

#include "app/hosts/jsonc_text.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace yume::app {
namespace {

constexpr std::string_view k_blanks = " \t\r\n";

Error refusal(std::string why) {
  return {.code = ErrorCode::invalid_argument, .message = std::move(why)};
}

nlohmann::ordered_json parent_of(const NewEntry& entry) {
  nlohmann::ordered_json parent = nlohmann::ordered_json::object();
  parent[entry.key] = entry.value;
  return parent;
}

std::string quoted(const std::string& key) {
  return write_json(nlohmann::json(key));
}

// What stands before `at` on its line, when that is nothing but blanks.
std::optional<std::string> indent_at(const std::string& text, std::size_t at) {
  const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;  // npos + 1 is 0
  std::string before = text.substr(line, at - line);
  if (before.find_first_not_of(" \t") != std::string::npos) return std::nullopt;
  return before;
}

std::string indent_of_line(const std::string& text, std::size_t at) {
  const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const std::size_t end = std::min(text.find_first_not_of(" \t", line), text.size());
  return text.substr(line, end - line);
}

struct Style {
  std::string unit = "  ";
  std::string newline = "\n";
};

Style style_of(const JsoncText& doc) {
  Style style;
  const std::string& text = doc.text();
  const std::size_t first = text.find('\n');
  if (first != std::string::npos && first > 0 && text[first - 1] == '\r') style.newline = "\r\n";
  if (doc.is_blank()) return style;
  const auto members = doc.members(doc.root());
  if (members.empty()) return style;
  const auto indent = indent_at(text, members.front().key_begin);
  if (indent && !indent->empty()) style.unit = *indent;
  return style;
}

// `"key": value`, its lines behind the first one begun with `indent`.
std::string member_text(const std::string& key, const nlohmann::ordered_json& value,
                        const std::string& indent, const Style& style) {
  const bool tabs = style.unit.front() == '\t';
  const std::string lines = write_json(value, {.indent = static_cast<int>(style.unit.size()),
                                               .indent_character = tabs ? '\t' : ' '});
  std::string out = quoted(key) + ": ";
  for (const char c : lines) {
    if (c == '\n') {
      out += style.newline + indent;
    } else {
      out += c;
    }
  }
  return out;
}

// Puts a member behind the last one of the object at `open`.
std::string with_member(const JsoncText& doc, std::size_t open, const std::string& key,
                        const nlohmann::ordered_json& value) {
  const Style style = style_of(doc);
  const std::string& text = doc.text();
  const std::size_t close = doc.end_of_object(open);
  const auto members = doc.members(open);
  const std::string outer = indent_of_line(text, open);
  std::string indent = outer + style.unit;
  if (!members.empty()) indent = indent_at(text, members.front().key_begin).value_or(indent);
  // Comments behind the last member stay with it.
  const std::size_t last = text.find_last_not_of(k_blanks, close - 1) + 1;
  const bool had_comma = doc.has_last_comma(close);
  std::string added = style.newline + indent + member_text(key, value, indent, style);
  if (had_comma) added += ',';
  const bool brace_has_line = text.find('\n', last) < close;
  if (!brace_has_line) added += style.newline + outer;
  std::string out = text;
  out.insert(last, added);
  if (!members.empty() && !had_comma) out.insert(members.back().value_end, ",");
  return out;
}

std::string with_first_object(const JsoncText& doc, const NewEntry& entry) {
  const Style style = style_of(doc);
  std::string out = doc.text();
  const bool open_line =
      out.find_last_not_of(k_blanks) != std::string::npos && !out.ends_with('\n');
  if (open_line) out += style.newline;
  out += "{" + style.newline + style.unit;
  out += member_text(entry.parent, parent_of(entry), style.unit, style) + style.newline + "}" +
         style.newline;
  return out;
}

Result<const JsoncMember*> only_member(const std::vector<JsoncMember>& members,
                                       const std::string& key) {
  const JsoncMember* found = nullptr;
  for (const JsoncMember& member : members) {
    if (member.key != key) continue;
    if (found != nullptr) return refusal(quoted(key) + " is in it twice");
    found = &member;
  }
  return found;
}

nlohmann::json value_of(const JsoncText& doc, const JsoncMember& member) {
  const std::string_view plain = doc.plain();
  return read_json(plain.substr(member.value_begin, member.value_end - member.value_begin));
}

}  // namespace

Result<std::optional<std::string>> with_entry(const std::string& text, const NewEntry& entry) {
  using Answer = std::optional<std::string>;
  YUME_TRY(const JsoncText doc, JsoncText::read(text));
  if (doc.is_blank()) return Answer(with_first_object(doc, entry));
  const auto top = doc.members(doc.root());
  YUME_TRY(const JsoncMember* const parent, only_member(top, entry.parent));
  if (parent == nullptr) {
    return Answer(with_member(doc, doc.root(), entry.parent, parent_of(entry)));
  }
  if (doc.plain()[parent->value_begin] != '{') {
    return refusal(quoted(entry.parent) + " is no object in it");
  }
  const auto entries = doc.members(parent->value_begin);
  YUME_TRY(const JsoncMember* const there, only_member(entries, entry.key));
  if (there == nullptr) {
    return Answer(with_member(doc, parent->value_begin, entry.key, entry.value));
  }
  if (value_of(doc, *there) == nlohmann::json(entry.value)) return Answer();
  return refusal(quoted(entry.parent) + " has another " + quoted(entry.key) + " already");
}

std::string entry_text(const NewEntry& entry) {
  return member_text(entry.parent, parent_of(entry), "", {});
}

}  // namespace yume::app
