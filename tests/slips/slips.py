"""Every single change of what compile makes: the operators, and where each changes a text."""
import dataclasses
import re

import yaml

SHAPES = ["2x2", "2x4", "4x4", "4x8", "8x8", "8x16", "2x2x1", "2x2x2", "2x2x4", "2x4x4", "4x4x4", "4x4x8", "4x8x8"]
MACHINES = {"ct6e-standard-1t": "ct6e-standard-4t", "ct6e-standard-4t": "ct6e-standard-8t", "ct6e-standard-8t": "ct6e-standard-4t", "ct5lp-hightpu-1t": "ct5lp-hightpu-4t",
            "ct5lp-hightpu-4t": "ct5lp-hightpu-8t", "ct5lp-hightpu-8t": "ct5lp-hightpu-4t", "ct5p-hightpu-4t": "ct5p-hightpu-2t", "tpu7x-standard-4t": "tpu7x-standard-1t"}
GENERATIONS = {"tpu-v6e-slice": "tpu-v5p-slice", "tpu-v5p-slice": "tpu-v6e-slice", "tpu-v5-lite-podslice": "tpu-v6e-slice", "tpu7x": "tpu-v5p-slice"}
MODELS = {"cloud.google.com/gke-spot": "cloud.google.com/gke-flex-start", "cloud.google.com/gke-flex-start": "cloud.google.com/gke-spot",
          "cloud.google.com/gke-queued": "cloud.google.com/gke-spot", "cloud.google.com/reservation-name": "cloud.google.com/gke-spot"}
MODEL_FLAGS = {"--spot": "--flex-start", "--flex-start": "--spot", "--enable-queued-provisioning": "--spot", "--reservation": "--spot"}
ZONE = re.compile(r"[a-z]+-[a-z]+\d+-[a-z]")
REGION = re.compile(r"[a-z]+-[a-z]+\d+")
SHAPE = re.compile(r"\d+x\d+(x\d+)?")
NAME = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


@dataclasses.dataclass
class Slip:
    operator: str
    kind: str  # of the object, the command or the resource
    path: str
    file: int
    begin: int
    end: int
    instead: str


def misspelt(word):
    """The word with two letters in its middle exchanged, as slips of fingers do."""
    for at in sorted(range(len(word) - 1), key=lambda i: abs(i - len(word) // 2)):
        one, two = word[at], word[at + 1]
        if one != two and one.isalpha() and two.isalpha():
            return word[:at] + two + one + word[at + 2:]
    return None


def value_changes(key, value, chips):
    """(operator, other value) for a value as it is written, without quotes."""
    if re.fullmatch(r"\d+", value):
        number = int(value)
        yield "plus one", str(number + 1)
        if number > 0:
            yield "minus one", str(number - 1)
            yield "doubled", str(2 * number)
        if number > 1:
            yield "halved", str(number // 2)
        if chips and number not in (chips, 0) and "port" not in key.lower():
            yield "as many as chips", str(chips)
        if "port" in key.lower():
            yield "another port", "9999"
    elif SHAPE.fullmatch(value):
        alike = [each for each in SHAPES if each.count("x") == value.count("x")]
        yield "another shape", alike[(alike.index(value) + 1) % len(alike)] if value in alike else alike[0]
    elif value in MACHINES:
        yield "another machine type", MACHINES[value]
    elif value in GENERATIONS:
        yield "another generation", GENERATIONS[value]
    elif ZONE.fullmatch(value):
        yield "another zone", value[:-1] + ("a" if value[-1] != "a" else "b")
    elif REGION.fullmatch(value):
        yield "another region", "europe-west4" if value != "europe-west4" else "us-east5"
    elif value in ("true", "false"):
        yield "the other truth", "false" if value == "true" else "true"
    elif key == "namespace":
        yield "another namespace", "another"
    elif NAME.fullmatch(value):
        yield "another name", value + "-2"
    if not re.fullmatch(r"[\d.]+|true|false", value):
        wrong = misspelt(value)
        if wrong and " " not in value:
            yield "a word misspelt", wrong


class Document:
    """The changes of one document of YAML or JSON."""

    def __init__(self, text, file, chips):
        self.text, self.file, self.chips = text, file, chips
        self.slips = []

    def add(self, operator, path, begin, end, instead):
        self.slips.append(Slip(operator, self.kind, path, self.file, begin, end, instead))

    def end(self, node):
        if isinstance(node, yaml.ScalarNode) or node.flow_style or not node.value:
            return len(self.text[:node.end_mark.index].rstrip())
        last = node.value[-1]
        return self.end(last[1] if isinstance(last, tuple) else last)

    def column(self, at):
        return at - self.text.rfind("\n", 0, at) - 1

    def moved(self, text, by):
        """The text of an entry with its later lines moved to the right."""
        first, *rest = text.split("\n")
        return "\n".join([first, *(line[min(-by, len(line) - len(line.lstrip())):] if by < 0 else " " * by + line for line in rest)])

    def read(self, node, kind):
        self.kind = kind
        self.visit(node, "", [])
        return self.slips

    def visit(self, node, path, above):
        if isinstance(node, yaml.MappingNode):
            for index, (key, value) in enumerate(node.value):
                if key.value == "//":  # a comment of JSON
                    continue
                self.entry(node, index, key, value, f"{path}.{key.value}" if path else key.value, above)
        elif isinstance(node, yaml.SequenceNode):
            for index, item in enumerate(node.value):
                self.item(node, index, item, path + "[]", above)

    def without(self, node, index, begin_of, end_of):
        """The span to delete, or nothing where it is alone."""
        if index + 1 < len(node.value):
            return begin_of(node.value[index]), begin_of(node.value[index + 1])
        return (end_of(node.value[index - 1]), end_of(node.value[index])) if index > 0 else None

    def entry(self, node, index, key, value, path, above):
        begin, end = key.start_mark.index, self.end(value)
        gone = self.without(node, index, lambda pair: pair[0].start_mark.index, lambda pair: self.end(pair[1]))
        if gone:
            self.add("a field gone", path, *gone, "")
        own = self.text[begin:end]
        self.twice(node, key, value, path)
        wrong = misspelt(key.value)
        if wrong:
            self.add("a key misspelt", path, begin, key.end_mark.index, self.text[begin:key.end_mark.index].replace(key.value, wrong))
        if key.value in MODELS:
            self.add("another model", path, begin, key.end_mark.index, MODELS[key.value])
        if gone and above and not node.flow_style:
            self.level_up(gone, begin, own, path, above[-1])
        if gone and not node.flow_style:
            self.level_down(node, index, gone, begin, own, path)
            self.as_annotation(gone, begin, own, path, above)
        if isinstance(value, yaml.ScalarNode):
            self.scalar(key.value, value, path)
        self.visit(value, path, [*above, (key, value, node)])

    def twice(self, node, key, value, path):
        """A second value, which is another one: of two that are equal it does not matter which counts."""
        if not isinstance(value, yaml.ScalarNode) or value.style in ("|", ">"):
            return
        other = next((other for _, other in value_changes(key.value, value.value, self.chips)), value.value + "x")
        end, quote = self.end(value), value.style or ""
        separator = ", " if node.flow_style else "\n" + " " * self.column(key.start_mark.index)
        self.add("a field twice", path, end, end, f"{separator}{self.text[key.start_mark.index:key.end_mark.index]}: {quote}{other}{quote}")

    def replace_two(self, operator, path, gone, at, text):
        """What is gone comes back as `text` at another place."""
        begin, end = gone
        if at <= begin:
            self.add(operator, path, at, end, text + self.text[at:begin])
        elif at >= end:
            self.add(operator, path, begin, at, self.text[end:at] + text)

    def level_up(self, gone, begin, own, path, holder):
        at = holder[0].start_mark.index
        column = self.column(at)
        self.replace_two("one level up", path, gone, at, self.moved(own, column - self.column(begin)) + "\n" + " " * column)

    def level_down(self, node, index, gone, begin, own, path):
        for _, other in node.value[index + 1:] + node.value[:index]:
            if isinstance(other, yaml.MappingNode) and other.value and not other.flow_style:
                at = other.value[0][0].start_mark.index
                column = self.column(at)
                return self.replace_two("one level down", path, gone, at, self.moved(own, column - self.column(begin)) + "\n" + " " * column)
        return None

    def as_annotation(self, gone, begin, own, path, above):
        for one, other in (("labels", "annotations"), ("annotations", "labels")):
            if not above or above[-1][0].value != one or ".metadata." not in "." + path:
                continue
            key, _, metadata = above[-1]
            sibling = next((value for name, value in metadata.value if name.value == other), None)
            if sibling is not None:
                self.replace_two(f"a {one[:-1]} as {other[:-1]}", path, gone, sibling.value[0][0].start_mark.index, own + "\n" + " " * self.column(sibling.value[0][0].start_mark.index))
            else:
                at, column = key.start_mark.index, self.column(key.start_mark.index)
                self.replace_two(f"a {one[:-1]} as {other[:-1]}", path, gone, at, f"{other}:\n{' ' * self.column(begin)}{own}\n{' ' * column}")

    def item(self, node, index, item, path, above):
        gone = self.without(node, index, lambda each: each.start_mark.index, self.end)
        begin, end = item.start_mark.index, self.end(item)
        if gone:
            self.add("an item gone", path, *gone, "")
        separator = ", " if node.flow_style else "\n" + " " * (self.column(begin) - 2) + "- "
        self.add("an item twice", path, end, end, separator + self.text[begin:end])
        if isinstance(item, yaml.ScalarNode):
            self.scalar(path.split(".")[-1], item, path)
        self.visit(item, path, above)

    def scalar(self, key, node, path):
        begin, end = node.start_mark.index, node.end_mark.index
        if node.style in ("|", ">"):
            return
        if node.style in ('"', "'"):
            begin, end = begin + 1, end - 1
        value = self.text[begin:end]
        changes = list(value_changes(key, value, self.chips))
        flag = re.fullmatch(r"(--[a-z-]+=)(.+)", value)
        if flag:
            changes = [(operator, flag[1] + other) for operator, other in value_changes(key, flag[2], self.chips)] + [("a flag misspelt", (misspelt(flag[1]) or flag[1] + "x=") + flag[2])]
        for operator, other in changes:
            self.add(operator, path, begin, end, other)


def of_yaml(text, file, chips):
    for node in yaml.compose_all(text, Loader=yaml.SafeLoader):
        if node is None:
            continue
        kind = next((value.value for key, value in node.value if key.value == "kind"), "Terraform")
        yield from Document(text, file, chips).read(node, kind)


def of_script(text, file, chips):
    """The changes of the gcloud commands that create something."""
    for command in re.finditer(r"^ *run (gcloud (?:[a-z-]+ )+create[a-z-]*)((?:[^\n]*\\\n)*[^\n]*)", text, re.M):
        kind = command[1].removeprefix("gcloud ")
        begin = command.start(1)
        for word in re.finditer(r"[a-z-]{4,}", command[1]):
            if word[0] != "gcloud":
                yield Slip("a word misspelt", kind, "command", file, begin + word.start(), begin + word.end(), misspelt(word[0]))
        words = list(re.finditer(r"'[^'\n]*'|[^\s\\;']+", command[2]))
        for word in words:
            at, end = command.start(2) + word.start(), command.start(2) + word.end()
            flag = re.fullmatch(r"(--[a-z-]+)(?:=(.*))?", word[0])
            if not flag:
                if re.fullmatch(NAME, word[0]) and word[0] not in ("then", "if", "fi"):
                    yield Slip("another name", kind, "name", file, at, end, word[0] + "-2")
                    yield Slip("a word misspelt", kind, "name", file, at, end, misspelt(word[0]) or word[0] + "x")
                continue
            yield Slip("a flag gone", kind, flag[1], file, at, end, "")
            if flag[2]:
                other = next((other for _, other in value_changes(flag[1], flag[2].strip("'"), chips)), flag[2] + "x")
                yield Slip("a flag twice", kind, flag[1], file, end, end, f" {flag[1]}={other}")
            yield Slip("a flag misspelt", kind, flag[1], file, at, at + len(flag[1]), misspelt(flag[1]))
            if flag[2]:
                values = flag[2].strip("'")
                start = at + word[0].index(values, len(flag[1]))
                for operator, other in value_changes(flag[1], values, chips):
                    yield Slip(operator, kind, flag[1], file, start, start + len(values), other)
            if flag[1] in MODEL_FLAGS:
                yield Slip("another model", kind, flag[1], file, at, end, MODEL_FLAGS[flag[1]])


def of(name, text, file, chips):
    make = of_script if name.endswith(".sh") else of_yaml
    return [slip for slip in make(text, file, chips) if slip.instead is not None and text[slip.begin:slip.end] != slip.instead]
