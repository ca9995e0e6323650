"""Command lines of xpk and gcluster: each device type is the slice that the program makes of it, each way of writing a command is the same,
and no flag is lost without a word."""
import pathlib
import shlex
import unittest

import yaml

import importing

TABLE = yaml.safe_load((importing.ROOT / "src/view/launchers.yaml").read_text())
# Name, generation, topology, hosts, as the table of device types in xpk 1.13.1 has them.
DEVICES = """
v4-8 v4 2x2x1 1, v4-16 v4 2x2x2 2, v4-32 v4 2x2x4 4, v4-64 v4 2x4x4 8, v4-128 v4 4x4x4 16, v4-256 v4 4x4x8 32, v4-512 v4 4x8x8 64, v4-640 v4 4x4x20 80,
v4-768 v4 4x4x24 96, v4-1024 v4 8x8x8 128, v4-1152 v4 4x4x36 144, v4-1536 v4 8x8x12 192, v4-2048 v4 8x8x16 256, v4-4096 v4 8x16x16 512,
v5p-8 v5p 2x2x1 1, v5p-16 v5p 2x2x2 2, v5p-32 v5p 2x2x4 4, v5p-64 v5p 2x4x4 8, v5p-128 v5p 4x4x4 16, v5p-256 v5p 4x4x8 32, v5p-384 v5p 4x4x12 48,
v5p-512 v5p 4x8x8 64, v5p-640 v5p 4x4x20 80, v5p-768 v5p 4x8x12 96, v5p-896 v5p 4x4x28 112, v5p-1024 v5p 8x8x8 128, v5p-1152 v5p 4x12x12 144,
v5p-1280 v5p 4x8x20 160, v5p-1536 v5p 8x8x12 192, v5p-2048 v5p 8x8x16 256, v5p-4096 v5p 8x16x16 512, v5p-8192 v5p 16x16x16 1024, v5p-12288 v5p 16x16x24 1536,
v5litepod-8 v5e 2x4 2, v5litepod-16 v5e 4x4 4, v5litepod-32 v5e 4x8 8, v5litepod-64 v5e 8x8 16, v5litepod-128 v5e 8x16 32, v5litepod-256 v5e 16x16 64,
v6e-1 v6e 1x1 1, v6e-4 v6e 2x2 1, v6e-8 v6e 2x4 2, v6e-16 v6e 4x4 4, v6e-32 v6e 4x8 8, v6e-64 v6e 8x8 16, v6e-128 v6e 8x16 32, v6e-256 v6e 16x16 64,
tpu7x-8 tpu7x 2x2x1 1, tpu7x-128 tpu7x 4x4x4 16, tpu7x-12544 tpu7x 4x8x196 1568, tpu7x-12672 tpu7x 4x12x132 1584, tpu7x-17408 tpu7x 4x16x136 2176,
tpu7x-17920 tpu7x 16x20x28 2240, tpu7x-18432 tpu7x 16x24x24 2304,
v5p-4x4x8 v5p 4x4x8 32, v4-8x4x4 v4 4x4x8 32, tpu7x-2x2x2 tpu7x 2x2x2 2, v6e-4x4 v6e 4x4 4
"""
LINE = "xpk workload create --cluster=acme --workload=run --tpu-type={} --docker-image=us-docker.pkg.dev/a/b/c:1 --command='python3 train.py'\n"
PLAIN = LINE.format("v6e-16")


def imported(script):
    spec, findings, _ = importing.import_files({"run.sh": script})
    return list(yaml.safe_load_all(spec)) if spec else [], findings


def hosts_of(spec):
    done = importing.run("compile", "-", stdin=yaml.safe_dump(spec).encode())
    assert done.returncode == importing.FINE, done.stderr.decode()
    jobset = next(each for each in yaml.safe_load_all(done.stdout) if each["kind"] == "JobSet")
    return jobset["spec"]["replicatedJobs"][0]["template"]["spec"]["completions"]


class Launchers(unittest.TestCase):
    def test_device_types(self):
        devices = [each.split() for each in DEVICES.replace("\n", " ").split(",")]
        specs, _ = imported("".join(LINE.replace("=run ", f"=run-{number} ").format(each[0]) for number, each in enumerate(devices)))
        self.assertEqual(len(devices), len(specs))
        for (name, generation, topology, hosts), spec in zip(devices, specs):
            self.assertEqual((generation, topology), (spec["tpu"]["type"], spec["tpu"]["topology"]), name)
            if int(hosts) <= 64:
                self.assertEqual(int(hosts), hosts_of(spec), name)

    def test_ways_of_writing(self):
        flags = PLAIN.removeprefix("xpk workload create")
        programs = "xpk", "python3 xpk.py", "python3 ~/xpk/xpk.py", "../xpk/xpk.py", "uv run xpk", "sudo venv/bin/xpk", "(cd x && xpk", "time xpk"
        scripts = [f"{program} workload create{flags}" for program in programs]
        scripts.append(PLAIN.replace("=", " ").replace(" 'python3", "='python3"))
        scripts.append(PLAIN.replace(" --", " \\\n  --"))
        scripts.append(PLAIN.replace("--docker-image", "--docker-im").replace("--tpu-type", "--tpu"))
        scripts.append("TYPE=v6e-16; NAME=${NAME:-run}\n" + PLAIN.replace("v6e-16", '"$TYPE"').replace("=run", "=${NAME}"))
        scripts.append(PLAIN.rstrip() + " 2>&1 | tee log && echo started\n")
        expected, _ = imported(PLAIN)
        for script in scripts:
            self.assertEqual(expected, imported(script)[0], script)

    def values(self, row):
        if row.get("switch"):
            return ""
        for key, value in (("choices", row.get("choices", "").split(" ")[0]), ("number", "17"), ("variables", "A=b"), ("pairs", "a=b")):
            if row.get(key):
                return f"={value}"
        return {"slices": "=3", "device": "=v6e-16", "mount": "='gs://bucket/data;/data'", "topology": "=4x4"}.get(row.get("as"), "=value-1")

    def test_no_flag_is_lost_without_a_word(self):
        """Each changes the spec, or the report names it."""
        gcluster = "gcluster job submit --cluster=acme --name=run --compute-type=v6e-16 --image=us-docker.pkg.dev/a/b/c:1 --command='python3 train.py'\n"
        for line, groups in (PLAIN, ("xpk", "workload", "xpk-workload")), (gcluster, ("gcluster",)):
            expected, _ = imported(line)
            for flag, row in (each for group in groups for each in TABLE["groups"][group].items()):
                if f"{flag}=" in line or row.get("as") in ("device", "pathways", "one-container"):
                    continue
                specs, findings = imported(line.rstrip() + f" {flag}{self.values(row)}\n")
                self.assertTrue(specs != expected or flag in findings, flag)

    def test_what_the_job_does(self):
        script = PLAIN.rstrip() + " --num-slices=2 --env A='b \"c\"' --env=D=\\$HOME --max-restarts=2 --priority=high\n"
        specs, _ = imported(script)
        workload = specs[0]["workload"]
        self.assertEqual({"A": 'b "c"', "D": "$HOME"}, workload["env"])
        self.assertEqual(("python3 train.py", "high", 2, "12h"),
                         (workload["script"].strip(), workload["priorityClass"], workload["maxRestarts"], workload["ttlAfterFinished"]))
        self.assertIn(True, [each.get("shm") for each in workload["volumes"]])
        self.assertEqual(2, specs[0]["tpu"]["slices"])

    def test_containers_of_a_host(self):
        line = LINE.format("tpu7x-16").rstrip()
        self.assertEqual(2, imported(line + "\n")[0][0]["workload"]["containersPerPod"])
        self.assertNotIn("containersPerPod", imported(line + " --no-use-parallel-containers\n")[0][0]["workload"])

    def test_clusters(self):
        """A workload has the pools of the cluster of its name, and of no other."""
        create = "xpk cluster create --cluster={} --zone=us-east5-b --tpu-type=v6e-16 --num-slices=2 --spot\n"
        work = PLAIN.rstrip() + " --num-slices=2 --zone=us-east5-b\n"
        (spec,), _ = imported(create.format("acme") + work)
        self.assertEqual(("acme", "us-east5", True), tuple(spec["cluster"][key] for key in ("name", "location", "create")))
        self.assertEqual("spot", spec["provisioning"]["model"])
        self.assertNotIn("create", spec["provisioning"])
        (spec,), findings = imported(create.format("other") + work)
        self.assertEqual(("acme", False), (spec["cluster"]["name"], spec["provisioning"]["create"]))
        self.assertIn("FS5104", findings)


class SubmitLines(unittest.TestCase):
    """`--emit gcluster`: import of the line gives the fields of the spec back, lint has no finding, and what has no flag is refused."""
    BASE = {"apiVersion": "flexslice/v1", "name": "run", "cluster": {"name": "acme", "location": "us-east5"}, "tpu": {"type": "v6e", "topology": "4x4"},
            "provisioning": {"model": "on-demand", "create": False}, "workload": {"image": "us-docker.pkg.dev/a/b/c:1", "script": "python3 train.py"}}
    SAID = (
        {},
        {"namespace": "ml", "cluster": {"project": "my-project"}, "tpu": {"slices": 2}, "provisioning": {"queue": {"name": "lq", "topology": "none"}}},
        {"workload": {"script": "set -e\necho \"it's $HOME\"\npython3 train.py\n", "env": {"A": 'b "c"', "D": "x,y z", "E": "a=b", "F": ""}, "hostNetwork": True}},
        {"tpu": {"slices": 2}, "workload": {"maxRestarts": 3, "ttlAfterFinished": "0s", "terminationGrace": "2m", "priorityClass": "very-urgent"}},
        {"workload": {"kind": "jobset", "maxRestarts": 0, "imagePullSecrets": ["one", "two"], "nodeSelector": {"example.com/rack": "r1", "example.com/row": "7"}}},
        {"tpu": {"slices": 2}, "workload": {"kind": "pathways", "maxRestarts": 2, "env": {"A": "1", "B": ""}, "pathways": {"gcsLocation": "gs://my-bucket/pw", "headNodePool": "cpu-np"}}},
        {"tpu": {"slices": 3}, "workload": {"kind": "pathways", "pathways": {
            "gcsLocation": "gs://my-bucket/pw", "serverImage": "a/server:1", "proxyImage": "a/proxy:1", "workerImage": "a/worker:1", "headNodePool": "cpu-np",
            "elasticSlices": 1, "maxSliceRestarts": 3, "serverArgs": ["--a=1", "--b"], "proxyArgs": ["--c"], "workerArgs": ["--d"]}}},
        {"provisioning": {"nodePool": "mine"}},
        {"provisioning": {"model": "spot"}},
        {"provisioning": {"model": "flex-start"}},
        {"tpu": {"type": "v5p", "topology": "2x2x1"}},
        {"tpu": {"type": "v5e", "topology": "2x4", "machineType": "ct5lp-hightpu-8t"}, "workload": {"script": "true"}},
        {"tpu": {"type": "v4", "topology": "2x2x2"}},
        {"tpu": {"type": "tpu7x", "topology": "2x2x2"}, "workload": {"containersPerPod": 2}},
        {"tpu": {"type": "tpu7x", "topology": "2x2x2"}},
    )
    NOT_SAID = {
        "labels": {"labels": {"team": "a"}}, "provisioning.fallback": {"provisioning": {"model": None, "create": None, "zones": ["us-east5-b"], "fallback": ["spot", "on-demand"]}},
        "workload.sidecars": {"workload": {"sidecars": [{"name": "s", "image": "a/b:1"}]}}, "workload.resources": {"workload": {"resources": {"cpu": "4"}}},
        "workload.kind": {"workload": {"kind": "leaderworkerset"}}, "workload.hostNetwork": {"workload": {"hostNetwork": False}},
        "workload.volumes": {"workload": {"volumes": [{"name": "d", "mountPath": "/d", "shm": True}]}}, "workload.retries": {"workload": {"retries": 2}},
        "variable TOKEN of a Secret": {"workload": {"env": {"TOKEN": {"secret": "s", "key": "k"}}}}, "the entrypoint of an image": {"workload": {"script": None}},
        "the entrypoint of an": {"workload": {"kind": "pathways", "image": None, "script": None, "pathways": {"gcsLocation": "gs://my-bucket/pw", "headless": True}}},
        "workload.pathways.colocatedPythonImage": {"workload": {"kind": "pathways", "pathways": {"gcsLocation": "gs://my-bucket/pw", "colocatedPythonImage": "a/python:1"}}},
        "restarts of a slice": {"workload": {"kind": "pathways", "pathways": {"gcsLocation": "gs://my-bucket/pw", "maxSliceRestarts": 2}}},
        "the toleration of the queue's flavor": {"provisioning": {"queue": "team-a"}},
        "a-name-that-is-longer-than-those-of-gcluster": {"name": "a-name-that-is-longer-than-those-of-gcluster"},
    }

    def spec_with(self, said):
        spec = {key: dict(value) if isinstance(value, dict) else value for key, value in self.BASE.items()}
        for key, value in said.items():
            if not isinstance(value, dict) or key == "labels":
                spec[key] = value
                continue
            spec[key].update(value)
            spec[key] = {name: each for name, each in spec[key].items() if each is not None}
        return spec

    def submit(self, spec, *options):
        return importing.run("compile", "--emit", "gcluster", *options, "-", stdin=yaml.safe_dump(spec).encode())

    def test_lines_come_back(self):
        for said in self.SAID:
            with self.subTest(said):
                spec = self.spec_with(said)
                done = self.submit(spec)
                self.assertEqual((importing.FINE, ""), (done.returncode, done.stderr.decode()))
                linted = importing.run("lint", "-", stdin=done.stdout)
                self.assertEqual((importing.FINE, b""), (linted.returncode, linted.stdout))
                self.assertIn("1 with TPUs: no findings", linted.stderr.decode())
                (back,), _ = imported(done.stdout.decode())
                for key in ("name", "namespace", "tpu"):
                    self.assertEqual(spec.get(key), back.get(key))
                for part in "cluster", "provisioning", "workload":
                    self.assertEqual(spec[part], {name: value for name, value in back[part].items() if name in spec[part]})
                # A Job has no restarts, and other kinds have those of the spec.
                self.assertEqual(spec["workload"].get("maxRestarts", 0), back["workload"].get("maxRestarts", 0))
                self.assertEqual(spec["workload"].get("containersPerPod"), back["workload"].get("containersPerPod"))

    def test_reservation_of_autopilot(self):
        """Its pods select the reservation, which on Standard the node pool names."""
        said = {"cluster": {"mode": "autopilot"}, "provisioning": {"model": "reservation", "create": None, "reservation": "projects/p-shared/reservations/res-1/reservationBlocks/b1"}}
        (back,), _ = imported(self.submit(self.spec_with(said)).stdout.decode())
        self.assertEqual(said["provisioning"]["reservation"], back["provisioning"]["reservation"])

    def test_words_of_a_command(self):
        spec = self.spec_with({"workload": {"script": None, "command": ["python3", "-m", "train", "a b"], "args": ["--steps=10", "it's"]}})
        (back,), _ = imported(self.submit(spec).stdout.decode())
        self.assertEqual(["python3", "-m", "train", "a b", "--steps=10", "it's"], shlex.split(back["workload"]["script"]))

    def test_what_has_no_flag(self):
        for what, said in self.NOT_SAID.items():
            with self.subTest(what):
                done = self.submit(self.spec_with(said), "--format", "short")
                self.assertEqual((importing.FINDINGS, b""), (done.returncode, done.stdout))
                self.assertRegex(done.stderr.decode(), f"FS4210.*`gcluster` cannot say `?{what}")
                self.assertEqual(1, done.stderr.count(b"FS4210"), done.stderr.decode())

    def test_fields_of_the_table(self):
        """Each flag of a field is one of gcluster, and each field is one of specs."""
        fields = TABLE["launchers"]["gcluster"]["fields"]
        reference = (importing.ROOT / "schemas/fields.md").read_text()
        for path, row in fields.items():
            self.assertIn(f"`{path}`", reference)
            if "flag" in row:
                self.assertIn(row["flag"], TABLE["groups"]["gcluster"])
        line = "".join((importing.ROOT / "templates/gcluster" / name).read_text() for name in ("line.yaml", "variable.yaml"))
        self.assertEqual([], [row["flag"] for row in fields.values() if "flag" in row and row["flag"] != "--command" and row["flag"] not in line])


if __name__ == "__main__":
    unittest.main()
