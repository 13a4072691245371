// SPDX-License-Identifier: MIT
// Looking at a parsed page: what a node is, what is below it, and what its tag means to a reader.
// Pure.
#pragma once

#include <string_view>
#include <vector>

#include "tools/web/html_tree.h"

namespace yume::tools::web {

enum class Menus { dropped, kept };

bool is_element(const GumboNode* node);
// GUMBO_TAG_UNKNOWN for what is no element.
GumboTag tag_of(const GumboNode* node);
// Of an element; empty when it is missing.
std::string_view attribute(const GumboNode* node, const char* name);
const GumboVector& children_of(const GumboNode* node);
const GumboNode* child(const GumboNode* node, unsigned at);

// The words of its class attribute.
std::vector<std::string_view> classes_of(const GumboNode* node);

// What a reader does not see, or does not want: scripts, forms, menus, hidden elements.
bool is_noise(const GumboNode* node, Menus menus);
bool is_paragraph(GumboTag tag);
bool is_line(GumboTag tag);
// 1 to 6; 0 when it is no heading.
int heading_level(GumboTag tag);

// Visits a tree from its root on without recursion: a page decides how deep it is. `enter` says
// whether to go into the node; `leave` is called for every node that was gone into.
template <class Enter, class Leave>
void walk(const GumboNode* root, Enter enter, Leave leave) {
  struct Place {
    const GumboNode* node;
    unsigned next;
  };
  std::vector<Place> path;
  const auto visit = [&](const GumboNode* node) {
    if (enter(node)) path.push_back({node, 0});
  };
  visit(root);
  while (!path.empty()) {
    Place& place = path.back();
    if (place.next < children_of(place.node).length) {
      visit(child(place.node, place.next++));
    } else {
      leave(place.node);
      path.pop_back();
    }
  }
}

}  // namespace yume::tools::web
