"""A function's name has one meaning across the program: whoever looks for it finds what is meant."""
import re
import unittest

import source

# At the first column, as clang-format leaves what is in a namespace.
DEFINITION = re.compile(r"^(?!return|using|namespace|template|static_assert|case|else|if|for|while)(?=\w)[\w:<>,*&\s\[\]]+?[\s*&](\w+)\([^;{}]*?\)"
                        r"(?: const| noexcept)?\s*\{", re.M)
# Of a function or of a member, whose parameters have types: what a block constructs has arguments.
DECLARATION = re.compile(r"^(?! *(?:return|using|namespace|template|static_assert|throw|friend)\b) *(?=[\w\[])[\w:<>,*&\s\[\]]+?[\s*&](\w+)"
                         r"\(((?:[^;{}()]|\(\)|\{\})*)\)(?: const| noexcept| override)*;", re.M)
TYPED = re.compile(r"\w[\s*&>.]+\w|[*&]|^$")
# Of types alone: decltype asks them, and nothing calls them.
NEVER_CALLED = {"member_type", "record_type"}
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


def without_definition(files):
    """(header, name) of each declaration in a header that no file has with a body."""
    text = "\n".join(files.values())
    bodies = set(re.findall(r"[\s*&:~](\w+)\((?:[^;{}]|\{\})*?\)(?: const| noexcept| override)*\s*(?:\{|:\s)", text))
    return [(file, name) for file, header in files.items() if file.endswith(".hpp")
            for name, parameters in DECLARATION.findall(header)
            if name not in bodies | NEVER_CALLED and TYPED.search(parameters)]


INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
# With an underscore: a name of one word may be one of the standard library's.
OF_HEADER = re.compile(r"^(?!using|namespace|template|static_assert|friend|struct|class|enum|#)(?=\w|\[\[)[^\n(){};]*[\s*&](\w+_\w+)\(", re.M)
CALL = re.compile(r"(?<![\w.>:])((?:\w+::)*)(\w+_\w+)\(")
DECLARED = re.compile(r"[\w>&*\]]\s+[*&]*(\w+_\w+)(?:\(|\s*=|\s*;|\s*\{|,|\))")


def out_of_reach(files):
    """(file, name, header) of each call of a function whose header the file does not include, nor what it includes."""
    headers, seen, declared = {}, {}, {}
    for file, text in files.items():
        declared[file] = set(DECLARED.findall(re.sub(r"\b(?:return|else)\b|&&|\|\|", "#", text)))
        for name in OF_HEADER.findall(text) if file.endswith(".hpp") else ():
            headers.setdefault(name, set()).add(file)

    def reach(file):
        if file not in seen:
            seen[file] = {file}
            for each in INCLUDE.findall(files.get(file, "")):
                seen[file] |= reach("src/" + each)
        return seen[file]

    found = []
    for file, text in files.items():
        near = reach(file)
        for space, name in sorted(set(CALL.findall(text))) if file.endswith(".cpp") else ():
            far = headers.get(name, near)
            if not far & near and not space.startswith("std::") and not any(name in declared.get(each, ()) for each in near):
                found.append((file, name, min(far)))
    return found


class Functions(unittest.TestCase):
    def test_one_meaning_a_name(self):
        files = {}
        for file, text in source.cpp_files("src", "tools"):
            for name in DEFINITION.findall(re.sub(r"//[^\n]*", "", text)):
                files.setdefault(name, set()).add(file.rpartition(".")[0])
        same = set().union(*SAME.values())
        twice = {name: sorted(found) for name, found in files.items() if len(found) > 1}
        self.assertEqual([], [f"{name} is in {' and in '.join(found)}: give one of them another name" for name, found in twice.items() if name not in same])
        self.assertEqual([], sorted(same - set(twice)), "names that SAME has and that one file alone has")

    def test_a_declaration_has_its_definition(self):
        files = {file: re.sub(r"//[^\n]*", "", text) for file, text in source.cpp_files("src", "tools")}
        self.assertEqual([], [f"{file} declares {name}, which nothing defines: remove it" for file, name in without_definition(files)])

    def test_of_a_declaration_without_one(self):
        header = "// It judges.\nbool may_judge(const Pod& pod);\nclass Judge {\n  int count() const;\n  void finish(Sink& sink);\n};\n"
        code = "int Judge::count() const { return 1; }\nvoid use() {\n  may_judge(pod);\n  judge.finish(sink);\n}\n"
        self.assertEqual([("judge.hpp", "may_judge"), ("judge.hpp", "finish")], without_definition({"judge.hpp": header, "judge.cpp": code}))
        defined = "bool may_judge(const Pod& pod) { return true; }\nvoid Judge::finish(Sink& sink) {\n}\n"
        self.assertEqual([], without_definition({"judge.hpp": header, "judge.cpp": code + defined}))

    def test_a_call_reaches_its_header(self):
        """The preset release compiles a folder as one file, in which another file's includes hide that one is missing."""
        files = {file: re.sub(r"//[^\n]*", "", text) for file, text in source.cpp_files("src")}
        self.assertEqual([], [f'{file} calls {name}: #include "{header[4:]}"' for file, name, header in out_of_reach(files)])

    def test_of_a_call_out_of_reach(self):
        files = {"src/a/one.hpp": "int one_of(int x);\n", "src/a/two.hpp": '#include "a/one.hpp"\n',
                 "src/b/good.cpp": '#include "a/two.hpp"\nint f() { return a::one_of(1) + std::one_of(2); }\n',
                 "src/b/own.cpp": "int f() {\n  const auto one_of = [] {};\n  return one_of(3);\n}\n",
                 "src/b/bad.cpp": "int f() { return a::one_of(1); }\n"}
        self.assertEqual([("src/b/bad.cpp", "one_of", "src/a/one.hpp")], out_of_reach(files))


if __name__ == "__main__":
    unittest.main()
