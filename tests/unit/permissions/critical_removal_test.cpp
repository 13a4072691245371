// SPDX-License-Identifier: MIT
#include "permissions/critical_removal.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace yume::permissions {
namespace {

bool vital(std::string_view command) {
  return removes_something_vital(command, "/home/u/code/app", "/home/u");
}

TEST(RemovesSomethingVital, SeesWhatMustNeverGo) {
  for (const char* command : {
           // the root and what lies directly below it
           "rm -rf /",
           "rm -rf /*",
           "rm -rf /.",
           "rm -rf //",
           "rm -rf /etc",
           "rm -rf /usr/",
           "rm -rf /home",
           "rm -rf /home/*",
           "rm -rf /*/",
           "rm -rf /home/*/",
           "rm -rf --no-preserve-root /",
           "rm -rf -- /",
           // what once got through
           "find ~ -delete",
           "echo ~ | xargs rm -rf",
           "$(echo rm) -rf ~",
           "rm -rf /home/u/code/ap?",
           "N=app; rm -rf /home/u/code/$N",
           "env -C .. rm -rf app",
           "env --chdir=.. rm -rf app",
           "env --chdir .. rm -rf app",
           "mv ~ gone",
           "mv -f ~ gone",
           "mv /home/u/code/app x",
           "sudo mv /home/u x",
           "find . -delete",
           "find -delete",
           "find ~ -name '*' -delete",
           "find ~ -name x -o -delete",
           "find ~ -not -name x -delete",
           "find / ! -name x -exec rm {} +",
           "find $X -delete",
           "xargs rm -rf",
           "ls | xargs rm -rf",
           "ls -a | xargs rm -rf",
           "$X | xargs rm",
           "find ~ | xargs rm",
           "x=1 | xargs rm",
           "`echo rm` -r ~",
           "$R --recursive ~",
           "rm -rf {a,{~,b}}",
           "rm -rf ${X}/",
           "rm -rf ${X",
           "rm -rf $PWD",
           "rm -rf ${PWD}/..",
           "cd - && rm -rf x",
           "cd $X && rm -rf *",
           "cd /a; cd /b; cd /c; cd /d; cd /e; rm -rf *",
           "bash -c 'bash -c \"rm -rf ~\"'",
           "cat < 'x; rm -rf ~'",
           "rm -r -f /tmp/../",
           "rm -rf /tmp",
           "rm / -rf",
           "rm -rf build /",
           "rmdir /opt",
           // the home directory
           "rm -rf ~",
           "rm -rf ~/",
           "rm -rf ~/*",
           "rm -rf ~/.*",
           "rm -rf ~/*/",
           "rm -rf $HOME",
           "rm -rf \"$HOME\"",
           "rm -rf \"${HOME}\"/*",
           "rm -rf ${HOME:?}",
           "rm -rf /home/u",
           "rm -rf /home/u/../u/",
           "rm -rf ~u",
           "rm -rf ~root",
           // the working directory and those above it
           "rm -rf .",
           "rm -rf ./",
           "rm -rf ./*",
           "rm -rf *",
           "rm -rf .*",
           "rm -rf **",
           "rm -rf * .*",
           "rm -rf */",
           "rm -rf {*,.*}",
           "rm -rf .[!.]* *",
           "rm -rf ..",
           "rm -rf ../..",
           "rm -rf ../app",
           "rm -rf ../*",
           "rm -rf src/..",
           "rm -rf $PWD",
           "rm -rf \"$PWD\"/*",
           "rm -rf ${PWD}",
           "rm -rf $(pwd)",
           "rm -rf `pwd`",
           "rm -rf \"`pwd`\"",
           "rm -rf ~+",
           "rm -rf /home/u/code/app",
           "rm -rf /home/u/code",
           "rmdir ../app",
           "git rm -rf .",
           // an unknown variable may be empty
           "rm -rf $DIR",
           "rm -rf \"$DIR\"/",
           "rm -rf \"$DIR\"/*",
           "rm -rf ${DIR}/*",
           // hidden behind something
           // after a change of directory
           "cd / && rm -rf *",
           "cd ..; rm -rf app",
           "cd .. && rm -rf *",
           "cd && rm -rf *",
           "cd ~ && rm -rf .",
           "pushd /home; rm -rf u",
           "cd \"$X\" && rm -rf build",
           "cd - && rm -rf build",
           "cd src && rm -rf ../*",
           // past a redirection
           "rm -rf >/dev/null /",
           "rm -rf build 2>&1 /",
           "rm -rf build &>log /",
           "sudo rm -rf /",
           "/bin/rm -rf /",
           "\\rm -rf /",
           "'rm' -rf /",
           "r\"m\" -rf /",
           "command rm -rf /",
           "env X=1 rm -rf /",
           "cd /tmp; rm -rf /",
           "true && rm -rf ~",
           "false || rm -rf ~",
           "sleep 1 & rm -rf ~",
           "echo x | xargs rm -rf /",
           "(rm -rf /)",
           "{ rm -rf /; }",
           "if true; then rm -rf /; fi",
           "bash -c 'rm -rf /'",
           "echo $(rm -rf /)",
           "echo `rm -rf ~`",
           "cat <(rm -rf ~)",
           "ls\nrm -rf /\n",
           "rm\t-rf\t/",
           "rm -rf \\\n/",
           "rm -rf {/,build}",
           "rm -rf /{bin,etc}",
           "busybox rm -rf /",
       }) {
    EXPECT_TRUE(vital(command)) << command;
  }
}

TEST(RemovesSomethingVital, FollowsVariablesOfTheText) {
  for (const char* command : {
           "f=$(mktemp) && d=$(mktemp -d) && echo x > $f && mv $f $d/y",
           "d=\"$(mktemp -d)\"; cd src; rm -rf \"$d\"",
           "d=$(mktemp -d); rm -rf ${d}/*",
           "d=$(mktemp -d); sub=$d/sub; rm -rf $sub",
           "for f in *.o; do rm -f \"$f\"; done",
           "for d in build dist; do rm -rf $d; done",
           "D=build; rm -rf $D",
           "D=build; mv $D old",
           "printf x; D=build; rm -rf $D",
       }) {
    EXPECT_FALSE(vital(command)) << command;
  }
  for (const char* command : {
           "d=$(mktemp -d); rm -rf $d/..",
           "d=$(mktemp -d); d=~; rm -rf $d",
           "d=$(echo ~; mktemp); rm -rf $d",
           "d=$(mktemp)$(echo ..); rm -rf $d",
           "d=$(mktemp) e=$(echo ~); rm -rf $e",
           "d=$(mktemp); read d; rm -rf $d",
           "d=$(mktemp); eval \"$x\"; rm -rf $d",
           "d=$(mktemp); printf -v d %s ~; rm -rf $d",
           "d=$(mktemp); command read d; rm -rf $d",
           "d=; : ${d:=~}; rm -rf $d",
           "d=x; d+=y; rm -rf $d",
           "for d in build ~; do rm -rf $d; done",
           "for d in *; do rm -rf $d; done",
           "for d; do rm -rf $d; done",
           "D='build /'; rm -rf $D",
           "D='build *'; rm -rf $D",
           "IFS=x; D=buildx/; rm -rf $D",
           "D=/; rm -rf ${D%x}",
           "D=~; rm -rf $D",
           "A=/home; B=$A/u; C=$B; rm -rf $C",
           "X=~; mv $X gone",
           "mktemp; d=$X; rm -rf $d",
       }) {
    EXPECT_TRUE(vital(command)) << command;
  }
}

TEST(RemovesSomethingVital, LeavesOrdinaryRemovalsAlone) {
  for (const char* command : {
           "",
           "ls -la /",
           "rm file.txt",
           "rm -f a b c",
           "rm -rf build",
           "rm -rf ./build/",
           "rm -rf build/*",
           "rm -rf {build,dist}",
           "rm -rf src/{a,b}",
           "rm -rf node_modules dist .cache",
           "rm -rf /home/u/code/app/build",
           "rm -rf \"$PWD/build\"",
           "rm -rf ${PWD}/build",
           "rm -rf ~/other",
           "rm -rf $HOME/.cache/thing",
           "rm -rf /tmp/scratch",
           "rm -rf /tmp/scratch/*",
           "rm -rf \"$TMPDIR/scratch\"",
           "rm -rf ../other",
           "rm -rf ../app2",
           "rm *.o",
           "rm -f src/*.tmp",
           "rm -- -weird-name",
           "rmdir empty",
           "git rm old.txt",
           "docker rm container",
           "npm rm left-pad",
           "grep -rm 1 x /etc",
           "echo / > out.txt",
           "find . -name '*.o'",
           "rm -rf build; ls /",
           "rm -rf build && cd / && ls",
           "rm -rf build | tee /dev/null",
           "rm -rf build > /dev/null 2>&1",
           "cp -r / /mnt/backup/copy",
           "mv a b",
           "rm -rf /var/tmp/x/..y",
           "cd src && rm -rf *",
           "cd /tmp/scratch && rm -rf *",
           "cd src; rm -rf ./build",
           "rm -rf build > / 2>&1",
           "charm /",
           "rmx /",
           "cat rm.txt /etc/passwd",
           "rm -rf /home/u2",
       }) {
    EXPECT_FALSE(vital(command)) << command;
  }
}

TEST(RemovesSomethingVital, FollowsLinks) {
  const FileNames names = [](const std::filesystem::path& given) {
    std::string text = given.string();
    for (const auto& [link, target] :
         std::vector<std::pair<std::string, std::string>>{{"/home/u/code/app/link", "/home/u"},
                                                          {"/proc/self/root", ""},
                                                          {"/proc/self/cwd", "/home/u/code/app"}}) {
      if (text.starts_with(link)) text.replace(0, link.size(), target);
    }
    const std::filesystem::path real = text.empty() ? "/" : text;
    return std::vector<std::filesystem::path>{given, (real / ".").lexically_normal().parent_path()};
  };
  const auto is_vital_here = [&](const char* command) {
    return removes_something_vital(read_shell_text(command), "/home/u/code/app", "/home/u", names);
  };
  for (const char* command :
       {"rm -rf link/*", "rm -rf link/", "rm -rf link/.", "rm -rf 'link/'", "rm -rf link/code",
        "rm -rf link/../u/", "rm -rf /proc/self/cwd/*", "rm -rf /proc/self/cwd/",
        "rm -rf /proc/self/root/home", "rm -rf /proc/self/root/*", "mv link/ x", "mv link/code x",
        "find link/ -delete"}) {
    EXPECT_TRUE(is_vital_here(command)) << command;
  }
  for (const char* command : {"rm link", "rm -rf link/other", "rm -rf link/other/*", "mv link x"}) {
    EXPECT_FALSE(is_vital_here(command)) << command;
  }
}

TEST(RemovesSomethingVital, WorksWithoutAHomeDirectory) {
  EXPECT_TRUE(removes_something_vital("rm -rf /", "/w/app", ""));
  EXPECT_TRUE(removes_something_vital("rm -rf ~", "/w/app", ""));
  EXPECT_FALSE(removes_something_vital("rm -rf build", "/w/app", ""));
}

TEST(RemovesSomethingVital, LeavesOrdinaryWorkAlone) {
  for (const char* command : {"mv a b",
                              "mv * /home/u/code/other",
                              "find . -name '*.o' -delete",
                              "find src -delete",
                              "find . -type f -name a -exec rm {} +",
                              "find . -name x | xargs rm",
                              "echo a b | xargs rm",
                              "ls src | xargs rm",
                              "$X -r src",
                              "$X src",
                              "echo ~ | xargs ls",
                              "cd src && rm -rf *",
                              "cd src; cd ..",
                              "pushd src && rm x",
                              "rm",
                              "rm -rf",
                              "mv",
                              "mv ~",
                              "find",
                              "find x -print",
                              "bash -c 'rm x y'",
                              "git clean -fdx",
                              "git clean",
                              "git -C src clean -fd",
                              "cd src && git clean -fdx",
                              "npm run clean",
                              "cd $X && git clean -fdx",
                              "git ls-files src | xargs rm",
                              "git status | xargs rm",
                              "fd -e o -x rm",
                              "fd '[.]o$' -X rm",
                              "fd . -x cat",
                              "rsync -a --delete build/ /srv/www/app/",
                              "rsync -a . /home/u",
                              "mv -f a ~",
                              "mv --verbose a ~",
                              "dd if=/dev/zero of=disk.img",
                              "dd if=/dev/sda of=disk.img",
                              "cp x /dev/null",
                              "echo x > /dev/stderr",
                              "cat /dev/sda > x",
                              "python3 -c \"shutil.rmtree('build')\"",
                              "python3 -c \"open('/etc/hosts')\"",
                              "node -e \"fs.rmSync('dist')\"",
                              "rm -rf {a..c}",
                              "rm -rf '{/,x}'",
                              "rm -rf {x}",
                              "rm -rf a{b,c",
                              "cd -P src && rm -rf *",
                              "env -C src rm x",
                              "chroot",
                              "find . -name '[a-z]*.o' -delete",
                              "find . -name '[' -delete",
                              "X=1; cd src && rm -rf *",
                              "rm -rf ''"}) {
    EXPECT_FALSE(vital(command)) << command;
  }
}

TEST(RemovesSomethingVital, KnowsNoHomeWhenThereIsNone) {
  EXPECT_TRUE(removes_something_vital("rm -rf ~", "/w/app", ""));
  EXPECT_FALSE(removes_something_vital("rm -rf build", "/w/app", ""));
}

}  // namespace
}  // namespace yume::permissions
