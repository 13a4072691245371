// SPDX-License-Identifier: MIT
// Keys that are typed while nothing edits them, as lines: a key that means more than a character is
// of no use, and a pasted text is one piece, whatever line ends it has. Bytes may come in any
// pieces. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yume::runtime {

class TypedKeys {
 public:
  // The lines that these bytes end, in order; what is begun is changed.
  std::vector<std::string> take(std::string_view bytes, std::string& begun);
  // Of a pasted text whose end has not come: the mark of its beginning, and what is held back of
  // it. Empty: there is none. Whatever comes next is new.
  std::string take_unfinished();

 private:
  void take_key(char key, std::string& begun, std::vector<std::string>& lines);
  // How long the code at the beginning of keys_ is; 0: it has not come yet as a whole.
  [[nodiscard]] std::size_t length_of_code() const;
  bool take_paste(std::string& begun);

  std::string keys_;  // that may mean something together with what comes next
  bool pasting_ = false;
};

}  // namespace yume::runtime
