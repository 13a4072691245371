// SPDX-License-Identifier: MIT
// What a file is besides its bytes. Private to src/platform; not a seam.
#pragma once

#include <sys/stat.h>

#include "platform/descriptor_posix.h"

namespace yume::platform {

// Gives a new file the owner, group, access control list, extended attributes and mode of the one
// that it shall replace. False when one of them cannot be given, as nobody but root can give files
// to others; the new one is then open to nobody to whom the old one was not. What a security module
// keeps in extended attributes is copied where it may be; file capabilities are not, as new content
// has to earn them.
[[nodiscard]] bool take_over_attributes(const Descriptor& fresh, const Descriptor& old,
                                        const struct stat& old_status);

}  // namespace yume::platform
