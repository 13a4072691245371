// SPDX-License-Identifier: MIT
#include "core/media_header.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::core {
namespace {

using namespace std::string_literals;

const std::string k_png = "\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\1\2\0\0\0\3\x08\6\0\0\0"s;
const std::string k_gif = "GIF89a\x0A\0\x14\1\x80\0\0"s;
const std::string k_jpeg =
    "\xFF\xD8\xFF\xE0\0\x04\1\2\xFF\xFF\xC4\0\x03z\xFF\xC0\0\x11\x08\0\x20\0\x10\x03"s;
const std::string k_webp_lossy = "RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9D\x01\x2A\x10\0\x20\0"s;
const std::string k_webp_lossless = "RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2F\x0F\xC0\x07\0"s;
const std::string k_webp_extended = "RIFF\0\0\0\0WEBPVP8X\x0A\0\0\0\0\0\0\0\x0F\0\0\x1F\0\0"s;

TEST(MediaHeader, TellsTheTypeByTheBytes) {
  EXPECT_EQ(media_type_of(k_png), "image/png");
  EXPECT_EQ(media_type_of(k_gif), "image/gif");
  EXPECT_EQ(media_type_of(k_jpeg), "image/jpeg");
  EXPECT_EQ(media_type_of(k_webp_lossy), "image/webp");
  EXPECT_EQ(media_type_of("\0\0\0\x18"
                          "ftypheic"s),
            "image/heic");
  EXPECT_EQ(media_type_of("\0\0\0\x18"
                          "ftypmif1"s),
            "image/heif");
  EXPECT_EQ(media_type_of("%PDF-1.7\n"), "application/pdf");
  for (const std::string& other : {""s, "text"s, "RIFF\0\0\0\0WAVE"s, "\x89PN"s,
                                   "\0\0\0\x18"
                                   "ftypisom"s}) {
    EXPECT_EQ(media_type_of(other), "") << other;
  }
}

TEST(MediaHeader, ReadsTheSize) {
  EXPECT_EQ(image_size(k_png), (ImageSize{258, 3}));
  EXPECT_EQ(image_size(k_gif), (ImageSize{10, 276}));
  EXPECT_EQ(image_size(k_jpeg), (ImageSize{16, 32})) << "after other segments and a fill byte";
  EXPECT_EQ(image_size(k_webp_lossy), (ImageSize{16, 32}));
  EXPECT_EQ(image_size(k_webp_lossless), (ImageSize{16, 32}));
  EXPECT_EQ(image_size(k_webp_extended), (ImageSize{16, 32}));
}

TEST(MediaHeader, KnowsNoSizeOfBrokenOnes) {
  for (const std::string& whole : {k_png, k_gif, k_jpeg, k_webp_lossy, k_webp_lossless}) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      [[maybe_unused]] const auto any = image_size(whole.substr(0, size));
    }
  }
  EXPECT_EQ(image_size("\xFF\xD8\xFF\xD9"s), std::nullopt);
  EXPECT_EQ(image_size("\xFF\xD8\xFF\xE0\0\0\0\0\0\0"s), std::nullopt);
  EXPECT_EQ(image_size("plain text"), std::nullopt);
}

TEST(MediaHeader, ReadsTheSizeBehindBytesThatBelongToNoSegment) {
  EXPECT_EQ(image_size("\xFF\xD8\xFF\xE0\0\x04\1\2zz\xFF\xC0\0\x11\x08\0\x20\0\x10\x03"s),
            (ImageSize{16, 32}));
}

TEST(MediaHeader, TellsWhatNoServerWouldTake) {
  const std::string damaged = "its header is cut off or damaged";
  const std::string picture_data(40, 'x');
  for (const std::string& whole :
       {k_png + picture_data, k_jpeg, k_gif + "x", k_webp_lossy, k_webp_lossless, k_webp_extended,
        "\0\0\0\x18"
        "ftypheic"s +
            picture_data,
        "%PDF-1.7\n1 0 obj"s}) {
    EXPECT_EQ(media_problem(whole), std::nullopt) << whole;
  }
  for (const std::string& broken : {"\x89PNG\r\n\x1A\n\0\0\0\r"s, k_png, k_gif.substr(0, 9),
                                    "\xFF\xD8\xFF\xD9"s, "RIFF\0\0\0\0WEBPVP8 "s,
                                    "\0\0\0\x18"
                                    "ftypheic"s}) {
    EXPECT_EQ(media_problem(broken), damaged) << broken;
  }
  EXPECT_EQ(media_problem("%PDF-1.4\n%%EOF\n"), "it has no pages");
  EXPECT_EQ(media_problem("BM...."), "its bytes are no PNG, JPEG, GIF, WebP, HEIC or PDF");
}

}  // namespace
}  // namespace yume::core
