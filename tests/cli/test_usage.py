"""What is asked for wrongly: exit status 2, one line on stderr, nothing done."""
import unittest

from program import FINDINGS, Case, spec

COMMANDS = ["compile", "check", "explain", "schema"]


class Usage(Case):
    def test_no_command(self):
        result = self.expect(2)
        self.assertEqual("", result.out)
        self.assertIn("usage: flexslice COMMAND", result.err)

    def test_unknown_command(self):
        self.assertIn("unknown command `compil`; did you mean `compile`?", self.usage("compil", "a.yaml"))
        self.assertNotIn("did you mean", self.usage("frobnicate"))

    def test_commands_of_other_tools(self):
        for word, command in (("validate", "flexslice check"), ("apply", "kubectl apply -f -"), ("new", "flexslice init")):
            self.assertRegex(self.usage(word, "a.yaml"), f"unknown command `{word}`; use `.*{command}.*`\n")

    def test_help_of_a_command(self):
        for command in COMMANDS:
            self.assertEqual(self.fine(command, "--help").out, self.fine("help", command).out)
        self.assertEqual(self.fine("--help").out, self.fine("help").out)
        self.assertIn("did you mean `check`?", self.usage("help", "chek"))

    def test_the_directory_of_outputs(self):
        self.write("a.yaml", spec())
        for option in ("--output-dir", "--outdir", "--out-directory"):
            self.assertIn("did you mean `--out-dir`?", self.usage("compile", option, "out", "a.yaml"))

    def test_unknown_option(self):
        for command in COMMANDS:
            with self.subTest(command=command):
                self.assertIn("frobnicate", self.usage(command, "--frobnicate"))

    def test_option_before_the_command(self):
        self.usage("--format", "json", "check", "a.yaml")

    def test_option_without_its_value(self):
        self.write("a.yaml", spec())
        for option in ("--set", "--defaults", "--catalog", "--templates", "--format", "--color", "--deny", "--allow", "--emit", "-o", "--out-dir"):
            with self.subTest(option=option):
                self.usage("compile", "a.yaml", option)

    def test_no_spec(self):
        self.assertIn("missing SPEC", self.usage("compile"))
        self.assertIn("missing SPEC", self.usage("check"))

    def test_names_with_commas(self):
        """cxxopts would cut a list at every comma."""
        self.write("a,b.yaml", spec())
        self.write("c,d.yaml", "labels: {team: vision}\n")
        for command in ("compile", "check", "explain"):
            self.fine(command, "--defaults", "c,d.yaml", "a,b.yaml")

    def test_wrong_words(self):
        self.write("a.yaml", spec())
        for option, value in (("--format", "xml"), ("--color", "sometimes"), ("--emit", "manifest"), ("--emit", ""), ("--jobs", "0"),
                              ("--jobs", "many"), ("--deny", "FS0000"), ("--allow", "everything"), ("--gcloud-version", "new"),
                              ("--output", ""), ("--out-dir", "")):
            with self.subTest(option=option, value=value):
                self.assertIn(f"`{value}`" if value else option, self.usage("compile", option, value, "a.yaml"))
        self.assertEqual("flexslice: invalid value `foo` for --emit: expected one of manifests, preflight, provision, verify, status, cleanup, queues, plan, terraform, config-connector, computeclass, picture, gcluster, blueprint, volumes, run, multikueue\n",
                         self.usage("compile", "--emit", "foo", "a.yaml"))

    def test_gcloud_versions(self):
        self.write("a.yaml", spec())
        for version in ("528.0.0", "529.0.0", "563.0.0", "578.0.0", "579.0.0"):
            with self.subTest(version=version):
                self.fine("check", "--gcloud-version", version, "a.yaml")
        self.assertIn("gcloud 528.0.0 to 588.0.0", self.usage("check", "--gcloud-version", "527.0.0", "a.yaml"))

    def test_versions_of_the_provider(self):
        self.write("a.yaml", spec())
        for version in ("6.40.0", "7.45.0", "8.0.0"):
            result = self.fine("compile", "--emit", "terraform", "--terraform-google-version", version, "--allow", "FS4320", "a.yaml")
            self.assertIn(f'">= {version}, < 9.0.0"', result.out)
            newer = "flexslice: note: the catalog describes hashicorp/google 5.0.0 to 7.45.0; the arguments of 8.0.0 are judged as those of 7.45.0\n"
            self.assertEqual(newer if version == "8.0.0" else "", result.err)
        self.assertIn("the flags of 589.0.0 are judged as those of 588.0.0", self.fine("check", "--gcloud-version", "589.0.0", "a.yaml").err)
        self.fine("check", "--terraform-google-version", "6.40.0", "a.yaml")
        self.assertIn("FS4211", self.expect(FINDINGS, "check", "--terraform-google-version", "6.20.0", "a.yaml").out)
        self.assertIn("hashicorp/google 5.0.0 to 7.45.0", self.usage("compile", "--terraform-google-version", "4.99.0", "a.yaml"))
        self.assertIn("a version such as 5.0.0", self.usage("compile", "--terraform-google-version", "new", "a.yaml"))

    def test_what_excludes_one_another(self):
        self.write("a.yaml", spec())
        self.usage("compile", "a.yaml", "-o", "x.yaml", "--out-dir", "out")
        self.assertIn("--out-dir", self.usage("compile", "a.yaml", "--emit", "manifests,plan"))
        self.assertIn("--out-dir", self.usage("compile", "a.yaml", "--emit", "provision,verify", "-o", "x.sh"))
        self.usage("compile", "a.yaml", "--check")
        self.usage("compile", "a.yaml", "-MD")
        self.assertEqual(["a.yaml"], self.files())

    def test_certain_errors_cannot_be_allowed(self):
        self.write("a.yaml", spec(topology="4x6x"))
        self.assertIn("FS3007", self.usage("check", "--allow", "FS3007", "a.yaml"))

    def test_nothing_is_written_over_what_is_read(self):
        self.write("a.yaml", spec())
        before = self.read("a.yaml")
        self.usage("compile", "a.yaml", "-o", "a.yaml")
        (self.folder / "b.yaml").symlink_to("a.yaml")
        self.usage("compile", "a.yaml", "-o", "b.yaml")
        self.assertEqual(before, self.read("a.yaml"))

    def test_help(self):
        for command in ([], *([each] for each in COMMANDS)):
            with self.subTest(command=command):
                result = self.fine(*command, "--help")
                self.assertEqual("", result.err)
                lines = result.out.splitlines()
                self.assertLessEqual(len(lines), 40, "fits a screen")
                self.assertRegex(lines[-1], "example: flexslice ")
                self.assertLessEqual(max(map(len, lines)), 80)

    def test_version(self):
        lines = self.fine("--version").out.splitlines()
        self.assertRegex(lines[0], r"^flexslice \d+\.\d+\.\d+$")
        self.assertRegex(lines[1], r"^catalog \d{4}-\d\d")
        self.assertRegex(lines[2], r"^gcloud \d+\.\d+\.\d+$")

    def test_double_dash_ends_the_options(self):
        self.write("--strange.yaml", spec())
        self.assertIn("name: finetune", self.fine("compile", "--", "--strange.yaml").out)

    def test_explain(self):
        self.assertIn("UnknownTopology", self.fine("explain", "FS3002").out)
        self.assertEqual(self.fine("explain", "FS3002").out, self.fine("explain", "fs3002").out)
        self.usage("explain")
        self.usage("explain", "FS0001")



if __name__ == "__main__":
    unittest.main()
