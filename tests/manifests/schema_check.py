"""Holds an object against the schema of its kind, in schemas/: which fields there are, their types and their syntax.

A schema file whose root names an apiVersion and a kind makes that kind known; the other files hold shared parts.
Beyond the standard keywords the schemas use `x-unique-by: [FIELD…]`: no two items of the list agree in these fields.

Called by check_manifests.py. Paths are tuples of keys and indexes.
"""

import difflib
import functools
import json
import pathlib
import re

import jsonschema

_FOLDER = pathlib.Path(__file__).parent / "schemas"
_BASE = "https://schemas.invalid/"  # never fetched: references between the files are relative, and all are in store
_DEFAULTS = {"protocol": "TCP"}
_TYPES = {dict: "a mapping", list: "a list", str: "a string", bool: "a boolean", int: "an integer", float: "a number"}
_NAMES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": float}


def schema_errors(value):
    """Yields (path, message) for all that the schema of the object's kind says against it."""
    if not isinstance(value, dict) or not all(isinstance(value.get(k), str) for k in ("apiVersion", "kind")):
        yield (), "must be a mapping with apiVersion and kind"
        return
    file = _kinds().get((value["apiVersion"], value["kind"]))
    if file is None:
        known = ", ".join(" ".join(kind) for kind in sorted(_kinds()))
        yield ("kind",), f"unknown kind {value['apiVersion']} {value['kind']} (known: {known})"
        return
    for error in _validator(file).iter_errors(value):
        yield from _explain(error)


@functools.lru_cache(maxsize=None)
def files():
    """The schema files by name."""
    return {path.name: json.loads(path.read_text("utf-8")) for path in sorted(_FOLDER.glob("*.json"))}


@functools.lru_cache(maxsize=None)
def _kinds():
    """The schema file of each (apiVersion, kind)."""
    fields = {name: schema.get("properties", {}) for name, schema in files().items()}
    return {(f["apiVersion"]["const"], f["kind"]["const"]): name for name, f in fields.items() if "kind" in f}


@functools.lru_cache(maxsize=None)
def _validator(file):
    store = {_BASE + name: schema for name, schema in files().items()}
    return _Validator(files()[file], resolver=jsonschema.RefResolver(_BASE + file, files()[file], store))


def _unique_by(validator, fields, items, schema):
    if not isinstance(items, list):
        return
    seen = {}
    for index, item in enumerate(items):
        if not isinstance(item, dict):
            continue
        identity = tuple(str(item.get(field, _DEFAULTS.get(field))) for field in fields)
        if identity in seen:
            message = f"the same {' and '.join(fields)} as item {seen[identity]}"
            yield jsonschema.ValidationError(message, path=[index, fields[0]])
        seen.setdefault(identity, index)


def _pattern(validator, pattern, text, schema):
    # Python's $ also matches before a line feed at the end; that of JSON Schema does not.
    if isinstance(text, str) and (not re.search(pattern, text) or (pattern.endswith("$") and text.endswith("\n"))):
        yield jsonschema.ValidationError(f"does not match {pattern}")


def _property_names(validator, schema, value, _):
    if isinstance(value, dict):
        for key in value:
            yield from validator.descend(key, schema, path=key)


_Validator = jsonschema.validators.extend(
    jsonschema.Draft202012Validator,
    {"x-unique-by": _unique_by, "pattern": _pattern, "propertyNames": _property_names},
)


def _explain(error):
    """Puts an error of the library into (path, message) pairs that say what a user must change."""
    path, value, rule = tuple(error.absolute_path), error.instance, error.validator_value
    kind = error.validator
    title = error.schema.get("title")
    if kind == "additionalProperties" and rule is False:
        known = error.schema.get("properties", {})
        for key in sorted(value.keys() - known.keys()):
            near = difflib.get_close_matches(key, known, 1)
            yield path + (key,), "unknown field" + (f" (did you mean {near[0]}?)" if near else "")
    elif kind == "required":
        for key in rule:
            if key not in value and f"'{key}'" in error.message:
                yield path + (key,), "is required"
    elif kind == "type":
        what = "empty" if value is None else _TYPES[type(value)]
        scalar = type(value) in (bool, int, float)
        quote = f" {json.dumps(value)}: quote it" if scalar and rule == "string" else ""
        yield path, f"must be {_TYPES[_NAMES[rule]]}, is {what}{quote}"
    elif kind in ("enum", "const"):
        allowed = rule if kind == "enum" else [rule]
        yield path, f"{json.dumps(value)} is none of {', '.join(map(json.dumps, allowed))}"
    elif kind == "oneOf" and all(list(branch) == ["required"] for branch in rule):
        yield path, f"needs exactly one of {', '.join(name for branch in rule for name in branch['required'])}"
    elif kind == "not":
        yield path, f"must not have {' and '.join(rule['required'])} together"
    elif title:
        yield path, f"{json.dumps(value) if not isinstance(value, dict) else 'this'} is not {title}"
    elif kind in ("minProperties", "maxProperties"):
        yield path, f"needs {'at least' if kind == 'minProperties' else 'at most'} {rule} of its fields"
    else:
        yield path, error.message
