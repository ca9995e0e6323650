"""The five forms of findings, on their streams, with and without colour."""
import json
import os
import pty
import re
import subprocess
import unittest

from program import FLEXSLICE, Case, spec

FORMATS = ["text", "short", "json", "sarif", "github"]


class Formats(Case):
    def setUp(self):
        super().setUp()
        self.write("good.yaml", spec("good"))
        self.write("bad.yaml", spec("bad", topology="4x6"))
        self.write("doubtful.yaml", spec("doubtful", zone="us-east5-c"))

    def test_check_puts_findings_on_stdout(self):
        for form in FORMATS:
            with self.subTest(format=form):
                result = self.expect(1, "check", "--format", form, "bad.yaml")
                self.assertIn("FS3002", result.out)
                self.assertEqual("", result.err)

    def test_compile_puts_findings_on_stderr(self):
        alone = self.fine("compile", "--allow", "FS3017", "doubtful.yaml")
        self.assertEqual("", alone.err)
        for form in FORMATS:
            with self.subTest(format=form):
                result = self.fine("compile", "--format", form, "doubtful.yaml")
                self.assertIn("FS3017", result.err)
                self.assertEqual(alone.out, result.out, "stdout is the artifact alone")
                self.assertEqual("", self.expect(1, "compile", "--format", form, "bad.yaml").out)

    def test_json(self):
        found = json.loads(self.expect(1, "check", "--format", "json", "bad.yaml", "good.yaml", "doubtful.yaml").out)
        self.assertEqual([("bad.yaml", "FS3002", "error"), ("doubtful.yaml", "FS3017", "warning")],
                         [(each["file"], each["code"], each["level"]) for each in found])
        self.assertEqual({"line": 4, "column": 28, "endLine": 4, "endColumn": 31},
                         {key: found[0][key] for key in ("line", "column", "endLine", "endColumn")})
        self.assertEqual([], json.loads(self.fine("check", "--format", "json", "good.yaml").out))

    def test_json_of_compile_is_json_alone(self):
        for files in (["bad.yaml"], ["bad.yaml", "good.yaml", "doubtful.yaml"]):
            json.loads(self.expect(1, "compile", "--format", "json", *files).err)
            json.loads(self.expect(1, "compile", "--format", "sarif", *files).err)

    def test_sarif(self):
        for status, files, results in ((0, ["good.yaml"], 0), (1, ["bad.yaml", "doubtful.yaml"], 2)):
            log = json.loads(self.expect(status, "check", "--format", "sarif", *files).out)
            self.assertEqual("2.1.0", log["version"])
            run = log["runs"][0]
            self.assertEqual("flexslice", run["tool"]["driver"]["name"])
            self.assertEqual(results, len(run["results"]))
            rules = run["tool"]["driver"]["rules"]
            for rule in rules:
                self.assertTrue(rule["help"]["text"] and rule["shortDescription"]["text"], rule["id"])
            for result in run["results"]:
                self.assertEqual(result["ruleId"], rules[result["ruleIndex"]]["id"])
                self.assertTrue(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].endswith(".yaml"))

    def test_a_token_is_shown_by_nothing(self):
        """Findings in every format, with the lines that they are on, their fixes, diffs and explanations."""
        token = "hf_" + "Ab1" * 11 + "Z"
        secret = token[3:]
        lines = spec("good").splitlines()
        held = "\n".join(lines[:-1]) + f"\n  image: busybox:1\n  args: {token}\n  env: {{HF_TOKEN: {token}, OTHER: {token}}}\n"
        self.write("bad.yaml", held)
        self.write("fine.yaml", held.replace(f"  args: {token}\n", ""))
        self.write("other.yaml", held.replace(f"  args: {token}\n", "").replace(f"OTHER: {token}", "OTHER: " + token.replace("Z", "Y")))
        for form in FORMATS:
            for file in ("bad.yaml", "fine.yaml"):
                result = self.run_flexslice("check", "--format", form, file)
                self.assertIn("FS4343", result.out, form)
                self.assertNotIn(secret, result.out + result.err, form)
        self.assertIn("hf_*", self.fine("check", "fine.yaml").out)
        for words in (["check", "--diff", "bad.yaml"], ["explain", "fine.yaml"], ["diff", "fine.yaml", "other.yaml"],
                      ["diff", "--format", "json", "fine.yaml", "other.yaml"], ["diff", "--format", "markdown", "fine.yaml", "other.yaml"]):
            result = self.run_flexslice(*words)
            self.assertTrue(result.out, words)
            self.assertNotIn("Ab1Ab1Ab1", result.out + result.err, words)
        self.assertIn(token, self.fine("compile", "fine.yaml").out, "the pods need it")

    def test_sarif_has_the_fixes(self):
        self.write("fix.yaml", spec().replace("2x2", '2x2, slices: "1"'))
        log = json.loads(self.expect(1, "check", "--format", "sarif", "fix.yaml").out)
        change = log["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0]
        self.assertEqual("1", change["replacements"][0]["insertedContent"]["text"])

    def test_github(self):
        out = self.expect(1, "check", "--format", "github", "bad.yaml", "doubtful.yaml").out
        self.assertRegex(out, r"(?m)^::error file=bad\.yaml,line=4,col=28,endLine=4,endColumn=31,title=FS3002::topology 4x6 is not available for v6e")
        self.assertRegex(out, r"(?m)^::warning file=doubtful\.yaml,line=5,")
        self.assertEqual(2, len(out.splitlines()))
        self.assertEqual("", self.fine("check", "--format", "github", "good.yaml").out)

    def test_short(self):
        out = self.expect(1, "check", "--format", "short", "bad.yaml", "doubtful.yaml").out
        self.assertEqual("bad.yaml:4:28: error[FS3002]: topology 4x6 is not available for v6e\n"
                         "doubtful.yaml:5:24: warning[FS3017]: zone us-east5-c is not known to have v6e\n", out)

    def test_people_see_fifty_findings(self):
        self.write("many.yaml", spec() + "  env:\n" + "".join(f"    V{number}: {number}\n" for number in range(80)))
        for form in ("text", "short"):
            out = self.expect(1, "check", "--format", form, "many.yaml").out
            self.assertEqual(50, out.count("error[FS2004]"))
            self.assertRegex(out, r"and 30 more\n\Z")
        self.assertEqual(80, len(json.loads(self.expect(1, "check", "--format", "json", "many.yaml").out)))

    def test_findings_stand_in_the_order_of_the_text(self):
        text = spec(topology="4x6", zone="us-west1-c").replace("us-east5,", "us-east5, ") + "  imge: x\n"
        self.write("order.yaml", text)
        lines = [each["line"] for each in json.loads(self.expect(1, "check", "--format", "json", "order.yaml").out)]
        self.assertEqual(sorted(lines), lines)
        self.assertGreater(len(lines), 2)

    def test_same_bytes_twice(self):
        for form in FORMATS:
            arguments = ("check", "--format", form, "bad.yaml", "doubtful.yaml", "good.yaml")
            self.assertEqual(self.run_flexslice(*arguments).out, self.run_flexslice(*arguments).out)

    def test_any_number_of_threads_gives_the_same(self):
        names = [self.write(f"s{number}.yaml", spec(f"s{number}", topology=["2x2", "4x6", "4x4"][number % 3])) for number in range(40)]
        one = self.expect(1, "check", "-j", "1", *names)
        four = self.expect(1, "check", "-j", "4", *names)
        self.assertEqual((one.out, one.err), (four.out, four.err))
        self.assertIn("27 specs fine, 13 with errors", one.err)

    def test_no_colour_in_pipes(self):
        for command, stream in (("check", "out"), ("compile", "err")):
            self.assertNotIn("\x1b", getattr(self.expect(1, command, "bad.yaml"), stream))
            self.assertNotIn("\x1b", getattr(self.expect(1, command, "--color", "never", "bad.yaml"), stream))
            coloured = getattr(self.expect(1, command, "--color", "always", "bad.yaml"), stream)
            self.assertIn("\x1b[", coloured)
            self.assertEqual(getattr(self.expect(1, command, "bad.yaml"), stream), re.sub(r"\x1b\[[0-9;]*m", "", coloured))

    def test_programs_never_get_colour(self):
        for form in ("json", "sarif", "github"):
            self.assertNotIn("\x1b", self.expect(1, "check", "--color", "always", "--format", form, "bad.yaml").out)

    def on_terminal(self, *arguments, **environment):
        """stdout of `check` on a terminal."""
        outer, inner = pty.openpty()
        with os.fdopen(outer, "rb", 0) as terminal:
            variables = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
            process = subprocess.Popen([FLEXSLICE, "check", *arguments, "bad.yaml"], cwd=self.folder, stdin=subprocess.DEVNULL, stdout=inner,
                                       stderr=subprocess.DEVNULL, env={**variables, "TERM": "xterm", **environment})
            os.close(inner)
            text = b""
            try:
                while piece := terminal.read(4096):
                    text += piece
            except OSError:
                pass  # the other end is closed
            process.wait()
        return text.decode()

    def test_colour_on_a_terminal(self):
        self.assertIn("\x1b[", self.on_terminal())
        self.assertNotIn("\x1b[", self.on_terminal(NO_COLOR="1"))
        self.assertIn("\x1b[", self.on_terminal(NO_COLOR=""), "an empty NO_COLOR says nothing")
        self.assertNotIn("\x1b[", self.on_terminal(TERM="dumb"))
        self.assertNotIn("\x1b[", self.on_terminal("--color", "never"))
        self.assertIn("\x1b[", self.on_terminal("--color", "always", NO_COLOR="1"))

    def test_summary(self):
        self.assertEqual("1 spec fine\n", self.fine("check", "good.yaml").err)
        self.assertEqual("", self.expect(1, "check", "bad.yaml").err)
        self.assertEqual("", self.fine("compile", "good.yaml").err)
        self.assertEqual("2 specs fine, 1 with errors\n", self.expect(1, "check", "good.yaml", "bad.yaml", "doubtful.yaml").err)


if __name__ == "__main__":
    unittest.main()
