// SPDX-License-Identifier: MIT
// Who reads and who writes the lines of a translation.
#pragma once

#include <memory>

#include "app/translate/translation.h"

namespace yume::app {

std::unique_ptr<foreign::LineDecoder> make_decoder(const TranslationSpec& spec);
std::unique_ptr<protocol::Host> make_translated_host(const TranslationSpec& spec,
                                                     protocol::Output& output,
                                                     protocol::OverflowStore& overflow,
                                                     const platform::Clock& clock);
// In the words that the host's dialect has for it.
void report_bad_line(protocol::Host& host, const core::Address& address,
                     const foreign::BadLine& bad, platform::SteadyTime now);

}  // namespace yume::app
