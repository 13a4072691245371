// SPDX-License-Identifier: MIT
#include "platform/windows_path.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::platform {
namespace {

struct Row {
  std::string path;
  std::string why;  // part of the reason; empty: it is used
};

constexpr const char* k_device_path = "device paths are not used";
constexpr const char* k_network = "network paths are not used";
constexpr const char* k_of_drive = "current folder of a drive";
constexpr const char* k_stream = "another stream";
constexpr const char* k_ending = "dots and spaces at the end";
constexpr const char* k_device = "is the name of a device";
constexpr const char* k_character = "no file's name contains";

void expect_rows(const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    const auto why = why_unusable_windows_path(row.path);
    if (row.why.empty()) {
      EXPECT_FALSE(why.has_value()) << row.path << ": " << why.value_or("");
    } else {
      ASSERT_TRUE(why.has_value()) << row.path;
      EXPECT_NE(why->find(row.why), std::string::npos) << row.path << ": " << *why;
    }
  }
}

TEST(WindowsPath, RefusesDevicePathsInEverySpelling) {
  expect_rows({{R"(\\?\C:\x)", k_device_path},
               {R"(\\?\c:\windows\system32\config\SAM)", k_device_path},
               {R"(\\?\UNC\server\share\x)", k_device_path},
               {R"(\\?\GLOBALROOT\Device\HarddiskVolume1\x)", k_device_path},
               {R"(\\?\Volume{12345678-0000-0000-0000-100000000000}\x)", k_device_path},
               {R"(\\.\C:\x)", k_device_path},
               {R"(\\.\PhysicalDrive0)", k_device_path},
               {R"(\\.\pipe\docker_engine)", k_device_path},
               {R"(\\.\COM56)", k_device_path},
               {R"(\??\C:\x)", k_device_path},
               {R"(//?/C:/x)", k_device_path},
               {R"(//./C:/x)", k_device_path},
               {R"(\/?\C:\x)", k_device_path},
               {R"(/\.\C:\x)", k_device_path},
               {R"(\\?/C:/x)", k_device_path},
               {R"(\\?)", k_device_path},
               {R"(\\.)", k_device_path},
               {std::string("/?") + "?/C:/x", k_device_path}});
}

TEST(WindowsPath, RefusesTheNetwork) {
  expect_rows({{R"(\\server\share\x)", k_network},
               {R"(//server/share/x)", k_network},
               {R"(\/server\share\x)", k_network},
               {R"(/\server/share)", k_network},
               {R"(\\127.0.0.1\c$\x)", k_network},
               {R"(\\localhost\c$\Users\me\x)", k_network},
               {R"(\\server@SSL@8443\DavWWWRoot\x)", k_network},
               {R"(\\wsl$\Debian\etc\passwd)", k_network},
               {R"(\\wsl.localhost\Debian\etc\passwd)", k_network},
               {R"(\\?server\share)", k_network},
               {R"(\\.server\share)", k_network},
               {R"(\\\server\share)", k_network},
               {R"(\\)", k_network}});
}

TEST(WindowsPath, RefusesWhatIsRelativeToADrive) {
  expect_rows({{"C:x", k_of_drive},
               {"c:", k_of_drive},
               {"C:..\\x", k_of_drive},
               {"Z:.ssh\\id_rsa", k_of_drive},
               {"C:\\x", ""},
               {"C:/x", ""}});
}

TEST(WindowsPath, RefusesOtherStreams) {
  expect_rows({{"a:b", k_of_drive},
               {"file:stream", k_stream},
               {R"(C:\work\notes.txt:hidden)", k_stream},
               {R"(C:\work\notes.txt::$DATA)", k_stream},
               {R"(C:\work\.env::$DATA)", k_stream},
               {R"(C:\work\notes.txt:Zone.Identifier:$DATA)", k_stream},
               {R"(C:\work:evil\x)", k_stream},
               {R"(C:\work::$INDEX_ALLOCATION\x)", k_stream},
               {R"(C:\work:$I30:$INDEX_ALLOCATION\x)", k_stream},
               {"src/a.cpp:12", k_stream},
               {R"(C:\C:\x)", k_stream},
               {R"(C:\:\x)", k_stream}});
}

TEST(WindowsPath, RefusesNamesThatTheSystemShortens) {
  expect_rows({{R"(C:\work\.env.)", k_ending},
               {R"(C:\work\.env )", k_ending},
               {R"(C:\work\.env. . .)", k_ending},
               {R"(C:\work.\x)", k_ending},
               {R"(C:\work \x)", k_ending},
               {R"(C:\work\...\x)", k_ending},
               {R"(C:\work\.. \x)", k_ending},
               {"settings.json.", k_ending},
               {".git./config", k_ending},
               {".git /config", k_ending},
               {"a/ /b", k_ending},
               {R"(C:\work\.)", ""},
               {R"(C:\work\..\x)", ""},
               {R"(C:\work\.env)", ""},
               {R"(C:\work\a b.c.d)", ""}});
}

TEST(WindowsPath, RefusesDevicesInEveryFolderAndWithEveryEnding) {
  expect_rows({{"NUL", k_device},
               {"nul", k_device},
               {"NUL.txt", k_device},
               {"nul.tar.gz", k_device},
               {R"(C:\work\NUL)", k_device},
               {R"(C:\work\con)", k_device},
               {R"(C:\work\CON.log)", k_device},
               {R"(C:\work\aux.c)", k_device},
               {R"(C:\work\PRN)", k_device},
               {R"(C:\work\aux\x)", k_device},
               {R"(C:\work\COM0)", k_device},
               {R"(C:\work\COM1)", k_device},
               {R"(C:\work\com9.txt)", k_device},
               {R"(C:\work\LPT1)", k_device},
               {R"(C:\work\lpt9.x)", k_device},
               {"C:\\work\\COM\xC2\xB9", k_device},
               {"C:\\work\\LPT\xC2\xB3.txt", k_device},
               {R"(C:\work\CONIN$)", k_device},
               {R"(C:\work\conout$)", k_device},
               {R"(C:\work\CLOCK$)", k_device},
               {R"(C:\work\NUL .txt)", k_device},
               {R"(C:\work\COM10)", ""},
               {R"(C:\work\console.log)", ""},
               {R"(C:\work\nullable.h)", ""},
               {R"(C:\work\x.nul)", ""},
               {R"(C:\work\auxiliary)", ""}});
}

TEST(WindowsPath, RefusesCharactersThatMatchOtherNames) {
  expect_rows({{R"(C:\work\*.env)", k_character},
               {R"(C:\work\?env)", k_character},
               {R"(C:\work\<env)", k_character},
               {R"(C:\work\>env)", k_character},
               {R"(C:\work\"env)", k_character},
               {R"(C:\work\a|b)", k_character},
               {"C:\\work\\a\nb", k_character},
               {"C:\\work\\a\x01", k_character},
               {"C:\\work\\a\tb", k_character}});
}

TEST(WindowsPath, UsesOrdinaryNames) {
  expect_rows({{"notes.txt", ""},
               {"src\\a.cpp", ""},
               {"src/a.cpp", ""},
               {"..\\x", ""},
               {".", ""},
               {"..", ""},
               {"C:\\", ""},
               {"\\x", ""},
               {"/x", ""},
               {R"(C:\Users\RUNNER~1\AppData\Local\Temp)", ""},
               {R"(C:\Program Files (x86)\Git)", ""},
               {"C:\\work\\\xC3\xA9\xE6\x97\xA5\xE6\x9C\xAC.txt", ""},
               {R"(C:\work\a;b,c=d[e]{f}&g%h^i!j'k`l~m)", ""},
               {R"(C:\work\\doubled\\slashes)", ""},
               {R"(C:\work\trailing\)", ""}});
}

TEST(WindowsPath, KnowsDevicesByTheirNamesAlone) {
  for (const char* name : {"nul", "NUL:", "con ", "Com1.x", "lpt0", "AUX.anything"}) {
    EXPECT_TRUE(is_windows_device(name)) << name;
  }
  for (const char* name : {"", ".", "nul2", "com", "com10", "xcon", ".nul"}) {
    EXPECT_FALSE(is_windows_device(name)) << name;
  }
}

}  // namespace
}  // namespace yume::platform
