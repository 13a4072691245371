// SPDX-License-Identifier: MIT
// The names and globs are ripgrep 13's where it has the name; a few more are spellings that models
// use (python, javascript, tsx, shell).
#include "tools/search/file_types.h"

#include <algorithm>
#include <array>

namespace yume::tools::search {
namespace {

struct Row {
  std::string_view name;
  std::string_view globs;  // with a space between
};

constexpr std::array k_types = {
    Row{"asm", "*.S *.asm *.s"},
    Row{"bash",
        "*.bash *.bashrc *.csh *.cshrc *.ksh *.kshrc *.sh *.tcsh *.zsh .bash_login .bash_logout "
        ".bash_profile .bashrc .cshrc .kshrc .login .logout .profile .tcshrc .zlogin .zlogout "
        ".zprofile .zshenv .zshrc bash_login bash_logout bash_profile bashrc profile zlogin "
        "zlogout zprofile zshenv zshrc"},
    Row{"bazel", "*.BUILD *.bazel *.bazelrc *.bzl BUILD WORKSPACE"},
    Row{"c", "*.[chH] *.[chH].in *.cats"},
    Row{"c++",
        "*.[ChH] *.[ChH].in *.[ch]pp *.[ch]pp.in *.[ch]xx *.[ch]xx.in *.cc *.cc.in *.hh *.hh.in "
        "*.inl"},
    Row{"clojure", "*.clj *.cljc *.cljs *.cljx"},
    Row{"cmake", "*.cmake CMakeLists.txt"},
    Row{"coffeescript", "*.coffee"},
    Row{"config", "*.cfg *.conf *.config *.ini"},
    Row{"cpp",
        "*.[ChH] *.[ChH].in *.[ch]pp *.[ch]pp.in *.[ch]xx *.[ch]xx.in *.cc *.cc.in *.hh *.hh.in "
        "*.inl"},
    Row{"cs", "*.cs"},
    Row{"csharp", "*.cs"},
    Row{"css", "*.css *.scss"},
    Row{"csv", "*.csv"},
    Row{"cython", "*.pxd *.pxi *.pyx"},
    Row{"d", "*.d"},
    Row{"dart", "*.dart"},
    Row{"docker", "*Dockerfile*"},
    Row{"elisp", "*.el"},
    Row{"elixir", "*.eex *.ex *.exs"},
    Row{"elm", "*.elm"},
    Row{"erlang", "*.erl *.hrl"},
    Row{"fish", "*.fish"},
    Row{"fortran", "*.F *.F77 *.F90 *.F95 *.f *.f77 *.f90 *.f95 *.pfo"},
    Row{"fsharp", "*.fs *.fsi *.fsx"},
    Row{"gn", "*.gn *.gni"},
    Row{"go", "*.go"},
    Row{"golang", "*.go"},
    Row{"gradle", "*.gradle"},
    Row{"groovy", "*.gradle *.groovy"},
    Row{"h", "*.h *.hpp"},
    Row{"haskell", "*.c2hs *.cpphs *.hs *.hsc *.lhs"},
    Row{"hbs", "*.hbs"},
    Row{"hs", "*.hs *.lhs"},
    Row{"html", "*.ejs *.htm *.html"},
    Row{"java", "*.java *.jsp *.jspx *.properties"},
    Row{"javascript", "*.js *.jsx *.vue"},
    Row{"jinja", "*.j2 *.jinja *.jinja2"},
    Row{"jl", "*.jl"},
    Row{"js", "*.js *.jsx *.vue"},
    Row{"json", "*.json composer.lock"},
    Row{"jsonl", "*.jsonl"},
    Row{"jsx", "*.jsx"},
    Row{"julia", "*.jl"},
    Row{"jupyter", "*.ipynb *.jpynb"},
    Row{"kotlin", "*.kt *.kts"},
    Row{"kt", "*.kt *.kts"},
    Row{"less", "*.less"},
    Row{"license",
        "*[.-]LICEN[CS]E* AGPL-*[0-9]* APACHE-*[0-9]* BSD-*[0-9]* CC-BY-* COPYING COPYING[.-]* "
        "COPYRIGHT COPYRIGHT[.-]* EULA EULA[.-]* GFDL-*[0-9]* GNU-*[0-9]* GPL-*[0-9]* LGPL-*[0-9]* "
        "LICEN[CS]E LICEN[CS]E[.-]* MIT-*[0-9]* MPL-*[0-9]* NOTICE NOTICE[.-]* OFL-*[0-9]* PATENTS "
        "PATENTS[.-]* UNLICEN[CS]E UNLICEN[CS]E[.-]* agpl[.-]* gpl[.-]* lgpl[.-]* licen[cs]e "
        "licen[cs]e.*"},
    Row{"lisp", "*.el *.jl *.lisp *.lsp *.sc *.scm"},
    Row{"log", "*.log"},
    Row{"lua", "*.lua"},
    Row{"m4", "*.ac *.m4"},
    Row{"make",
        "*.mak *.mk [Gg][Nn][Uu]makefile [Gg][Nn][Uu]makefile.am [Gg][Nn][Uu]makefile.in "
        "[Mm]akefile [Mm]akefile.am [Mm]akefile.in"},
    Row{"markdown", "*.markdown *.md *.mdown *.mkdn"},
    Row{"matlab", "*.m"},
    Row{"md", "*.markdown *.md *.mdown *.mkdn"},
    Row{"meson", "meson.build meson_options.txt"},
    Row{"mk", "mkfile"},
    Row{"ml", "*.ml"},
    Row{"msbuild", "*.csproj *.fsproj *.proj *.props *.targets *.vcxproj"},
    Row{"nim", "*.nim *.nimble *.nimf *.nims"},
    Row{"nix", "*.nix"},
    Row{"objc", "*.h *.m"},
    Row{"objcpp", "*.h *.mm"},
    Row{"ocaml", "*.ml *.mli *.mll *.mly"},
    Row{"org", "*.org *.org_archive"},
    Row{"pascal", "*.dpr *.inc *.lpr *.pas *.pp"},
    Row{"perl", "*.PL *.perl *.pl *.plh *.plx *.pm *.t"},
    Row{"php", "*.php *.php3 *.php4 *.php5 *.phtml"},
    Row{"proto", "*.proto"},
    Row{"protobuf", "*.proto"},
    Row{"ps", "*.cdxml *.ps1 *.ps1xml *.psd1 *.psm1"},
    Row{"puppet", "*.erb *.pp *.rb"},
    Row{"py", "*.py"},
    Row{"python", "*.py"},
    Row{"qml", "*.qml"},
    Row{"r", "*.R *.Rmd *.Rnw *.r"},
    Row{"racket", "*.rkt"},
    Row{"rb", "*.gemspec *.rb *.rbw .irbrc Gemfile Rakefile config.ru"},
    Row{"readme", "*README README*"},
    Row{"rs", "*.rs"},
    Row{"rst", "*.rst"},
    Row{"ruby", "*.gemspec *.rb *.rbw .irbrc Gemfile Rakefile config.ru"},
    Row{"rust", "*.rs"},
    Row{"sass", "*.sass *.scss"},
    Row{"scala", "*.sbt *.scala"},
    Row{"sh",
        "*.bash *.bashrc *.csh *.cshrc *.ksh *.kshrc *.sh *.tcsh *.zsh .bash_login .bash_logout "
        ".bash_profile .bashrc .cshrc .kshrc .login .logout .profile .tcshrc .zlogin .zlogout "
        ".zprofile .zshenv .zshrc bash_login bash_logout bash_profile bashrc profile zlogin "
        "zlogout zprofile zshenv zshrc"},
    Row{"shell",
        "*.bash *.bashrc *.csh *.cshrc *.ksh *.kshrc *.sh *.tcsh *.zsh .bash_login .bash_logout "
        ".bash_profile .bashrc .cshrc .kshrc .login .logout .profile .tcshrc .zlogin .zlogout "
        ".zprofile .zshenv .zshrc bash_login bash_logout bash_profile bashrc profile zlogin "
        "zlogout zprofile zshenv zshrc"},
    Row{"sql", "*.psql *.sql"},
    Row{"svg", "*.svg"},
    Row{"swift", "*.swift"},
    Row{"systemd",
        "*.automount *.conf *.device *.link *.mount *.path *.scope *.service *.slice *.socket "
        "*.swap *.target *.timer"},
    Row{"tcl", "*.tcl"},
    Row{"tex", "*.bib *.cls *.dtx *.ins *.ltx *.sty *.tex"},
    Row{"tf", "*.tf"},
    Row{"thrift", "*.thrift"},
    Row{"toml", "*.toml Cargo.lock"},
    Row{"ts", "*.ts *.tsx"},
    Row{"tsx", "*.tsx"},
    Row{"twig", "*.twig"},
    Row{"txt", "*.txt"},
    Row{"verilog", "*.sv *.svh *.v *.vh"},
    Row{"vhdl", "*.vhd *.vhdl"},
    Row{"vim", "*.vim"},
    Row{"vimscript", "*.vim"},
    Row{"webidl", "*.idl *.webidl *.widl"},
    Row{"xml", "*.dtd *.rng *.sch *.xhtml *.xjb *.xml *.xml.dist *.xsd *.xsl *.xslt"},
    Row{"yaml", "*.yaml *.yml"},
    Row{"yml", "*.yaml *.yml"},
    Row{"zig", "*.zig"},
    Row{"zsh",
        "*.zsh .zlogin .zlogout .zprofile .zshenv .zshrc zlogin zlogout zprofile zshenv zshrc"},
    Row{"typescript", "*.ts *.tsx *.cts *.mts"},
    Row{"vue", "*.vue"},
    Row{"svelte", "*.svelte"},
    Row{"graphql", "*.graphql *.graphqls"},
    Row{"ini", "*.ini"},
    Row{"cuda", "*.cu *.cuh"},
    Row{"bat", "*.bat"},
    Row{"solidity", "*.sol"},
};

}  // namespace

FileType::FileType(std::string_view globs) {
  while (!globs.empty()) {
    const std::size_t space = globs.find(' ');
    auto glob = GlobPattern::compile(globs.substr(0, space), Braces::alternatives);
    if (glob.ok()) globs_.push_back(std::move(glob).value());
    globs = space == std::string_view::npos ? "" : globs.substr(space + 1);
  }
}

bool FileType::contains(std::string_view name) const {
  return std::any_of(globs_.begin(), globs_.end(),
                     [name](const GlobPattern& glob) { return glob.matches(name); });
}

std::optional<FileType> find_file_type(std::string_view name) {
  const auto* row = std::find_if(k_types.begin(), k_types.end(),
                                 [name](const Row& type) { return type.name == name; });
  if (row == k_types.end()) return std::nullopt;
  return FileType(row->globs);
}

}  // namespace yume::tools::search
