// SPDX-License-Identifier: MIT
// A table of our own: C libraries have none under a common name, and glibc's is newer than 2.31.
#include <signal.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "platform/process.h"

namespace yume::platform {
namespace {

struct Name {
  int signal;
  const char* name;
};

constexpr Name k_names[] = {
    {SIGHUP, "SIGHUP"},       {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"},   {SIGILL, "SIGILL"},
    {SIGTRAP, "SIGTRAP"},     {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},     {SIGFPE, "SIGFPE"},
    {SIGKILL, "SIGKILL"},     {SIGUSR1, "SIGUSR1"}, {SIGSEGV, "SIGSEGV"},   {SIGUSR2, "SIGUSR2"},
    {SIGPIPE, "SIGPIPE"},     {SIGALRM, "SIGALRM"}, {SIGTERM, "SIGTERM"},   {SIGCHLD, "SIGCHLD"},
    {SIGCONT, "SIGCONT"},     {SIGSTOP, "SIGSTOP"}, {SIGTSTP, "SIGTSTP"},   {SIGTTIN, "SIGTTIN"},
    {SIGTTOU, "SIGTTOU"},     {SIGURG, "SIGURG"},   {SIGXCPU, "SIGXCPU"},   {SIGXFSZ, "SIGXFSZ"},
    {SIGVTALRM, "SIGVTALRM"}, {SIGPROF, "SIGPROF"}, {SIGWINCH, "SIGWINCH"}, {SIGSYS, "SIGSYS"},
#if defined(__linux__)
    {SIGPOLL, "SIGPOLL"},
#else
    {SIGIO, "SIGIO"},
#endif
#if defined(SIGSTKFLT)
    {SIGSTKFLT, "SIGSTKFLT"},
#endif
#if defined(SIGPWR)
    {SIGPWR, "SIGPWR"},
#endif
#if defined(SIGEMT)
    {SIGEMT, "SIGEMT"},
#endif
#if defined(SIGINFO)
    {SIGINFO, "SIGINFO"},
#endif
};

}  // namespace

std::string signal_name(int signal) {
  const Name* found = std::find_if(std::begin(k_names), std::end(k_names),
                                   [signal](const Name& known) { return known.signal == signal; });
  return found == std::end(k_names) ? "signal " + std::to_string(signal) : found->name;
}

}  // namespace yume::platform
