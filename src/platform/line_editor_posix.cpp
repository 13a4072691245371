// SPDX-License-Identifier: MIT
// libedit, and around it what it does not do: pasted texts, UTF-8 whatever the locale's name is,
// and an end from outside.
#include "platform/line_editor.h"

#include <algorithm>
#include <array>
#include <clocale>
#include <cstdio>
#include <cwchar>
#include <utility>

#include <histedit.h>
#include <unistd.h>

#include "platform/raw_typing.h"
#include "platform/stdio.h"
#include "util/utf8.h"

namespace yume::platform {
namespace {

// Stands for a text that was pasted, and is bound to what inserts it. Ctrl-_ is no key of
// libedit's.
constexpr wchar_t k_paste_key = L'\x1f';
constexpr std::string_view k_announce_pastes = "\x1b[?2004h";
constexpr std::string_view k_forget_pastes = "\x1b[?2004l";
constexpr std::size_t k_long_paste = 2000;
constexpr int k_history = 1000;

std::wstring wide(std::string_view text) {
  std::wstring out;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCharacter character = decode_utf8(text, at);
    at += character.length;
    const char32_t code = character.code_point;
    if (code == '\t') {
      out += L' ';
    } else if (code == '\n' || (code >= 0x20 && code != 0x7F && !(code >= 0x80 && code < 0xA0))) {
      out += static_cast<wchar_t>(code);
    }
  }
  return out;
}

std::string narrow(std::wstring_view text) {
  std::string out;
  for (const wchar_t c : text) append_utf8(out, static_cast<char32_t>(c));
  return out;
}

// Terminals send \r for a line end, and some \r\n, which come as \n and \n\r.
std::string lines_of_paste(std::string_view paste) {
  std::string out;
  for (std::size_t at = 0; at < paste.size(); ++at) {
    const bool second = paste[at] == '\r' && at > 0 && paste[at - 1] == '\n';
    if (!second) out += paste[at] == '\r' ? '\n' : paste[at];
  }
  return out;
}

class PosixLineEditor final : public LineEditor {
 public:
  PosixLineEditor(LineEditorSpec spec, std::FILE* terminal)
      : spec_(std::move(spec)), terminal_(terminal), input_(stdin_stream()) {
    editor_ = ::el_init("yume-cli", terminal_, terminal_, terminal_);
    history_ = ::history_winit();
    HistEventW event{};
    ::history_w(history_, &event, H_SETSIZE, k_history);
    ::history_w(history_, &event, H_SETUNIQUE, 1);
    ::el_wset(editor_, EL_CLIENTDATA, this);
    ::el_wset(editor_, EL_PROMPT, &PosixLineEditor::prompt_of);
    ::el_wset(editor_, EL_EDITOR, L"emacs");
    ::el_wset(editor_, EL_SIGNAL, 0);
    ::el_wset(editor_, EL_HIST, ::history_w, history_);
    ::el_wset(editor_, EL_GETCFN, &PosixLineEditor::on_key);
    // libedit has the terminal swap the two line ends: Enter comes as \n and Ctrl-J as \r.
    add_function(L"yume-line-end", L"insert a line end", &PosixLineEditor::insert_line_end, L"^M");
    add_function(L"yume-paste", L"insert a pasted text", &PosixLineEditor::insert_paste, L"^_");
    add_function(L"yume-complete", L"complete the word", &PosixLineEditor::on_complete, L"^I");
    ::el_wset(editor_, EL_BIND, L"^R", L"em-inc-search-prev", nullptr);
    ::el_source(editor_, nullptr);
    for (const std::string& line : spec_.history) remember(line);
  }
  ~PosixLineEditor() override {
    ::el_end(editor_);
    ::history_wend(history_);
    std::fclose(terminal_);
  }
  PosixLineEditor(const PosixLineEditor&) = delete;
  PosixLineEditor& operator=(const PosixLineEditor&) = delete;

  Typed read(std::string_view prompt, std::string_view begun, const CancelToken& cancel) override;
  void remember(std::string_view line) override {
    HistEventW event{};
    if (!line.empty()) ::history_w(history_, &event, H_ENTER, wide(line).c_str());
  }

 private:
  using Function = unsigned char (*)(EditLine*, int);

  static PosixLineEditor& of(EditLine* editor) {
    void* self = nullptr;
    ::el_wget(editor, EL_CLIENTDATA, &self);
    return *static_cast<PosixLineEditor*>(self);
  }
  static wchar_t* prompt_of(EditLine* editor) { return of(editor).prompt_.data(); }
  static int on_key(EditLine* editor, wchar_t* key) { return of(editor).next_key(*key); }
  static unsigned char insert_line_end(EditLine* editor, int /*key*/) {
    return ::el_winsertstr(editor, L"\n") == 0 ? CC_REFRESH : CC_ERROR;
  }
  static unsigned char insert_paste(EditLine* editor, int /*key*/) {
    return ::el_winsertstr(editor, of(editor).pasted_.c_str()) == 0 ? CC_REFRESH : CC_ERROR;
  }
  static unsigned char on_complete(EditLine* editor, int /*key*/) { return of(editor).complete(); }

  void add_function(const wchar_t* name, const wchar_t* help, Function function,
                    const wchar_t* key) {
    ::el_wset(editor_, EL_ADDFN, name, help, function);
    ::el_wset(editor_, EL_BIND, key, name, nullptr);
  }
  void send(std::string_view bytes) {
    std::fprintf(terminal_, "%.*s", static_cast<int>(bytes.size()), bytes.data());
    std::fflush(terminal_);
  }

  int next_key(wchar_t& key);
  bool more_bytes();
  bool take_paste();
  void take_back();
  unsigned char complete();
  std::string shown_for(std::string text);
  [[nodiscard]] std::string with_pastes(std::string text) const;

  LineEditorSpec spec_;
  std::FILE* terminal_;
  std::unique_ptr<InputStream> input_;
  EditLine* editor_ = nullptr;
  HistoryW* history_ = nullptr;
  std::wstring prompt_;
  CancelToken cancel_;
  std::string bytes_;  // typed, and not looked at yet
  std::wstring pasted_;
  std::vector<std::pair<std::string, std::string>> long_pastes_;  // how each is shown, and its text
  std::string taken_back_;
  bool cancelled_ = false;
};

LineEditor::Typed PosixLineEditor::read(std::string_view prompt, std::string_view begun,
                                        const CancelToken& cancel) {
  prompt_ = wide(prompt);
  cancel_ = cancel;
  cancelled_ = false;
  ::el_resize(editor_);
  send(k_announce_pastes);
  const std::size_t mark = std::min(begun.find(k_paste_begins), begun.size());
  bytes_.insert(0, begun.substr(mark));
  pasted_ = wide(shown_for(std::string(begun.substr(0, mark))));
  if (!pasted_.empty()) ::el_wpush(editor_, std::wstring(1, k_paste_key).c_str());
  // libedit itself would do that only after it has shown the prompt, to which a person may react.
  ::el_wset(editor_, EL_PREP_TERM, 1);
  int count = 0;
  const wchar_t* line = ::el_wgets(editor_, &count);
  ::el_wset(editor_, EL_PREP_TERM, 0);
  send(k_forget_pastes);
  if (cancelled_) {
    Typed typed{.end = End::cancelled,
                .text = with_pastes(std::move(taken_back_)),
                .unread = std::exchange(bytes_, {})};
    long_pastes_.clear();
    return typed;
  }
  if (line == nullptr || count <= 0) return {.end = End::end_of_input};
  std::wstring_view text(line, static_cast<std::size_t>(count));
  if (text.ends_with(L'\n')) text.remove_suffix(1);
  Typed typed{.text = with_pastes(narrow(text))};
  long_pastes_.clear();
  return typed;
}

bool PosixLineEditor::more_bytes() {
  std::array<char, 4096> buffer{};
  const auto count = input_->read(buffer, cancel_);
  if (count.ok() && *count > 0) {
    bytes_.append(buffer.data(), *count);
    return true;
  }
  cancelled_ = !count.ok() && count.error().code == ErrorCode::cancelled;
  return false;
}

// 1: a key, 0: the end, -1: cancelled.
int PosixLineEditor::next_key(wchar_t& key) {
  for (;;) {
    if (bytes_.empty() && !more_bytes()) {
      if (!cancelled_) return 0;
      take_back();
      return -1;
    }
    if (bytes_.starts_with(k_paste_begins)) {
      if (!take_paste()) {
        if (!cancelled_) return 0;
        bytes_.insert(0, k_paste_begins);
        take_back();
        return -1;
      }
      key = k_paste_key;
      return 1;
    }
    const DecodedCharacter character = decode_utf8(bytes_, 0);
    // The rest of it has not come yet.
    const bool partial = !character.valid && bytes_.size() < 4 &&
                         static_cast<unsigned char>(bytes_.front()) >= 0xC2 &&
                         character.length == bytes_.size();
    if (partial && more_bytes()) continue;
    bytes_.erase(0, character.length);
    if (static_cast<wchar_t>(character.code_point) == k_paste_key) continue;  // ours alone
    key = static_cast<wchar_t>(character.code_point);
    return 1;
  }
}

// A long text would fill the screen, so a few words stand for it until the line is sent.
bool PosixLineEditor::take_paste() {
  bytes_.erase(0, k_paste_begins.size());
  std::size_t looked = 0;
  std::size_t end = 0;
  while ((end = bytes_.find(k_paste_ends, looked)) == std::string::npos) {
    looked = bytes_.size() > k_paste_ends.size() ? bytes_.size() - k_paste_ends.size() : 0;
    if (!more_bytes()) return false;
  }
  std::string text = lines_of_paste(std::string_view(bytes_).substr(0, end));
  bytes_.erase(0, end + k_paste_ends.size());
  pasted_ = wide(shown_for(std::move(text)));
  return true;
}

std::string PosixLineEditor::shown_for(std::string text) {
  if (text.size() <= k_long_paste) return text;
  const std::string name = "[pasted text " + std::to_string(long_pastes_.size() + 1) + ", " +
                           std::to_string(text.size()) + " bytes]";
  long_pastes_.emplace_back(name, to_valid_utf8(text));
  return name;
}

std::string PosixLineEditor::with_pastes(std::string text) const {
  for (const auto& [name, paste] : long_pastes_) {
    const std::size_t at = text.find(name);
    if (at != std::string::npos) text.replace(at, name.size(), paste);
  }
  return text;
}

// The line leaves the screen, and is kept. What stands behind the cursor stays in libedit, whose
// next line begins empty: that of a Mac has no function to move the cursor (el_cursor).
void PosixLineEditor::take_back() {
  const LineInfoW* line = ::el_wline(editor_);
  const auto length = static_cast<std::size_t>(line->lastchar - line->buffer);
  taken_back_ = narrow(std::wstring_view(line->buffer, length));
  ::el_deletestr(editor_, static_cast<int>(line->cursor - line->buffer));
  ::el_wset(editor_, EL_REFRESH);
  send("\r\x1b[J");
}

unsigned char PosixLineEditor::complete() {
  if (!spec_.complete) return CC_ERROR;
  const LineInfoW* line = ::el_wline(editor_);
  const std::string before = narrow(
      std::wstring_view(line->buffer, static_cast<std::size_t>(line->cursor - line->buffer)));
  const std::size_t blank = before.find_last_of(" \n");
  const std::string word = before.substr(blank == std::string::npos ? 0 : blank + 1);
  const std::vector<std::string> choices = spec_.complete(before);
  if (choices.empty()) return CC_ERROR;
  std::string common = choices.front();
  for (const std::string& choice : choices) {
    std::size_t same = 0;
    while (same < common.size() && same < choice.size() && common[same] == choice[same]) ++same;
    common = std::string(utf8_prefix(common, same));
  }
  if (choices.size() == 1 && !common.ends_with('/')) common += ' ';
  if (common.size() > word.size()) {
    ::el_winsertstr(editor_, wide(std::string_view(common).substr(word.size())).c_str());
    return CC_REFRESH;
  }
  send("\n");
  constexpr std::size_t k_most = 40;
  for (std::size_t i = 0; i < choices.size() && i < k_most; ++i) {
    send("  " + narrow(wide(choices[i])) + "\n");
  }
  if (choices.size() > k_most) send("  ...\n");
  return CC_REDISPLAY;
}

}  // namespace

std::unique_ptr<LineEditor> make_line_editor(LineEditorSpec spec) {
  // libedit asks the locale how characters are written, which is UTF-8 for all that we show.
  for (const char* locale : {"", "C.UTF-8", "en_US.UTF-8"}) {
    if (std::setlocale(LC_CTYPE, locale) != nullptr && MB_CUR_MAX > 1) break;
  }
  std::FILE* terminal = std::fopen("/dev/tty", "r+");
  if (terminal == nullptr) return nullptr;
  return std::make_unique<PosixLineEditor>(std::move(spec), terminal);
}

}  // namespace yume::platform
