"""A type's name has one meaning across the program."""
import re
import unittest

import source

# The same thing at another stage, or for another reader.
STAGES = {"Level", "Place", "Related", "Workload"}  # of the library's header and inside
DECLARATION = re.compile(r"^\s*(?:struct|class|enum class) ([A-Z]\w*)\b(?!::|<)[^;=(]*\{", re.M)


class Types(unittest.TestCase):
    def test_one_meaning_a_name(self):
        files = {}
        for file, text in source.cpp_files("src", "tools"):
            for name in DECLARATION.findall(text):
                files.setdefault(name, set()).add(file)
        several = {name for name, found in files.items() if len(found) > 1}
        self.assertEqual(STAGES, several)


if __name__ == "__main__":
    unittest.main()
