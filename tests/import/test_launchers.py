"""Command lines of xpk and gcluster: each device type is the slice that the program makes of it, each way of writing a command is the same,
and no flag is lost without a word."""
import pathlib
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


if __name__ == "__main__":
    unittest.main()
