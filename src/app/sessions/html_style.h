// SPDX-License-Identifier: MIT
// The look of exported sessions: light and dark by the reader's preference, no fonts or scripts
// from elsewhere.
#pragma once

#include <string_view>

namespace yume::app {

inline constexpr std::string_view k_html_style = R"css(
:root { color-scheme: light dark;
  --page:#f6f7f9; --card:#fff; --ink:#1c2330; --soft:#667085; --line:#dfe3ea; --code:#f2f4f7;
  --you:#2557d6; --you-bg:#eaf0ff; --bot:#0b7a55; --bad:#b42318; --bad-bg:#fef1ef;
  --add:#e3f6ea; --add-ink:#12613a; --del:#fdeaea; --del-ink:#8f1f1f; --hunk:#5b6b88; }
@media (prefers-color-scheme: dark) { :root {
  --page:#12151b; --card:#1a1e26; --ink:#e4e8ef; --soft:#98a2b3; --line:#2c323d; --code:#11141a;
  --you:#8fb1ff; --you-bg:#1b2540; --bot:#5fd0a5; --bad:#ff9b8f; --bad-bg:#33191a;
  --add:#12301f; --add-ink:#9be3b7; --del:#391a1c; --del-ink:#ffb4ae; --hunk:#8ea0c0; } }
* { box-sizing: border-box; }
body { margin:0; background:var(--page); color:var(--ink);
  font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif; }
main { max-width:56rem; margin:0 auto; padding:2.5rem 1.25rem 4rem; }
header { border-bottom:1px solid var(--line); margin-bottom:2rem; padding-bottom:1.25rem; }
h1 { font-size:1.55rem; line-height:1.3; margin:0 0 .75rem; overflow-wrap:anywhere; }
dl { display:grid; grid-template-columns:max-content 1fr; gap:.15rem 1rem; margin:0;
  font-size:.875rem; color:var(--soft); }
dd { margin:0; overflow-wrap:anywhere; }
article { margin:0 0 1.5rem; }
.who { display:flex; gap:.75rem; align-items:baseline; font-size:.875rem; font-weight:600;
  margin:0 0 .4rem; color:var(--bot); }
.who time { font-weight:400; color:var(--soft); }
.you .who { color:var(--you); }
.you .body { background:var(--you-bg); border-radius:.75rem; padding:.75rem 1rem; }
.failed .who { color:var(--bad); }
.failed .body { background:var(--bad-bg); border-radius:.75rem; padding:.75rem 1rem; }
.body > :first-child { margin-top:0; } .body > :last-child { margin-bottom:0; }
p { margin:.6rem 0; white-space:pre-wrap; overflow-wrap:anywhere; }
h4,h5,h6 { margin:1rem 0 .4rem; font-size:1.05rem; } h5 { font-size:1rem; } h6 { font-size:.95rem; }
ul,ol { margin:.5rem 0; padding-left:1.6rem; } li { margin:.15rem 0; overflow-wrap:anywhere; }
li.task { list-style:none; } li.task > input { margin-left:-1.3rem; }
blockquote { margin:.6rem 0; padding-left:.9rem; border-left:3px solid var(--line); color:var(--soft); }
hr { border:0; border-top:1px solid var(--line); margin:1rem 0; }
a { color:var(--you); overflow-wrap:anywhere; }
.table { overflow-x:auto; margin:.6rem 0; } table { border-collapse:collapse; font-size:.925rem; }
th,td { border:1px solid var(--line); padding:.25rem .6rem; text-align:left; vertical-align:top; }
th { background:var(--code); } .centre { text-align:center; } .right { text-align:right; }
nav { margin:-1rem 0 2rem; font-size:.875rem; } nav ol { margin:.3rem 0; max-height:16rem;
  overflow:auto; }
.search { margin:1rem 0 0; } .search input { font:inherit; font-size:.875rem; width:20rem;
  max-width:100%; padding:.35rem .7rem; border:1px solid var(--line); border-radius:.5rem;
  background:var(--card); color:var(--ink); } #found { color:var(--soft); font-size:.8rem; }
.todos { list-style:none; padding-left:.2rem; } .todos .done { color:var(--soft);
  text-decoration:line-through; } .todos .doing { font-weight:600; }
.todos span { display:inline-block; width:1.4rem; text-decoration:none; }
h2 { font-size:1.1rem; margin:2rem 0 .5rem; }
.chart { max-width:none; display:block; } .chart .in { fill:var(--you); } .chart .out { fill:var(--bot); }
.legend { color:var(--soft); font-size:.8rem; } .legend .in { color:var(--you); }
.legend .out { color:var(--bot); }
.chart text { fill:var(--soft); font-size:11px; text-anchor:middle; }
.used { color:var(--soft); font-size:.8rem; margin:.8rem 0 0; }
code,pre { font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace;
  font-size:.85em; }
p code,li code,td code,th code,h4 code,h5 code,h6 code { background:var(--code);
  border:1px solid var(--line); border-radius:.3rem; padding:.05rem .3rem; }
pre { background:var(--code); border:1px solid var(--line); border-radius:.5rem; margin:.6rem 0;
  padding:.7rem .9rem; max-height:26rem; overflow:auto; line-height:1.5; tab-size:4; }
pre code { font-size:1em; }
details { margin:.6rem 0; }
summary { cursor:pointer; color:var(--soft); font-size:.875rem; }
details.thought { border-left:3px solid var(--line); padding-left:.9rem; }
details.thought :is(p,li,h4,h5,h6) { color:var(--soft); font-size:.925rem; }
.tool { background:var(--card); border:1px solid var(--line); border-radius:.6rem; margin:.7rem 0;
  padding:.6rem .9rem; }
.tool > .head { display:flex; gap:.6rem; align-items:baseline; font-size:.9rem; }
.tool .name { font-weight:600; flex:none; }
.tool .subject { overflow:hidden; text-overflow:ellipsis; white-space:nowrap; min-width:0; }
.tool .state { margin-left:auto; flex:none; color:var(--soft); font-size:.8rem; max-width:50%;
  overflow:hidden; text-overflow:ellipsis; white-space:nowrap; }
.tool details { margin:.25rem 0 0; } .tool pre { margin:.4rem 0; }
.tool.bad { border-color:var(--bad); } .tool.bad .state { color:var(--bad); }
.diff { padding:.4rem 0; } .diff span { display:block; padding:0 .9rem; white-space:pre;
  width:max-content; min-width:100%; }
.diff .add { background:var(--add); color:var(--add-ink); }
.diff .del { background:var(--del); color:var(--del-ink); }
.diff .hunk { color:var(--hunk); }
img { max-width:100%; max-height:80vh; border-radius:.5rem; border:1px solid var(--line); }
.note { color:var(--soft); font-size:.875rem; text-align:center; margin:1.5rem 0; }
.note details { text-align:left; }
footer { border-top:1px solid var(--line); margin-top:2.5rem; padding-top:1rem; color:var(--soft);
  font-size:.8rem; }
@media print { body { background:none; } main { max-width:none; padding:0; }
  pre,nav ol { max-height:none; overflow:visible; white-space:pre-wrap; } .search { display:none; }
  .diff span { white-space:pre-wrap; width:auto; } article,.tool { break-inside:auto; }
  .who,.head { break-after:avoid; } }
)css";

}  // namespace yume::app
