"""Commands of gcloud, good and bad, with what its own parser says of them. gcloud's Python runs it:

    PYTHON -I make_commands.py ROOT COUNT SEED > commands.jsonl

Nothing is sent: the words are parsed, and no command runs. Each line is {"argv", "kind", "refused"};
"refused" is the parser's message, or empty.
"""

import json
import os
import random
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "..", "..", "tools", "gcloud"))
import read_tree as tree  # noqa: E402

KINDS = ["good", "letter", "foreign", "value", "extra", "verb", "exclusive", "missing"]
WIDE = ["--project=p1", "--quiet", "--format=json", "--verbosity=debug", "--no-user-output-enabled"]


class Refused(Exception):
    pass


def quiet_parser():
    """The parser, which raises in place of printing usage."""
    from googlecloudsdk.calliope import parser_extensions, suggest_commands

    def error(self, message="", context=None, reproduce=False):
        # calliope leaves these to its own check of groups.
        if re.search("too few arguments|arguments? .* required", message) and \
                "required in dict arg" not in message and not re.search(r"\[.*required.*\]", message):
            return
        if context:
            message = context.message
        raise Refused(str(message) or "refused")

    def refuse(self, error):
        raise Refused(str(error))
    parser_extensions.ArgumentParser.error = error
    parser_extensions.ArgumentParser._Error = refuse
    parser_extensions.ArgumentParser._Suggest = \
        lambda self, unknown: (_ for _ in ()).throw(Refused("unrecognized " + " ".join(unknown)))
    suggest_commands.GetCommandSuggestions = lambda words: []


def verdict(cli, argv):
    try:
        cli._TopElement()._parser.parse_args(argv)
        return ""
    except Refused as refused:
        return str(refused)
    except SystemExit:
        return "exit"
    except Exception as error:  # a type refuses in its own way
        return f"{type(error).__name__}: {error}"


def split_parts(text):
    parts, depth, part = [], 0, ""
    for c in text:
        depth += (c in "({") - (c in ")}")
        if c == "|" and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += c
    return parts + [part]


def bounds_in(code):
    """(low, high, rest) of a type after its letters."""
    found = re.match(r"[a-zA-Z]*?(-?[\d.]*?)\.\.(-?\d*)", code)
    if not found:
        return None, None, re.sub(r"^[a-zA-Z]+", "", code)
    low, high = found.groups()
    return (float(low) if low else None), (float(high) if high else None), code[found.end():]


def good_value(code, rng):
    """A value that the type should take; None where that is not known."""
    code = code.lstrip("?")
    if code == ".":
        return rng.choice(["a-name", "x1", "us-central1-a"])
    if code == "n":
        return "text"
    kind = code[0]
    if kind in "if":
        low, high, _ = bounds_in(code)
        value = 1 if low is None else int(low)
        value = value if high is None else min(value, int(high))
        return str(value + (1 if high is None or value + 1 <= high else 0))
    if kind == "d":
        low, high, _ = bounds_in(code[2:])
        return f"{int(low or 0) + (1 if high is None or (low or 0) + 1 <= high else 0)}s"
    if kind == "z":
        low, high, _ = bounds_in(code[2:])
        return f"{int((low or 2 ** 30) / 2 ** 30) + 1}GB"
    if kind == "w":
        return rng.choice(code[code.index("{") + 1:-1].split("|"))
    if kind == "l":
        low, high, rest = bounds_in(code[1:])
        count = max(1, int(low or 1))
        if count == 1 and (high is None or high > 1) and rng.random() < 0.3:
            count = 2
        items = [good_value(rest[1:-1], rng) for _ in range(count)]
        return None if None in items else ",".join(items)
    if kind == "m":
        body = code.lstrip("mk")
        low, high, rest = bounds_in(code[1:].lstrip("k"))
        inner = rest[1:-1] if rest else body[1:-1]
        if (rest or body).startswith("("):
            key, value = inner.split("=", 1)
            return f"{good_value(key, rng)}={good_value(value, rng)}"
        pairs = []
        parts = split_parts(inner)
        needed = [part for part in parts if "!" in part.split(":")[0]]
        for part in needed or [rng.choice(parts)]:
            name, _, value = part.partition(":")
            if value == "-":
                pairs.append(name.rstrip("!"))
                continue
            given = good_value(value or ".", rng)
            if given is None or "," in given:
                return None
            pairs.append(f"{name.rstrip('!')}={given}")
        return ",".join(pairs)
    return None


def bad_value(code, rng):
    """A value that the type should refuse; None where it takes any."""
    code = code.lstrip("?")
    kind = code[0]
    if kind in "if":
        low, high, _ = bounds_in(code)
        choices = ["many", "1.5x", "two"]
        if kind == "i":
            choices.append("1.5")
        if high is not None:
            choices.append(str(int(high) + 1))
        if low is not None:
            choices.append(str(int(low) - 1))
        return rng.choice(choices)
    if kind == "d":
        return rng.choice(["soon", "5x", "1q"])
    if kind == "z":
        return rng.choice(["big", "5XB", "GB"])
    if kind == "w":
        word = rng.choice(code[code.index("{") + 1:-1].split("|"))
        return rng.choice([word + "x", "no-such", word[:-1] or "q", word.swapcase(),
                           word.replace("-", "_")])
    if kind == "l":
        low, high, rest = bounds_in(code[1:])
        inner = bad_value(rest[1:-1], rng)
        if inner is not None:
            return inner
        if high is not None:
            return ",".join(["x"] * (int(high) + 1))
        return "" if low else None
    if kind == "m":
        low, high, rest = bounds_in(code[1:].lstrip("k"))
        return rng.choice(["nokey", "=x", "zzz=1"] if rest.startswith("{") else ["nokey", "=x"])
    return None


class Maker:
    def __init__(self, cli, seed):
        self.cli, self.rng = cli, random.Random(seed)
        self.commands = []
        self.flags = {}
        for prefix in tree.TRACKS.values():
            for names in tree.GROUPS:
                start = [prefix] if prefix else []
                node = tree.element(cli, start + names.split())
                if node is not None:
                    for path, command in tree.leaves(node, names.split()):
                        self.commands.append((start + path, command))
        weight = {"": 3, "beta": 1, "alpha": 1}
        self.weights = [weight.get(path[0], 3) * (6 if {"clusters", "node-pools", "create"} & set(path)
                                                  else 1) for path, _ in self.commands]

    def flags_of(self, path, command):
        key = tuple(path)
        if key not in self.flags:
            self.flags[key] = [flag for flag in tree.parser_flags(command).values()
                               if flag.names[0] not in ("-h", "--help", "--document",
                                                        "--flags-file", "---flag-file-line-")]
        return self.flags[key]

    def word(self, flag):
        if flag.is_switch:
            return flag.names[0]
        value = good_value(flag.code, self.rng)
        if value is None or not tree.accepts(flag.action.type or str, value):
            return None
        return f"{flag.names[0]}={value}"

    def needed(self, group, by_dest, positionals):
        """Words of flags that the group requires."""
        words = []
        members = [each for each in group.arguments]
        if getattr(group, "is_mutex", False):
            members = [each for each in members if each.is_required] or members
            members = [self.rng.choice(members)] if members else []
        elif not any(each.is_required for each in members) and group is not self.top:
            members = members[:1]
        else:
            members = [each for each in members if each.is_required]
        for member in members:
            if member.is_group:
                words += self.needed(member, by_dest, positionals)
            elif not member.is_positional and member.dest in by_dest:
                word = self.word(by_dest[member.dest])
                if word:
                    words.append(word)
        return words

    def base(self):
        path, command = self.rng.choices(self.commands, self.weights)[0]
        flags = self.flags_of(path, command)
        by_dest = {}
        for flag in flags:
            by_dest.setdefault(flag.dest, flag)
        places = []
        for _, count, code in tree.positionals(command):
            if count in "1+" or (count in "*?" and self.rng.random() < 0.5):
                places.append(good_value(code, self.rng) or "x")
        self.top = command.ai
        words = self.needed(command.ai, by_dest, places)
        used = {word.split("=")[0] for word in words}
        for flag in self.rng.sample(flags, min(len(flags), self.rng.randint(0, 3))):
            if flag.names[0] in used:
                continue
            word = self.word(flag)
            if word:
                words.append(word)
        if self.rng.random() < 0.2:
            words.append(self.rng.choice(WIDE))
        self.rng.shuffle(words)
        return path, command, flags, places, words

    def typo(self, text):
        at = self.rng.randrange(2, len(text)) if text.startswith("--") else \
            self.rng.randrange(len(text))
        letter = self.rng.choice("abcdefghijklmnopqrstuvwxyz")
        return self.rng.choice([text[:at] + text[at + 1:], text[:at] + letter + text[at:],
                                text[:at] + letter + text[at + 1:]])

    def make(self, kind):
        path, command, flags, places, words = self.base()
        rng = self.rng
        path = list(path)
        if kind == "letter" and words:
            i = rng.randrange(len(words))
            name, equals, value = words[i].partition("=")
            words[i] = self.typo(name) + equals + value
        elif kind == "letter" or kind == "verb" and rng.random() < 0.4:
            path[-1] = self.typo(path[-1])
        elif kind == "verb":
            path[-1] = rng.choice(["resize", "remove", "apply", "get", "show", "make", "create",
                                   "upgrade", "set", "list", "describe"])
        elif kind == "foreign":
            other_path, other = rng.choices(self.commands, self.weights)[0]
            for flag in rng.sample(self.flags_of(other_path, other),
                                   len(self.flags_of(other_path, other))):
                word = self.word(flag)
                if word:
                    words.append(word)
                    break
        elif kind == "value":
            for flag in rng.sample(flags, len(flags)):
                value = "true" if flag.is_switch and rng.random() < 0.1 else \
                    None if flag.is_switch else bad_value(flag.code, rng)
                if value is not None:
                    words = [word for word in words if word.split("=")[0] != flag.names[0]]
                    words.append(f"{flag.names[0]}={value}")
                    break
        elif kind == "extra":
            places.append("one-more")
        elif kind == "exclusive":
            words += [word for word in map(self.word, rng.sample(flags, min(len(flags), 4))) if word]
        elif kind == "missing":
            if places and rng.random() < 0.5:
                places.pop()
            elif words:
                words.pop(rng.randrange(len(words)))
        argv = path + places + words if rng.random() < 0.8 else path + words + places
        return [word for word in argv if word]


def main(root, count, seed):
    cli = tree.load(root)
    quiet_parser()
    maker = Maker(cli, int(seed))
    for number in range(int(count)):
        kind = KINDS[number % len(KINDS)]
        argv = maker.make(kind)
        # calliope says some things to people while it parses.
        err, sys.stderr = sys.stderr, open(os.devnull, "w")
        refused = verdict(cli, argv)
        sys.stderr = err
        print(json.dumps({"argv": argv, "kind": kind, "refused": refused}))


if __name__ == "__main__":
    main(*sys.argv[1:])
