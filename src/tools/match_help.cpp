// SPDX-License-Identifier: MIT
#include "tools/match_help.h"

#include "tools/find_text.h"
#include "tools/line_diff.h"
#include "util/utf8.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

namespace yume::tools {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t k_largest_content = 8U << 20U;
constexpr std::size_t k_largest_text = 64U << 10U;
constexpr std::size_t k_most_lines_shown = 20;
constexpr std::size_t k_most_bytes_of_line = 300;
constexpr std::size_t k_most_repeats = 50;    // of one line, as a hint where the text may be
constexpr std::size_t k_most_pairs = 20'000;  // of lines compared for likeness
constexpr std::string_view k_spaces = " \t\r\v\f";

std::string_view trimmed(std::string_view line) {
  const std::size_t from = line.find_first_not_of(" \t\r\n\v\f");
  if (from == std::string_view::npos) return {};
  return line.substr(from, line.find_last_not_of(" \t\r\n\v\f") + 1 - from);
}

Lines lines_of(std::string_view text) {
  Lines lines = lines_with_ends(text);
  for (std::string_view& line : lines) {
    if (line.ends_with('\n')) line.remove_suffix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
  }
  return lines;
}

std::string without(std::string_view text, char unwanted) {
  std::string out(text);
  std::erase(out, unwanted);
  return out;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

struct Pair {
  std::string_view from;
  std::string_view to;
};

template <std::size_t Count>
std::string substituted(std::string_view text, const std::array<Pair, Count>& pairs) {
  std::string out;
  while (!text.empty()) {
    const auto* pair = std::find_if(pairs.begin(), pairs.end(),
                                    [&](const Pair& one) { return text.starts_with(one.from); });
    if (pair == pairs.end()) {
      out.push_back(text.front());
      text.remove_prefix(1);
    } else {
      out.append(pair->to);
      text.remove_prefix(pair->from.size());
    }
  }
  return out;
}

constexpr std::array k_escapes = {Pair{"\\n", "\n"},  Pair{"\\t", "\t"}, Pair{"\\r", ""},
                                  Pair{"\\\"", "\""}, Pair{"\\'", "'"},  Pair{"\\`", "`"},
                                  Pair{"\\\\", "\\"}};
constexpr std::array k_escaping = {Pair{"\\", "\\\\"}, Pair{"\n", "\\n"}, Pair{"\t", "\\t"},
                                   Pair{"\"", "\\\""}};
constexpr std::array k_breaks_only = {Pair{"\n", "\\n"}, Pair{"\t", "\\t"}};
constexpr std::array k_quotes_only = {Pair{"\"", "\\\""}};
constexpr std::array k_entities = {Pair{"&lt;", "<"}, Pair{"&gt;", ">"}, Pair{"&quot;", "\""},
                                   Pair{"&#39;", "'"}, Pair{"&amp;", "&"}};
// Typographic signs and odd spaces, and what a keyboard has for them.
constexpr std::array k_look_alikes = {
    Pair{"\u2018", "'"}, Pair{"\u2019", "'"}, Pair{"\u201C", "\""},  Pair{"\u201D", "\""},
    Pair{"\u2013", "-"}, Pair{"\u2014", "-"}, Pair{"\u2010", "-"},   Pair{"\u2011", "-"},
    Pair{"\u00A0", " "}, Pair{"\u202F", " "}, Pair{"\u2026", "..."}, Pair{"\u200B", ""}};

// "  12<tab>text" or "12→text", as Read and other programs show lines.
std::string_view without_line_number(std::string_view line) {
  const std::size_t digits = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t after = std::min(line.find_first_not_of("0123456789", digits), line.size());
  if (after == digits) return line;
  constexpr std::string_view k_arrow = "\u2192";
  const std::string_view rest = line.substr(after);
  if (rest.starts_with('\t')) return rest.substr(1);
  return rest.starts_with(k_arrow) ? rest.substr(k_arrow.size()) : line;
}

// nullopt unless every line has a number.
std::optional<std::string> without_line_numbers(std::string_view text) {
  std::string out;
  for (const std::string_view line : lines_with_ends(text)) {
    const std::string_view rest = without_line_number(line);
    if (rest.size() == line.size() && !trimmed(line).empty()) return std::nullopt;
    out.append(rest);
  }
  return out;
}

class Explainer {
 public:
  Explainer(std::string_view content, std::string_view old_text)
      : content_(without(content, '\r')), old_(old_text), old_lf_(without(old_text, '\r')) {
    lines_ = lines_of(content_);
    old_lines_ = lines_of(old_lf_);
  }

  std::string explain() {
    if (trimmed(old_).empty()) return "old_string holds nothing but white space.";
    using Attempt = std::optional<std::string> (Explainer::*)() const;
    for (const Attempt attempt :
         {&Explainer::line_ends, &Explainer::line_numbers, &Explainer::escapes,
          &Explainer::other_space, &Explainer::surplus_space, &Explainer::look_alikes,
          &Explainer::other_case, &Explainer::nearest}) {
      if (auto found = (this->*attempt)()) return *std::move(found);
    }
    return "Nothing in the file is similar to it. Read the file again and copy the text from it; "
           "it may be in another file.";
  }

 private:
  // Line numbers from 0 of where a text begins in the content; nullopt when it is not there.
  std::optional<std::size_t> line_with(std::string_view content, std::string_view text) const {
    if (text.empty()) return std::nullopt;
    const std::vector<std::size_t> places = find_places(content, text, 1);
    if (places.empty()) return std::nullopt;
    const std::string_view before = content.substr(0, places.front());
    return static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  }
  std::optional<std::size_t> line_with(std::string_view text) const {
    return line_with(content_, text);
  }

  // The place as Read shows it.
  std::string place(std::size_t line, std::size_t count) const {
    const std::size_t end = std::min(line + std::min(count, k_most_lines_shown), lines_.size());
    std::string out = "\nThe file has there:";
    for (std::size_t i = line; i < end; ++i) {
      const std::string_view shown = utf8_prefix(lines_[i], k_most_bytes_of_line);
      out += "\n" + std::to_string(i + 1) + "\t" + std::string(shown);
      if (shown.size() < lines_[i].size()) out += " [line goes on]";
    }
    if (count > k_most_lines_shown) out += "\n[...]";
    return out;
  }

  static std::string at_line(std::size_t line) { return "line " + std::to_string(line + 1); }

  std::optional<std::string> line_ends() const {
    const auto line = line_with(old_lf_);
    if (!line) return std::nullopt;
    return "It would match at " + at_line(*line) +
           " but for the line endings: old_string has carriage returns (\\r) that are not in the "
           "file. Use plain line breaks.";
  }

  std::optional<std::string> line_numbers() const {
    const auto stripped = without_line_numbers(old_lf_);
    const auto line = stripped ? line_with(*stripped) : std::nullopt;
    if (!line) return std::nullopt;
    return "It would match at " + at_line(*line) +
           " without the line numbers that Read puts before each line: they are not part of the "
           "file.";
  }

  std::optional<std::string> escapes() const {
    if (const auto line = line_with(substituted(old_lf_, k_escapes))) {
      return "It would match at " + at_line(*line) +
             " if it were not escaped once too often: old_string holds backslash sequences such as "
             "\\n or \\\" where the file has the character itself. Check new_string for the same." +
             place(*line, old_line_count_with(k_escapes));
    }
    for (const std::string& escaped :
         {substituted(old_lf_, k_escaping), substituted(old_lf_, k_quotes_only),
          substituted(old_lf_, k_breaks_only)}) {
      if (const auto line = line_with(escaped)) {
        return "It would match at " + at_line(*line) +
               " if it were escaped: the file has backslash sequences such as \\n or \\\" where "
               "old_string has the character itself." +
               place(*line, 1);
      }
    }
    if (const auto line = line_with(substituted(old_lf_, k_entities))) {
      return "It would match at " + at_line(*line) +
             " without HTML entities: the file has the characters themselves, such as < and &." +
             place(*line, old_lines_.size());
    }
    return std::nullopt;
  }

  template <std::size_t Count>
  std::size_t old_line_count_with(const std::array<Pair, Count>& pairs) const {
    return lines_of(substituted(old_lf_, pairs)).size();
  }

  std::optional<std::string> surplus_space() const {
    const std::string_view core = trimmed(old_lf_);
    const auto line = core.size() < old_lf_.size() ? line_with(core) : std::nullopt;
    if (!line) return std::nullopt;
    return "It would match at " + at_line(*line) +
           " but for the white space or line breaks at its beginning or end." +
           place(*line, lines_of(core).size());
  }

  // Runs of white space count as one blank; none before and after.
  static std::string collapsed(std::string_view line) {
    std::string out;
    for (const char c : trimmed(line)) {
      const bool space = k_spaces.find(c) != std::string_view::npos;
      if (!space) out.push_back(c);
      if (space && out.back() != ' ') out.push_back(' ');
    }
    return out;
  }

  // Lines as numbers, equal for lines that are equal when collapsed; blank lines are 0.
  static std::vector<int> numbered(const Lines& lines,
                                   std::unordered_map<std::string, int>& known) {
    std::vector<int> numbers;
    for (const std::string_view line : lines) {
      const std::string text = collapsed(line);
      const auto number = static_cast<int>(known.size()) + 1;
      numbers.push_back(text.empty() ? 0 : known.emplace(text, number).first->second);
    }
    return numbers;
  }

  std::optional<std::string> other_space() const {
    std::unordered_map<std::string, int> known;
    std::vector<int> wanted = numbered(old_lines_, known);
    while (!wanted.empty() && wanted.back() == 0) wanted.pop_back();
    std::size_t lead = 0;
    while (lead < wanted.size() && wanted[lead] == 0) ++lead;
    wanted.erase(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(lead));
    if (wanted.empty()) return std::nullopt;
    const std::size_t line = LinearSearch(wanted).find(numbered(lines_, known), 0);
    if (line == k_not_found) return std::nullopt;
    return "Only the white space differs: " + space_difference(line, lead) +
           " Copy the lines exactly as they are in the file." + place(line, wanted.size());
  }

  std::string space_difference(std::size_t line, std::size_t lead) const {
    for (std::size_t i = 0; lead + i < old_lines_.size() && line + i < lines_.size(); ++i) {
      const std::string_view given = old_lines_[lead + i];
      const std::string_view have = lines_[line + i];
      if (given == have || trimmed(given).empty()) continue;
      const auto indent = [](std::string_view text) {
        return text.substr(0, text.find_first_not_of(" \t"));
      };
      const std::string where = "at " + at_line(line + i) + " ";
      if (indent(given) != indent(have)) {
        return where + "the file is indented with " + describe(indent(have)) +
               ", old_string with " + describe(indent(given)) + ".";
      }
      if (trimmed(given) == trimmed(have)) {
        return where + "white space at the end of the line differs (the file has " +
               describe(have.substr(have.find_last_not_of(" \t") + 1)) + ").";
      }
      return where + "spaces or tabs inside the line differ.";
    }
    return "blank lines, or spaces in them.";
  }

  static std::string describe(std::string_view space) {
    if (space.empty()) return "nothing";
    const auto tabs = static_cast<std::size_t>(std::count(space.begin(), space.end(), '\t'));
    const auto counted = [](std::size_t count, std::string_view what) {
      return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
    };
    if (tabs == 0) return counted(space.size(), "space");
    if (tabs == space.size()) return counted(tabs, "tab");
    return counted(tabs, "tab") + " and " + counted(space.size() - tabs, "space");
  }

  std::optional<std::string> look_alikes() const {
    const std::string content = substituted(content_, k_look_alikes);
    const auto line = line_with(content, substituted(old_lf_, k_look_alikes));
    if (!line) return std::nullopt;
    return "It would match at " + at_line(*line) +
           " but for characters that look alike, such as typographic quotes, dashes or no-break "
           "spaces." +
           place(*line, old_lines_.size());
  }

  std::optional<std::string> other_case() const {
    const auto line = line_with(lower(content_), lower(old_lf_));
    if (!line) return std::nullopt;
    return "It is there only with other upper and lower case letters, at " + at_line(*line) + "." +
           place(*line, old_lines_.size());
  }

  std::optional<std::string> nearest() const {
    auto start = most_votes();
    if (!start) start = most_alike();
    if (!start) return std::nullopt;
    return "The most similar place begins at " + at_line(*start) +
           ". Copy the text from there, or read the file again." + place(*start, old_lines_.size());
  }

  // Each line of the text that is also in the file says where the text would begin.
  std::optional<std::size_t> most_votes() const {
    std::unordered_map<std::string_view, std::vector<std::size_t>> where;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const std::string_view line = trimmed(lines_[i]);
      if (line.size() < 3) continue;  // braces are everywhere
      auto& places = where[line];
      if (places.size() < k_most_repeats) places.push_back(i);
    }
    std::unordered_map<std::size_t, std::size_t> votes;
    for (std::size_t i = 0; i < old_lines_.size(); ++i) {
      const auto found = where.find(trimmed(old_lines_[i]));
      if (found == where.end()) continue;
      for (const std::size_t line : found->second) ++votes[line - std::min(line, i)];
    }
    std::optional<std::size_t> best;
    for (const auto& [start, count] : votes) {
      const bool better = !best || count > votes[*best] || (count == votes[*best] && start < *best);
      if (better) best = start;
    }
    return best;
  }

  // Dice's coefficient on pairs of neighbouring characters.
  static double likeness(const std::vector<unsigned>& left, const std::vector<unsigned>& right) {
    std::vector<unsigned> both;
    std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                          std::back_inserter(both));
    const auto total = static_cast<double>(left.size() + right.size());
    return total > 0 ? 2.0 * static_cast<double>(both.size()) / total : 0;
  }

  static std::vector<unsigned> pairs_of(std::string_view line) {
    line = utf8_prefix(trimmed(line), k_most_bytes_of_line);
    std::vector<unsigned> pairs;
    for (std::size_t i = 0; i + 1 < line.size(); ++i) {
      const unsigned first = static_cast<unsigned char>(line[i]);
      const unsigned second = static_cast<unsigned char>(line[i + 1]);
      pairs.push_back((first << 8U) | second);
    }
    std::sort(pairs.begin(), pairs.end());
    return pairs;
  }

  std::optional<std::size_t> most_alike() const {
    const auto longest = std::max_element(old_lines_.begin(), old_lines_.end(),
                                          [](std::string_view left, std::string_view right) {
                                            return trimmed(left).size() < trimmed(right).size();
                                          });
    const auto offset = static_cast<std::size_t>(longest - old_lines_.begin());
    const std::vector<unsigned> wanted = pairs_of(*longest);
    constexpr double k_alike = 0.6;
    double best_likeness = k_alike;
    std::optional<std::size_t> best;
    for (std::size_t i = 0; i < std::min(lines_.size(), k_most_pairs); ++i) {
      const double alike = likeness(wanted, pairs_of(lines_[i]));
      if (alike > best_likeness) {
        best_likeness = alike;
        best = i - std::min(i, offset);
      }
    }
    return best;
  }

  std::string content_;  // with LF only
  std::string_view old_;
  std::string old_lf_;
  Lines lines_;
  Lines old_lines_;
};

}  // namespace

std::string explain_mismatch(std::string_view content, std::string_view old_text) {
  if (content.size() > k_largest_content || old_text.size() > k_largest_text) {
    return "Read the part of the file again and copy a short piece of it exactly.";
  }
  return Explainer(content, old_text).explain();
}

}  // namespace yume::tools
