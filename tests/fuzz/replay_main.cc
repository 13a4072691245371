// SPDX-License-Identifier: MIT
// Stands in for libFuzzer's main: feeds the empty input and then every file under the given paths
// to the fuzz target once, in name order. A missing path counts as empty. It finds nothing new; it
// keeps what was found fixed.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_under(const fs::path& path) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) return {path};
  std::vector<fs::path> files;
  if (!fs::is_directory(path, error)) return files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// A copy of exactly the input's size, so that a sanitizer sees a read past its end.
void run(const std::string& bytes) {
  const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(input.data(), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  run("");
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    for (const fs::path& file : files_under(argv[i])) {
      std::ifstream in(file, std::ios::binary);
      if (!in) {
        std::fprintf(stderr, "cannot read %s\n", file.string().c_str());
        return 1;
      }
      // Named before it runs, so that a crash says which input it was.
      std::fprintf(stderr, "%s\n", file.filename().string().c_str());
      run(std::string(std::istreambuf_iterator<char>(in), {}));
      ++count;
    }
  }
  std::fprintf(stderr, "replayed %zu inputs\n", count);
  return 0;
}
