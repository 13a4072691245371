#SPDX - License - Identifier : MIT
"""What a person sees of the bytes that a program writes: a terminal without colours and without an end.

Wide characters are taken for one column: this is for texts of the tests.
"""

import re

_CODE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])|\x1b[=>]")


class VirtualTerminal:
    def __init__(self, columns=100):
        self.columns = columns
        self.lines = [[]]
        self.row = self.column = 0

    def _down(self):
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append([])

    def _put(self, character):
        if self.column == self.columns:
            self._down()
            self.column = 0
        line = self.lines[self.row]
        line.extend(" " * (self.column + 1 - len(line)))
        line[self.column] = character
        self.column += 1

    def _obey(self, number, letter):
        count = int(number) if number.isdigit() else 1
        line = self.lines[self.row]
        if letter == "A":
            self.row = max(self.row - count, 0)
        elif letter == "B":
            self.row = min(self.row + count, len(self.lines) - 1)
        elif letter == "C":
            self.column = min(self.column + count, self.columns - 1)
        elif letter == "D":
            self.column = max(self.column - count, 0)
        elif letter == "K":
            del line[self.column:]
        elif letter == "J":
            del line[self.column:]
            del self.lines[self.row + 1:]
        elif letter == "P":
            del line[self.column:self.column + count]
        elif letter == "@":
            line[self.column:self.column] = " " * count

    def feed(self, text):
        at = 0
        while at < len(text):
            if code := _CODE.match(text, at):
                if code[2]:
                    self._obey(code[1], code[2])
                at = code.end()
                continue
            character = text[at]
            at += 1
            if character == "\r":
                self.column = 0
            elif character == "\n":
                self._down()
            elif character == "\b":
                self.column = max(self.column - 1, 0)
            elif character >= " ":
                self._put(character)
        return self

    def text(self):
        lines = ["".join(line).rstrip() for line in self.lines]
        return "\n".join(lines).rstrip("\n") + "\n"


def seen(shown, columns=100):
    return VirtualTerminal(columns).feed(shown).text()
