// SPDX-License-Identifier: MIT
// What the compiler's own static libraries want of a C library newer than 2.31, for a release that
// is linked with that one (cmake/OlderGlibc.cmake).
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

struct Search {
  std::uintptr_t address;
  void* map_start;
  void* map_end;
  const void* unwind_table;
};

// Stops at the object in which the address lies.
int look_into(dl_phdr_info* object, std::size_t /*size*/, void* given) {
  auto& search = *static_cast<Search*>(given);
  std::uintptr_t first = UINTPTR_MAX;
  std::uintptr_t end = 0;
  const void* table = nullptr;
  bool inside = false;
  for (std::size_t i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object->dlpi_phdr[i];
    const std::uintptr_t start = object->dlpi_addr + segment.p_vaddr;
    if (segment.p_type == PT_GNU_EH_FRAME) table = reinterpret_cast<const void*>(start);
    if (segment.p_type != PT_LOAD) continue;
    if (start < first) first = start;
    if (start + segment.p_memsz > end) end = start + segment.p_memsz;
    inside = inside || (search.address >= start && search.address < start + segment.p_memsz);
  }
  if (!inside) return 0;
  search.map_start = reinterpret_cast<void*>(first);
  search.map_end = reinterpret_cast<void*>(end);
  search.unwind_table = table;
  return 1;
}

}  // namespace

extern "C" {
// What --wrap=dlopen and so on call the system's own: in the C library since 2.34. Before, they are
// in a library of their own, which is not loaded, as it would be loaded at every start.
[[gnu::weak]] void* __real_dlopen(const char* file, int mode) noexcept;
[[gnu::weak]] int __real_dlclose(void* library) noexcept;
[[gnu::weak]] void* __real_dlsym(void* library, const char* name) noexcept;
[[gnu::weak]] char* __real_dlerror() noexcept;
[[gnu::weak]] int __real_dladdr(const void* address, Dl_info* info) noexcept;
}

// Hidden, and so never taken by the C library for its own.
#pragma GCC visibility push(hidden)
extern "C" {

// Since 2.32: says that no thread was started yet, which spares a few atomic operations. Never said
// here, which is always right.
extern char __libc_single_threaded;
char __libc_single_threaded = 0;

// Since 2.35: where the unwind table of the code at an address is. Exceptions need it.
int _dl_find_object(void* address, dl_find_object* result) noexcept {
  Search search{reinterpret_cast<std::uintptr_t>(address), nullptr, nullptr, nullptr};
  if (dl_iterate_phdr(look_into, &search) == 0 || search.unwind_table == nullptr) return -1;
  *result = {};
  result->dlfo_map_start = search.map_start;
  result->dlfo_map_end = search.map_end;
  result->dlfo_eh_frame = const_cast<void*>(search.unwind_table);
  return 0;
}

// OpenSSL calls them for the providers that its configuration may name.
void* __wrap_dlopen(const char* file, int mode) noexcept {
  return __real_dlopen == nullptr ? nullptr : __real_dlopen(file, mode);
}

int __wrap_dlclose(void* library) noexcept {
  return __real_dlclose == nullptr ? -1 : __real_dlclose(library);
}

void* __wrap_dlsym(void* library, const char* name) noexcept {
  return __real_dlsym == nullptr ? nullptr : __real_dlsym(library, name);
}

char* __wrap_dlerror() noexcept {
  static char reason[] = "libraries can be loaded from glibc 2.34 on";
  return __real_dlerror == nullptr ? reason : __real_dlerror();
}

int __wrap_dladdr(const void* address, Dl_info* info) noexcept {
  return __real_dladdr == nullptr ? 0 : __real_dladdr(address, info);
}

// Since 2.36. It cannot fail.
std::uint32_t arc4random() noexcept {
  std::uint32_t value = 0;
  if (getentropy(&value, sizeof value) != 0) std::abort();
  return value;
}
}
#pragma GCC visibility pop
