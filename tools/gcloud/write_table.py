"""Writes src/catalog/gcloud/commands.txt: the commands of the installed gcloud.

gcloud's own Python runs it, because it loads gcloud's own modules:

    $(gcloud info --format='value(basic.python_location)') -I tools/gcloud/write_table.py ROOT OUT

ROOT is the folder of the SDK. The table has names and syntax, and no help texts.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import read_tree as tree  # noqa: E402

HEADER = """\
# Commands of gcloud {version} of {date}. Written by tools/gcloud/write_table.py; do not edit.
#
# A flag of the first part is its names, its type and its marks. Types: - takes no value, . any text,
# n text that is not empty, i and f numbers, d and z durations and sizes with their unit, w words, l
# lists, m mappings; LOW..HIGH limits what is before it, ! is a required key, ? a value that may be
# left out. Letters after w: other letters are taken too (u and l upper and lower case, h and s a
# hyphen or an underscore). Marks: h hidden, d deprecated, x removed, 1 at most once, + repeated,
# u repeated with other items.
#
# A command of the second part is below its groups: NAME/TRACKS POSITIONALS;FLAGS;CONSTRAINTS. A flag is
# the number of its row, base 36. TRACKS are of g (general), b (beta) and a (alpha), and are left out
# where they are those of the command. Constraints: ( ) is a group, x( ) has at most one of its members,
# ! is before what is required, @ before the number of a positional, ~ before that of a flag of every
# command. A group that ends with * is not described further.
"""
LETTERS = {"ga": "g", "beta": "b", "alpha": "a"}
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def base36(number):
    text = ""
    while number or not text:
        number, digit = divmod(number, 36)
        text = DIGITS[digit] + text
    return text


def tracks(letters, of=""):
    ordered = "".join(letter for letter in "gba" if letter in letters)
    return "" if ordered == of else "/" + ordered


def row(flag):
    text = f"{','.join(flag.names)} {flag.code}"
    return f"{text} {flag.marks()}" if flag.marks() else text


def constraint(group, names_of, is_top=False):
    """The text of a group of arguments, empty where it demands nothing. Flags of one `dest`, such
    as `--x` and `--no-x`, count as one."""
    texts, seen = [], set()
    for member in group.arguments:
        mark = "!" if member.is_required else ""
        if member.is_group:
            inner = constraint(member, names_of)
            if inner:
                texts.append(mark + inner)
        elif member.dest not in seen and names_of.get(member.dest):
            seen.add(member.dest)
            same = names_of[member.dest]
            texts.append(mark + (same[0] if len(same) == 1 else f"({' '.join(same)})"))
    if is_top:
        return " ".join(text for text in texts if text.startswith("!") or "(" in text)
    if not texts:
        return ""
    return f"{'x' if group.is_mutex else ''}({' '.join(texts)})"


def has_demand(text):
    """Not of nothing, and not of one flag that is never with another of its group."""
    return "!" in text or ("x(" in text and " " in text)


class Table:
    def __init__(self, cli):
        self.cli = cli
        self.commands = {}  # path: {track letter: command}
        self.opaque = {}  # path: track letters
        self.rows = []

    def read(self):
        for name, prefix in tree.TRACKS.items():
            letter, start = LETTERS[name], [prefix] if prefix else []
            for names in tree.GROUPS + tree.COMMANDS:
                path = names.split()
                node = tree.element(self.cli, start + path)
                if node is None:
                    continue
                for leaf, command in tree.leaves(node, path):
                    self.commands.setdefault(tuple(leaf), {})[letter] = command
            for parent in {tuple(names.split()[:i]) for names in tree.GROUPS + tree.COMMANDS
                           for i in range(len(names.split()))}:
                node = tree.element(self.cli, start + list(parent)) if parent or start \
                    else self.cli._TopElement()
                for child in tree.child_names(node) if node is not None else []:
                    if not parent and child in ("alpha", "beta", "preview"):
                        continue
                    self.opaque.setdefault(parent + (child,), set()).add(letter)
        whole = {leaf[:i] for leaf in self.commands for i in range(1, len(leaf) + 1)}
        self.opaque = {path: letters for path, letters in self.opaque.items() if path not in whole}

    def flags_of(self, command):
        return [flag for flag in tree.parser_flags(command).values()
                if flag.names[0] not in self.wide]

    def number_rows(self):
        top = self.cli._TopElement()
        self.wide = {flag.names[0]: flag for flag in tree.parser_flags(
            tree.element(self.cli, ["config", "list"])).values()
            if flag.names[0] in top._parser._option_string_actions or flag.names[0] in
            ("--document", "--flatten", "--format", "--help")}
        every = {row(flag) for letters in self.commands.values() for command in letters.values()
                 for flag in self.flags_of(command)}
        self.rows = sorted(every)
        self.number = {text: base36(i) for i, text in enumerate(self.rows)}

    def command_line(self, letters):
        own = "".join(letter for letter in "gba" if letter in letters)
        positionals, flags, demands = {}, {}, {}
        for letter, command in letters.items():
            places = tree.positionals(command)
            words = " ".join(f"{count}{'' if code == '.' else code}" for _, count, code in places)
            positionals.setdefault(words, set()).add(letter)
            names_of = {dest: [f"@{i}"] for i, (dest, _, _) in enumerate(places)}
            for i, flag in enumerate(self.wide.values()):
                names_of.setdefault(flag.dest, []).append("~" + base36(i))
            for flag in self.flags_of(command):
                number = self.number[row(flag)]
                flags.setdefault(number, set()).add(letter)
                names_of.setdefault(flag.dest, []).append(number)
            demand = constraint(command.ai, names_of, True)
            # A positional's own count says that it is required.
            demand = " ".join(part for part in split_top(demand)
                              if has_demand(part) and not part.startswith("!@"))
            if demand:
                demands.setdefault(demand, set()).add(letter)
        texts = [",".join(text + tracks(where, own) for text, where in positionals.items()),
                 " ".join(text + tracks(where, own) for text, where in sorted(
                     flags.items(), key=lambda each: (len(each[0]), each[0]))),
                 ",".join(text + tracks(where, own) for text, where in demands.items())]
        return own, ";".join(texts).rstrip(";")

    def lines(self):
        paths = sorted(set(self.commands) | set(self.opaque))
        shown = ()
        for path in paths:
            for depth in range(len(path) - 1):
                if path[:depth + 1] != shown[:depth + 1]:
                    yield " " * depth + path[depth]
                    shown = path[:depth + 1]
            shown = path
            if path in self.opaque:
                yield " " * (len(path) - 1) + path[-1] + tracks(self.opaque[path], "gba") + "*"
                continue
            own, text = self.command_line(self.commands[path])
            yield (" " * (len(path) - 1) + path[-1] + tracks(own, "gba") + " " + text).rstrip()


def split_top(text):
    """At spaces outside of parentheses."""
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == " " and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += c
    return parts + [part] if part else parts


def main(root, out):
    cli = tree.load(root)
    with open(os.path.join(root, "VERSION"), encoding="utf-8") as file:
        version = file.read().strip()
    from googlecloudsdk.core import config
    date = str(config.INSTALLATION_CONFIG.revision)
    table = Table(cli)
    table.read()
    table.number_rows()
    with open(out, "w", encoding="utf-8") as file:
        file.write(HEADER.format(version=version, date=f"{date[:4]}-{date[4:6]}-{date[6:8]}"))
        file.write("\nwide\n")
        for flag in table.wide.values():
            file.write(row(flag) + "\n")
        file.write("\nflags\n")
        file.writelines(text + "\n" for text in table.rows)
        file.write("\ncommands\n")
        file.writelines(text + "\n" for text in table.lines())


if __name__ == "__main__":
    main(*sys.argv[1:])
