"""Names that mean something to make, as spec, as defaults and as output, with the real make."""
import unittest

from making import EARLIER, LATER, MakeCase, spec

CHARACTERS = " #$:%=*?[]~&'\"!,(){}<>@^+`\\"
FORMS = ["a{}b", "{}b", "a{}", "a\\{}b", "a\\\\{}b", "a{0}{0}b", "d{}r/a{}b"]
MORE = ["a b#c$d:e%f=g", "$(x)", "${HOME}", "a$$b", "büro/träin", "-o", "a;b", "a|b", "a\tb", "a\nb", "tail\\", "tail&", "tail ", "\x7f"]


def names():
    return sorted({form.replace("{0}", "{}").format(*[each] * form.count("{")) for each in CHARACTERS for form in FORMS} | set(MORE))


def impossible(name):
    archive = name[-1] == ")" and "(" in name
    return any(ord(c) < 32 or ord(c) == 127 for c in name) or any(c in name for c in ";|") or name[-1] in "&\\ " or archive


class Names(MakeCase):
    # Any target is "made" by telling so; the dep file has no recipes of its own.
    MAKEFILE = "-include deps.mk\n%:\n\t@echo MADE\n"

    def round(self, name):
        target, layer, path = f"out{name}", f"lay{name}", f"./{name}" if name.startswith("-") else name
        for each in (path, layer):
            self.write(each, spec() if each == path else "labels: {team: vision}\n")
        (self.folder / target).parent.mkdir(parents=True, exist_ok=True)
        self.compile("-MF", "deps.mk", "-o", target, "--defaults", layer, "--", path)
        self.write("Makefile", self.MAKEFILE)
        for each, time in ((path, EARLIER), (layer, EARLIER), (target, LATER)):
            self.set_time(each, time)
        # Without a goal make takes the first target, but none with a `%`; with `=` a goal would be a variable.
        goal = ["--", target] if "%" in name else []
        self.assertNotIn("MADE", self.make(*goal))
        for each in (path, layer):
            self.set_time(each, LATER + 1)
            self.assertIn("MADE", self.make(*goal), each)
            self.set_time(each, EARLIER)
        (self.folder / layer).unlink()
        self.assertIn("MADE", self.make(*goal), "a prerequisite that is gone does not stop make")

    def test_possible(self):
        possible = [name for name in names() if not impossible(name)]
        self.assertGreater(len(possible), 100)
        for name in possible:
            with self.subTest(name=name):
                self.round(name)

    def test_impossible(self):
        bad = [name for name in names() if impossible(name)]
        self.assertGreater(len(bad), 10)
        self.write("good.yaml", spec())
        for name in bad:
            with self.subTest(name=name):
                self.write(name, spec())
                for words in (["-o", "out.yaml", name], ["-o", f"out{name}", "good.yaml"], ["-o", "out.yaml", "--defaults", name, "good.yaml"]):
                    result = self.expect(2, "compile", "-MD", *words)
                    self.assertIn("make does not support the file name", result.err)


if __name__ == "__main__":
    unittest.main()
