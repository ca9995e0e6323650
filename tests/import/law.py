"""The law of import, checked without any of its code: each field of a manifest is in what its spec compiles to, with an equal
value after Kubernetes' defaulting, or import prints that it is changed or lost.

    python3 tests/import/law.py FILE...    the share of a corpus that comes back, and why the rest does not
"""
import collections
import re
import sys

import importing
import yaml

KINDS = ("Job", "JobSet", "Deployment", "LeaderWorkerSet", "RayCluster", "RayJob", "RayService")
OTHERS = ("Service", "PodDisruptionBudget", "LocalQueue", "ClusterQueue", "ResourceFlavor", "Topology")
# Written by the API server where nothing is: (key above, key, value).
DEFAULTS = {
    ("spec", "restartPolicy", "Always"), ("spec", "dnsPolicy", "ClusterFirst"), ("spec", "terminationGracePeriodSeconds", 30), ("spec", "backoffLimit", 6),
    ("spec", "completionMode", "NonIndexed"), ("spec", "suspend", False), ("spec", "completions", 1), ("spec", "parallelism", 1), ("spec", "replicas", 1),
    ("spec", "hostNetwork", False), ("spec", "startupPolicy", "LeaderCreated"), ("spec", "type", "ClusterIP"), ("spec", "publishNotReadyAddresses", False),
    ("spec", "serviceAccountName", "default"), ("spec", "schedulerName", "default-scheduler"), ("spec", "progressDeadlineSeconds", 600), ("spec", "revisionHistoryLimit", 10),
    ("spec", "sessionAffinity", "None"), ("spec", "manualSelector", False), ("spec", "podReplacementPolicy", "TerminatingOrFailed"),
    ("ports", "protocol", "TCP"), ("fieldRef", "apiVersion", "v1"), ("env", "value", ""), ("volumeMounts", "readOnly", False), ("csi", "readOnly", False),
    ("persistentVolumeClaim", "readOnly", False), ("replicatedJobs", "replicas", 1), ("replicatedJobs", "groupName", "default"), ("failurePolicy", "maxRestarts", 0),
    ("network", "enableDNSHostnames", True), ("network", "publishNotReadyAddresses", True), ("successPolicy", "operator", "All"), ("strategy", "type", "RollingUpdate"),
    ("failurePolicy", "restartStrategy", "Recreate"),
    ("spec", "allocateLoadBalancerNodePorts", True), ("spec", "externalTrafficPolicy", "Cluster"), ("networkConfig", "subdomainPolicy", "Shared"),
    ("rollingUpdate", "maxSurge", "25%"), ("rollingUpdate", "maxUnavailable", "25%"), ("rolloutStrategy", "type", "RollingUpdate"), ("rollingUpdateConfiguration", "maxSurge", 0),
    ("rollingUpdateConfiguration", "maxUnavailable", 1), ("rollingUpdateConfiguration", "partition", 0), ("leaderWorkerTemplate", "restartPolicy", "RecreateGroupOnPodRestart"),
    ("httpGet", "scheme", "HTTP"), ("tolerations", "operator", "Equal"), ("tolerations", "value", ""), ("securityContext", "privileged", False), ("hostPath", "type", ""),
    ("emptyDir", "medium", ""), ("configMap", "defaultMode", 420), ("secret", "defaultMode", 420), ("containers", "terminationMessagePath", "/dev/termination-log"), ("containers", "terminationMessagePolicy", "File"),
    ("containers", "stdin", False), ("containers", "tty", False),
    *[(probe, key, value) for probe in ("startupProbe", "readinessProbe", "livenessProbe")
      for key, value in (("periodSeconds", 10), ("timeoutSeconds", 1), ("successThreshold", 1), ("failureThreshold", 3), ("initialDelaySeconds", 0))],
}
BY_KEY = {"containers": "name", "initContainers": "name", "env": "name", "volumes": "name", "volumeMounts": "mountPath", "imagePullSecrets": "name"}
UNITS = {"m": 1e-3, "": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40}
CONTROLLERS = {"uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink"}


def amount(value):
    match = re.fullmatch(r"([0-9.]+)([a-zA-Z]*)", str(value))
    return float(match[1]) * UNITS[match[2]] if match and match[2] in UNITS else str(value)


def fields(value, key="", path=()):
    """{path: value} of the leaves that are not defaulted; lists by the names of their items."""
    if isinstance(value, dict):
        if key == "resources" and isinstance(value.get("limits"), dict):
            value = {**value, "requests": {**value["limits"], **(value.get("requests") or {})}}
        found = {}
        for name, member in value.items():
            if member is None or (not isinstance(member, (dict, list)) and (key, name, member) in DEFAULTS) or (key == "metadata" and name in CONTROLLERS) or (not path and name == "status"):
                continue
            if (key == "ports" and name == "targetPort" and member == value.get("port")) or (name == "serviceAccount" and member == value.get("serviceAccountName")):
                continue
            found |= fields(member, str(name), (*path, str(name)))
        if not value and key in ("emptyDir", "podSelector", "namespaceSelector"):
            found[path] = {}
        return found
    if isinstance(value, list):
        found = {}
        for place, item in enumerate(value):
            name = place
            if isinstance(item, dict):
                name = item.get(BY_KEY.get(key, ""), item.get("containerPort", item.get("port", place)) if key == "ports" else place)
            if key == "tolerations":
                name = str(sorted((k, str(v)) for k, v in item.items() if not isinstance(v, (dict, list)) and ("tolerations", k, v) not in DEFAULTS))
            found |= fields(item, key, (*path, f"[{name}]"))
        # They start one after the other.
        if key == "initContainers":
            found[(*path, "order")] = [item.get("name") for item in value]
        return found
    if len(path) > 2 and path[-2] in ("requests", "limits") or key == "sizeLimit":
        return {path: amount(value)}
    return {path: str(value).lower() if isinstance(value, bool) else str(value)}


def documents(text):
    try:
        return [each for each in yaml.safe_load_all(text) if isinstance(each, dict)]
    except (yaml.YAMLError, ValueError):
        return []


def objects(text):
    for document in documents(text):
        yield from document.get("items") or [] if str(document.get("kind")).endswith("List") else [document]


def pods(value):
    """Pod specs below."""
    if isinstance(value, dict):
        if isinstance(value.get("containers"), list):
            yield value
        for member in value.values():
            yield from pods(member)
    elif isinstance(value, list):
        for item in value:
            yield from pods(item)


def has_literal_shape(manifest):
    for pod in pods(manifest):
        selector = pod.get("nodeSelector") or {}
        shape = str(selector.get("cloud.google.com/gke-tpu-topology", ""))
        chips = [str(((c.get("resources") or {}).get("limits") or {}).get("google.com/tpu", "")) for c in pod["containers"] if isinstance(c, dict)]
        if re.fullmatch(r"\d+x\d+(x\d+)?", shape) and str(selector.get("cloud.google.com/gke-tpu-accelerator", "")).startswith("tpu") and any(c.isdigit() for c in chips):
            return True
    return False


def printed(findings):
    """The texts in backquotes of the findings about what is changed, lost or left out."""
    return "\n".join(line for line in findings.splitlines() if re.search(r"FS51(02|03|04|06|07|11|12)", line))


def path_text(path):
    """As import prints it, but for the names of items."""
    text = ""
    for part in path:
        text += "[]" if part.startswith("[") else f"[{part}]" if re.search("[./]", part) else ("." if text else "") + part
    return text


def is_printed(path, lines):
    """Whether the field, or what it is a part of, is named."""
    plain = re.sub(r"\[[^\[\]]*\]", lambda found: found[0] if re.search("[/]", found[0]) else "[]", lines)
    return any(f"`{path_text(path[:end])}{after}" in plain for end in range(1, len(path) + 1) for after in ("`", ":"))


def pair(manifest, compiled):
    same = [each for each in compiled if each["kind"] == manifest["kind"]]
    return next((each for each in same if each["metadata"]["name"] == (manifest.get("metadata") or {}).get("name")), same[0] if len(same) == 1 else None)


def as_printed(manifest, findings):
    """The manifest with containers under the names that import prints, and as sidecars where it says so."""
    title = re.escape(f"of {manifest['kind']} `{(manifest.get('metadata') or {}).get('name')}`")
    names = dict(re.findall(rf"FS5113\]: `[^`]*\[([^\]`]*)\]` {title} gets the name `([^`]*)`", findings))
    jobs = dict(re.findall(rf"FS5107\]: `spec\.replicatedJobs\[\d+\]\.name` {title} changes: `([^`]*)` becomes `([^`]*)`", findings))
    sidecars = set(re.findall(rf"FS5114\]: `[^`]*\[([^\]`]*)\]` {title} becomes a sidecar", findings))

    def change(value):
        if isinstance(value, list):
            return [change(item) for item in value]
        if not isinstance(value, dict):
            return value
        changed = {key: names.get(member, member) if key in ("containerName", "kubectl.kubernetes.io/default-container")
                   else jobs.get(member, member) if key == "replicatedJob"
                   else [jobs.get(each, each) for each in member] if key == "targetReplicatedJobs"
                   else change(member) for key, member in value.items()}
        if isinstance(value.get("containers"), list):
            changed["containers"] = [{**change(each), "name": names.get(each["name"], each["name"])} for each in value["containers"] if each["name"] not in sidecars]
            moved = [{**each, "restartPolicy": "Always"} for each in value["containers"] if each["name"] in sidecars]
            if moved:
                changed["initContainers"] = [*(value.get("initContainers") or []), *moved]
        return changed

    return change(manifest)


def silent_losses(text, spec, findings):
    """(what the law is broken by, whether the spec compiles, whether anything was lost)"""
    files, errors, status = importing.compile_spec(spec, *artifacts(spec))
    if status != 0:
        return [], errors, "FS5106" in findings or "FS5107" in findings
    compiled = [each for name, stream in files.items() if name.endswith(".yaml") for each in documents(stream)]
    lines, broken = printed(findings), []
    for manifest in objects(text):
        if manifest.get("kind") not in (*KINDS, *OTHERS) or (manifest["kind"] in KINDS and not any(pods(manifest))):
            continue
        other = pair(manifest, compiled)
        name = (manifest.get("metadata") or {}).get("name")
        if other is None:
            if not re.search(rf"`{re.escape(str(name))}`", lines):
                broken.append(f"{manifest['kind']} {name}")
            continue
        wanted, got = fields(as_printed(manifest, findings)), fields(other)
        broken += [f"{path_text(path)}: {value!r} is {got.get(path)!r}" for path, value in wanted.items() if got.get(path) != value and not is_printed(path, lines)]
    return broken, "", "FS5106" in lines or "FS5107" in lines


def fill(spec, *texts):
    """All with a value for each placeholder that the compiler names."""
    for _ in range(12):
        _, errors, _ = importing.compile_spec(spec, *artifacts(spec))
        names = {name for name in re.findall(r"fill in the placeholder `([^`]*)`", errors) if name}
        if not names:
            break
        for name in names:
            spec, *texts = (text.replace(name, value_for(name)) for text in (spec, *texts))
    return spec, *texts


def value_for(name):
    known = {"$LOCATION": "us-central1", "$ZONE": "us-central1-a"}
    return known.get(name, "f" + re.sub(r"[^a-z0-9]", "", name.lower()))


def artifacts(spec):
    """Scripts need to know the cluster."""
    return [] if re.search("^cluster:", spec, re.MULTILINE) else ["--emit", "manifests,queues,volumes"]


def main():
    count, reasons = collections.Counter(), collections.Counter()
    for file in sys.argv[1:]:
        text = open(file, encoding="utf-8", errors="replace").read()
        found = [each for each in objects(text) if each.get("kind") in KINDS[:4] and has_literal_shape(each)]
        for manifest in found:
            count["all"] += 1
            alone = yaml.safe_dump(manifest, sort_keys=False)
            spec, findings, _ = importing.import_files({"manifest.yaml": alone}, "--format", "short")
            if not spec:
                reasons["no spec"] += 1
                print(f"{file}: no spec: {findings[:300]}")
                continue
            filled, whole, said = fill(spec, alone, findings)
            broken, errors, lost = silent_losses(whole, filled, said)
            if errors:
                count["does not compile"] += 1
                reason = re.findall(r"error\[FS\d+[^\n]*", errors)
                reasons[(reason or [errors[:80]])[0][:110]] += 1
                print(f"{file}: {manifest['metadata'].get('name')}: does not compile: {reason[:2]}")
            elif broken:
                count["silent"] += 1
                print(f"{file}: {manifest['metadata'].get('name')}: silent: {broken[:6]}")
            else:
                count["lawful"] += 1
                count["without loss" if not lost else "with a printed loss"] += 1
    print(dict(count))
    for reason, number in reasons.most_common():
        print(f"  {number} {reason}")


if __name__ == "__main__":
    main()
