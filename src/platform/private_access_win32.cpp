// SPDX-License-Identifier: MIT
#include "platform/private_access_win32.h"

#include <aclapi.h>
#include <sddl.h>

#include <array>
#include <vector>

#include "platform/system_path_win32.h"
#include "util/path_text.h"

namespace yume::platform {

namespace fs = std::filesystem;

namespace {

constexpr DWORD k_reads = FILE_READ_DATA | GENERIC_READ | GENERIC_ALL;
constexpr DWORD k_writes = FILE_WRITE_DATA | FILE_APPEND_DATA | FILE_DELETE_CHILD | DELETE |
                           WRITE_DAC | WRITE_OWNER | GENERIC_WRITE | GENERIC_ALL;

// The bytes of TOKEN_USER; empty when the system does not say.
std::vector<std::byte> own_user() {
  HANDLE opened = nullptr;
  if (::OpenProcessToken(::GetCurrentProcess(), TOKEN_QUERY, &opened) == 0) return {};
  const Handle token(opened);
  DWORD size = 0;
  ::GetTokenInformation(token.get(), TokenUser, nullptr, 0, &size);
  std::vector<std::byte> bytes(size);
  if (size == 0 || ::GetTokenInformation(token.get(), TokenUser, bytes.data(), size, &size) == 0) {
    return {};
  }
  return bytes;
}

PSID sid_in(const std::vector<std::byte>& user) {
  return user.empty() ? nullptr : reinterpret_cast<const TOKEN_USER*>(user.data())->User.Sid;
}

bool is_well_known(PSID sid, WELL_KNOWN_SID_TYPE kind) {
  return ::IsWellKnownSid(sid, kind) != 0;
}

bool is_the_system(PSID sid) {
  return is_well_known(sid, WinLocalSystemSid) || is_well_known(sid, WinBuiltinAdministratorsSid);
}

bool is_own(PSID sid, PSID self) {
  return self != nullptr && ::EqualSid(sid, self) != 0;
}

// Whether this process runs with an administrator's rights: what it makes may then belong to all of
// them.
bool runs_as_administrator() {
  std::array<std::byte, SECURITY_MAX_SID_SIZE> sid{};
  DWORD size = sid.size();
  BOOL member = FALSE;
  return ::CreateWellKnownSid(WinBuiltinAdministratorsSid, nullptr, sid.data(), &size) != 0 &&
         ::CheckTokenMembership(nullptr, sid.data(), &member) != 0 && member != FALSE;
}

void add_entries(const ACL& list, PSID self, PSID owner, Access& access) {
  for (DWORD i = 0; i < list.AceCount; ++i) {
    void* entry = nullptr;
    if (::GetAce(const_cast<ACL*>(&list), i, &entry) == 0) continue;
    const auto* header = static_cast<const ACE_HEADER*>(entry);
    if ((header->AceFlags & INHERIT_ONLY_ACE) != 0) continue;
    if (header->AceType != ACCESS_ALLOWED_ACE_TYPE) continue;
    auto* allowed = static_cast<ACCESS_ALLOWED_ACE*>(entry);
    PSID who = &allowed->SidStart;
    const bool trusted = is_own(who, self) || ::EqualSid(who, owner) != 0 || is_the_system(who) ||
                         is_well_known(who, WinCreatorOwnerRightsSid);
    if (trusted) continue;
    access.others_may_read = access.others_may_read || (allowed->Mask & k_reads) != 0;
    access.others_may_write = access.others_may_write || (allowed->Mask & k_writes) != 0;
  }
}

}  // namespace

PrivateAccess::PrivateAccess() {
  attributes_.nLength = sizeof attributes_;
  const std::vector<std::byte> user = own_user();
  LPWSTR name = nullptr;
  if (sid_in(user) == nullptr || ::ConvertSidToStringSidW(sid_in(user), &name) == 0) return;
  // Protected; everything for this user, also of what is made inside.
  const std::wstring text = LR"(D:P(A;OICI;FA;;;)" + std::wstring(name) + L")";
  ::LocalFree(name);
  PSECURITY_DESCRIPTOR made = nullptr;
  if (::ConvertStringSecurityDescriptorToSecurityDescriptorW(text.c_str(), SDDL_REVISION_1, &made,
                                                             nullptr) != 0) {
    attributes_.lpSecurityDescriptor = made;
  }
}

PrivateAccess::~PrivateAccess() {
  if (attributes_.lpSecurityDescriptor != nullptr) ::LocalFree(attributes_.lpSecurityDescriptor);
}

Result<void> PrivateAccess::apply_to(const fs::path& path) const {
  constexpr SECURITY_INFORMATION k_list =
      DACL_SECURITY_INFORMATION | PROTECTED_DACL_SECURITY_INFORMATION;
  const bool done =
      attributes_.lpSecurityDescriptor != nullptr &&
      ::SetFileSecurityW(system_path(path).c_str(), k_list, attributes_.lpSecurityDescriptor) != 0;
  if (done) return {};
  return error_from_windows(cannot("protect", path), ::GetLastError());
}

Result<Access> access_of(const Handle& file, std::string_view what) {
  PSID owner = nullptr;
  PACL list = nullptr;
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  const DWORD failed = ::GetSecurityInfo(file.get(), SE_FILE_OBJECT,
                                         OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
                                         &owner, nullptr, &list, nullptr, &descriptor);
  if (failed != ERROR_SUCCESS) return error_from_windows(what, failed);
  const std::unique_ptr<void, HLOCAL (*)(HLOCAL)> owned(descriptor, ::LocalFree);
  if (owner == nullptr)
    return Error{.code = ErrorCode::io, .message = std::string(what) + ": it has no owner"};
  const std::vector<std::byte> user = own_user();
  Access access{.is_self = is_own(owner, sid_in(user)),
                .is_system = is_the_system(owner),
                .others_may_read = list == nullptr,  // no list: everybody may
                .others_may_write = list == nullptr};
  if (access.is_system && runs_as_administrator()) access.is_self = true;
  if (list != nullptr) add_entries(*list, sid_in(user), owner, access);
  return access;
}

Result<void> check_private(const Handle& file, const fs::path& path) {
  YUME_TRY(const Access access, access_of(file, cannot("use", path)));
  const auto refuse = [&path](const char* why) {
    return Error{.code = ErrorCode::permission_denied, .message = cannot("use", path) + ": " + why};
  };
  if (!access.is_self) return refuse("it belongs to another user");
  if (access.others_may_read || access.others_may_write) return refuse("others have access to it");
  return {};
}

}  // namespace yume::platform
