// SPDX-License-Identifier: MIT
#include "tools/web/html_nodes.h"

#include <algorithm>
#include <array>
#include <string>

namespace yume::tools::web {
namespace {

bool has_attribute(const GumboNode* node, const char* name) {
  return gumbo_get_attribute(&node->v.element.attributes, name) != nullptr;
}

bool is_hidden(const GumboNode* node) {
  if (has_attribute(node, "hidden") || attribute(node, "aria-hidden") == "true") return true;
  std::string style(attribute(node, "style"));
  std::erase(style, ' ');
  return style.find("display:none") != std::string::npos;
}

}  // namespace

bool is_element(const GumboNode* node) {
  return node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE;
}

GumboTag tag_of(const GumboNode* node) {
  return is_element(node) ? node->v.element.tag : GUMBO_TAG_UNKNOWN;
}

std::string_view attribute(const GumboNode* node, const char* name) {
  const GumboAttribute* found = gumbo_get_attribute(&node->v.element.attributes, name);
  return found == nullptr ? std::string_view{} : std::string_view(found->value);
}

std::vector<std::string_view> classes_of(const GumboNode* node) {
  constexpr std::string_view k_white = " \t\r\n\f";
  std::vector<std::string_view> words;
  std::string_view rest = attribute(node, "class");
  while (true) {
    rest.remove_prefix(std::min(rest.find_first_not_of(k_white), rest.size()));
    if (rest.empty()) return words;
    words.push_back(rest.substr(0, rest.find_first_of(k_white)));
    rest.remove_prefix(words.back().size());
  }
}

const GumboVector& children_of(const GumboNode* node) {
  static const GumboVector k_none{};
  if (node->type == GUMBO_NODE_DOCUMENT) return node->v.document.children;
  return is_element(node) ? node->v.element.children : k_none;
}

const GumboNode* child(const GumboNode* node, unsigned at) {
  return static_cast<const GumboNode*>(children_of(node).data[at]);
}

bool is_noise(const GumboNode* node, Menus menus) {
  switch (tag_of(node)) {
    case GUMBO_TAG_HEAD:
    case GUMBO_TAG_SCRIPT:
    case GUMBO_TAG_STYLE:
    case GUMBO_TAG_NOSCRIPT:
    case GUMBO_TAG_TEMPLATE:
    case GUMBO_TAG_SVG:
    case GUMBO_TAG_IFRAME:
    case GUMBO_TAG_OBJECT:
    case GUMBO_TAG_CANVAS:
    case GUMBO_TAG_AUDIO:
    case GUMBO_TAG_VIDEO:
    case GUMBO_TAG_SELECT:
    case GUMBO_TAG_INPUT:
    case GUMBO_TAG_TEXTAREA:
    case GUMBO_TAG_TITLE:
      return true;
    case GUMBO_TAG_NAV:
    case GUMBO_TAG_BUTTON:
      return menus == Menus::dropped;
    default:
      break;
  }
  const bool menu = attribute(node, "role") == "navigation";
  return (menu && menus == Menus::dropped) || is_hidden(node);
}

bool is_paragraph(GumboTag tag) {
  constexpr std::array k_tags = {GUMBO_TAG_P,       GUMBO_TAG_UL,         GUMBO_TAG_OL,
                                 GUMBO_TAG_DL,      GUMBO_TAG_TABLE,      GUMBO_TAG_SECTION,
                                 GUMBO_TAG_ARTICLE, GUMBO_TAG_BLOCKQUOTE, GUMBO_TAG_FIGURE,
                                 GUMBO_TAG_HEADER,  GUMBO_TAG_FOOTER,     GUMBO_TAG_MAIN,
                                 GUMBO_TAG_ASIDE,   GUMBO_TAG_FIELDSET,   GUMBO_TAG_DETAILS};
  return std::find(k_tags.begin(), k_tags.end(), tag) != k_tags.end();
}

bool is_line(GumboTag tag) {
  constexpr std::array k_tags = {GUMBO_TAG_DIV,    GUMBO_TAG_DT,         GUMBO_TAG_DD,
                                 GUMBO_TAG_TR,     GUMBO_TAG_CAPTION,    GUMBO_TAG_ADDRESS,
                                 GUMBO_TAG_CENTER, GUMBO_TAG_FIGCAPTION, GUMBO_TAG_SUMMARY,
                                 GUMBO_TAG_FORM,   GUMBO_TAG_NAV,        GUMBO_TAG_OPTION};
  return std::find(k_tags.begin(), k_tags.end(), tag) != k_tags.end();
}

int heading_level(GumboTag tag) {
  return tag >= GUMBO_TAG_H1 && tag <= GUMBO_TAG_H6 ? static_cast<int>(tag - GUMBO_TAG_H1) + 1 : 0;
}

}  // namespace yume::tools::web
