#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What developers run all day works behind the wall. A command whose program is not installed is
left out, and named.

    everyday_test.py <yume-cli>
"""

import shutil
import sys

from walled import skip_without_landlock, worlds

CMAKE_LISTS = """cmake_minimum_required(VERSION 3.20)
project(tiny C)
enable_testing()
add_executable(tiny main.c)
add_test(NAME tiny COMMAND tiny)
"""

# (programs it needs besides the shell, command)
EVERYDAY = [
    ("git", "git init -q . && git status --short"),
    ("git", "printf 'int main(void) { return 0; }\\n' > main.c && git add main.c && git commit -qm first"),
    ("git", "git log --oneline | wc -l && git diff HEAD --stat"),
    ("git", "git branch topic && git switch -q topic && echo '/* x */' >> main.c && git commit -qam second"),
    ("git", "git switch -q main && git merge -q topic && git tag v1"),
    ("git", "echo y >> main.c && git stash -q && git stash pop -q && git checkout -q main.c"),
    ("git", "git switch -qc other HEAD~1 && git cherry-pick topic && git switch -q main"),
    ("git", "git rebase -q topic && git reset -q --hard HEAD && git clean -nfd"),
    ("git", "git clone -q . copy && git -C copy pull -q && rm -rf copy"),
    ("git", "git mv main.c app.c && git mv app.c main.c && git blame main.c > /dev/null"),
    ("git", "git worktree add -q tree topic && git worktree remove tree"),
    ("git", "git archive HEAD | tar -t && git gc -q && git fsck"),
    ("git", "git branch -q -D topic && git format-patch -1 --stdout | git apply --check -R"),
    ("git patch diff", "sed 's/return 0/return 1/' main.c > m2.c; diff -u main.c m2.c > p; patch -s main.c p && git checkout -q main.c && rm p m2.c"),
    ("gcc", "gcc -O2 -o prog main.c && ./prog"),
    ("gcc make", "printf 'prog2: main.c\\n\\tgcc -o $@ $<\\n' > Makefile && make -s -j2 && ./prog2"),
    ("gcc ccache", "ccache gcc -c main.c -o main.o && ccache -s > /dev/null"),
    ("cmake gcc", f"cat > CMakeLists.txt <<'END'\n{CMAKE_LISTS}END\ncmake -S . -B build > /dev/null && cmake --build build > /dev/null"),
    ("ctest", "ctest --test-dir build | tail -3 | grep '100% tests passed'"),
    ("node npm", "mkdir app && (cd app && npm init -y > /dev/null && npm pkg set scripts.hello='node -e \"console.log(6*7)\"' && npm run -s hello)"),
    ("node npm", "mkdir lib && (cd lib && npm init -y > /dev/null && cd ../app && npm install --offline --no-audit --no-fund ../lib && npm ls)"),
    ("node", "cat > t.mjs <<'END'\nimport test from 'node:test'; test('one', () => {});\nEND\nnode --test t.mjs > /dev/null"),
    ("node", "node -e \"const {Worker}=require('worker_threads'); new Worker('process.exit(0)', {eval: true}).on('exit', c => process.exit(c))\""),
    ("cargo rustc", "cargo init -q --vcs none --name tiny tiny && (cd tiny && cargo build -q --offline && cargo run -q --offline)"),
    ("cargo rustc", "(cd tiny && cargo test -q --offline > /dev/null)"),
    ("python3", "printf 'import unittest\\nclass T(unittest.TestCase):\\n  def test(self): pass\\n' > test_t.py && python3 -m unittest -q"),
    ("python3", "python3 -c 'import multiprocessing as m; print(m.Pool(2).map(abs, [-1, -2]))'"),
    ("python3", "python3 -c 'import tempfile, sqlite3; tempfile.TemporaryFile(); sqlite3.connect(\"x.db\").execute(\"create table t(a)\")'"),
    ("python3", "python3 -c 'import pty; pty.spawn([\"true\"])'"),
    ("python3 curl", "python3 -u -m http.server --bind 127.0.0.1 0 > port & until grep -o 'port [0-9]*' port; do :; done; curl -sS 127.0.0.1:$(grep -o 'port [0-9]*' port | cut -d' ' -f2)/main.c > /dev/null; kill $!"),
    ("sort", "seq 300000 | sort -R -S 1M | sort -n -S 1M | tail -1"),
    ("", "f=$(mktemp) && d=$(mktemp -d) && echo x > $f && mv $f $d/y && cat $d/y"),
    ("", "cat <<END | tr a-z A-Z\nhello\nEND\ndiff <(echo a) <(echo a) && echo same | tee copy.txt > /dev/null"),
    ("", "mkdir -p a/b && touch a/b/{1,2,3} && find a -name '[12]' -print0 | xargs -0 rm && mv a z && rm -r z"),
    ("tar gzip", "tar -czf x.tgz main.c && tar -tzf x.tgz && rm x.tgz"),
    ("sed", "sed -i 's/int main/int  main/' main.c && git checkout -q main.c"),
    ("script", "script -qec 'echo typed' /dev/null"),
    ("", "ulimit -n > /dev/null; id -un; date > /dev/null; ps > /dev/null; df . > /dev/null; echo done > /dev/stdout"),
    ("java javac", "printf 'public class J { public static void main(String[] a) throws Exception { java.io.File.createTempFile(\"abc\", \"d\"); } }' > J.java && javac J.java && java J"),
]


def main():
    skip_without_landlock()
    wanted = [(programs.split(), command) for programs, command in EVERYDAY]
    missing = sorted({program for programs, _ in wanted for program in programs if not shutil.which(program, path="/usr/bin:/bin")})
    if missing:
        print("not installed, so left out:", *missing)
    commands = [command for programs, command in wanted if not set(programs) & set(missing)]
    failed = 0
    for name, world in worlds(sys.argv[1]):
        with world:
            results = world.run(commands)
            for command, (text, is_error) in zip(commands, results):
                if is_error:
                    failed += 1
                    print(f"{name}: {command}\n{text}\n")
            print(f"{name}: {len(commands)} commands")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
