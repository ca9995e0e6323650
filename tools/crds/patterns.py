"""Regular expressions of CRDs in the form that schema/pattern.cpp reads: `^(…)$`, with characters, `\\.`, `[…]`,
groups, `|`, `*`, `+`, `?` and `{least,most}`, of which 0 means no limit."""
import sre_parse
import warnings


class Unreadable(Exception):
    pass


def normalized(pattern):
    """The expression, or None where the form cannot say it."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ignores_case = "(?i)" in pattern
            tree = sre_parse.parse(pattern.replace("(?i)", "").replace("\\/", "/"))
        return "^(" + "|".join(anchored(list(branch), ignores_case) for branch in branches(list(tree))) + ")$"
    except (Unreadable, sre_parse.error):
        return None


def branches(items):
    if len(items) == 1 and str(items[0][0]) == "SUBPATTERN":
        return branches(list(items[0][1][3]))
    if len(items) == 1 and str(items[0][0]) == "BRANCH":
        return [part for branch in items[0][1][1] for part in branches(list(branch))]
    # Python's parser moves the common beginning of alternatives in front of them, such as `^` in
    # `^$|^a$`.
    if items and str(items[-1][0]) == "BRANCH" and any(str(item[0]) == "AT" for branch in items[-1][1][1] for item in branch):
        return [part for branch in items[-1][1][1] for part in branches(items[:-1] + list(branch))]
    return [items]


def anchored(items, ignores_case):
    at = lambda item, what: str(item[0]) == "AT" and what in str(item[1])
    begins = bool(items) and at(items[0], "BEGINNING")
    ends = bool(items) and at(items[-1], "END")
    inner = items[begins:len(items) - ends if ends else None]
    return ("" if begins else r"[^\n]*") + sequence(inner, ignores_case) + ("" if ends else r"[^\n]*")


def sequence(items, ignores_case):
    return "".join(one(item, ignores_case) for item in items)


def one(item, ignores_case):
    kind, value = str(item[0]), item[1]
    if kind == "LITERAL":
        return character(value, ignores_case)
    if kind == "NOT_LITERAL":
        return "[^" + inside(value) + "]"
    if kind == "ANY":
        return r"[^\n]"
    if kind == "IN":
        return members(value, ignores_case)
    if kind == "SUBPATTERN":
        return "(" + sequence(value[3], ignores_case) + ")"
    if kind == "BRANCH":
        return "(" + "|".join(sequence(branch, ignores_case) for branch in value[1]) + ")"
    if kind == "MAX_REPEAT":
        least, most, what = value
        text = sequence(what, ignores_case)
        if len(what) != 1:
            text = f"({text})"
        unlimited = most == sre_parse.MAXREPEAT
        mark = {(0, True): "*", (1, True): "+"}.get((least, unlimited)) or ("?" if (least, most) == (0, 1) else f"{{{least},{0 if unlimited else most}}}")
        return text + mark
    raise Unreadable(kind)


def character(code, ignores_case):
    letter = chr(code)
    if code > 126 or letter in "\\[]":
        raise Unreadable(letter)
    if ignores_case and letter.isalpha():
        return f"[{letter.lower()}{letter.upper()}]"
    return "\\." if letter == "." else f"[{letter}]" if letter in "()|*+?{}^$" and letter != "^" else letter


def inside(code):
    letter = chr(code)
    if code > 126 or letter in "\\[]":
        raise Unreadable(letter)
    return letter


def members(items, ignores_case):
    negated, text, has_hyphen, has_hat = "", "", False, False
    for kind, value in ((str(item[0]), item[1]) for item in items):
        if kind == "NEGATE":
            negated = "^"
        elif kind == "LITERAL" and chr(value) == "-":
            has_hyphen = True
        elif kind == "LITERAL" and chr(value) == "^":
            has_hat = True
        elif kind == "LITERAL":
            text += inside(value)
        elif kind == "RANGE":
            text += inside(value[0]) + "-" + inside(value[1])
            if ignores_case and chr(value[0]).isalpha():
                text += inside(value[0]).swapcase() + "-" + inside(value[1]).swapcase()
        elif kind == "CATEGORY" and "DIGIT" in str(value) and "NOT" not in str(value):
            text += "0-9"
        elif kind == "CATEGORY" and "WORD" in str(value) and "NOT" not in str(value):
            text += "A-Za-z0-9_"
        else:
            raise Unreadable(kind)
    return "[" + negated + ("-" if has_hyphen else "") + text + ("^" if has_hat else "") + "]"
