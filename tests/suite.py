"""Runs the tests of a module of this folder, as `python3 -m unittest -v MODULE` does: tests/suite.py MODULE

YAML is read and written by libyaml where Python has it: in Python that took a third of the time of the tests that do so. The two
agree, which property/readers compares; whoever names a loader or a dumper gets that one.
"""
import os
import sys
import unittest

import yaml


def use_libyaml():
    if not yaml.__with_libyaml__:
        return
    yaml.safe_load = lambda stream: yaml.load(stream, yaml.CSafeLoader)
    yaml.safe_load_all = lambda stream: yaml.load_all(stream, yaml.CSafeLoader)
    yaml.safe_dump = lambda data, stream=None, **options: yaml.dump_all([data], stream, yaml.CSafeDumper, **options)
    yaml.safe_dump_all = lambda documents, stream=None, **options: yaml.dump_all(documents, stream, yaml.CSafeDumper, **options)


if __name__ == "__main__":
    use_libyaml()
    sys.path[0] = os.getcwd()
    unittest.main(module=None, argv=["python3 -m unittest", "-v", *sys.argv[1:]])
