"""What the command line says about findings and values: --deny, --allow, suppressions, --set, --defaults, --catalog, --templates."""
import json
import pathlib
import unittest

import yaml

from program import Case, spec

ROOT = pathlib.Path(__file__).resolve().parents[2]

HOUSE = """\
cluster: {name: research, location: us-east5, project: acme}
provisioning: {zones: [us-east5-b]}
workload:
  env: {WANDB_MODE: offline}
"""
LARGE = """\
apiVersion: flexslice/v1
name: pretrain
cluster: {{name: research, location: {region}}}
tpu: {{type: {generation}, topology: {topology}}}
provisioning: {{model: spot, zones: [{zone}]}}
workload: {{image: us-docker.pkg.dev/acme/train/pretrain:1}}
"""
BARE = """\
apiVersion: flexslice/v1
name: finetune
tpu: {type: v6e, topology: 2x2}
workload: {image: us-docker.pkg.dev/acme/train/finetune:2.1}
"""


class Settings(Case):
    def codes(self, status, *arguments):
        result = self.expect(status, "check", "--format", "json", *arguments)
        return [(each["code"], each["level"]) for each in json.loads(result.out)]

    def manifests(self, *arguments):
        return self.fine("compile", "--no-comments", *arguments).out

    def provision(self, *arguments):
        return self.fine("compile", "--no-comments", "--emit", "provision", *arguments).out


class Policy(Settings):
    def setUp(self):
        super().setUp()
        self.write("warn.yaml", spec(zone="us-east5-c"))
        self.write("soft.yaml", spec(topology="4x4").replace("[us-east5-b]", "[us-east5-a, us-east5-b]"))

    def test_warnings_are_fine(self):
        self.assertEqual([("FS3017", "warning")], self.codes(0, "warn.yaml"))
        self.assertIn("kind: Job", self.fine("compile", "warn.yaml").out)

    def test_deny(self):
        for word in ("FS3017", "fs3017", "warnings"):
            self.assertEqual([("FS3017", "error")], self.codes(1, "--deny", word, "warn.yaml"))
        self.assertEqual("", self.expect(1, "compile", "--deny", "warnings", "warn.yaml").out)
        self.assertEqual([("FS3017", "warning")], self.codes(0, "--deny", "FS3013", "warn.yaml"))

    def test_a_soft_error_says_once_how_it_is_allowed(self):
        for name in ("text", "json", "sarif", "github"):
            with self.subTest(format=name):
                self.assertEqual(1, self.expect(1, "check", "--format", name, "soft.yaml").out.count("--allow FS4003 accepts this"))
                self.assertNotIn("accepts this", self.fine("check", "--format", name, "--allow", "FS4003", "soft.yaml").out)

    def test_allow(self):
        self.assertEqual([], self.codes(0, "--allow", "FS3017", "warn.yaml"))
        self.assertEqual([("FS4003", "error")], self.codes(1, "soft.yaml"))
        self.assertEqual([("FS4003", "warning")], self.codes(0, "--allow", "FS4003", "soft.yaml"))
        self.assertIn("kind: Job", self.fine("compile", "--allow", "FS4003", "soft.yaml").out)

    def test_the_last_word_counts(self):
        self.assertEqual([], self.codes(0, "--deny", "FS3017", "--allow", "FS3017", "warn.yaml"))
        self.assertEqual([("FS3017", "error")], self.codes(1, "--allow", "FS3017", "--deny", "FS3017", "warn.yaml"))
        self.assertEqual([], self.codes(0, "--allow", "FS3017", "--deny", "warnings", "warn.yaml"), "a code beats all warnings")

    def test_suppressed_in_the_file(self):
        self.write("s.yaml", spec(zone="us-east5-c").replace("[us-east5-c]}", "[us-east5-c]}  # flexslice: allow FS3017 - ours since May"))
        self.assertEqual([], self.codes(0, "s.yaml"))
        self.assertEqual([], self.codes(0, "--deny", "warnings", "s.yaml"))
        self.write("t.yaml", "# flexslice: allow FS4003 - the second zone is empty\n" + self.read("soft.yaml"))
        self.assertEqual([], self.codes(0, "t.yaml"))

    def test_shapes_that_tools_know_beyond_the_limits(self):
        for generation, topology, zone, code, limit in (("v5p", "12x24x24", "us-east5-a", "FS3009", "6144"), ("v5p", "16x20x28", "us-east5-a", "FS3009", "6144"),
                                                        ("tpu7x", "4x4x576", "us-central1-c", "FS3002", "256")):
            with self.subTest(topology=topology):
                self.write("s.yaml", LARGE.format(region=zone[:-2], zone=zone, generation=generation, topology=topology))
                self.assertEqual([(code, "error")], self.codes(1, "s.yaml"))
                said = self.expect(1, "check", "s.yaml").out
                self.assertIn(limit, said)
                self.assertIn(f"--allow {code} accepts this", said)
                self.assertEqual([(code, "warning")], self.codes(0, "--allow", code, "s.yaml"))
        self.write("s.yaml", LARGE.format(region="us-east5", zone="us-east5-a", generation="v5p", topology="16x16x32"))
        self.assertEqual([("FS3009", "error")], self.codes(1, "--allow", "FS3009", "s.yaml"))

    def test_what_is_certain_stays(self):
        self.write("s.yaml", "# flexslice: allow FS3002 - I know better\n" + spec(topology="4x6"))
        self.assertEqual([("FS3002", "error")], self.codes(1, "s.yaml"))
        self.assertIn("cannot be allowed", self.expect(1, "check", "s.yaml").out)
        self.write("s.yaml", spec().replace("v6e", "v4").replace("2x2", "2x2x1").replace("us-east5", "us-central2"))
        self.assertIn("cannot be allowed", self.expect(1, "check", "--allow", "FS3012", "s.yaml").out)


class Layers(Settings):
    def setUp(self):
        super().setUp()
        self.write("house.yaml", HOUSE)
        self.write("a.yaml", BARE)

    def test_defaults_lie_underneath(self):
        self.expect(1, "check", "a.yaml")
        self.assertIn("WANDB_MODE", self.manifests("--defaults", "house.yaml", "a.yaml"))
        self.assertIn("--project=acme", self.provision("--defaults", "house.yaml", "a.yaml"))

    def test_forgotten_ones_are_named_once(self):
        """They stand beside the specs, or beside the folder that has only specs."""
        (self.folder / "specs").mkdir()
        for name in ("a", "b", "c"):
            self.write(f"specs/{name}.yaml", BARE.replace("name: ", f"name: {name}-"))
        result = self.expect(1, "check", "specs")
        self.assertEqual(1, (result.out + result.err).count("add `--defaults house.yaml`"))
        self.expect(0, "check", "specs", "--defaults", "house.yaml")

    def test_the_spec_has_the_last_word_over_defaults(self):
        self.write("a.yaml", BARE + "cluster: {project: other}\n")
        script = self.provision("--defaults", "house.yaml", "a.yaml")
        self.assertIn("--project=other", script)
        self.assertNotIn("acme", script.replace("acme/train", ""))
        self.assertIn("--cluster=research", script)

    def test_later_defaults_lie_on_earlier_ones(self):
        self.write("team.yaml", "cluster: {project: team}\n")
        self.assertIn("--project=team", self.provision("--defaults", "house.yaml", "--defaults", "team.yaml", "a.yaml"))
        self.assertIn("--project=acme", self.provision("--defaults", "team.yaml", "--defaults", "house.yaml", "a.yaml"))

    def test_set_lies_on_top(self):
        given = ("--defaults", "house.yaml", "a.yaml")
        self.assertIn("4x4", self.manifests(*given, "--set", "tpu.topology=4x4"))
        self.assertIn("--project=x", self.provision(*given, "--set", "cluster.project=y", "--set", "cluster.project=x"))
        self.assertIn('- "3600s"', self.manifests(*given, "--set", "workload.args=[3600s]").replace("- 3600s", '- "3600s"'))
        self.assertIn('value: "1,2"', self.manifests(*given, "--set", "workload.env.A=1,2").replace("value: 1,2", 'value: "1,2"'))
        self.assertIn("value: a=b", self.manifests(*given, "--set", "workload.env.A=a=b"))

    def test_quotes_of_set_are_for_the_shell_too(self):
        given = ("check", "--defaults", "house.yaml", "a.yaml", "--set")
        self.assertIn("quote it, and the quotes for the shell: '\"1.35\"'", self.expect(1, *given, "cluster.version=1.35").out)
        self.assertNotIn("quote", self.run_flexslice(*given, 'cluster.version="1.35"').out)

    def test_set_may_come_first(self):
        self.assertIn("4x4", self.manifests("--set", "tpu.topology=4x4", "--defaults", "house.yaml", "a.yaml"))

    def test_mistakes_have_their_own_places(self):
        self.write("house.yaml", HOUSE.replace("us-east5-b", "us-west4-a"))
        found = json.loads(self.expect(1, "check", "--format", "json", "--defaults", "house.yaml", "a.yaml", "--set", "tpu.topology=4x6").out)
        self.assertEqual([("house.yaml", 2, "FS4002"), ("--set", "FS3002")],
                         [(each["file"], each["line"], each["code"]) if each["line"] else (each["file"] or "--set", each["code"]) for each in found])

    def test_mistakes_of_defaults_are_told_once(self):
        self.write("house.yaml", HOUSE + "  imge: x\n")
        self.write("b.yaml", BARE.replace("finetune", "b"))
        self.assertEqual(["FS2001"], [code for code, _ in self.codes(1, "--defaults", "house.yaml", "a.yaml", "b.yaml")])

    def test_mistakes_that_a_spec_overrides_are_told_too(self):
        self.write("a.yaml", BARE + "cluster: {name: c, location: us-east5}\nprovisioning: {zones: [us-east5-b]}\n")
        for text, code in (("- provisioning: {model: spot}\n", "FS2003"), ("provisioning model spot\n", "FS2003"), ("workload: []\n", "FS2003"),
                           ("apiVersion: flexslice/v9\n", "FS2005"), ("workload: {imge: x}\n", "FS2001")):
            with self.subTest(text):
                self.write("house.yaml", text)
                self.assertIn((code, "error"), self.codes(1, "--defaults", "house.yaml", "a.yaml"))
        self.write("house.yaml", "workload: {image: $IMAGE, env: {A: b}}\n")
        self.assertEqual([], self.codes(0, "--defaults", "house.yaml", "a.yaml"))

    def test_set_says_how_to_quote(self):
        given = ("check", "--defaults", "house.yaml", "a.yaml", "--set")
        for setting in ("workload.script=echo a: b", "labels.example.com/team=a"):
            self.assertIn("a key with dots is in brackets", self.expect(1, *given, setting).out)

    def test_defaults_that_cannot_be_read(self):
        self.assertIn("nowhere.yaml: no such file", self.expect(3, "check", "--defaults", "nowhere.yaml", "a.yaml").err)
        self.assertEqual("flexslice: .: is a directory\n", self.expect(3, "check", "--defaults", ".", "a.yaml").err)
        self.write("broken.yaml", "a: [\n")
        self.assertEqual([("FS1001", "error")], self.codes(1, "--defaults", "broken.yaml", "a.yaml"))

    def test_defaults_from_stdin(self):
        out = self.fine("compile", "--defaults", "-", "a.yaml", stdin=HOUSE).out
        self.assertIn("WANDB_MODE", out)

    def test_set_without_equals(self):
        self.assertEqual([("FS2020", "error")], self.codes(1, "--set", "tpu.topology", "a.yaml"))


CATALOG = """\
evidence: {confidence: medium, sources: [OURS], asOf: 2026-09}
sources: [{id: OURS, title: our account team, date: 2026-09-01}]
generations:
  - id: v6e
    zones: [{name: us-east5-c, flexStart: true}]
"""


class Overlays(Settings):
    def setUp(self):
        super().setUp()
        self.write("a.yaml", spec(zone="us-east5-c"))
        self.write("b.yaml", spec("b"))

    def test_catalog(self):
        self.write("ours.yaml", CATALOG)
        self.assertEqual([("FS3017", "warning")], self.codes(0, "a.yaml"))
        self.assertEqual([], self.codes(0, "--catalog", "ours.yaml", "a.yaml"))

    def test_two_catalogs(self):
        """The second one may refer to the first one's sources."""
        sources, rest = CATALOG.splitlines(True)[1], "".join(CATALOG.splitlines(True)[0:1] + CATALOG.splitlines(True)[2:])
        self.write("sources.yaml", sources)
        self.write("zones.yaml", rest)
        self.assertEqual([], self.codes(0, "--catalog", "sources.yaml", "--catalog", "zones.yaml", "a.yaml"))

    def test_an_empty_catalog(self):
        self.write("empty.yaml", "# nothing yet\n")
        self.assertEqual([("FS3017", "warning")], self.codes(0, "--catalog", "empty.yaml", "a.yaml"))

    def test_mistakes_of_a_catalog(self):
        self.write("ours.yaml", CATALOG.replace("id: v6e", "id: v6e\n    multislice: maybe"))
        for command in ("check", "compile"):
            result = self.expect(1, command, "--catalog", "ours.yaml", "a.yaml")
            self.assertIn("ours.yaml:5:17: error[FS3202]", result.out + result.err)
            self.assertNotIn("kind: Job", result.out)

    def test_overlays_that_cannot_be_read(self):
        self.assertIn("nowhere.yaml: no such file", self.expect(3, "check", "--catalog", "nowhere.yaml", "a.yaml").err)
        self.assertIn("nowhere: no such file", self.expect(3, "check", "--templates", "nowhere", "a.yaml").err.lower())
        (self.folder / "folder").mkdir()
        self.assertIn("is a directory", self.expect(3, "check", "--catalog", "folder", "a.yaml").err)

    def test_templates(self):
        self.write("house/kubernetes/service.yaml", "apiVersion: v1\nkind: Service\nmetadata: {name: '${?workload.service}'}\nspec: {clusterIP: None, selector: {house: rules}}\n")
        given = ("--templates", "house", "b.yaml", "--set", "tpu.topology=4x4")
        self.assertIn("house: rules", self.manifests(*given))
        self.assertNotIn("house: rules", self.manifests("b.yaml", "--set", "tpu.topology=4x4"))

    def test_titles_of_steps_may_be_translated(self):
        """migrate finds the steps that make and delete a resource whatever they are called."""
        for name in ("provision", "cleanup"):
            text = (ROOT / f"templates/gcloud/{name}.yaml").read_text()
            self.write(f"house/gcloud/{name}.yaml", text.replace("title: Create", "title: Cria").replace("title: Delete", "title: Apaga"))
        words = ("diff", "--emit", "migrate", "b.yaml", "new.yaml")
        self.write("new.yaml", spec("b", topology="4x4"))
        plain, ours = self.expect(1, *words).out, self.expect(1, *words[:1], "--templates", "house", *words[1:]).out
        self.assertIn("Cria node pool b-pool", ours)
        self.assertIn("Apaga ", ours)
        self.assertEqual(plain, ours.replace("Cria ", "Create ").replace("Apaga ", "Delete "))

    def test_mistakes_of_templates(self):
        self.write("house/kubernetes/service.yaml", "metadata: {name: '${workload.servise}'}\n")
        for command in ("check", "compile"):
            result = self.expect(1, command, "--templates", "house", "b.yaml")
            self.assertIn("house/kubernetes/service.yaml:1:18: error[FS9302]", result.out + result.err)

    def test_a_template_of_no_name_that_is_used(self):
        """A file whose name no template has would be passed over in silence."""
        self.write("house/kubernetes/servise.yaml", "metadata: {}\n")
        result = self.run_flexslice("check", "--templates", "house", "b.yaml")
        self.assertIn("servise", result.out + result.err)

    def test_no_templates_at_all(self):
        (self.folder / "house").mkdir()
        self.assertEqual(self.manifests("b.yaml"), self.manifests("--templates", "house", "b.yaml"))

    def test_an_invented_model(self):
        """A model is one row."""
        self.write("ours.yaml", """\
evidence: {confidence: medium, sources: [], note: an experiment, asOf: 2026-09}
models:
  - {name: lottery, title: a lottery, nodes: all, quota: preemptible, idle: Nothing., lifetime: Who knows., modes: [standard],
     spot: true, reservationAffinity: none, nodeSelector: [{key: lottery, value: won}], supports: [{generations: [v6e]}]}
""")
        given = ("--catalog", "ours.yaml", "b.yaml", "--set", "provisioning.model=lottery")
        self.assertIn("lottery: won", self.manifests(*given))
        self.assertIn("--spot", self.provision(*given))

    def test_shapes_that_are_no_torus(self):
        """A made-up generation: chips of a board x boards of a group x groups, in this order."""
        self.write("ours.yaml", """\
evidence: {confidence: high, sources: [OURS], asOf: 2026-11}
sources: [{id: OURS, title: a made-up generation, date: 2026-11-01}]
generations:
  - id: v99x
    dimensions: 3
    wiring: boards
    maxChips: 1152
    machineTypes:
      - {name: ct99x-standard-4t, accelerator: tpu-v99x-slice, chips: 4, architecture: arm64, vcpus: 64, memoryGib: 256, shapes: [4x1x1, 4x8x1, 4x8x36]}
    zones: [{name: us-east5-b}]
models:
  - {name: spot, supports: [{generations: [v99x]}]}
""")
        given = ("--catalog", "ours.yaml", "b.yaml", "--set", "tpu.type=v99x", "--set", "tpu.topology=4x8x36", "--set", "provisioning.model=spot", "--set", "provisioning.zones=[us-east5-b]")
        self.assertEqual([], self.codes(0, *given))
        manifests = yaml.safe_load_all(self.manifests(*given))
        job = next(each for each in manifests if each["kind"] == "Job")
        pod = job["spec"]["template"]["spec"]
        self.assertEqual((288, 288), (job["spec"]["completions"], job["spec"]["parallelism"]))
        self.assertEqual(("tpu-v99x-slice", "4x8x36"), tuple(pod["nodeSelector"][f"cloud.google.com/gke-tpu-{key}"] for key in ("accelerator", "topology")))
        provision = self.provision(*given)
        for flag in ("--tpu-topology=4x8x36", "--num-nodes=288", "--machine-type=ct99x-standard-4t"):
            self.assertIn(flag, provision)
        explained = self.fine("explain", *given).out
        self.assertIn("and 35 more groups like this one", explained)
        # Eight boards of four chips are no board of eight, so nothing puts the sizes into an order.
        result = self.expect(1, "check", *given, "--set", "tpu.topology=8x4x1")
        self.assertIn("topology 8x4x1 is not available for v99x", result.out + result.err)
        self.assertIn("they are chips of a board x boards of a group x groups", result.out + result.err)
        self.assertNotIn("multiples of 4", result.out + result.err)

    def test_a_value_that_may_be_absent(self):
        """A template that would put it into the middle of a text says so, whatever the spec is."""
        self.write("house/kubernetes/service.yaml", "metadata: {name: 'the-${workload.service}'}\n")
        result = self.expect(1, "check", "--templates", "house", "b.yaml")
        self.assertIn("`workload.service` may be absent: write `${?workload.service}`", result.out + result.err)


if __name__ == "__main__":
    unittest.main()
