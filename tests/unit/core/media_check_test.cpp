// SPDX-License-Identifier: MIT
#include "core/media_check.h"

#include "support/sample_media.h"
#include "util/base64.h"

#include <gtest/gtest.h>

namespace yume::core {
namespace {

Media media(std::string type, std::string_view bytes) {
  return {.mime_type = std::move(type), .base64 = base64(bytes)};
}

TEST(MediaCheck, TakesTheTypeOfTheBytes) {
  Media picture = test::small_png();
  picture.mime_type = "image/jpeg";
  EXPECT_EQ(media_fault(picture), std::nullopt);
  EXPECT_EQ(picture, test::small_png());
  Media paper = media("application/pdf", test::small_pdf_bytes());
  EXPECT_EQ(media_fault(paper), std::nullopt);
  Media late = media("application/pdf", "\r\n" + test::small_pdf_bytes());
  EXPECT_EQ(media_fault(late), std::nullopt) << "as readers of PDF do";
  Media sound = media("audio/wav", "anything");
  EXPECT_EQ(media_fault(sound), std::nullopt) << "nobody looks";
}

TEST(MediaCheck, SaysWhatIsWrong) {
  Media twelve = media("image/png", std::string_view("\x89PNG\r\n\x1A\n\0\0\0\r", 12));
  EXPECT_EQ(media_fault(twelve), "its header is cut off or damaged");
  EXPECT_EQ(withheld_text(twelve, "why"), "[image/png of 12 bytes withheld: why]");
  Media other = media("image/bmp", "BM");
  EXPECT_EQ(media_fault(other), "its bytes are no PNG, JPEG, GIF, WebP, HEIC or PDF");
  Media garbage{.mime_type = "image/png", .base64 = "no base64!"};
  EXPECT_EQ(media_fault(garbage), "its data is not base64");
  Media nothing{.mime_type = "image/png", .base64 = ""};
  EXPECT_EQ(media_fault(nothing), "its data is not base64");
}

// A camera's notes may be longer than what is looked at first.
TEST(MediaCheck, LooksFurtherWhenTheBeginningDoesNotTell) {
  std::string jpeg = "\xFF\xD8";
  for (int i = 0; i < 3; ++i) jpeg += "\xFF\xE1\xFF\xFF" + std::string(0xFFFD, 'x');
  Media cut = media("image/jpeg", jpeg);
  EXPECT_NE(media_fault(cut), std::nullopt);
  Media whole = media("image/jpeg", jpeg + std::string("\xFF\xC0\0\x11\x08\0\x20\0\x10\x03", 10));
  EXPECT_EQ(media_fault(whole), std::nullopt);
}

}  // namespace
}  // namespace yume::core
