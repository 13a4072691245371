// SPDX-License-Identifier: MIT
// Reads an answer of the scripted server from the text of a `.http` file (docs/golden-tests.md).
// Pure.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "demo/exchange.h"
#include "support/raw_script.h"
#include "util/result.h"

namespace yume::test {

// Raw when it has no head, says HTTP/1.0 or frames its chunks itself (`Transfer-Encoding`).
using HttpScript = std::variant<demo::Script, RawScript>;

// Fails with invalid_argument; the message begins with the line number.
Result<HttpScript> parse_http_script(std::string_view text);

const std::vector<demo::Step>& steps_of(const HttpScript& script);

demo::Answer to_answer(HttpScript script);

}  // namespace yume::test
