"""A function's name has one meaning across the program: whoever looks for it finds what is meant."""
import re
import unittest

import source

# At the first column, as clang-format leaves what is in a namespace.
DEFINITION = re.compile(r"^(?!return|using|namespace|template|static_assert|case|else|if|for|while)(?=\w)[\w:<>,*&\s\[\]]+?[\s*&](\w+)\([^;{}]*?\)"
                        r"(?: const| noexcept)?\s*\{", re.M)
# The same, and of what.
SAME = {
    "the library's calls": {"check", "compile", "import_files", "lint", "word"},
    "one of each program": {"main"},
    "of an enum": {"row", "words"},
    "of each folder of templates": {"check_templates"},
    "by its path, or by its name": {"find", "follow"},
    "of specs, objects and plans": {"is_spec", "json_schema", "name_of", "labels_text", "disruption_action"},
    "of nodes, of values and of claims": {"elements", "has_containers", "is_null", "is_said", "key_text", "move_to_file", "type_of", "value_of", "write_quantity"},
    "of words, of rows and of sources": {"did_you_mean", "is_one_of", "modules_of", "near_of", "parse", "parts_of", "parse_topology", "read_module"},
}


class Functions(unittest.TestCase):
    def test_one_meaning_a_name(self):
        files = {}
        for file, text in source.cpp_files("src", "tools"):
            for name in DEFINITION.findall(re.sub(r"//[^\n]*", "", text)):
                files.setdefault(name, set()).add(file.rpartition(".")[0])
        self.assertEqual(sorted(set().union(*SAME.values())), sorted(name for name, found in files.items() if len(found) > 1))


if __name__ == "__main__":
    unittest.main()
