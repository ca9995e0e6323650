"""Random lives: specs that share what there is, the scripts that they compile to, failures, and the laws that hold throughout.

A life is a list of steps, so that one that breaks a law can be cut to the steps that it needs, and printed as commands.
"""

import hashlib
import json
import os
import pickle
import random
import re
import shlex
import socketserver
import subprocess
import threading
from pathlib import Path

import yaml

from world import Loader, World

# gcloud and kubectl as functions of bash: a call is a connection, and starts no program.
CLIENT = r"""() {  local life_fd life_out= life_err= life_rc=1 life_in=
 [[ " $* " != *' --filename=- '* ]] || IFS= read -r -d '' life_in || :
 exec {life_fd}<>/dev/tcp/127.0.0.1/$LIFE_PORT || return 1
 printf '%s\0' NAME "${KUBECONFIG-}" "$#" "$@" "$life_in" >&$life_fd
 IFS= read -r -d '' life_out <&$life_fd || :
 IFS= read -r -d '' life_err <&$life_fd || :
 IFS= read -r -d '' life_rc <&$life_fd || :
 exec {life_fd}>&-
 printf '%s' "$life_err" >&2
 printf '%s' "$life_out"
 return "$life_rc"
}"""


class Handler(socketserver.StreamRequestHandler):
    """One call of a program."""

    def handle(self):
        data, wanted, parts = b"", None, []
        while wanted is None or len(parts) < wanted:
            more = self.connection.recv(65536)
            if not more:
                return
            data += more
            *parts, _ = data.split(b"\0")
            if len(parts) > 2:
                wanted = int(parts[2]) + 4
        name, kubeconfig, _, *words, stdin = [os.fsdecode(part) for part in parts[:wanted]]
        status, out, err = self.server.stage.answer(name, kubeconfig, words, stdin)
        self.connection.sendall(f"{out}\0{err}\0{status}\0".encode())


class Stage:
    """Runs scripts against a world."""

    def __init__(self):
        self.world, self.contexts = World(), {}
        self.fail_at, self.fail_mode, self.calls, self.trace = None, "before", 0, None
        server = self.server = socketserver.TCPServer(("127.0.0.1", 0), Handler)
        server.stage = self
        threading.Thread(target=server.serve_forever, args=(0.5,), daemon=True).start()
        self.env = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "LANG": "C.UTF-8", "LIFE_PORT": str(server.server_address[1]), "BASH_FUNC_sleep%%": "() { :; }",
                    "TMPDIR": "/dev/shm" if os.access("/dev/shm", os.W_OK) else "/tmp"}
        self.env |= {f"BASH_FUNC_{name}%%": CLIENT.replace("NAME", name) for name in ("gcloud", "kubectl")}

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def answer(self, name, kubeconfig, words, stdin):
        self.calls += 1
        failure = "Unable to connect to the server: EOF" if name == "kubectl" else "ERROR: (gcloud) ResponseError: code=500, message=internal error"
        is_question = words[:1] == ["config"]
        if self.calls == self.fail_at and self.fail_mode == "before" and not is_question:
            result = 1, "", failure + "\n"
        else:
            result = self.world.call([name, *words], stdin, self.contexts.get(kubeconfig, ""))
            if "get-credentials" in words and result[0] == 0:
                self.contexts[kubeconfig] = self.world.credentials
            if self.calls == self.fail_at and not is_question:
                result = 1, "", failure + "\n"
        if self.trace is not None:
            self.trace.append((name, words, result))
        return result

    def run(self, script, arguments=(), fail=None):
        """Exit status and stderr."""
        self.calls, self.fail_at, self.fail_mode = 0, *(fail or (None, "before"))
        try:
            done = subprocess.run(["bash", str(script), *arguments], env=self.env, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8",
                                  check=False, timeout=60)
        except subprocess.TimeoutExpired:
            return 124, "timed out"
        self.fail_at = None
        return done.returncode, done.stdout + done.stderr


class Compiler:
    """flexslice, each answer kept."""

    def __init__(self, program, directory):
        self.program, self.directory, self.kept = program, Path(directory), {}

    def flexslice(self, *words):
        done = subprocess.run([self.program, *map(str, words)], capture_output=True, encoding="utf-8", check=False)
        return done.returncode, done.stdout, done.stderr

    def file(self, spec):
        text = json.dumps(spec, sort_keys=True)
        path = self.directory / (hashlib.sha1(text.encode()).hexdigest()[:12] + ".yaml")
        if not path.exists():
            path.write_text(text, encoding="utf-8")
        return path

    def scripts(self, spec):
        """The folder with all artifacts; None where the spec is refused."""
        path = self.file(spec)
        if path not in self.kept:
            out = path.with_suffix("")
            done = self.flexslice("compile", "--out-dir", out, path)
            self.kept[path] = next(out.glob("*/")) if done[0] == 0 else None
        return self.kept[path]

    def compare(self, old, new):
        """What diff says as JSON, and migrate.sh, or why there is none; a side may be None."""
        sides = [self.file(side) if side else self.empty() for side in (old, new)]
        if tuple(sides) not in self.kept:
            _, said, _ = self.flexslice("diff", "--format", "json", "--all", *sides)
            status, script, problem = self.flexslice("diff", "--emit", "migrate", *sides)
            path = self.directory / f"{sides[0].stem}-{sides[1].stem}" / "migrate.sh"
            path.parent.mkdir(exist_ok=True)
            path.write_text(script, encoding="utf-8")
            self.kept[tuple(sides)] = json.loads(said) if said else None, path if script else None, problem
        return self.kept[tuple(sides)]

    def empty(self):
        (self.directory / "empty").mkdir(exist_ok=True)
        return self.directory / "empty"


def disk_of(spec):
    """The claim of a disk that one node at a time can have."""
    claims = [each["pvc"] for each in spec["workload"].get("volumes", []) if "pvc" in each]
    return claims[0]["name"] if claims and "class" not in claims[0] else None


# Kinds whose work ends.
ENDING = ("Job", "JobSet", "RayJob")


def whose(spec):
    """A workload: its name, namespace and cluster."""
    return spec["name"], spec.get("namespace", "default"), spec["cluster"]["location"] + "." + spec["cluster"]["name"]


# Specs. They share names, namespaces, clusters, pools and claims more often than not.
def random_spec(rng, clusters):
    cluster = dict(rng.choice(clusters))
    is_new = cluster["location"] == "us-central1"
    spec = {"apiVersion": "flexslice/v1", "name": rng.choice(["train", "serve", "eval"]), "namespace": rng.choice(["team-a", "team-b"]), "cluster": cluster}
    if rng.random() < 0.15:
        del spec["namespace"]
    shape = rng.choice([{"topology": "2x2x1"}, {"topology": "2x2x2"}] if is_new else [{"topology": "2x2"}, {"topology": "2x2"}, {"topology": "4x4"}, {"topology": "2x4", "machineType": "ct6e-standard-8t"}])
    spec["tpu"] = {"type": "tpu7x" if is_new else "v6e", **shape}
    if rng.random() < 0.3:
        spec["tpu"]["slices"] = 2
    spec["provisioning"] = {"model": rng.choice(["on-demand", "on-demand", "spot", "flex-start", "reservation"]), "zones": ["us-central1-c" if is_new else "us-east5-b"]}
    if spec["provisioning"]["model"] == "reservation":
        spec["provisioning"]["reservation"] = "block"
    kind = rng.choice(["job", "job", "job", "cron", "jobset", "pathways", "deployment", "deployment", "leaderworkerset", "raycluster", "rayjob"])
    work = spec["workload"] = {"image": "a.io/b:1", "command": ["python", "t.py"]}
    if kind in ("deployment", "leaderworkerset"):
        work |= {"kind": kind, "ports": [8000], "readinessProbe": {"httpGet": {"path": "/", "port": 8000}}} if kind == "deployment" else {"kind": kind}
        if kind == "deployment" and rng.random() < 0.3:
            work["autoscaling"] = {"min": 1, "max": 3, "metric": "vllm:kv_cache_usage_perc", "target": "750m"}
        if kind == "deployment" and rng.random() < 0.2:
            work["gateway"] = {"model": "m", "class": "gke-l7-regional-external-managed", "picker": "epp"}
    elif kind == "cron":
        work["schedule"] = {"cron": "0 3 * * *"}
    elif kind != "job":
        work["kind"] = kind
    if kind == "pathways":
        work["pathways"] = {"gcsLocation": "gs://bucket/tmp"}
    if kind in ("raycluster", "rayjob"):
        work["ray"] = {"version": "2.51.0"}
    if kind == "raycluster":
        del work["command"]
    if rng.random() < 0.4:
        work["volumes"] = [{"name": "out", "mountPath": "/out", "pvc": {"size": "500Gi", **rng.choice([{"name": "out"}, {"name": "data", "class": "standard-rwx"}])}}]
    if rng.random() < 0.2:
        spec["provisioning"]["nodePool"] = "shared-pool"
    elif rng.random() < 0.1 and "reservation" not in spec["provisioning"]:
        spec["provisioning"] |= {"create": False, "nodePool": "theirs"}
    if kind == "job" and "topology" in shape and shape["topology"] == "2x2" and rng.random() < 0.1:
        spec["provisioning"] |= {"minNodes": 3, "autoscale": True}
    return spec


def changed(rng, spec):
    """One change of a spec, as people make them."""
    new = json.loads(json.dumps(spec))
    pool, work = new["provisioning"], new["workload"]
    changes = [lambda: work.update(image="a.io/b:2"), lambda: new["tpu"].update(slices=3 - new["tpu"].get("slices", 1)), lambda: new.update(name=new["name"] + "-2"),
               lambda: pool.update(nodePool="other-pool"), lambda: work.update(env={"A": "1"}), lambda: pool.update(resourceLabels={"team": "x"}),
               lambda: pool.update(zones=["us-east5-a", "us-east5-b"]), lambda: pool.update(maxNodes=3), lambda: work.update(ports=[8000, 9000]),
               lambda: pool.update(diskSize="200Gi"), lambda: work.update(env={"B": "2"}, args=["--x"]),
               lambda: new["tpu"].update(topology="4x4" if new["tpu"]["topology"] != "4x4" else "2x2"), lambda: work.update(tolerations=[{"key": "k", "operator": "Exists"}]),
               lambda: work.update(ttlAfterFinished="1h"), lambda: pool.update(model="spot" if pool["model"] != "spot" else "on-demand"),
               lambda: pool.update(minNodes=2, autoscale=True), lambda: work.update(ports=[8471, 9000]), lambda: pool.update(queue="q")]
    if "autoscaling" in work:
        changes += [lambda: work["autoscaling"].update(max=5)] * 4
    if "volumes" in work:
        changes += [lambda: work["volumes"][0]["pvc"].update(size="600Gi"), lambda: work["volumes"][0]["pvc"].update(size="400Gi"), lambda: work.pop("volumes")]
    rng.choice(changes)()
    return new


def following(step, spec):
    """What a spec becomes by a step."""
    return step["to"] if "to" in step else changed(random.Random(step["seed"]), spec)


def random_life(seed):
    """Specs, and steps that may be cut. Nothing here runs anything."""
    rng = random.Random(seed)
    clusters = [{"name": "main", "location": "us-east5", "project": "acme"}, {"name": "own", "location": "us-east5", "project": "acme", "create": True},
                {"name": "a", "location": "us-central1", "project": "acme"}, {"name": "b", "location": "us-central1", "project": "acme"}]
    clusters = rng.sample(clusters, rng.choice([1, 1, 2]))
    specs = [random_spec(rng, clusters) for _ in range(rng.choice([1, 2, 2, 3, 4]))]
    specs = list({whose(spec): spec for spec in specs}.values())
    for spec in specs[1:]:
        if rng.random() < 0.3 and spec["cluster"].get("create"):
            spec["cluster"] = {key: value for key, value in spec["cluster"].items() if key != "create"}
    steps = []
    order = [(i, what) for i in range(len(specs)) for what in ("provision", "apply")]
    steps += [{"do": what, "spec": i} for i, what in order]
    for _ in range(rng.randint(2, 7)):
        i = rng.randrange(len(specs))
        what = rng.choice(["change", "change", "change", "finish", "expire", "pod", "cleanup", "remove", "provision", "apply", "verify"])
        steps.append({"do": what, "spec": i} | ({"seed": rng.randrange(10**6)} if what == "change" else {}))
    steps += [{"do": "cleanup", "spec": i} for i in rng.sample(range(len(specs)), len(specs))]
    for step in steps:
        if step["do"] == "apply" and rng.random() < 0.3:
            step["server"] = True
        elif step["do"] in ("provision", "cleanup", "change", "remove"):
            if rng.random() < 0.25:
                step["fail"] = [rng.randint(1, 14), rng.choice(["before", "after"])]
            elif rng.random() < 0.1:
                step["deny"] = rng.choice(["kubectl get pods", "kubectl get nodes", "node-pools list", "kubectl get persistentvolumeclaim"])
            elif step["do"] == "cleanup" and rng.random() < 0.1:
                step["flags"] = [rng.choice(["--force", "--delete-volumes"])]
    return {"specs": specs, "steps": steps}


class Broken(Exception):
    """A law, and at which step."""


class Lives:
    """Runs lives on one stage."""

    def __init__(self, program, directory):
        self.stage, self.compiler = Stage(), Compiler(program, directory)

    def live(self, life, say=None):
        """Raises Broken where a law does not hold."""
        stage = self.stage
        stage.world, stage.contexts = self.ground(life["specs"]), {}
        specs = {i: spec for i, spec in enumerate(life["specs"]) if self.compiler.scripts(spec)}
        self.pairs(specs)
        for at, step in enumerate(life["steps"]):
            spec = specs.get(step["spec"])
            if spec is None:
                continue
            self.say = say
            try:
                result = self.step(step, spec)
            except Broken as broken:
                raise Broken(f"{broken} (step {at}: {step['do']} of {'/'.join(whose(spec)[1::-1])})") from None
            if step["do"] in ("change", "remove"):
                if result is None:
                    specs.pop(step["spec"])
                else:
                    specs[step["spec"]] = result

    def ground(self, specs):
        """A world with what the specs need and do not make."""
        world = World()
        for spec in specs:
            cluster = spec["cluster"]
            if not any(each["cluster"]["name"] == cluster["name"] and each["cluster"].get("create") for each in specs):
                world.clusters[f"acme/{cluster['location']}/{cluster['name']}"] = {
                    "name": cluster["name"], "status": "RUNNING", "resourceLabels": {}, "by": ("admin", "admin", ""), "currentMasterVersion": "1.35.2-gke.1100000"}
            if not spec["provisioning"].get("create", True):
                world.pools[f"acme/{cluster['location']}/{cluster['name']}/theirs"] = {
                    "name": "theirs", "status": "RUNNING", "by": ("admin", "admin", ""), "config": {"labels": {}, "resourceLabels": {}}, "placementPolicy": {},
                    "locations": spec["provisioning"]["zones"], "initialNodeCount": 8}
            if spec["provisioning"]["model"] == "reservation":
                zone = spec["provisioning"]["zones"][0]
                block = world.reservations.setdefault(zone, {"name": "block", "zone": f"https://compute/zones/{zone}", "users": []})
                block["users"].append(whose(spec))
        return world

    def pairs(self, specs):
        """4: check of both warns where one cluster is made by one spec and used by another; and of a disk that two nodes cannot have."""
        values = list(specs.values())
        together = [(one, two) for one in values for two in values if two is not one and one["cluster"]["name"] == two["cluster"]["name"]]
        complaints = []
        if any(one["cluster"].get("create") for one, two in together):
            complaints.append("4 others: check says fine of a cluster that another spec's cleanup.sh deletes")
        if any(whose(one)[1] == whose(two)[1] and disk_of(one) and disk_of(one) == disk_of(two) for one, two in together):
            complaints.append("8 claims: check says fine of a disk that two workloads mount")
        if complaints:
            status, out, err = self.compiler.flexslice("check", *[self.compiler.file(spec) for spec in values])
            if status == 0 and "warning" not in out + err:
                raise Broken(complaints[0])

    def step(self, step, spec):
        do = getattr(self, "do_" + step["do"])
        return do(step, spec)

    # One script, with its failure, and the laws about each.

    def script(self, step, path, actors, flags=(), after=None, named=()):
        """Runs a script twice as the law of reruns wants, and leaves the world as without the failure. `named`: what its specs make that is billed."""
        stage = self.stage
        flags = [flag for flag in [*flags, *step.get("flags", [])] if flag in path.read_text(encoding="utf-8")]
        before = pickle.dumps((stage.world, stage.contexts))

        def once(fail=None, deny=None):
            world = stage.world
            world.actor, world.may_force, world.may_delete_data = actors, "--force" in flags, "--delete-volumes" in flags
            world.denied, world.done, world.broken = [deny] if deny else [], [], []
            status, said = stage.run(path, flags, fail)
            world.denied = []
            if "--delete-volumes" in flags:  # the person says that a claim which others mount goes too
                world.broken = [each for each in world.broken if "PersistentVolumeClaim" not in each]
            if self.say:
                self.say(path, flags, fail, deny, status, said)
            if world.broken:
                raise Broken(world.broken[0])
            return status, said
        if step.get("deny"):
            once(deny=step["deny"])
            stage.world, stage.contexts = pickle.loads(before)
        status, said = once()
        clean = stage.world.state()
        calls = stage.calls
        if after:
            after(status, said)
        if path.name == "migrate.sh" and status == 0:
            kept = pickle.dumps((stage.world, stage.contexts))
            once()
            again = [f"{verb} {what} {name}" for verb, what, name in stage.world.done if what in ("node pool", "cluster")]
            stage.world, stage.contexts = pickle.loads(kept)
            if again:
                raise Broken(f"7 again: migrate.sh has arrived, and does {again[0]} when it runs again")
        if step.get("fail") and step["fail"][0] <= calls:
            kept = pickle.dumps((stage.world, stage.contexts))
            stage.world, stage.contexts = pickle.loads(before)
            failed, complaint = once(fail=step["fail"])
            if failed and path.name == "migrate.sh":
                said_last = complaint.partition("stopped at")[2] + complaint.partition("failed:")[2] + complaint.partition("Billed for")[2]
                for what, name in stage.world.billed(actors):
                    # One of an earlier spec was named by the script that left it.
                    if (what, name) in named and not re.search(rf"(?<![-\w]){re.escape(name)}(?![-\w])", said_last):
                        raise Broken(f"6 surprise: migrate.sh stopped and does not name {what} {name}, which is billed")
            again, _ = once()
            if status == 0 and (again or stage.world.state() != clean):
                raise Broken(f"7 again: {path.name} ends otherwise after a failure {step['fail'][1]} call {step['fail'][0]}" + difference(stage.world.state(), clean))
            stage.world, stage.contexts = pickle.loads(kept)
        return status, said

    def do_provision(self, step, spec):
        if not (self.compiler.scripts(spec) / "provision.sh").exists():
            return

        def mine(status, said):
            if "code=400" in said:
                raise Broken("9 accepted: gcloud refuses what compile writes: " + said[said.index("code=400"):].splitlines()[0])
            # What is used is this workload's own, or the script said that it is not.
            if status == 0:
                for key, pool in self.stage.world.pools.items():
                    if re.search(rf"node pool {re.escape(pool['name'])}(?![-\w])", said) and "cleanup.sh deletes it" in said and pool["by"] != whose(spec) and key.startswith(self.at(spec) + "/") and spec["provisioning"].get("create", True):
                        raise Broken(f"1 owner: provision.sh takes node pool {pool['name']} of {'/'.join(pool['by'][1::-1])} for its own")
        self.script(step, self.compiler.scripts(spec) / "provision.sh", [whose(spec)], after=mine)

    def at(self, spec):
        return f"acme/{spec['cluster']['location']}/{spec['cluster']['name']}"

    def do_verify(self, step, spec):
        if (self.compiler.scripts(spec) / "verify.sh").exists():
            self.script(step, self.compiler.scripts(spec) / "verify.sh", [whose(spec)])

    def do_apply(self, step, spec):
        """A person applies what compile wrote; other people's objects are not of interest here."""
        world, folder = self.stage.world, self.compiler.scripts(spec)
        if self.at(spec) not in world.clusters:
            return
        world.actor, world.may_force = [whose(spec)], True
        for name in ("volumes.yaml", "manifests.yaml"):
            if (folder / name).exists():
                text = (folder / name).read_text(encoding="utf-8")
                for document in filter(None, yaml.load_all(text, Loader=Loader)):
                    key = world.key(self.at(spec), whose(spec)[1], document)
                    if key in world.objects and world.objects[key]["by"] != whose(spec):
                        continue
                    try:
                        world.apply(self.at(spec), whose(spec)[1], document, by_server=step.get("server", False))
                    except Exception:  # noqa: a refusal, which the person sees
                        pass
        world.done, world.broken = [], []

    def own(self, spec, kinds):
        return [key for key, each in self.stage.world.objects.items() if key[0] == self.at(spec) and each["by"] == whose(spec) and key[2] in kinds]

    def do_finish(self, _step, spec):
        for key in self.own(spec, ENDING):
            self.stage.world.objects[key]["finished"] = True

    def do_expire(self, step, spec):
        self.do_finish(step, spec)
        for key in self.own(spec, ENDING):
            del self.stage.world.objects[key]

    def do_pod(self, _step, spec):
        """Somebody else's pod on the pool."""
        for key, pool in self.stage.world.pools.items():
            if key.startswith(self.at(spec) + "/") and pool["by"] == whose(spec):
                self.stage.world.objects[self.at(spec), "visitors", "Pod", "visitor"] = {
                    "by": ("visitor", "visitors", ""), "uid": 0, "document": {"kind": "Pod", "metadata": {"name": "visitor", "namespace": "visitors"},
                                                                          "spec": {"nodeSelector": {"cloud.google.com/gke-nodepool": pool["name"]}}}}
                return

    def do_cleanup(self, step, spec):
        def last_line(status, said):
            """3: what is billed is said."""
            left = self.stage.world.billed([whose(spec)])
            last = said.strip().rpartition("cleanup.sh: ")[2]
            for what, name in left:
                if status == 0 and ("nothing is billed" in last or "is billed in project" in last and "nothing" in last):
                    raise Broken(f"3 last line: cleanup.sh ends with {last!r}, and {what} {name} is billed")
                if name not in said:
                    raise Broken(f"3 last line: cleanup.sh does not name {what} {name}, which is billed")
        self.script(step, self.compiler.scripts(spec) / "cleanup.sh", [whose(spec)], after=last_line)

    def do_remove(self, step, spec):
        self.migrate(step, spec, None)

    def do_change(self, step, spec):
        new = following(step, spec)
        if self.compiler.scripts(new) is None or new == spec:
            return spec
        self.migrate(step, spec, new)
        # A claim that a spec no longer has is nobody's.
        for disk in self.stage.world.disks.values():
            if disk["by"] == whose(spec) and disk["claim"][2] not in json.dumps(new["workload"].get("volumes", [])):
                disk["by"] = "nobody"
        # With another name it is the same person's, and so is the claim that both have.
        for key in self.own(spec, ("PersistentVolumeClaim",)):
            if key[3] in json.dumps(new["workload"].get("volumes", [])) and key[1] == whose(new)[1]:
                self.stage.world.objects[key]["by"] = whose(new)
                for disk in self.stage.world.disks.values():
                    disk["by"] = whose(new) if disk["claim"] == (key[0], key[1], key[3]) else disk["by"]
        return new

    def migrate(self, step, old, new):
        said, script, problem = self.compiler.compare(old, new)
        if said is None:
            return
        every = [line for each in said["changes"] for line in each["resources"]]
        lines = {(line["kind"], line["name"]): line for line in every}
        # A pool that keeps its name while its workload gets another one goes and comes.
        signs = {at: "".join(line["sign"] for line in every if (line["kind"], line["name"]) == at) for at in lines}
        stage = self.stage
        clouds = [line for line in lines.values() if line["kind"] in ("node pool", "cluster", "workload policy")]
        in_place = all(line["sign"] in "=~" for line in clouds) and any(line["sign"] == "~" and "in place" in line["what"] for line in clouds)
        provisioned = self.verified(old)
        if in_place and provisioned and new is not None:
            kept = pickle.dumps((stage.world, stage.contexts))
            stage.world.actor, stage.world.broken = [whose(new)], []
            status, complaint = stage.run(self.compiler.scripts(new) / "provision.sh")
            stage.world, stage.contexts = pickle.loads(kept)
            if status and "cleanup.sh, then" in complaint:
                raise Broken("5 in place: provision.sh advises cleanup.sh for what diff calls an update in place")
        if script is None:
            if in_place:
                raise Broken(f"5 in place: no migrate.sh: {problem.strip()}")
            return
        actors = [whose(side) for side in (old, new) if side]
        finished = [key for key in self.own(old, ENDING) if stage.world.objects[key].get("finished")]
        there = {key[2:] for key in stage.world.objects}
        # An earlier run was stopped after it had deleted the Job.
        remembered = any(key[2] == "ConfigMap" for key in stage.world.objects)
        # The quota of a queue admits no replica more, a LeaderWorkerSet moves group by group, with none more, and a disk is on one node.
        serves = "queue" not in old["provisioning"] and disk_of(old) is None and bool(self.own(old, ("Deployment",))) and any(line["sign"] == "+" for line in clouds if line["kind"] == "node pool")

        # A disk is billed as the claim that it is of; a reservation is, whatever runs.
        words = {"PersistentVolumeClaim": "claim", "Gateway": "gateway"}
        billable = {(words.get(what, what), name) for what, name in lines}
        billable |= {("reservation", side["provisioning"]["reservation"]) for side in (old, new) if side and "reservation" in side["provisioning"]}

        def no_surprise(status, complaint):
            for verb, what, name in stage.world.done:
                # By it a run that was stopped knows what it has deleted; the last step deletes it.
                if what == "ConfigMap" and name.endswith("-migration"):
                    continue
                sign = signs.get((what, name), "=")
                if verb == "dip" and serves:
                    raise Broken(f"6 surprise: of {what} {name} ready replicas while both pools exist")
                if verb == "create" and not set(sign) & set("+!?"):
                    raise Broken(f"6 surprise: migrate.sh creates {what} {name}, which diff does not print")
                if verb == "delete" and not set(sign) & set("-!?"):
                    raise Broken(f"6 surprise: migrate.sh deletes {what} {name}, which diff does not print")
                if verb == "update" and sign == "=":
                    raise Broken(f"6 surprise: migrate.sh changes {what} {name}, which diff does not print")
                if verb == "create" and sign == "!" and what in ENDING:
                    if not remembered and (finished or (what, name) not in there):
                        raise Broken(f"6 surprise: migrate.sh starts {what} {name}, which has finished")
            if new is not None and status == 0 and provisioned and not self.verified(new) and not complaint.count("left:"):
                raise Broken("5 in place: verify.sh of the new spec fails after migrate.sh")
            if status and "immutable" in complaint and not self.has_refused_claims(old, new):
                raise Broken("7 again: migrate.sh can never finish: " + complaint[complaint.index("The "):].splitlines()[0])
            if "code=400" in complaint:
                raise Broken("9 accepted: gcloud refuses what compile writes: " + complaint[complaint.index("code=400"):].splitlines()[0])
            for said in ("error parsing", "unrecognized arguments", "command not found"):
                if said in complaint:
                    raise Broken("9 accepted: somebody does not understand migrate.sh: " + complaint[complaint.index(said):].splitlines()[0])
        self.script(step, script, actors, after=no_surprise, named=billable)

    def has_refused_claims(self, old, new):
        """A claim that is there is not as both sides say: `check` refuses two specs that define it, or an earlier change was refused.
        Each spec with it is, whatever else it changes."""
        sides = [{} if side is None else self.made_claims(side) for side in (old, new)]
        there = {key[1:]: each["document"].get("spec") for key, each in self.stage.world.objects.items() if key[0] == self.at(new or old)}
        return any(sides[0].get(at) == claim and there.get(at, claim) != claim for at, claim in sides[1].items())

    def made_claims(self, spec):
        path = self.compiler.scripts(spec) / "volumes.yaml"
        documents = yaml.load_all(path.read_text(encoding="utf-8"), Loader=Loader) if path.exists() else []
        return {(whose(spec)[1], each["kind"], each["metadata"]["name"]): each["spec"] for each in documents if each and each["kind"] == "PersistentVolumeClaim"}

    def verified(self, spec):
        """Whether verify.sh finds the pools that a spec describes, and they are its own."""
        stage = self.stage
        kept = pickle.dumps((stage.world, stage.contexts))
        stage.world.actor = [whose(spec)]
        status, _ = stage.run(self.compiler.scripts(spec) / "verify.sh")
        stage.world, stage.contexts = pickle.loads(kept)
        own = [pool for key, pool in stage.world.pools.items() if key.startswith(self.at(spec) + "/") and pool["by"] == whose(spec)]
        return status == 0 and bool(own)


def difference(one, two):
    words = ["clusters", "node pools", "policies", "objects", "disks"]
    out = []
    for name, first, second in zip(words, one, two):
        out += [f"{name}: {key}" for key in first.keys() ^ second.keys()]
        out += [f"{name}: {key} differs" for key in first.keys() & second.keys() if first[key] != second[key]]
    return " (" + "; ".join(out[:3]) + ")" if out else ""


def shrunk(lives, life, broken):
    """The smallest part of a life that breaks the same law."""
    law = str(broken)[:12]

    def breaks(part):
        try:
            lives.live(part)
        except Broken as again:
            return str(again)[:12] == law
        return False
    for _ in range(2):
        for at in reversed(range(len(life["steps"]))):
            part = {"specs": life["specs"], "steps": life["steps"][:at] + life["steps"][at + 1:]}
            if breaks(part):
                life = part
        for at in reversed(range(len(life["specs"]))):
            steps = [step | {"spec": step["spec"] - (step["spec"] > at)} for step in life["steps"] if step["spec"] != at]
            part = {"specs": life["specs"][:at] + life["specs"][at + 1:], "steps": steps}
            if part["specs"] and breaks(part):
                life = part
    for index, step in enumerate(life["steps"]):
        for extra in ("fail", "deny", "flags"):
            if extra in step:
                part = {"specs": life["specs"], "steps": [dict(each) for each in life["steps"]]}
                del part["steps"][index][extra]
                if breaks(part):
                    life = part
    return life


def commands(life):
    """The shell commands that replay a life, with stub.py as gcloud and kubectl."""
    out = ["export LIFE=$(mktemp -d)", "export PATH=\"$LIFE/bin:$PATH\"", f"python3 {shlex.quote(str(Path(__file__).with_name('stub.py')))} start {shlex.quote(json.dumps(life['specs']))}"]
    specs = dict(enumerate(life["specs"]))
    version = dict.fromkeys(specs, 0)

    def write(i):
        out.append(f"cat >$LIFE/{i}-{version[i]}.yaml <<'END'\n{yaml.safe_dump(specs[i], sort_keys=False)}END")
        out.append(f"flexslice compile --out-dir $LIFE/{i}-{version[i]} $LIFE/{i}-{version[i]}.yaml")
    for i in specs:
        write(i)
    if len(specs) > 1:
        out.append("flexslice check " + " ".join(f"$LIFE/{i}-0.yaml" for i in specs))
    for step in life["steps"]:
        i, do = step["spec"], step["do"]
        if i not in specs:
            continue
        owner = " ".join(whose(specs[i]))
        prefix = f"STUB_ACTOR='{owner}' "
        if step.get("fail"):
            prefix += f"STUB_FAIL_AT={step['fail'][0]} STUB_FAIL_MODE={step['fail'][1]} "
        if step.get("deny"):
            prefix += f"STUB_DENY={shlex.quote(step['deny'])} "
        folder = f"$LIFE/{i}-{version[i]}/{specs[i]['name']}"
        if do in ("provision", "cleanup", "verify"):
            run = f"bash {folder}/{do}.sh {' '.join(step.get('flags', []))}".strip()
        elif do == "apply":
            way = "--server-side --force-conflicts " if step.get("server") else ""
            run = (f"kubectl apply {way}--filename=- --namespace={whose(specs[i])[1]} < <(cat {folder}/volumes.yaml {folder}/manifests.yaml 2>/dev/null)")
            prefix += f"KUBECONFIG=gke/{specs[i]['cluster']['location']}/{specs[i]['cluster']['name']} "
        elif do in ("finish", "expire", "pod"):
            run = f"python3 {shlex.quote(str(Path(__file__).with_name('stub.py')))} {do} {shlex.quote(json.dumps(specs[i]))}"
        else:
            old = f"$LIFE/{i}-{version[i]}.yaml"
            if do == "change":
                specs[i] = following(step, specs[i])
                version[i] += 1
                write(i)
                new = f"$LIFE/{i}-{version[i]}.yaml"
            else:
                out.append("mkdir -p $LIFE/none")
                new = "$LIFE/none"
                specs.pop(i)
            out.append(f"flexslice diff {old} {new}; flexslice diff --emit migrate {old} {new} >$LIFE/migrate.sh")
            run = "bash $LIFE/migrate.sh"
        out.append(prefix + run)
        if step.get("fail"):
            out.append(f"STUB_ACTOR='{owner}' {run}  # again")
    return "\n".join(out)
