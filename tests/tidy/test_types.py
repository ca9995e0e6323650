"""A type's name has one meaning across the program."""
import re
import unittest

import source

# The same thing at another stage, or for another reader.
STAGES = {"Kind",  # of a YAML node, and of the value that is printed as one
          "Command",  # of a script that was read, and of the program
          "List", "Text", "Entry",  # of claims, of the catalog, of what is printed
          "Level", "Place", "Related", "Workload",  # of the library's header and inside
          "Outputs", "Knowledge"}  # of one spec and of a run; of the library and of the command line
# Private to one .cpp file, where the file says of what.
LOCAL = {"Builder", "Checker", "Decoder", "Writer"}
DECLARATION = re.compile(r"^\s*(?:struct|class|enum class) ([A-Z]\w*)\b(?!::|<)[^;=(]*\{", re.M)


class Types(unittest.TestCase):
    def test_one_meaning_a_name(self):
        files = {}
        for file, text in source.cpp_files("src", "tools"):
            for name in DECLARATION.findall(text):
                files.setdefault(name, set()).add(file)
        several = {name for name, found in files.items() if len(found) > 1}
        self.assertEqual(set(), several - STAGES - LOCAL)


if __name__ == "__main__":
    unittest.main()
