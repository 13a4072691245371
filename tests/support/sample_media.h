// SPDX-License-Identifier: MIT
// A picture and a document, as small as they can be and still be ones.
#pragma once

#include <string>

#include "core/media.h"

namespace yume::test {

// 2 by 3 pixels, 68 bytes.
inline core::Media small_png() {
  return {.mime_type = "image/png",
          .base64 =
              "iVBORw0KGgoAAAANSUhEUgAAAAIAAAADCAAAAACcgYFdAAAAC0lEQVR4nGNggAIAAAkAAftSuKkAAAAA"
              "SUVORK5CYII="};
}

inline std::string small_pdf_bytes() {
  return "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
         "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
         "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n"
         "trailer<</Root 1 0 R>>\n%%EOF\n";
}

}  // namespace yume::test
