// SPDX-License-Identifier: MIT
#include "platform/charset.h"

#include <iconv.h>

#include <array>
#include <cerrno>
#include <optional>

namespace yume::platform {
namespace {

constexpr std::string_view k_replacement = "\xEF\xBF\xBD";

const char* iconv_name(Charset charset) {
  switch (charset) {
    case Charset::big5:
      return "CP950";
    case Charset::euc_jp:
      return "EUC-JP-MS";
    case Charset::euc_kr:
      return "CP949";
    case Charset::gb18030:
      return "GB18030";
    case Charset::ibm866:
      return "CP866";
    case Charset::iso_2022_jp:
      return "ISO-2022-JP";
    case Charset::iso_8859_2:
      return "ISO-8859-2";
    case Charset::iso_8859_3:
      return "ISO-8859-3";
    case Charset::iso_8859_4:
      return "ISO-8859-4";
    case Charset::iso_8859_5:
      return "ISO-8859-5";
    case Charset::iso_8859_6:
      return "ISO-8859-6";
    case Charset::iso_8859_7:
      return "ISO-8859-7";
    case Charset::iso_8859_8:
      return "ISO-8859-8";
    case Charset::iso_8859_10:
      return "ISO-8859-10";
    case Charset::iso_8859_13:
      return "ISO-8859-13";
    case Charset::iso_8859_14:
      return "ISO-8859-14";
    case Charset::iso_8859_15:
      return "ISO-8859-15";
    case Charset::iso_8859_16:
      return "ISO-8859-16";
    case Charset::koi8_r:
      return "KOI8-R";
    case Charset::koi8_u:
      return "KOI8-U";
    case Charset::macintosh:
      return "MACINTOSH";
    case Charset::shift_jis:
      return "CP932";
    case Charset::windows_874:
      return "CP874";
    case Charset::windows_1250:
      return "CP1250";
    case Charset::windows_1251:
      return "CP1251";
    case Charset::windows_1253:
      return "CP1253";
    case Charset::windows_1254:
      return "CP1254";
    case Charset::windows_1255:
      return "CP1255";
    case Charset::windows_1256:
      return "CP1256";
    case Charset::windows_1257:
      return "CP1257";
    case Charset::windows_1258:
      return "CP1258";
    case Charset::x_mac_cyrillic:
      return "MAC-CYRILLIC";
  }
  return "";
}

bool has_pairs(Charset charset) {
  switch (charset) {
    case Charset::big5:
    case Charset::euc_jp:
    case Charset::euc_kr:
    case Charset::gb18030:
    case Charset::shift_jis:
      return true;
    default:
      return false;
  }
}

// What the first encoding has no character for may be one of a second; empty: there is none. The
// one of Hong Kong alone would lose some that everybody else uses.
const char* second_name(Charset charset) {
  return charset == Charset::big5 ? "BIG5-HKSCS" : "";
}

// One encoding of iconv's.
class Table {
 public:
  explicit Table(const char* name) : handle_(iconv_open("UTF-8", name)) {}
  ~Table() {
    if (usable()) iconv_close(handle_);
  }
  Table(const Table&) = delete;
  Table& operator=(const Table&) = delete;

  [[nodiscard]] bool usable() const { return handle_ != reinterpret_cast<iconv_t>(-1); }

  // Takes characters from the front of `bytes` as long as it can. True when nothing is left.
  bool convert(std::string_view& bytes, std::string& out) {
    while (!bytes.empty()) {
      // iconv takes it as not const, and does not change it.
      char* rest = const_cast<char*>(bytes.data());
      std::size_t left = bytes.size();
      const bool done = step(&rest, &left, out);
      bytes.remove_prefix(bytes.size() - left);
      if (!done && errno != E2BIG) return false;
    }
    return true;
  }

  // What it still holds back, or has to be said at the end.
  void finish(std::string& out) {
    while (!step(nullptr, nullptr, out) && errno == E2BIG) {
    }
  }

 private:
  // One call; false: look at errno.
  bool step(char** rest, std::size_t* left, std::string& out) {
    char* to = buffer_.data();
    std::size_t room = buffer_.size();
    const bool done = iconv(handle_, rest, left, &to, &room) != static_cast<std::size_t>(-1);
    const int problem = errno;
    out.append(buffer_.data(), buffer_.size() - room);
    errno = problem;
    return done;
  }

  iconv_t handle_;
  std::array<char, 16384> buffer_;
};

// As browsers do: of a pair that means nothing the second byte goes too, unless it is ASCII.
std::size_t bad_length(std::string_view rest, bool pairs) {
  const auto byte = [rest](std::size_t at) { return static_cast<unsigned char>(rest[at]); };
  const bool lead = pairs && byte(0) > 0x80 && byte(0) < 0xFF;
  return lead && rest.size() > 1 && byte(1) >= 0x80 ? 2 : 1;
}

bool take_pair(std::string_view& bytes, Table& table, std::string& out) {
  std::string_view pair = bytes.substr(0, 2);
  std::string found;
  const bool taken = pair.size() == 2 && table.usable() && table.convert(pair, found);
  if (!taken) return false;
  table.finish(found);
  out += found;
  bytes.remove_prefix(2);
  return true;
}

}  // namespace

Result<std::string> decode_text(std::string_view bytes, Charset charset) {
  Table table(iconv_name(charset));
  if (!table.usable()) {
    return Error{.code = ErrorCode::not_found,
                 .message = std::string("the system's iconv does not know ") + iconv_name(charset)};
  }
  const std::string second = second_name(charset);
  std::optional<Table> more;
  if (!second.empty()) more.emplace(second.c_str());
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 2);
  while (!table.convert(bytes, out)) {
    if (more && take_pair(bytes, *more, out)) continue;
    out += k_replacement;
    bytes.remove_prefix(bad_length(bytes, has_pairs(charset)));
  }
  table.finish(out);
  return out;
}

}  // namespace yume::platform
