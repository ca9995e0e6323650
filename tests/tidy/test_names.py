"""C++ knows nothing about any one generation, machine type or model: their names stand in data alone."""
import json
import re
import unittest

import source

# Words of a column or of prose, in parts that only print.
PROSE = ("src/cli/", "src/explain/")
# (file, literal): the spec language says what is meant when `provisioning.model` is left out; a kind of quota has a model's name.
# The last is a field of a ComputeClass, not a model.
KNOWN = {("src/resolve/facts.hpp", "flex-start"), ("src/catalog/catalog.hpp", "on-demand"), ("src/import/nodes.cpp", "spot"),
         # A field of the API of GKE, and a role of the flags of launchers.
         ("src/why/pod_sets.cpp", "spot"), ("src/view/launch.hpp", "on-demand")}


def fields(schema, found):
    """The keys of all fields of a JSON schema."""
    if isinstance(schema, dict):
        found.update(schema.get("properties", {}))
        for value in schema.values():
            fields(value, found)
    elif isinstance(schema, list):
        for value in schema:
            fields(value, found)
    return found


def names():
    """Names of the catalog that mean nothing else; `reservation` is a field, too."""
    found = {each["name"] for each in source.things("models")}
    for generation in source.things("generations"):
        found |= {generation["id"], *generation.get("names", []), *generation.get("coreNames", [])}
        for machine in generation["machineTypes"]:
            found |= {machine["name"], machine["accelerator"]}
    schema = json.loads((source.ROOT / "schemas/flexslice.schema.json").read_text())
    return found - fields(schema, set())


def pattern(known):
    """Finds whole names, longest first."""
    words = sorted(known, key=len, reverse=True)
    return re.compile(r"(?<![\w-])(?:" + "|".join(map(re.escape, words)) + r")(?![\w-])")


class Names(unittest.TestCase):
    def test_there_are_names(self):
        self.assertGreater(len(names()), 20)

    def test_no_code_asks_for_a_name(self):
        """A literal without blanks is a value, not prose."""
        known, found = pattern(names()), set()
        for file, text in source.cpp_files("src"):
            found |= {(file, literal) for _, literal in source.strings(text) if " " not in literal and known.search(literal)}
        self.assertEqual(KNOWN, found)

    def test_no_message_names_one(self):
        """A message that speaks of one model would be wrong for the next one."""
        words = pattern(name for name in names() if "-" in name or any(c.isdigit() for c in name))
        for file, text in source.cpp_files("src"):
            if file.startswith(PROSE) or file.endswith(".def"):
                continue
            for line, literal in source.strings(text):
                # `on-demand` is a kind of quota as well.
                if " " in literal and "preemptible" not in literal:
                    self.assertIsNone(words.search(literal), f"{file}:{line}: {literal}")

    def test_no_diagnostic_names_one(self):
        known = pattern(names())
        for code, row in source.diagnostics().items():
            self.assertIsNone(known.search(row["message"]), f"{code}: {row['message']}")


if __name__ == "__main__":
    unittest.main()
