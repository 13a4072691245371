// SPDX-License-Identifier: MIT
// The one script of exported pages: the search box, over what is said or over a list of sessions.
// The page's policy names the script by its hash, so a browser runs it and nothing else, whatever
// the session says.
#pragma once

#include <string_view>

namespace yume::app {

inline constexpr std::string_view k_html_script = R"js(
(function () {
  var box = document.getElementById('search'), said = document.getElementById('found');
  var parts = Array.prototype.slice.call(document.querySelectorAll('article, .note, .session'));
  var texts = parts.map(function (part) { return part.textContent.toLowerCase(); });
  function show() {
    var wanted = box.value.trim().toLowerCase(), found = 0;
    parts.forEach(function (part, at) {
      var fits = texts[at].indexOf(wanted) >= 0;
      part.hidden = !fits;
      if (fits) found += 1;
      Array.prototype.forEach.call(part.querySelectorAll('details'), function (fold) {
        fold.open = wanted !== '' && fold.textContent.toLowerCase().indexOf(wanted) >= 0;
      });
    });
    said.textContent = wanted === '' ? '' : found + ' of ' + parts.length;
  }
  box.parentNode.hidden = false;
  box.addEventListener('input', show);
})();
)js";

// SHA-256 of it, as a content security policy spells it. A test compares the two.
inline constexpr std::string_view k_html_script_hash =
    "sha256-UHJH3GY1Zokee1MLnnhxAhC3MU3CaPwYNwPnjFmYK28=";

}  // namespace yume::app
