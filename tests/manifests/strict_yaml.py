"""YAML as kubectl reads it, with an error wherever kubectl would read it in silence as something else.

Plain scalars mean here what they mean to kubectl's reader, which is neither YAML 1.1 nor 1.2 as PyYAML or the
standards have them: `y`, `on` and `No` are booleans, `1e3`, `0o17` and `08` numbers, `1:30` and dates strings.
A test holds this against the real kubectl.

Errors beyond those of a YAML parser: a key given twice (kubectl takes the last), a key that is not a string, an
explicit tag, `---` with anything but a comment behind it, anything behind `...` (kubectl drops it), tabs between
tokens, NaN and infinities, bytes that are no UTF-8.

Called by check_manifests.py; `load` is also one of the readers that yaml_readers.py compares.
"""

import decimal
import math
import re

import yaml

_SEPARATOR = re.compile(r"---(.*)")
_WORDS = {
    **dict.fromkeys("y Y yes Yes YES true True TRUE on On ON".split(), True),
    **dict.fromkeys("n N no No NO false False FALSE off Off OFF".split(), False),
    **dict.fromkeys(["", "~", "null", "Null", "NULL"]),
}
_INTEGER = re.compile(r"([-+]?)(?:0[xX]([0-9a-fA-F]+)|0[bB]([01]+)|0[oO]?([0-7]+)|(0|[1-9][0-9]*))")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_GROUPED = re.compile(r"(?<=[0-9])_(?=[0-9])")
_LIMIT = 2**63


class Error(Exception):
    """What is wrong with one document, with its line in the file."""


def documents(text):
    """Cuts a stream at its `---` lines as kubectl does; yields (first line, text) of each that is not empty.

    Raises Error for a separator that kubectl refuses.
    """
    start, lines = 1, []
    for number, line in enumerate(text.split("\n"), 1):
        separator = _SEPARATOR.match(line.rstrip("\r"))
        if not separator:
            lines.append(line)
            continue
        if not re.fullmatch(r"\s*(#.*)?", separator[1]):
            raise Error(f"line {number}: nothing but a comment may stand behind ---")
        # The line break before `---` belongs to the document: a block scalar may end with it.
        yield from _nonempty(start, [*lines, ""])
        start, lines = number + 1, []
    yield from _nonempty(start, lines)


def _nonempty(start, lines):
    if any(line.strip() and not line.lstrip().startswith("#") for line in lines):
        yield start, "\n".join(lines)


def load_document(text, first_line=1):
    """The value of one document. Raises Error."""
    try:
        return _Loader(text).get_single_data()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Error(f"line {first_line + mark.line}: {error.problem or error.context}") from None
    except yaml.YAMLError as error:
        raise Error(f"line {first_line}: {str(error).splitlines()[0]}") from None


def load(text):
    """The values of all documents of a stream that hold something. Raises Error."""
    return [load_document(part, line) for line, part in documents(text)]


def plain(text):
    """What a scalar without quotes means: None, a bool, an int, a float or the text itself.

    Like kubectl, gives whole floats as ints, and ints beyond 64 bits as floats. Raises ValueError for infinities.
    """
    if text in _WORDS:
        return _WORDS[text]
    if _NOT_FINITE.fullmatch(text):
        raise ValueError(f"{text} is no value that kubectl can read")
    if text[:1] not in tuple("+-.0123456789"):
        return text
    digits = _GROUPED.sub("", text) if text[0] == "." else text.replace("_", "")
    if integer := _INTEGER.fullmatch(digits):
        sign, *bases = integer.groups()
        base, found = next((b, d) for b, d in zip((16, 2, 8, 10), bases) if d is not None)
        number = int(sign + found, base)
        if -_LIMIT <= number < 2 * _LIMIT:
            return number if number < _LIMIT else float(number)
    if _FLOAT.fullmatch(digits):
        number = float(digits)
        if math.isinf(number):
            return text
        shortest = decimal.Decimal(repr(number))  # kubectl goes from the float to JSON text and back
        return int(shortest) if number.is_integer() and abs(shortest) < _LIMIT else number
    return text


class _Loader(yaml.SafeLoader):
    """PyYAML's own parser, with kubectl's meaning of plain scalars and with strict mappings."""

    def resolve(self, kind, value, implicit):
        if kind is yaml.ScalarNode and implicit[0] and value == "<<":
            return "tag:yaml.org,2002:merge"
        if kind is yaml.ScalarNode and implicit[0]:
            return "!plain"
        return {yaml.ScalarNode: self.DEFAULT_SCALAR_TAG, yaml.SequenceNode: self.DEFAULT_SEQUENCE_TAG}.get(
            kind, self.DEFAULT_MAPPING_TAG
        )

    def compose_node(self, parent, index):
        event = self.peek_event()
        if getattr(event, "tag", None):
            raise yaml.composer.ComposerError(None, None, f"the tag {event.tag} is not expected here", event.start_mark)
        return super().compose_node(parent, index)

    def construct_plain(self, node):
        try:
            return plain(node.value)
        except ValueError as error:
            raise yaml.constructor.ConstructorError(None, None, str(error), node.start_mark) from None

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, str):
                what = "null" if key is None else type(key).__name__
                problem = f"the key {key_node.value} is read as {what}: quote it"
                raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
            if key in seen:
                problem = f"the key {key} is given twice"
                raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)


_Loader.add_constructor("!plain", _Loader.construct_plain)
_Loader.add_constructor("tag:yaml.org,2002:merge", yaml.SafeLoader.construct_scalar)
