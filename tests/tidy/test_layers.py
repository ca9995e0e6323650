"""Includes run one way, and names of other people's libraries stay in one place each."""
import unittest

import source

# For each folder of src (or file beside them): what its files may include. Lower layers never know of higher ones.
TEXT = {"base", "diag", "yaml"}
CLAIMS = TEXT | {"schema", "claims"}
FACTS = CLAIMS | {"catalog", "facts"}
PLAN = FACTS | {"plan"}
BACK_END = PLAN | {"template", "needed"}
LAYERS = {
    "base": set(),
    "diag": {"base"},
    "yaml": {"base", "diag"},
    "schema": TEXT,
    "claims": TEXT | {"schema"},
    "read": TEXT | {"schema"},
    "spec": CLAIMS,
    "catalog": CLAIMS,
    "facts": CLAIMS | {"catalog"},
    "found": FACTS | {"read"},
    "rules": FACTS | {"found", "spec"},
    "lint": FACTS | {"found", "read", "rules"},
    "plan": FACTS,
    "conflicts": PLAN,
    "template": TEXT | {"schema"},
    "needed": PLAN,
    "backend/kubernetes": BACK_END,
    "backend/gcloud": BACK_END,
    "layout": {"base"},
    "listing": TEXT | {"catalog", "layout"},
    "starter": FACTS | {"spec", "template"},
    "explain/codes": {"diag", "layout"},
    "explain/topics": FACTS | {"spec", "layout", "listing"},
    "explain/plan": BACK_END | {"layout"},
    "driver": BACK_END | {"spec", "rules", "conflicts", "backend/kubernetes", "backend/gcloud", "explain/plan", "flexslice"},
    "flexslice": set(),
    "import": FACTS | {"read", "spec", "lint", "template", "driver"},
    "api": TEXT | {"conflicts", "driver", "flexslice", "import", "lint"},
    "cli/files": TEXT,
    "cli/help": CLAIMS | {"cli/files", "spec", "catalog", "driver", "layout", "explain/topics"},
    "cli/run": BACK_END | {"cli/files", "cli/help", "backend/kubernetes", "backend/gcloud", "conflicts", "driver", "found", "lint", "rules"},
    "cli/commands": BACK_END | {"backend/gcloud", "cli/files", "cli/help", "cli/run", "spec", "listing", "starter", "explain/codes", "explain/topics", "import", "driver"},
    "cli": {"base", "catalog", "cli/files", "cli/help", "cli/commands"},
    "main": {"cli"},
}
THIRD_PARTY = {"src": {"yaml-cpp/": "src/yaml/parse.cpp", "cxxopts": "src/cli/help/parse.cpp", "nlohmann/": "src/diag/render_json.cpp", "cmark": "src/read/page.cpp", "fmt/format": "src/base/format.cpp"}, "tests": {"catch2/": "tests/catch.hpp", "cxxopts": "nowhere", "nlohmann/": "tests/unit/diag_render_formats.cpp"}}


def layer(file):
    """`plan` of plan/build.hpp, `backend/gcloud` of backend/gcloud/bash.hpp, `driver` of driver.hpp, `cli` of cli/cli.hpp."""
    parts = file.split("/")
    return "/".join(parts[:2]) if parts[0] in ("backend", "cli", "explain") and len(parts) > 2 else parts[0].split(".")[0]


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

    def test_third_party_headers_stay_in_their_place(self):
        for folder, rules in THIRD_PARTY.items():
            for file, text in source.cpp_files(folder):
                for _, included in source.includes(text):
                    for name, place in rules.items():
                        if included.startswith(name):
                            self.assertTrue(file.startswith(place), f"{file} includes {included}")


if __name__ == "__main__":
    unittest.main()
