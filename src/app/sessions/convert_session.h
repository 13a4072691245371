// SPDX-License-Identifier: MIT
// `sessions convert`, `sessions import` and `sessions list --from gemini-cli`: conversations that
// other programs have kept, in another form, as a session of ours, or as a list. docs/convert.md.
#pragma once

#include <vector>

#include "app/sessions/session_choice.h"
#include "app/sessions/sessions_arguments.h"
#include "protocol/line_writer.h"
#include "transcript/convert/text_sink.h"
#include "transcript/session_summary.h"
#include "util/result.h"

namespace yume::app {

// Writes as it reads: a session of any size takes little memory.
Result<void> convert_session(const SessionQuestion& question, ConvertTarget to,
                             transcript::JsonForm form, const SessionDeps& deps,
                             protocol::Output& out);

enum class ImportReport { text, json };
// Under its own id, in the folder of the project. Error when a session of that id is there.
Result<void> import_session(const SessionQuestion& question, ImportReport report,
                            const SessionDeps& deps, protocol::Output& out);

// Those of Gemini CLI in the project, the last one first.
std::vector<transcript::SessionSummary> gemini_sessions(const SessionQuestion& question,
                                                        const SessionDeps& deps);

}  // namespace yume::app
