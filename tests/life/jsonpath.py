"""The part of kubectl's JSONPath, and of gcloud's filters and formats, that the scripts use."""

import json
import re

TOKEN = re.compile(r"""\{range ([^}]*)\}|\{end\}|\{"((?:[^"\\]|\\.)*)"\}|\{([^}]*)\}""")
STEP = re.compile(r"""\.((?:[^.\[\\]|\\.)+)|\[\*\]|\[(\d+)\]|\['([^']*)'\]|\[\?\(@((?:\.[^=!\s]+)?)\s*(==|!=)\s*"([^"]*)"\)\]""")


def found(values, path):
    """The values at a path, as kubectl finds them: what is missing is no value."""
    at = 0
    path = path.lstrip("@$")
    while at < len(path):
        step = STEP.match(path, at)
        if step is None:
            raise ValueError(f"path {path}")
        at = step.end()
        name, index, quoted, below, sign, wanted = step.groups()
        key = quoted if quoted is not None else name and re.sub(r"\\(.)", r"\1", name)
        following = []
        for value in values:
            if key is not None:
                following += [value[key]] if isinstance(value, dict) and key in value else []
            elif index is not None:
                following += value[int(index):int(index) + 1] if isinstance(value, list) else []
            elif sign:
                for item in value if isinstance(value, list) else []:
                    got = [text(each) for each in found([item], below)]
                    following += [item] if (wanted in got) == (sign == "==") else []
            else:
                following += value if isinstance(value, list) else list(value.values()) if isinstance(value, dict) else []
        values = following
    return values


def text(value):
    if isinstance(value, (dict, list)):
        return json.dumps(value, separators=(",", ":"), sort_keys=True)
    return str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)


def expand(template, document):
    """What `--output=jsonpath=…` prints."""
    def until(at, inner, out):
        while at < len(template):
            token = TOKEN.match(template, at)
            if token is None:
                out.append(template[at])
                at += 1
                continue
            at = token.end()
            if token.group() == "{end}":
                return at
            if token.group(1) is not None:
                items = found([inner], token.group(1).strip())
                stop = until(at, {}, [])
                for item in items:
                    until(at, item, out)
                at = stop
            elif token.group(2) is not None:
                out.append(token.group(2).encode().decode("unicode_escape"))
            else:
                out.append(" ".join(text(each) for each in found([inner], token.group(3).strip())))
        return at
    out = []
    until(0, document, out)
    return "".join(out)


def at(resource, path):
    """The value of gcloud's path, with what it prints for lists and for nothing."""
    value = resource
    for key in re.findall(r'"[^"]*"|[^.]+', path):
        key = key.strip('"')
        if key.endswith("[]"):
            value = (value or {}).get(key[:-2], []) if isinstance(value, dict) else []
        elif isinstance(value, list):
            value = [each.get(key) for each in value]
        else:
            value = value.get(key) if isinstance(value, dict) else None
    if isinstance(value, list):
        return ";".join(map(str, value))
    return "" if value is None else str(value)


def project(resource, form):
    """One line of `value(…)` or of `csv[no-heading,separator="|"](…)`."""
    match = re.fullmatch(r'(value|csv\[[^\]]*\])(?:\[[^\]]*\])?\((.*)\)', form)
    separator = "\t" if match[1] == "value" else "|"
    columns = []
    for column in re.findall(r"(?:[^,()]|\([^)]*\))+", match[2]):
        path, _, function = column.partition(".list(")
        path, _, last = path.partition(".basename(")
        value = at(resource, path)
        columns.append(value.replace(";", " ") if function else value.split("/")[-1] if last else value)
    return separator.join(columns)


def accepts(condition, resource):
    """Whether gcloud's --filter lets a resource through: comparisons with AND, NOT and parentheses."""
    if not condition:
        return True
    words = re.findall(r'\(|\)|\bAND\b|\bOR\b|\bNOT\b|(?:"[^"]*"|[^\s()"])+(?:\([^)]*\))?', condition)
    words = [word for word in words if word]

    def either():
        value = both()
        while words and words[0] == "OR":
            words.pop(0)
            value = both() or value
        return value

    def both():
        value = one()
        while words and words[0] not in (")", "OR"):
            if words[0] == "AND":
                words.pop(0)
            value = one() and value
        return value

    def one():
        word = words.pop(0)
        if word == "NOT":
            return not one()
        if word == "(":
            value = either()
            words.pop(0)
            return value
        path, sign, wanted = re.fullmatch(r'((?:"[^"]*"|[^=:~"])+)(=|:|~|!=)(.*)', word).groups()
        got = at(resource, path)
        if sign == "~":
            return re.search(wanted, got) is not None
        if wanted == "*":
            return got != ""
        choices = wanted.strip("()").split() if wanted.startswith("(") else [wanted.strip('"')]
        return got.split("/")[-1] in choices or got in choices
    return either()
