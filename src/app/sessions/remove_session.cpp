// SPDX-License-Identifier: MIT
#include "app/sessions/remove_session.h"

#include "platform/append_file.h"
#include "platform/kept_files.h"
#include "transcript/alias_book.h"
#include "transcript/session_index.h"
#include "transcript/session_paths.h"

namespace yume::app {
namespace {

namespace fs = std::filesystem;

// The file goes last: while it is there, the rest can be deleted again.
Result<void> remove_files(const transcript::FoundSession& found, const fs::path& views,
                          const platform::Clock& clock) {
  if (!views.empty()) {
    const auto forgotten = transcript::AliasBook(views, clock).forget(found.id);
    if (!forgotten) return forgotten.error();
    const auto unlisted = transcript::SessionIndex(views, clock).forget(found.id);
    if (!unlisted) return unlisted.error();
    const auto unseen = platform::remove_tree(views / (found.id + ".json"));
    if (!unseen) return unseen.error();
  }
  for (const fs::path& path : {transcript::session_folder(found.file), found.file}) {
    if (const auto removed = platform::remove_tree(path); !removed) return removed.error();
  }
  return {};
}

}  // namespace

Result<void> remove_session(const transcript::FoundSession& found, const fs::path& views,
                            const platform::Clock& clock) {
  // Held to the end: nobody may begin to write to what is going away.
  const auto lock = platform::open_append_file(
      {.path = found.file, .purpose = platform::OpenFor::appending, .classify_tail = [](auto) {
         return platform::Tail::whole;
       }});
  if (!lock.ok() && lock.error().code == ErrorCode::busy) {
    return Error{.code = ErrorCode::not_found,
                 .message = "session " + found.id + " is in use: " + lock.error().message +
                            ". Wait for it to end, then delete it."};
  }
  return remove_files(found, views, clock);
}

}  // namespace yume::app
