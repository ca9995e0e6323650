"""Reads the command tree of the installed gcloud.

No module of Python that the SDK has its own version of, such as argparse, is imported before `load`.

gcloud's own Python runs it, because it loads gcloud's own modules:

    $(gcloud info --format='value(basic.python_location)') -I tools/gcloud/write_table.py OUT
"""

import os
import sys

# The groups that are read whole, and single commands of others that generated scripts use.
GROUPS = [
    "container", "compute resource-policies", "compute reservations", "compute instances",
    "compute zones", "compute regions", "services", "config"]
COMMANDS = ["storage buckets describe", "quotas info describe"]
TRACKS = {"ga": "", "beta": "beta", "alpha": "alpha"}


def load(root):
    """The root of gcloud's tree, without reading settings of the user."""
    sys.path[:0] = [os.path.join(root, "lib"), os.path.join(root, "lib", "third_party")]
    os.environ.update(
        CLOUDSDK_CORE_DISABLE_USAGE_REPORTING="true", CLOUDSDK_CORE_PROJECT="project",
        CLOUDSDK_COMPONENT_MANAGER_DISABLE_UPDATE_CHECK="true", CLOUDSDK_CORE_LOG_HTTP="false")
    from googlecloudsdk import gcloud_main
    return gcloud_main.CreateCLI([])


def element(cli, path):
    return cli._TopElement().LoadSubElementByPath(path)


def is_group(node):
    return hasattr(node, "groups")


def leaves(node, path):
    """(path, command) of every command below the node."""
    if not is_group(node):
        yield path, node
        return
    node.LoadAllSubElements()
    for name in sorted({**node.groups, **node.commands}):
        yield from leaves(node.groups.get(name) or node.commands[name],
                          path + [name.replace("_", "-")])


def child_names(node):
    return sorted({name.replace("_", "-")
                   for name in list(node._groups_to_load) + list(node._commands_to_load)})


def closure(function):
    code = getattr(function, "__code__", None)
    cells = getattr(function, "__closure__", None)
    return dict(zip(code.co_freevars, (c.cell_contents for c in cells))) if cells else {}


def accepts(function, text):
    """Says whether the type takes the text; an exception that is not a refusal counts as taking it."""
    try:
        function(text)
        return True
    except Exception:  # each type refuses in its own way
        return False


def bounds(low, high):
    return f"{'' if low is None else low}..{'' if high is None else high}"


def words_type(words, refuses):
    """`refuses(word)`: of values that are a word in other letters."""
    plain = [str(word) for word in words]
    variants = {"u": str.upper, "l": str.lower,
                "h": lambda t: t.replace("_", "-"), "s": lambda t: t.replace("-", "_")}
    marks = ""
    for mark, change in variants.items():
        others = [change(word) for word in plain if change(word) not in plain]
        if others and not any(map(refuses, others)):
            marks += mark
    return f"w{marks}{{{'|'.join(plain)}}}"


def type_code(kind, choices=None, refuses=None):
    """The letters for a type of calliope; `.` takes any text."""
    from googlecloudsdk.calliope import arg_parsers
    if choices:
        def refused(word):
            try:
                value = kind(word) if kind else word
            except Exception:
                return True
            return value not in choices
        if kind is int:
            return words_type(sorted(choices), refused)
        words = [str(c) for c in choices]
        # The type must make a choice of each word, else the choices are not words.
        if any(refused(word) for word in words):
            given = [w for w in (x.lower().replace("_", "-") for x in words) if not refused(w)]
            if not given:
                return "."
            words = given
        return words_type(words, refused)
    if kind is None or kind is str:
        return "."
    if getattr(kind, "__qualname__", "") == "NonEmptyString.<locals>.Factory":
        return "n"
    if kind is int:
        return "i"
    if kind is float:
        return "f"
    name = getattr(kind, "__qualname__", "")
    if name == "_BoundedType.<locals>.Parse":
        cell = closure(kind)
        letter = "i" if cell["type_builder"] is int else "f"
        unlimited = "u" if cell["unlimited"] else ""
        return f"{letter}{unlimited}{bounds(cell['lower_bound'], cell['upper_bound'])}"
    if name == "Duration.<locals>.ParseWithBoundsChecking":
        cell = closure(kind)
        inner = closure(cell["Parse"])
        scale = {"s": 1, "ms": 1000, "us": 1000000}[inner["parsed_unit"]]
        low, high = (None if value is None else value / scale for value in
                     (cell["parsed_lower_bound"], cell["parsed_upper_bound"]))
        return f"d{inner['default_unit']}{bounds(*(None if v is None else int(v) for v in (low, high)))}"
    if name == "_ValueParser.<locals>.ParseWithBoundsChecking":
        cell = closure(kind)
        inner = closure(cell["Parse"])
        if inner["type_abbr"] != "B" or inner["strict_case"]:
            return "."
        return f"z{inner['default_unit'][0]}{bounds(cell['parsed_lower_bound'], cell['parsed_upper_bound'])}"
    if name == "_ChoiceValueType":
        return "."
    if isinstance(kind, arg_parsers.ArgBoolean):
        words = kind._truthy_strings + kind._falsey_strings
        return words_type(words, lambda word: not accepts(kind, word))
    if type(kind) is arg_parsers.ArgDict:
        return dict_code(kind)
    if type(kind) is arg_parsers.ArgList:
        if kind.includes_json or kind.custom_delim_char:
            return "."
        item = type_code(closure(kind.element_type).get("element_type"), kind.choices) \
            if kind.choices else type_code(kind.element_type)
        size = "" if not kind.min_length and kind.max_length is None else \
            bounds(kind.min_length or None, kind.max_length)
        return f"l{size}({item})"
    return function_code(kind)


def dict_code(kind):
    if kind.includes_json or kind.cleanup_input or list(kind.operators) != ["="]:
        return "."
    size = "" if not kind.min_length and kind.max_length is None else \
        bounds(kind.min_length or None, kind.max_length)
    only = "k" if kind.allow_key_only else ""
    if kind.spec is None:
        return f"m{only}{size}({type_code(kind.key_type)}={type_code(kind.operators['='])})"
    if kind.key_type is not None:
        return "."
    keys = []
    for key in kind.spec:
        value = kind.spec[key]
        keys.append(f"{key}{'!' if key in kind.required_keys else ''}"
                    f"{':-' if value is None else '' if type_code(value) == '.' else ':' + type_code(value)}")
    return f"m{only}{size}{{{'|'.join(keys)}}}"


def function_code(kind):
    """Functions of single commands: those that only look a word up say so in what they close over."""
    for value in closure(kind).values():
        if isinstance(value, (list, tuple, dict)) and value and \
                all(isinstance(word, str) for word in value) and \
                all(accepts(kind, word) for word in value) and not accepts(kind, "no-such-word"):
            return words_type(list(value), lambda word: not accepts(kind, word))
    return "."


def pre_action(action):
    """(is deprecated, is removed) of a flag that calliope wraps."""
    cell = closure(getattr(action, "func", None))
    if "removed" not in cell:
        return False, False
    return True, bool(cell["removed"] and cell["show_message"]("x"))


def action_classes(action):
    """The names of the action's classes, and of those of the action that it wraps."""
    names = {kind.__name__ for kind in type(action).__mro__}
    wrapped = getattr(action, "_wrapped_action", None)
    return names | action_classes(wrapped) if wrapped is not None else names


class Flag:
    def __init__(self, action):
        self.action = action
        self.names = list(action.option_strings)
        self.dest = action.dest
        self.is_switch = action.nargs == 0
        self.is_hidden = bool(getattr(action, "is_hidden", False))
        self.is_deprecated, self.is_removed = pre_action(action)
        # argparse checks choices itself; what the wrapped action does is the same.
        code = "-" if self.is_switch else type_code(action.type, action.choices)
        if not self.is_switch and action.nargs not in (None, 1, "?"):
            code = f"{action.nargs}{code}"
        if action.nargs == "?":
            code = "?" + code
        self.code = code
        kinds = action_classes(action)
        self.is_once = "StoreOnceAction" in kinds
        self.is_update = bool(kinds & {"UpdateAction"}) and "UpdateActionWithAppend" not in kinds
        self.is_repeated = bool(kinds & {"_AppendAction", "UpdateAction", "UpdateActionWithAppend",
                                         "ExtendConstAction"})

    def marks(self):
        return "".join(mark for mark, holds in (
            ("h", self.is_hidden), ("d", self.is_deprecated and not self.is_removed),
            ("x", self.is_removed), ("1", self.is_once), ("u", self.is_update),
            ("+", self.is_repeated and not self.is_update)) if holds)


def parser_flags(command):
    """Every flag that the command's parser knows, by its first name."""
    flags = {}
    for action in command._parser._actions:
        if action.option_strings and action.option_strings[0] not in flags:
            flags[action.option_strings[0]] = Flag(action)
    return flags


def positionals(command):
    result = []
    for action in command.ai.positional_args:
        if action.nargs == "...":
            result.append((action.dest, "...", "."))
        else:
            count = "1" if action.nargs is None else str(action.nargs)
            result.append((action.dest, count, type_code(action.type, action.choices)))
    return result
