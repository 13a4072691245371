// SPDX-License-Identifier: MIT
// `groundingMetadata` of a streamed reply, from JSON to values. For .cpp files of the decoder.
#pragma once

#include "gemini/grounding.h"
#include "util/json_walk.h"

namespace yume::gemini {

// Fields of another type than expected are an error, missing ones are not.
json_walk::Status read_grounding(json_walk::od::value value, Grounding& grounding);

}  // namespace yume::gemini
