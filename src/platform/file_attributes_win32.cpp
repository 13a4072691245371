// SPDX-License-Identifier: MIT
#include "platform/file_attributes_win32.h"

#include <aclapi.h>

#include <memory>

namespace yume::platform {
namespace {

constexpr DWORD k_kept = FILE_ATTRIBUTE_HIDDEN | FILE_ATTRIBUTE_SYSTEM | FILE_ATTRIBUTE_ARCHIVE |
                         FILE_ATTRIBUTE_READONLY | FILE_ATTRIBUTE_NOT_CONTENT_INDEXED;

// A list that the folder gave goes on being given by it; one of the file's own is protected again.
bool take_over_list(const Handle& fresh, const Handle& old) {
  PACL list = nullptr;
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  if (::GetSecurityInfo(old.get(), SE_FILE_OBJECT, DACL_SECURITY_INFORMATION, nullptr, nullptr,
                        &list, nullptr, &descriptor) != ERROR_SUCCESS) {
    return false;
  }
  const std::unique_ptr<void, HLOCAL (*)(HLOCAL)> owned(descriptor, ::LocalFree);
  SECURITY_DESCRIPTOR_CONTROL control = 0;
  DWORD revision = 0;
  ::GetSecurityDescriptorControl(descriptor, &control, &revision);
  const SECURITY_INFORMATION inheritance = (control & SE_DACL_PROTECTED) != 0
                                               ? PROTECTED_DACL_SECURITY_INFORMATION
                                               : UNPROTECTED_DACL_SECURITY_INFORMATION;
  return ::SetSecurityInfo(fresh.get(), SE_FILE_OBJECT, DACL_SECURITY_INFORMATION | inheritance,
                           nullptr, nullptr, list, nullptr) == ERROR_SUCCESS;
}

}  // namespace

bool take_over_attributes(const Handle& fresh, const Handle& old, const FileStatus& status) {
  const bool listed = take_over_list(fresh, old);
  FILE_BASIC_INFO now{};
  FILE_BASIC_INFO before{};
  const bool known =
      ::GetFileInformationByHandleEx(fresh.get(), FileBasicInfo, &now, sizeof now) != 0 &&
      ::GetFileInformationByHandleEx(old.get(), FileBasicInfo, &before, sizeof before) != 0;
  now.CreationTime = before.CreationTime;
  const DWORD kept = status.attributes & k_kept;
  now.FileAttributes = kept != 0 ? kept : FILE_ATTRIBUTE_NORMAL;
  return known && ::SetFileInformationByHandle(fresh.get(), FileBasicInfo, &now, sizeof now) != 0 &&
         listed;
}

}  // namespace yume::platform
