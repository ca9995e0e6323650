"""The rules about what a cluster would see, a row each: the mistake as a part of a container, a pod, a Job or an object, and as a field
of the spec. test_doors.py enters it by every door."""
from dataclasses import dataclass, field

# Where a mistake is: its fragment is merged into this part of the object.
CONTAINER, SIDECAR, INIT, POD, JOB, OBJECT = "container", "sidecar", "init container", "pod", "job", "object"


@dataclass
class Row:
    code: str
    name: str
    part: str
    change: dict
    spec: dict | None = None  # merged into the spec; None: `no_field` says why no field can hold it
    no_field: str = ""
    no_patch: str = ""
    kinds: tuple = ()  # only these; empty: all that have the part
    field_code: str = ""  # of the field, where the spec has a form of its own
    patch_code: str = ""


def workload(**fields):
    return {"workload": fields}


RAW = "the field is only in the raw containers of a spec, which have a row of their own"
DERIVED = "the spec derives it"

ENV_BOTH = [{"name": "A", "value": "x", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}]
TOKEN = "hf_" + "Ab1" * 11 + "Z"
SECRET_WITHOUT_KEY = [{"name": "A", "valueFrom": {"secretKeyRef": {"name": "token"}}}]
NAMED_PROBE = {"httpGet": {"port": "health"}}
BARE_PROBE = {"periodSeconds": 5}
# KubeRay has bash run the command of the first container.
WITHOUT_BASH = ("Pod", "Job", "JobSet", "CronJob", "Deployment", "StatefulSet", "ReplicaSet", "LeaderWorkerSet")
SHELL = ["python train.py && echo done"]
SLEEP = {"name": "extra", "image": "busybox:1.36"}
EXIT_ZERO = {"rules": [{"action": "FailJob", "onExitCodes": {"operator": "In", "values": [0]}}]}
EXIT_ORDER = {"rules": [{"action": "FailJob", "onExitCodes": {"operator": "In", "values": [3, 2]}}]}
EXIT_NAME = {"rules": [{"action": "FailJob", "onExitCodes": {"containerName": "other", "operator": "In", "values": [3]}}]}
FAIL_INDEX = {"rules": [{"action": "FailIndex", "onExitCodes": {"operator": "In", "values": [3]}}]}
RAY_GROUP = {"groupName": "tpu", "numOfHosts": 1, "rayStartParams": {}, "template": {"spec": {
    "nodeSelector": {"cloud.google.com/gke-tpu-accelerator": "tpu-v6e-slice", "cloud.google.com/gke-tpu-topology": "2x2"},
    "containers": [{"name": "train", "image": "rayproject/ray:2.51.0", "resources": {"limits": {"google.com/tpu": 4}}}]}}}
LEADER = {"spec": {
    "nodeSelector": {"cloud.google.com/gke-tpu-accelerator": "tpu-v6e-slice", "cloud.google.com/gke-tpu-topology": "4x8"},
    "containers": [{"name": "train", "image": "busybox:1.36", "resources": {"limits": {"google.com/tpu": 4}}}]}}
GOOD_POLICY = {"rules": [{"action": "FailJob", "onExitCodes": {"operator": "In", "values": [3]}}]}


def container_rows(part):
    """The rules that hold for every container."""
    def row(code, name, change, spec=None, **more):
        if part in (SIDECAR, INIT):
            spec = workload(**{"sidecars" if part == SIDECAR else "initContainers": [{**SLEEP, **change}]})
            more = {}
        more.setdefault("no_field", "" if spec else RAW)
        return Row(code, f"{name} of a {part}", part, change, spec, **more)
    own = part == CONTAINER
    rows = [
        row("FS4090", "cpu of no node", {"resources": {"requests": {"cpu": "900"}}}, workload(resources={"cpu": "900"})),
        row("FS4090", "memory of no node", {"resources": {"requests": {"memory": "9Ti"}}}, workload(resources={"memory": "9Ti"})),
        row("FS4090", "disk of no node", {"resources": {"requests": {"ephemeral-storage": "100Ti"}}},
            workload(resources={"ephemeral-storage": "100Ti"})),
        row("FS4091", "cpu that GKE reserves", {"resources": {"requests": {"cpu": "180"}}}, workload(resources={"cpu": "180"})),
        row("FS4081", "limit below the request", {"resources": {"requests": {"cpu": "4"}, "limits": {"cpu": "2"}}},
            no_field="`workload.resources` is one amount"),
        row("FS4341", "a millionth of a CPU", {"resources": {"requests": {"cpu": "1u"}}}, workload(resources={"cpu": "1u"})),
        row("FS4064", "thousandths of bytes", {"resources": {"requests": {"memory": "500m"}}}, workload(resources={"memory": "500m"})),
        row("FS4067", "bytes without a unit", {"resources": {"requests": {"memory": "64"}}}, workload(resources={"memory": "64"})),
        row("FS4076", "root that is not root", {"securityContext": {"runAsUser": 0, "runAsNonRoot": True}}),
        row("FS4083", "privileged without escalation",
            {"securityContext": {"privileged": True, "allowPrivilegeEscalation": False}}),
        row("FS4150", "value and valueFrom", {"env": ENV_BOTH}, workload(env={"A": {"value": "x", "field": "metadata.name"}}),
            field_code="FS2010"),
        row("FS4084", "a profile without its file", {"securityContext": {"seccompProfile": {"type": "Localhost"}}}),
        row("FS2002", "a secret without a key", {"env": SECRET_WITHOUT_KEY}, workload(env={"A": {"secret": "token"}}),
            field_code="FS4020"),
        row("FS4082", "a mount without a volume", {"volumeMounts": [{"name": "nowhere", "mountPath": "/data"}]},
            no_field="`workload.volumes` are volume and mount at once"),
        row("FS4021", "two mounts at one path",
            {"volumeMounts": [{"name": "data", "mountPath": "/data"}, {"name": "data", "mountPath": "/data/"}]},
            workload(volumes=[{"name": "a", "mountPath": "/data", "emptyDir": {}}, {"name": "b", "mountPath": "/data", "emptyDir": {}}])),
        row("FS4147", "a mount over /usr", {"volumeMounts": [{"name": "data", "mountPath": "/usr"}]},
            workload(volumes=[{"name": "a", "mountPath": "/usr", "emptyDir": {}}])),
        row("FS4021", "two ports of one name",
            {"ports": [{"name": "http", "containerPort": 8000}, {"name": "http", "containerPort": 8001}]},
            workload(ports=[{"name": "http", "port": 8000}, {"name": "http", "port": 8001}])),
        row("FS4141", "a shell line as a command", {"command": SHELL}, workload(command=SHELL), kinds=WITHOUT_BASH if own else ()),
        row("FS4141", "a command in an argument", {"command": ["train"], "args": ["--day=$(date)"]}, workload(command=["train"], args=["--day=$(date)"]),
            kinds=WITHOUT_BASH if own else ()),
        row("FS4234", "a variable of the shell in a value", {"env": [{"name": "A", "value": "$HOME/x"}]}, workload(env={"A": "$HOME/x"})),
        row("FS4234", "a command in a value", {"env": [{"name": "A", "value": "run-$(date)"}]}, workload(env={"A": "run-$(date)"})),
        row("FS4343", "a token in a variable", {"env": [{"name": "A", "value": TOKEN}]}, workload(env={"A": TOKEN})),
        row("FS4343", "a token in an argument", {"command": ["train"], "args": ["--token=" + TOKEN]}, workload(command=["train"], args=["--token=" + TOKEN])),
        row("FS2006", "an image with a space", {"image": "busybox latest"}, workload(image="busybox latest")),
        row("FS2006", "an image in capitals", {"image": "Acme/Train:1"}, workload(image="Acme/Train:1")),
        row("FS2006", "a variable with a sign in its name", {"env": [{"name": "A=B", "value": "x"}]}, workload(env={"A=B": "x"})),
        row("FS2005", "a policy in capitals", {"imagePullPolicy": "ALWAYS"}, workload(imagePullPolicy="ALWAYS")),
        row("FS2006", "an amount with a comma", {"resources": {"requests": {"cpu": "1,5"}}}, workload(resources={"cpu": "1,5"})),
        row("FS2006", "an amount below zero", {"resources": {"requests": {"memory": "-1Gi"}}}, workload(resources={"memory": "-1Gi"})),
        row("FS2009", "an empty path", {"volumeMounts": [{"name": "data", "mountPath": ""}]},
            workload(volumes=[{"name": "a", "mountPath": "", "emptyDir": {}}])),
        row("FS2007", "a port with a long name", {"ports": [{"name": "inference-endpoint", "containerPort": 8000}]},
            workload(ports=[{"name": "inference-endpoint", "port": 8000}])),
        row("FS2003", "a command in one string", {"command": "python -m train"}, workload(command="python -m train")),
        row("FS2002", "a mount without a path", {"volumeMounts": [{"name": "data"}]}, no_field="`workload.volumes` are volume and mount at once"),
        row("FS4083", "an administrator without escalation",
            {"securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"add": ["CAP_SYS_ADMIN"]}}}),
        row("FS4061", "an argument that Linux does not take", {"args": ["x" * 140000]}, workload(args=["x" * 140000])),
    ]
    if part != INIT:
        rows += [
            row("FS4130", "a probe at no port", {"readinessProbe": NAMED_PROBE}, workload(readinessProbe=NAMED_PROBE)),
            row("FS4151", "a probe without a handler", {"readinessProbe": BARE_PROBE}, workload(readinessProbe=BARE_PROBE)),
        ]
    else:
        rows.append(row("FS4080", "a probe", {"readinessProbe": {"httpGet": {"port": 80}}}))
    if not own:
        rows.append(row("FS4077", "GPUs", {"resources": {"limits": {"nvidia.com/gpu": 1}}}))
    return rows


ROWS = [
    *container_rows(CONTAINER), *container_rows(SIDECAR), *container_rows(INIT),
    Row("FS4077", "GPUs of the container", CONTAINER, {"resources": {"limits": {"nvidia.com/gpu": 1}}}, no_field=RAW),
    Row("FS4076", "root of the pod that is not root", POD, {"securityContext": {"runAsUser": 0, "runAsNonRoot": True}},
        workload(securityContext={"runAsUser": 0, "runAsNonRoot": True})),
    Row("FS4084", "a profile of the pod without its file", POD, {"securityContext": {"seccompProfile": {"type": "Localhost"}}},
        workload(securityContext={"seccompProfile": {"type": "Localhost"}})),
    Row("FS4142", "shared memory that no node has", POD, {"volumes": [{"name": "shm", "emptyDir": {"medium": "Memory", "sizeLimit": "9000Gi"}}]},
        workload(volumes=[{"name": "shm", "mountPath": "/shm", "memory": {"sizeLimit": "9000Gi"}}])),
    Row("FS4021", "two containers of one name", POD, {"initContainers": [SLEEP, SLEEP]}, workload(initContainers=[SLEEP, SLEEP])),
    Row("FS4021", "two volumes of one name", POD, {"volumes": [{"name": "a", "emptyDir": {}}, {"name": "a", "emptyDir": {}}]},
        workload(volumes=[{"name": "a", "mountPath": "/a", "emptyDir": {}}, {"name": "a", "mountPath": "/b", "emptyDir": {}}])),
    Row("FS4150", "a volume of two sources", POD, {"volumes": [{"name": "a", "emptyDir": {}, "configMap": {"name": "c"}}]},
        workload(volumes=[{"name": "a", "mountPath": "/a", "emptyDir": {}, "configMap": "c"}]), field_code="FS2010"),
    Row("FS4035", "a toleration of all values and one", POD,
        {"tolerations": [{"key": "a", "operator": "Exists", "value": "b", "effect": "NoSchedule"}]},
        workload(tolerations=[{"key": "a", "operator": "Exists", "value": "b", "effect": "NoSchedule"}])),
    Row("FS4035", "an empty toleration", POD, {"tolerations": [{}]}, workload(tolerations=[{}])),
    Row("FS4340", "a spread of no pods", POD,
        {"topologySpreadConstraints": [{"maxSkew": 1, "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "ScheduleAnyway"}]},
        no_field="the spec has no such field"),
    Row("FS2006", "a service account of Google", POD, {"serviceAccountName": "train@acme.iam.gserviceaccount.com"},
        workload(serviceAccount="train@acme.iam.gserviceaccount.com")),
    Row("FS5005", "a toleration of a flag", POD, {"tolerations": [{"key": "a", "operator": "Equal", "value": True, "effect": "NoSchedule"}]},
        workload(tolerations=[{"key": "a", "operator": "Equal", "value": True, "effect": "NoSchedule"}]), field_code="FS2004"),
    Row("FS4144", "a priority of the system", POD, {"priorityClassName": "system-node-critical"},
        workload(priorityClass="system-node-critical")),
    Row("FS4064", "part of a byte of a volume", POD, {"volumes": [{"name": "a", "emptyDir": {"sizeLimit": "500m"}}]},
        workload(volumes=[{"name": "a", "mountPath": "/a", "emptyDir": {"sizeLimit": "500m"}}])),
    Row("FS5015", "a Job that restarts for ever", POD, {"restartPolicy": "Always"}, workload(restartPolicy="Always"),
        field_code="FS2005", kinds=("Job", "JobSet", "CronJob")),
    Row("FS4235", "a bucket without its annotation", POD, {"volumes": [{"name": "bucket", "csi": {"driver": "gcsfuse.csi.storage.gke.io"}}]},
        no_field=DERIVED),
    Row("FS4238", "an annotation of JobSets", OBJECT,
        {"metadata": {"annotations": {"alpha.jobset.sigs.k8s.io/exclusive-topology": "cloud.google.com/gke-nodepool"}}},
        {"annotations": {"alpha.jobset.sigs.k8s.io/exclusive-topology": "cloud.google.com/gke-nodepool"}},
        kinds=("Job", "CronJob", "Deployment", "StatefulSet", "LeaderWorkerSet", "RayCluster")),
    Row("FS4239", "a misspelt annotation", OBJECT,
        {"metadata": {"annotations": {"alpha.jobset.sigs.k8s.io/exclusive-toplogy": "cloud.google.com/gke-nodepool"}}},
        {"annotations": {"alpha.jobset.sigs.k8s.io/exclusive-toplogy": "cloud.google.com/gke-nodepool"}}, kinds=("JobSet",)),
    Row("FS4133", "exit code 0", JOB, {"podFailurePolicy": EXIT_ZERO}, workload(podFailurePolicy=EXIT_ZERO)),
    Row("FS4134", "exit codes in no order", JOB, {"podFailurePolicy": EXIT_ORDER}, workload(podFailurePolicy=EXIT_ORDER)),
    Row("FS4132", "exit codes of no container", JOB, {"podFailurePolicy": EXIT_NAME}, workload(podFailurePolicy=EXIT_NAME)),
    Row("FS4135", "FailIndex without its limit", JOB, {"podFailurePolicy": FAIL_INDEX}, workload(podFailurePolicy=FAIL_INDEX)),
    Row("FS4033", "a policy where pods restart", JOB,
        {"podFailurePolicy": GOOD_POLICY, "template": {"spec": {"restartPolicy": "OnFailure"}}},
        workload(podFailurePolicy=GOOD_POLICY, restartPolicy="OnFailure")),
    Row("FS4075", "a deadline of nothing", JOB, {"activeDeadlineSeconds": 0}, workload(activeDeadline="0s"), kinds=("Job", "JobSet", "CronJob")),
    Row("FS4152", "a selector of other pods", OBJECT, {"spec": {"selector": {"matchLabels": {"app": "other"}}}}, no_field=DERIVED,
        kinds=("Deployment", "ReplicaSet", "StatefulSet"), patch_code="FS4032"),
    Row("FS4153", "a policy about no job", OBJECT, {"spec": {"successPolicy": {"operator": "All", "targetReplicatedJobs": ["other"]}}},
        no_field=DERIVED, kinds=("JobSet",)),
    Row("FS4154", "fewer replicas than there are", OBJECT, {"spec": {"workerGroupSpecs": [{**RAY_GROUP, "replicas": 2, "maxReplicas": 1}]}},
        no_field=DERIVED, kinds=("RayCluster",)),
    Row("FS4150", "two requests of a topology", OBJECT, {"spec": {"template": {"metadata": {"annotations": {
        "kueue.x-k8s.io/podset-preferred-topology": "cloud.google.com/gke-nodepool",
        "kueue.x-k8s.io/podset-required-topology": "cloud.google.com/gke-nodepool"}}}}},
        workload(podAnnotations={"kueue.x-k8s.io/podset-preferred-topology": "cloud.google.com/gke-nodepool",
                                 "kueue.x-k8s.io/podset-required-topology": "cloud.google.com/gke-nodepool"}), kinds=("Job",)),
    Row("FS4155", "a DNS policy without its settings", POD, {"dnsPolicy": "None"}, no_field="no field has it"),
    Row("FS4155", "an expression without values", POD, {"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
        "nodeSelectorTerms": [{"matchExpressions": [{"key": "team", "operator": "In"}]}]}}}}, no_field="no field has it"),
    Row("FS4155", "an update that can do nothing", OBJECT, {"spec": {"strategy": {"rollingUpdate": {"maxSurge": 0, "maxUnavailable": 0}}}},
        no_field=DERIVED, kinds=("Deployment",)),
    Row("FS4154", "ready after the deadline", OBJECT, {"spec": {"minReadySeconds": 60, "progressDeadlineSeconds": 60}}, no_field=DERIVED,
        kinds=("Deployment",)),
    Row("FS4155", "failed indexes without a limit of one", JOB, {"maxFailedIndexes": 1}, no_field="no field has it"),
    Row("FS2005", "a volume of an unknown medium", POD, {"volumes": [{"name": "a", "emptyDir": {"medium": "memory"}}]}, no_field=DERIVED),
    Row("FS2006", "an hour that no day has", OBJECT, {"spec": {"schedule": "0 24 * * *"}},
        workload(schedule="0 24 * * *"), kinds=("CronJob",)),
    Row("FS4334", "hours that end before they start", OBJECT, {"spec": {"schedule": "0 22-4 * * *"}}, workload(schedule="0 22-4 * * *"),
        kinds=("CronJob",)),
    Row("FS4339", "a time zone that is none", OBJECT, {"spec": {"timeZone": "Europe/Berln"}},
        workload(schedule={"cron": "0 5 * * *", "timeZone": "Europe/Berln"}), kinds=("CronJob",)),
    Row("FS4335", "a starting deadline that has passed", OBJECT, {"spec": {"startingDeadlineSeconds": 9}},
        workload(schedule={"cron": "0 3 * * *", "startingDeadline": "9s"}), kinds=("CronJob",)),
    Row("FS4331", "a run longer than the time between starts", OBJECT, {"spec": {
        "schedule": "0 * * * *", "concurrencyPolicy": "Forbid", "jobTemplate": {"spec": {"activeDeadlineSeconds": 86400}}}},
        workload(schedule="0 * * * *", activeDeadline="1d"), kinds=("CronJob",)),
    Row("FS4441", "a namespace that a selector excludes", POD, {"affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
        {"topologyKey": "cloud.google.com/gke-nodepool", "labelSelector": {"matchLabels": {"team": "b"}},
         "namespaceSelector": {"matchExpressions": [{"key": "kubernetes.io/metadata.name", "operator": "NotIn", "values": ["a"]}]}}]}}},
        no_field="no field has it"),
    Row("FS4333", "a selector of the Job's name", POD, {"affinity": {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
        {"labelSelector": {"matchLabels": {"job-name": "train"}}, "topologyKey": "cloud.google.com/gke-nodepool"}]}}}, no_field=DERIVED,
        kinds=("CronJob",)),
    Row("FS4336", "a queue of the CronJob", OBJECT, {"metadata": {"labels": {"kueue.x-k8s.io/queue-name": "team"}}}, no_field=DERIVED,
        kinds=("CronJob",)),
    Row("FS4155", "Recreate with a rolling update", OBJECT,
        {"spec": {"strategy": {"type": "Recreate", "rollingUpdate": {"maxSurge": 1}}}}, no_field=DERIVED, kinds=("Deployment",)),
    Row("FS4155", "a deadline of pods that run for ever", OBJECT, {"spec": {"template": {"spec": {"activeDeadlineSeconds": 60}}}}, no_field=DERIVED,
        kinds=("Deployment", "ReplicaSet", "StatefulSet")),
    Row("FS2002", "a selector of no pods", OBJECT, {"spec": {"selector": None}}, no_field=DERIVED, kinds=("Deployment", "ReplicaSet", "StatefulSet"),
        patch_code="FS4032"),
    Row("FS4155", "a selector of a Job", JOB, {"selector": {"matchLabels": {"app": "train"}}}, no_field=DERIVED),
    Row("FS4155", "a leader on nodes of another shape", OBJECT, {"spec": {"leaderWorkerTemplate": {"leaderTemplate": LEADER}}}, no_field=DERIVED,
        kinds=("LeaderWorkerSet",)),
    Row("FS5007", "a group without its size", OBJECT, {"spec": {"leaderWorkerTemplate": {"size": None}}}, no_field=DERIVED, kinds=("LeaderWorkerSet",)),
    Row("FS2007", "a name that its Jobs cannot have", OBJECT, {"metadata": {"name": "n" * 53}}, {"name": "n" * 53},
        field_code="FS4005", kinds=("CronJob",)),
    Row("FS4005", "a name that its pods cannot have", OBJECT, {"metadata": {"name": "n" * 60}}, {"name": "n" * 60}, kinds=("JobSet",), patch_code="FS4032"),
    Row("FS2006", "a queue in capitals", OBJECT, {"metadata": {"labels": {"kueue.x-k8s.io/queue-name": "My_Queue"}}}, {"provisioning": {"queue": "My_Queue"}},
        kinds=("Pod", "Job", "JobSet", "Deployment", "ReplicaSet", "StatefulSet", "LeaderWorkerSet", "RayCluster", "RayJob", "RayService")),
    Row("FS2006", "a queue of starts in capitals", OBJECT,
        {"spec": {"jobTemplate": {"metadata": {"labels": {"kueue.x-k8s.io/queue-name": "My_Queue"}}}}},
        {"provisioning": {"queue": "My_Queue"}}, kinds=("CronJob",)),
    Row("FS2006", "a host without an address", POD, {"hostAliases": [{"ip": "localhost", "hostnames": ["db"]}]}, no_field="no field has it"),
    Row("FS2006", "a port of a host without an address", CONTAINER, {"ports": [{"containerPort": 8000, "hostIP": "eth0"}]}, no_field="no field has it"),
    Row("FS2006", "a label with a blank", OBJECT, {"metadata": {"labels": {"team": "model serving"}}}, {"labels": {"team": "model serving"}}),
    Row("FS5015", "pods of a group that end", POD, {"restartPolicy": "Never"}, no_field="no field of the kind has it", kinds=("LeaderWorkerSet",)),
    Row("FS4154", "subgroups above the group", OBJECT, {"spec": {"leaderWorkerTemplate": {"subGroupPolicy": {"subGroupSize": 8}}}}, no_field=DERIVED,
        kinds=("LeaderWorkerSet",)),
    Row("FS5015", "pods of a Job without a policy", POD, {"restartPolicy": None}, no_field="a spec without it has the kind's own", kinds=("Job", "CronJob")),
    Row("FS4077", "TPUs in the plural", CONTAINER, {"resources": {"requests": None, "limits": {"google.com/tpu": None, "google.com/tpus": 4}}},
        no_field=DERIVED, patch_code="FS4032"),
    Row("FS2006", "TPUs with a unit", CONTAINER, {"resources": {"limits": {"google.com/tpu": "4Gi"}}}, no_field=DERIVED, patch_code="FS4032"),
    Row("FS4036", "spot nodes by a capital", POD, {"nodeSelector": {"cloud.google.com/gke-spot": "True"}},
        workload(nodeSelector={"cloud.google.com/gke-spot": "True"}), field_code="FS4017"),
    Row("FS4036", "a region for a zone", POD, {"nodeSelector": {"topology.kubernetes.io/zone": "us-east5"}},
        workload(nodeSelector={"topology.kubernetes.io/zone": "us-east5"}), field_code="FS4036"),
    Row("FS2002", "a coordinator that is no job", OBJECT, {"spec": {"coordinator": {"jobIndex": 0}}}, no_field=DERIVED, kinds=("JobSet",)),
    Row("FS4362", "a family of machines beside a class", POD,
        {"nodeSelector": {"cloud.google.com/compute-class": "own", "cloud.google.com/machine-family": "ct6e"}},
        no_field="it needs `provisioning.fallback`: the cases of ui have it"),
    Row("FS4369", "more devices than there are", CONTAINER, {"command": ["vllm", "serve", "m", "--tensor-parallel-size=512"]},
        workload(command=["vllm", "serve", "m", "--tensor-parallel-size=512"])),
    Row("FS4490", "a server on another port", CONTAINER, {"command": ["vllm", "serve", "m", "--port=8081"], "ports": [{"containerPort": 8000}]},
        workload(command=["vllm", "serve", "m", "--port=8081"], ports=[8000])),
    Row("FS4491", "a probe of a port of no container", CONTAINER, {"ports": [{"containerPort": 8000}], "readinessProbe": {"httpGet": {"port": 9000}}},
        workload(ports=[8000], readinessProbe={"httpGet": {"port": 9000}}), kinds=("Deployment", "ReplicaSet", "StatefulSet", "LeaderWorkerSet")),
    Row("FS4496", "a host of another kind", CONTAINER, {"env": [{"name": "PEER", "value": "train-9.train:8476"}]},
        workload(env={"PEER": "train-9.train:8476"}), kinds=("JobSet",)),
    Row("FS4498", "a shell that keeps the signal", CONTAINER,
        {"command": ["bash", "-c", "python serve.py | tee /tmp/log"], "ports": [{"containerPort": 8000}]},
        workload(command=["bash", "-c", "python serve.py | tee /tmp/log"], ports=[8000]), kinds=("Deployment", "LeaderWorkerSet")),
    Row("FS4535", "more chips than Ray's pods have", OBJECT, {"spec": {"workerGroupSpecs": [
        {**RAY_GROUP, "replicas": 1, "minReplicas": 1, "maxReplicas": 1, "rayStartParams": {"resources": '"{\\"TPU\\": 8}"'}}]}},
        no_field=DERIVED, kinds=("RayCluster",)),
    Row("FS4536", "an image for GPUs", CONTAINER, {"image": "vllm/vllm-openai:v0.10.1"}, workload(image="vllm/vllm-openai:v0.10.1")),
    Row("FS4537", "a hook as long as the grace period", CONTAINER, {"lifecycle": {"preStop": {"exec": {"command": ["sleep", "300"]}}}},
        no_field="no field has it"),
    Row("FS4555", "a volume of a name alone", POD, {"volumes": [{"name": "data"}]}, no_field="volumes of a spec say what they are"),
    Row("FS4549", "a domain with two letters swapped", POD, {"nodeSelector": {"cloud.google.cmo/fleet": "a"}},
        workload(nodeSelector={"cloud.google.cmo/fleet": "a"})),
    Row("FS2006", "a setting of the kernel with a blank", POD, {"securityContext": {"sysctls": [{"name": "net.core.", "value": "1"}]}}, workload(
        securityContext={"sysctls": [{"name": "net.core.", "value": "1"}]})),
]

# Codes of 4xxx, 50xx, 5133 and 514x that have no row, by the reason.
REASONS = {
    "it is about fields of the spec, of which the object is made": """4004 4006 4008 4009 4010 4011 4012 4013 4014 4015 4016 4017 4019 4020
        4022 4024 4025 4026 4028 4029 4037 4045 4060 4063 4066 4070 4071 4072 4073 4078 4092 4093 4110 4111 4112 4113 4114 4115 4116 4137
        4117 4094 4287 4288 4290 4291 4293 4294 4301 4302 4190 4191 4192 4193 4140 4330 4332 4337 4145 4146 4149 4180 4241 4250 4260 4321 4322 4323 4324 4325
        4372 4373 4390 4391 4392 4393 4394 4400 4401 4402 4403 4404 4405 4406 4410 4411 4497 4499""",
    "it needs several hosts of Spot VMs: the cases of ui and lint have each door": "4300",
    "it needs several pods of one object: the cases of ui and lint have each door": "4440",
    "it is about a patch": "4030 4031 4032 4136 4430 4431 5131",
    "it is about fields that a spec says together": "4554 4560",
    "it is about the matrix of a spec": "4280 4281 4282 4283 4284 4285 4286",
    "it is about queues of a spec without a workload, or its pools": "4261 4262 4263 4264 4265 4266 4267 4268 4269",
    "it is about the places of a spec": "4271 4272 4273 4274 4275 4276",
    "it is about several specs of a run": "4470 4471 4495 4289 4292 4100 4101 4102 4103 4242 4243 4251 4252 4253 4277",
    "it is about commands, which the cases of ui and lint have": """4002 4003 4342 4034 4210 4211 4320 5020 5021 5022 5023 5024 5025 5026 5027 5028 5029 5031 5034
        5040 5041 5042 5043 5044 5045 5046 5047 5048 5049 5057 5058 5059 5061 5065 5066 4552 4556 4557 4562""",
    "it is about several objects: test_services.py": "4230 4231 4232 4233 4240",
    "it is about objects that compile does not make, or their pools, and the cases of lint have it": "4530 4531 4532 4533 4541 4542 4543 4544 4545 4546 4547 4548 4553 4095 4295 4297 4298 4143 4367 4368 4558 4559 4370 4371 4420 4421",
    "it is about slices that a spec counts and keeps apart, and the cases of lint have it": "4296 4363 4364 4365 4366",
    "it is about two containers of a pod, which the cases of lint have": "4534",
    "it is about an autoscaler, which the cases of ui and lint have": "4492 4493 4494 4563",
    "it is about what pods refer to, and the cases of lint have it": "4538 4540 4561",
    "it is about the objects of a queue: test_queues.py": "4244 4245 5133 5140",
    "a spec derives it, and the cases of lint have it": "4237 4360 4361 5060 5062 5063 5165",
    "it is about nodes and counts, which a spec derives: property/lint_laws.cpp makes these mistakes in all that compile makes": """4001
        5003 5004 5006 5008 5009 5010 5011 5013 5014 5016 5017 5018 5030""",
    "an object of a spec has the version of its kind": "5019",
    "it depends on the cluster, of which a manifest says nothing": "4007 4018 4023 4148 5035 5036 5037",
    "it is about slices that controllers form, which the cases of lint have": "5033",
    "it is about the text of a file, or a note that only --notes shows: the cases of ui and lint have it": "4338 4550 5064",
    "it needs more text than a case should have": "4062",
    "it is still judged by the spec's fields alone": "4065 4131",
}
ELSEWHERE = {f"FS{code}" for codes in REASONS.values() for code in codes.split()}
