"""`flexslice schema --strict` and the other JSON Schemas say nothing that a reader in strict mode, such as ajv's, refuses."""
import json
import os
import subprocess
import unittest

# Keywords of JSON Schema 2020-12 that are used.
KEYWORDS = {
    "$schema", "$id", "$ref", "$defs", "title", "description", "examples", "type", "enum", "const", "pattern", "minLength", "maxLength",
    "minimum", "maximum", "exclusiveMinimum", "items", "minItems", "maxItems", "uniqueItems", "properties", "additionalProperties", "propertyNames",
    "required", "minProperties", "maxProperties", "allOf", "anyOf", "oneOf", "not", "if", "then", "else"}
NAMED = ("properties", "$defs")  # hold schemas by names of their own
SINGLE = ("items", "additionalProperties", "propertyNames", "not", "if", "then", "else")
LISTS = ("allOf", "anyOf", "oneOf")


def subschemas(schema):
    """Each schema in the schema, itself included."""
    if isinstance(schema, bool):
        return
    yield schema
    inner = [each for key in NAMED for each in schema.get(key, {}).values()]
    inner += [schema[key] for key in SINGLE if key in schema]
    inner += [each for key in LISTS for each in schema.get(key, [])]
    for each in inner:
        yield from subschemas(each)


class Strict(unittest.TestCase):
    def test_schemas(self):
        for options in (["--strict"], ["--plan"], ["--findings"], ["--overlay"]):
            schema = json.loads(subprocess.run([os.environ["FLEXSLICE"], "schema", *options], capture_output=True, check=True).stdout)
            for each in subschemas(schema):
                with self.subTest(options=options, schema=json.dumps(each)[:200]):
                    self.assertLessEqual(set(each), KEYWORDS)
                    self.assertLessEqual(set(each.get("required", ())), set(each.get("properties", ())), "required beside its properties")
                    types = each.get("type", "")
                    self.assertTrue(isinstance(types, str) or len(set(types) - {"null"}) == 1, "one type, or anyOf")


if __name__ == "__main__":
    unittest.main()
