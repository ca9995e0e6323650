"""What must hold between the objects of one file, and between the numbers of a TPU workload on GKE.

No server says a word about most of these: the pods hang, or use half of what is paid for.
Each function yields (index of the object, path, message). All assume objects without errors of their own.
Called by check_manifests.py.
"""

import math
import re

from rules import pod_templates, quantity

TPU = "google.com/tpu"
ACCELERATOR = "cloud.google.com/gke-tpu-accelerator"
TOPOLOGY = "cloud.google.com/gke-tpu-topology"
GCS_FUSE = "gcsfuse.csi.storage.gke.io"
JOB_NAME = ("job-name", "batch.kubernetes.io/job-name")


def file_errors(objects):
    """Yields all findings for the objects of one file, which kubectl applies together."""
    yield from _same_object_twice(objects)
    yield from _queue_references(objects)
    for index, value in enumerate(objects):
        for path, spec in pod_templates(value):
            found = list(_tpu_numbers(spec, path, value["kind"]))
            found += _subdomain(objects, value, spec, path)
            found += _gcs_fuse(spec, path)
            yield from ((index, at, message) for at, message in found)


def _same_object_twice(objects):
    seen = set()
    for index, value in enumerate(objects):
        meta = value["metadata"]
        identity = (value["apiVersion"], value["kind"], meta.get("namespace"), meta["name"])
        if identity in seen:
            yield index, ("metadata", "name"), f"an earlier {value['kind']} is named {meta['name']} too"
        seen.add(identity)


def _tpu_numbers(spec, path, kind):
    """Selectors, and pods × chips against the chips of the slice."""
    pod, at = spec["template"]["spec"], path + ("template", "spec")
    chips = sum(quantity(c.get("resources", {}).get("limits", {}).get(TPU, 0)) for c in pod["containers"])
    if not chips:
        return
    selector = pod.get("nodeSelector", {})
    for key in (ACCELERATOR, TOPOLOGY):
        if not selector.get(key):
            yield at + ("nodeSelector", key), "is required for pods that use TPUs"
    # completionMode defaults to Indexed in a JobSet.
    indexed = spec.get("completionMode", "Indexed" if kind == "JobSet" else "NonIndexed") == "Indexed"
    pods = spec.get("parallelism", 1)
    if indexed and spec.get("completions", 1) != pods:
        yield path + ("parallelism",), f"must equal completions {spec.get('completions', 1)}, is {pods}"
        return
    shape = selector.get(TOPOLOGY, "")
    if not shape:
        return
    if not re.fullmatch(r"[1-9][0-9]*(x[1-9][0-9]*){1,2}", shape):
        yield at + ("nodeSelector", TOPOLOGY), f'"{shape}" is no topology like 4x4 or 2x2x1'
        return
    slice_chips = math.prod(map(int, shape.split("x")))
    if slice_chips % chips or pods * chips % slice_chips:
        message = f"{pods} pods x {chips} chips do not fill slices of {shape} = {slice_chips} chips"
        yield path + ("parallelism",), message
    elif slice_chips > chips and not indexed:
        yield path + ("completionMode",), f"must be Indexed: a slice of {shape} has {slice_chips // chips} hosts"
    elif slice_chips > chips and kind == "Job" and "subdomain" not in pod:
        yield at + ("subdomain",), f"is required: the {slice_chips // chips} hosts of {shape} must find each other"


def _subdomain(objects, value, spec, path):
    """The pods of a Job with a subdomain need a Service of that name that selects them. A JobSet makes its own."""
    subdomain = spec["template"]["spec"].get("subdomain")
    if subdomain is None or value["kind"] != "Job":
        return
    at, name = path + ("template", "spec", "subdomain"), value["metadata"]["name"]
    namespace = value["metadata"].get("namespace")
    services = [o for o in objects if o["kind"] == "Service" and o["metadata"]["name"] == subdomain]
    service = next((o for o in services if o["metadata"].get("namespace") == namespace), None)
    if service is None:
        yield at, f"there is no Service {subdomain}" + (f" in namespace {namespace}" if services else "")
        return
    labels = spec["template"].get("metadata", {}).get("labels", {}) | dict.fromkeys(JOB_NAME, name)
    selector = service["spec"]["selector"]
    if not selector.keys() & set(JOB_NAME):
        yield at, f"the Service {subdomain} does not select by job-name"
    for key in sorted(selector):
        if labels.get(key) != selector[key]:
            yield at, f"the Service {subdomain} selects {key}={selector[key]}, which these pods lack"


def _gcs_fuse(spec, path):
    template = spec["template"]
    drivers = [volume.get("csi", {}).get("driver") for volume in template["spec"].get("volumes", [])]
    annotations = template.get("metadata", {}).get("annotations", {})
    key = "gke-gcsfuse/volumes"
    if GCS_FUSE in drivers and annotations.get(key) != "true":
        yield path + ("template", "metadata", "annotations", key), 'must be "true" for a GCS FUSE volume'


def _queue_references(objects):
    """Kueue's objects name each other. A kind of which the file has none may be in the cluster already."""
    names = {}
    for value in objects:
        names.setdefault(value["kind"], set()).add(value["metadata"]["name"])
    for index, value in enumerate(objects):
        for kind, name, path in _named_by(value):
            if kind in names and name not in names[kind]:
                yield index, path, f"there is no {kind} {name}, only {', '.join(sorted(names[kind]))}"


def _named_by(value):
    spec = value.get("spec", {})
    if value["kind"] == "LocalQueue":
        yield "ClusterQueue", spec["clusterQueue"], ("spec", "clusterQueue")
    if value["kind"] == "ResourceFlavor" and "topologyName" in spec:
        yield "Topology", spec["topologyName"], ("spec", "topologyName")
    if value["kind"] == "AdmissionCheck" and spec.get("parameters", {}).get("kind") == "ProvisioningRequestConfig":
        yield "ProvisioningRequestConfig", spec["parameters"]["name"], ("spec", "parameters", "name")
    if value["kind"] == "ClusterQueue":
        for i, group in enumerate(spec.get("resourceGroups", [])):
            for j, flavor in enumerate(group["flavors"]):
                yield "ResourceFlavor", flavor["name"], ("spec", "resourceGroups", i, "flavors", j, "name")
        strategy = ("spec", "admissionChecksStrategy", "admissionChecks")
        for i, check in enumerate(spec.get("admissionChecksStrategy", {}).get("admissionChecks", [])):
            yield "AdmissionCheck", check["name"], strategy + (i, "name")
    if value["kind"] in ("Job", "JobSet"):
        queue = "kueue.x-k8s.io/queue-name"
        if queue in value["metadata"].get("labels", {}):
            yield "LocalQueue", value["metadata"]["labels"][queue], ("metadata", "labels", queue)
