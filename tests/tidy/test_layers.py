"""Includes run one way, and names of other people's libraries stay in one place each."""
import re
import unittest

import source

# For each folder of src (or file beside them): what its files may include. Lower layers never know of higher ones.
TEXT = {"base", "diag", "yaml"}
SPEC = TEXT | {"schema", "spec"}
FACTS = SPEC | {"catalog", "resolve"}
PLAN = FACTS | {"plan"}
BACK_END = PLAN | {"backend/template"}
LAYERS = {
    "base": set(),
    "diag": {"base"},
    "yaml": {"base", "diag"},
    "schema": TEXT,
    "spec": TEXT | {"schema"},
    "extract": TEXT | {"schema"},
    "catalog": SPEC,
    "resolve": SPEC | {"catalog"},
    "view": FACTS | {"extract"},
    "rules": FACTS | {"view"},
    "plan": FACTS,
    "backend/template": TEXT | {"schema"},
    "backend/kubernetes": BACK_END,
    "backend/gcloud": BACK_END,
    "backend/terraform": {"base", "diag", "yaml", "catalog"},
    "backend/picture": PLAN,
    "explain": BACK_END | {"backend/picture"},
    "change": SPEC | {"catalog"},
    "why": SPEC | {"catalog"},
    "driver": BACK_END | {"extract", "view", "rules", "backend/kubernetes", "backend/gcloud", "backend/terraform", "backend/picture", "explain", "change", "flexslice"},
    "flexslice": set(),
    "import": FACTS | {"extract", "view", "plan", "backend/template", "driver"},
    "api": TEXT | {"plan", "driver", "flexslice", "import"},
    "rpc": {"base"},
    "mcp": {"base", "rpc"},
    "lsp": FACTS | {"rpc", "driver", "explain", "extract", "plan", "backend/template"},
    "web": TEXT | {"spec", "explain", "extract", "import", "driver", "flexslice"},
    "cli/files": TEXT | {"spec"},
    "cli/help": SPEC | {"cli/files", "catalog", "driver", "explain"},
    "cli/run": BACK_END | {"cli/files", "cli/help", "backend/kubernetes", "backend/gcloud", "driver", "extract", "view", "rules", "rpc"},
    "cli/commands": BACK_END | {"backend/gcloud", "cli/files", "cli/help", "cli/run", "explain", "change", "why", "import", "driver", "extract", "lsp", "mcp", "rpc", "backend/kubernetes", "flexslice"},
    "cli": {"base", "catalog", "cli/files", "cli/help", "cli/commands"},
    "main": {"cli"},
    "node": set(),
}
THIRD_PARTY = {"src": {"yaml-cpp/": "src/yaml/parse.cpp", "cxxopts": "src/cli/help/parse_line.cpp", "nlohmann/": "src/rpc/peer.hpp", "fmt/format": "src/base/format.cpp"}, "tests": {"catch2/": "tests/catch.hpp", "cxxopts": "nowhere", "nlohmann/": ("tests/unit/diag_render_formats.cpp", "tests/unit/web_answer.cpp")}}


def layer(file):
    """`plan` of plan/build.hpp, `backend/gcloud` of backend/gcloud/bash.hpp, `driver` of driver/run.hpp, `cli` of cli/cli.hpp."""
    parts = file.split("/")
    return "/".join(parts[:2]) if parts[0] in ("backend", "cli") and len(parts) > 2 else parts[0].split(".")[0]


class Layers(unittest.TestCase):
    def test_every_layer_is_known(self):
        found = {layer(file.removeprefix("src/")) for file, _ in source.cpp_files("src")}
        self.assertEqual([], sorted(found - set(LAYERS)))

    def test_layers_have_an_order(self):
        below = {name: used - {name} for name, used in LAYERS.items()}
        while below:
            lowest = [name for name, used in below.items() if not used & set(below)]
            self.assertTrue(lowest, f"a circle among {sorted(below)}")
            for name in lowest:
                del below[name]

    def test_includes_run_one_way(self):
        for file, text in source.cpp_files("src"):
            own = layer(file.removeprefix("src/"))
            for quote, included in source.includes(text):
                if quote == '"' and layer(included) != own:
                    self.assertIn(layer(included), LAYERS[own], f"{file} includes {included}")

    def test_the_page_has_the_algorithms_that_are_used(self):
        """Those on ranges are missing in the library of the web build, see src/web/library/algorithm."""
        there = set(re.findall(r"^(?:constexpr )?(?:auto|bool|Out|void) (\w+)\(|^FLEXSLICE_\w+\((\w+)[,)]", (source.SRC / "web/library/algorithm").read_text(), re.M))
        there = {name for names in there for name in names} | {"begin", "end", "less", "greater", "size", "range"}
        for file, text in source.cpp_files("src"):
            if layer(file.removeprefix("src/")).split("/")[0] not in ("cli", "lsp", "mcp", "rpc", "main"):
                self.assertEqual(set(), set(re.findall(r"std::ranges::(\w+)", text)) - there, file)

    def test_third_party_headers_stay_in_their_place(self):
        for folder, rules in THIRD_PARTY.items():
            for file, text in source.cpp_files(folder):
                for _, included in source.includes(text):
                    for name, place in rules.items():
                        if included.startswith(name):
                            self.assertTrue(file.startswith(place), f"{file} includes {included}")


if __name__ == "__main__":
    unittest.main()
