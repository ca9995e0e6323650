"""What may be done to good manifests: mutations that are to be refused, and variants that are good too.

Called by test_check_manifests.py.
"""

from good_manifests import DEPLOYMENT, JOBSET, LEADER, MULTI_HOST, QUEUES, RAY_CLUSTER, RAY_JOB, RAY_SERVICE, ROUTER, SCALED, SCHEDULE, SINGLE_HOST

POD = "spec.template.spec"
MAIN = f"{POD}.containers[0]"
SLICE = "spec.replicatedJobs[0].template.spec"
GROUP = "spec.resourceGroups[0]"
SELECTOR = f"{POD}.nodeSelector"
FLEX_START = f'{SELECTOR}["cloud.google.com/gke-flex-start"]'
CHIPS = f'{MAIN}.resources.limits["google.com/tpu"]'
LIMITS = '          limits:\n            google.com/tpu: "4"\n'
REQUESTS = LIMITS.replace("limits", "requests")
LABEL = 'metadata.labels["app.kubernetes.io/name"]'

ROLLOUT = "    type: RollingUpdate\n    rollingUpdate:\n      maxSurge: 0\n      maxUnavailable: 1\n"
LWS, LWS_POLICY = "leaderworkerset.sigs.k8s.io", "spec.rolloutStrategy.rollingUpdateConfiguration"
SUBGROUPS = "    subGroupPolicy:\n      subGroupPolicyType: LeaderExcluded\n      subGroupSize: 4\n"
WORKERS, HEAD = "spec.workerGroupSpecs[0]", "spec.headGroupSpec"

# name: (manifest, text in it, text in its place, path of the one finding, part of its message)
MUTATIONS = {
    # autoscalers and gateways
    "less than none": (SCALED, "minReplicas: 1", "minReplicas: 0", "spec.minReplicas", "less than the minimum of 1"),
    "more at least than at most": (SCALED, "minReplicas: 1", "minReplicas: 4", "spec.minReplicas", "not be more than maxReplicas"),
    "target of nothing": (SCALED, 'averageValue: "5"', 'averageValue: "0"', "spec.metrics[0].pods.target.averageValue", "more than 0"),
    "autoscaler of another kind": (SCALED, "    kind: Deployment\n", "    kind: StatefulSet\n", "spec.scaleTargetRef.name", "no StatefulSet chat"),
    "number beside an autoscaler": (
        SCALED, "  progressDeadlineSeconds: 1200\n", "  progressDeadlineSeconds: 1200\n  replicas: 2\n", "spec.scaleTargetRef.name", "sets replicas of chat back"),
    "metric of a closed port": (SCALED, "  - port: 8000\n", "  - port: 9000\n", "spec.endpoints[0].port", "no container has a port 9000"),
    "metric of no pods": (SCALED, "      app: chat\n  endpoints", "      app: talk\n  endpoints", "spec.selector", "selects no pods"),
    "pool of a closed port": (SCALED, "  - number: 8000\n", "  - number: 80\n", "spec.targetPorts[0].number", "no container has a port 80"),
    "pool without a picker": (SCALED, "    name: chat-epp\n", "", "spec.endpointPickerRef.name", "is required"),
    "route to no pool": (SCALED, "      kind: InferencePool\n      name: chat\n", "      kind: InferencePool\n      name: talk\n",
                         "spec.rules[0].backendRefs[0].name", "no InferencePool talk"),
    "protocol of a listener": (SCALED, "protocol: HTTP", "protocol: GRPC", "spec.listeners[0].protocol", "GRPC"),

    # numbers, booleans and strings
    "bare chip count": (SINGLE_HOST, LIMITS, LIMITS.replace('"4"', "4"), CHIPS, "an integer 4: quote it"),
    "placeholder": (SINGLE_HOST, LIMITS, LIMITS.replace('"4"', "NUM_CHIPS"), CHIPS, '"NUM_CHIPS" is not a quantity'),
    "bare boolean in a selector": (SINGLE_HOST, '"true"', "true", FLEX_START, "boolean true: quote it"),
    "bare y in a selector": (SINGLE_HOST, '"true"', "y", FLEX_START, "boolean true: quote it"),
    "bare number in env": (MULTI_HOST, 'value: "1"', "value: 1", f"{MAIN}.env[0].value", "integer 1: quote it"),
    "bare exponent in env": (MULTI_HOST, 'value: "1"', "value: 1e3", f"{MAIN}.env[0].value", "integer 1000: quote it"),
    "bare number in an annotation": (
        MULTI_HOST, '"any text: with # signs"', "0x10",
        'metadata.annotations["example.com/note"]', "integer 16: quote it",
    ),
    "quoted count": (MULTI_HOST, "backoffLimit: 0", 'backoffLimit: "0"', "spec.backoffLimit", "must be an integer"),
    "empty value": (SINGLE_HOST, "gcr.io/k8s-staging-perf-tests/sleep:latest", "", f"{MAIN}.image", "is empty"),

    # YAML
    "key given twice": (
        SINGLE_HOST, "  name: job-1", "  name: job-1\n  name: job-2", "", "the key name is given twice",
    ),
    "tab": (SINGLE_HOST, "  name: job-1", "\tname: job-1", "", "line 4: found character '\\t'"),
    "text behind a separator": (MULTI_HOST, "---\n", "--- kind\n", "", "behind ---"),

    # fields
    "unknown kind": (SINGLE_HOST, "batch/v1", "batch/v2", "kind", "unknown kind batch/v2 Job"),
    "misspelt field": (MULTI_HOST, "subdomain:", "subDomain:", f"{POD}.subDomain", "did you mean subdomain?"),
    "field at the wrong level": (
        SINGLE_HOST, "spec:\n  template:", "spec:\n  restartPolicy: Never\n  template:",
        "spec.restartPolicy", "unknown field",
    ),
    "no image": (
        SINGLE_HOST, "        image: gcr.io/k8s-staging-perf-tests/sleep:latest\n", "", f"{MAIN}.image", "is required",
    ),
    "two sources of one volume": (
        MULTI_HOST, "        emptyDir:\n", "        configMap: {name: a}\n        emptyDir:\n",
        f"{POD}.volumes[1]", "exactly one source",
    ),
    "value and valueFrom": (
        MULTI_HOST, "- name: TOKEN\n", "- name: TOKEN\n          value: x\n", f"{MAIN}.env[1]", "exactly one of",
    ),

    # names and labels
    "no name": (SINGLE_HOST, "metadata:\n  name: job-1\n", "metadata: {}\n", "metadata.name", "is required"),
    "name with capitals": (SINGLE_HOST, "name: job-1", "name: Job_1", "metadata.name", "is not a DNS name"),
    "name too long with its index": (
        MULTI_HOST, "Job\nmetadata:\n  name: job-1", f"Job\nmetadata:\n  name: {'j' * 62}",
        "metadata.name", "64 characters",
    ),
    "service name with a digit first": (
        MULTI_HOST, "  name: headless-svc", "  name: 1-svc", "metadata.name", "begins with a letter",
    ),
    "subdomain with a dot": (
        MULTI_HOST, "subdomain: headless-svc", "subdomain: headless.svc", f"{POD}.subdomain", "is not a DNS label",
    ),
    "label value with a slash": (MULTI_HOST, "name: train", "name: a/b", LABEL, "is not a label value"),
    "label value with a line feed": (MULTI_HOST, "name: train", 'name: "train\\n"', LABEL, "is not a label value"),
    "label value too long": (MULTI_HOST, "name: train", f"name: {'a' * 64}", LABEL, "is not a label value"),
    "label key with blanks": (
        MULTI_HOST, "app.kubernetes.io/name: train", '"app.kubernetes.io / name": train',
        'metadata.labels["app.kubernetes.io / name"]', "is not a label key",
    ),
    "variable given twice": (MULTI_HOST, "- name: TOKEN", "- name: DEBUG", f"{MAIN}.env[1].name", "the same name"),
    "two containers of one name": (
        MULTI_HOST, "      volumes:\n", "      - {name: tpu-job, image: x}\n      volumes:\n",
        f"{POD}.containers[1].name", "the same name as item 0",
    ),
    "container named like a sidecar": (
        MULTI_HOST, "- name: sidecar", "- name: tpu-job", f"{MAIN}.name", "initContainer",
    ),

    # resources
    "half a chip": (
        SINGLE_HOST, REQUESTS + LIMITS, (REQUESTS + LIMITS).replace("4", "0.5"),
        CHIPS, "must be a whole number, is 0.5",
    ),
    "requests are not limits": (
        SINGLE_HOST, REQUESTS, REQUESTS.replace("4", "1"), CHIPS.replace("limits",
        "requests"), "must equal the limit 4",
    ),
    "no limit of chips": (SINGLE_HOST, LIMITS, "", CHIPS, "is required"),
    "requests above limits": (
        MULTI_HOST, "memory: 16Gi", "memory: 33000Mi", f"{MAIN}.resources.requests.memory", "at most the limit 32Gi",
    ),

    # Jobs
    "no restart policy": (SINGLE_HOST, "      restartPolicy: OnFailure\n", "", f"{POD}.restartPolicy", "is required"),
    "restart always": (SINGLE_HOST, "OnFailure", "Always", f"{POD}.restartPolicy", "Never or OnFailure"),
    "indexed without completions": (
        MULTI_HOST, "  completions: 4 # 4x4 = 16 chips / 4 per VM\n", "",
        "spec.completions", "with completionMode Indexed",
    ),
    "policy needs never": (
        MULTI_HOST, "restartPolicy: Never", "restartPolicy: OnFailure",
        "spec.podFailurePolicy", "needs restartPolicy Never",
    ),
    "policy for no container": (
        MULTI_HOST, "containerName: tpu-job", "containerName: tpu",
        "spec.podFailurePolicy.rules[1].onExitCodes.containerName", "there is no container tpu",
    ),

    # CronJobs
    "no schedule": (SCHEDULE, "  schedule: 0 2 * * *\n", "", "spec.schedule", "is required"),
    "a schedule of six fields": (SCHEDULE, "0 2 * * *", "0 0 2 * * *", "spec.schedule", "is not five fields"),
    "a policy that is none": (SCHEDULE, "Forbid", "Never", "spec.concurrencyPolicy", "is none of"),
    "a name without room for the start": (
        SCHEDULE, "CronJob\nmetadata:\n  name: nightly", f"CronJob\nmetadata:\n  name: {'n' * 53}", "metadata.name", "the limit is 52",
    ),
    "a name without room for start and index": (
        SCHEDULE.replace("completions: 4", "completions: 16").replace("parallelism: 4", "parallelism: 16").replace("4x4", "8x8"),
        "CronJob\nmetadata:\n  name: nightly", f"CronJob\nmetadata:\n  name: {'n' * 52}", "metadata.name", "64 characters",
    ),
    "service of no start": (
        SCHEDULE, "    flexslice-schedule: nightly\n---", "    job-name: nightly\n---",
        "spec.jobTemplate.spec.template.spec.subdomain", "selects job-name=nightly, which these pods lack",
    ),
    "a scheduled job that restarts": (
        SCHEDULE, "restartPolicy: Never", "restartPolicy: Always", "spec.jobTemplate.spec.template.spec.restartPolicy", "Never or OnFailure",
    ),

    # pods
    "mount without volume": (
        MULTI_HOST, "- name: shm\n          mount", "- name: tmp\n          mount",
        f"{MAIN}.volumeMounts[1].name", "there is no volume tmp",
    ),
    "port name too long": (
        MULTI_HOST, "name: metrics", "name: metrics-of-the-tpu", f"{MAIN}.ports[1].name", "is not a port name",
    ),
    "port name given twice": (MULTI_HOST, "name: metrics", "name: tpu", f"{MAIN}.ports[1].name", "is given twice"),
    "port given twice": (
        MULTI_HOST, "containerPort: 8431", "containerPort: 8471",
        f"{MAIN}.ports[1].containerPort", "the same containerPort and protocol as item 0",
    ),
    "port out of range": (
        MULTI_HOST, "containerPort: 8431", "containerPort: 84310", f"{MAIN}.ports[1].containerPort", "65535",
    ),
    "toleration of a value that exists": (
        MULTI_HOST, "operator: Exists\n", "operator: Exists\n        value: present\n",
        f"{POD}.tolerations[0].value", "must be empty with operator Exists",
    ),
    "probe of a plain initContainer": (
        MULTI_HOST, "        restartPolicy: Always\n", "", f"{POD}.initContainers[0].startupProbe", "is only for",
    ),
    "service with a cluster IP": (
        MULTI_HOST, "clusterIP: None", 'clusterIP: ""', "spec.clusterIP", '"" is none of "None"',
    ),
    "service that is not headless and has no ports": (
        MULTI_HOST, "  clusterIP: None\n", "", "spec.ports", "is required",
    ),

    # Deployments and what belongs to them
    "labels are not what is selected": (
        DEPLOYMENT, "      labels:\n        app: chat\n", "      labels:\n        app: talk\n",
        "spec.template.metadata.labels.app", "must be chat",
    ),
    "selects everything": (
        DEPLOYMENT, "  selector:\n    matchLabels:\n      app: chat\n  strategy", "  selector: {}\n  strategy",
        "spec.selector", "selects nothing, or everything",
    ),
    "rollout that cannot move": (
        DEPLOYMENT, "maxSurge: 0\n      maxUnavailable: 1", "maxSurge: 0\n      maxUnavailable: 0%",
        "spec.strategy.rollingUpdate.maxUnavailable", "must not be 0",
    ),
    "rollout of another type": (
        DEPLOYMENT, "type: RollingUpdate", "type: Recreate", "spec.strategy.rollingUpdate", "only for the type RollingUpdate",
    ),
    "step that is no number": (
        DEPLOYMENT, "maxSurge: 0", "maxSurge: half", "spec.strategy.rollingUpdate.maxSurge", '"half" is not a number from 0 on',
    ),
    "deadline before the pods count as ready": (
        DEPLOYMENT, "progressDeadlineSeconds: 1200", "progressDeadlineSeconds: 30\n  minReadySeconds: 30",
        "spec.progressDeadlineSeconds", "must be more than minReadySeconds",
    ),
    "replica that ends": (
        DEPLOYMENT, "    spec:\n      nodeSelector", "    spec:\n      restartPolicy: Never\n      nodeSelector",
        f"{POD}.restartPolicy", "must be Always",
    ),
    "field of a job in a deployment": (
        DEPLOYMENT, "  replicas: 2\n", "  replicas: 2\n  backoffLimit: 0\n", "spec.backoffLimit", "unknown field",
    ),
    "budget of nothing": (
        DEPLOYMENT, "  maxUnavailable: 1\n  selector", "  selector", "spec", "exactly one of maxUnavailable, minAvailable",
    ),
    "budget of both": (
        DEPLOYMENT, "  maxUnavailable: 1\n  selector", "  maxUnavailable: 1\n  minAvailable: 1\n  selector",
        "spec", "exactly one of maxUnavailable, minAvailable",
    ),

    # LeaderWorkerSets
    "misspelt policy of a group": (
        LEADER, "RecreateGroupOnPodRestart", "RecreateGroup", "spec.leaderWorkerTemplate.restartPolicy",
        '"RecreateGroup" is none of',
    ),
    "no workers": (
        LEADER, LEADER[LEADER.index("    workerTemplate"):], "", "spec.leaderWorkerTemplate.workerTemplate", "is required",
    ),
    "group of nobody": (LEADER, "size: 4", "size: 0", "spec.leaderWorkerTemplate.size", "less than the minimum"),
    "name of groups too long": (LEADER, "  name: big\n", f"  name: {'b' * 51}\n", "metadata.name", "has 64 characters"),
    "groups that cannot move": (
        LEADER, "maxUnavailable: 1", "maxUnavailable: 0", f"{LWS_POLICY}.maxUnavailable", "must not be 0",
    ),
    "subgroups without a size": (
        ROUTER, "      subGroupSize: 4\n", "", "spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize", "is required",
    ),
    "subgroups that do not fit": (
        ROUTER, "subGroupSize: 4", "subGroupSize: 3", "spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize",
        "3 must divide size less the leader, 4",
    ),
    "exclusive subgroups where there are none": (
        ROUTER, SUBGROUPS, "", f'metadata.annotations["{LWS}/subgroup-exclusive-topology"]', "needs a subGroupPolicy",
    ),
    "worker that ends": (
        ROUTER, "    workerTemplate:\n      spec:\n", "    workerTemplate:\n      spec:\n        restartPolicy: OnFailure\n",
        "spec.leaderWorkerTemplate.workerTemplate.spec.restartPolicy", "must be Always",
    ),

    # Ray
    "alpha version": (RAY_CLUSTER, "ray.io/v1\n", "ray.io/v1alpha1\n", "kind", "unknown kind ray.io/v1alpha1 RayCluster"),
    "bare version of ray": (RAY_CLUSTER, "rayVersion: 2.51.0", "rayVersion: 2.51", "spec.rayVersion", "a number 2.51: quote it"),
    "no head": (
        RAY_CLUSTER, RAY_CLUSTER[RAY_CLUSTER.index("  headGroup"):RAY_CLUSTER.index("  workerGroup")], "", "spec.headGroupSpec", "is required",
    ),
    "misspelt field of a worker group": (
        RAY_CLUSTER, "numOfHosts: 4", "numHosts: 4", f"{WORKERS}.numHosts", "did you mean numOfHosts?",
    ),
    "replicas above the most": (RAY_CLUSTER, "replicas: 2\n", "replicas: 3\n", f"{WORKERS}.replicas", "from 2 to 2, is 3"),
    "least above the most": (
        RAY_CLUSTER, "minReplicas: 2", "minReplicas: 3", f"{WORKERS}.minReplicas", "at most maxReplicas 2, is 3",
    ),
    "bare value of a start parameter": (
        RAY_CLUSTER, "    rayStartParams: {}\n    template:\n      metadata", "    rayStartParams: {num-cpus: 0}\n    template:\n      metadata",
        f'{HEAD}.rayStartParams.num-cpus', "integer 0: quote it",
    ),
    "two worker groups of one name": (
        RAY_CLUSTER, "  workerGroupSpecs:\n",
        "  workerGroupSpecs:\n  - groupName: slices\n    minReplicas: 0\n    maxReplicas: 1\n"
        "    template:\n      spec:\n        containers: [{name: a, image: b}]\n",
        "spec.workerGroupSpecs[1].groupName", "the same groupName as item 0",
    ),
    "name of a ray cluster too long": (RAY_CLUSTER, "  name: ray\n  labels", f"  name: {'r' * 54}\n  labels", "metadata.name", "at most 53"),
    "name of a ray job too long": (RAY_JOB, "  name: tune\n", f"  name: {'r' * 48}\n", "metadata.name", "at most 47"),
    "name of a ray service too long": (RAY_SERVICE, "  name: assistant\nspec", f"  name: {'r' * 48}\nspec", "metadata.name", "at most 47"),
    "no entrypoint": (RAY_JOB, "  entrypoint: bash /etc/flexslice/script.sh\n", "", "spec.entrypoint", "is required"),
    "no ray cluster": (
        RAY_SERVICE, RAY_SERVICE[RAY_SERVICE.index("  rayClusterConfig"):], "", "spec.rayClusterConfig", "is required",
    ),
    "clean-up of a cluster that stays": (
        RAY_JOB, "  shutdownAfterJobFinishes: true\n", "", "spec.ttlSecondsAfterFinished", "needs shutdownAfterJobFinishes",
    ),
    "configuration that is no text": (
        RAY_SERVICE, "serveConfigV2: |\n    applications: []", "serveConfigV2:\n    applications: []",
        "spec.serveConfigV2", "must be a string, is a mapping",
    ),

    # ConfigMaps
    "number in a config map": (
        RAY_JOB, "  script.sh: |\n    python tune.py\n", "  script.sh: 1\n", 'data["script.sh"]', "integer 1: quote it",
    ),
    "key with a slash": (RAY_JOB, "  script.sh: |", "  bin/script.sh: |", 'data["bin/script.sh"]', "is not a key of a ConfigMap"),

    # JobSets
    "jobset names too long": (JOBSET, "name: multislice", f"name: {'m' * 60}", "metadata.name", "has 76 characters"),
    "misspelt field of a jobset": (
        JOBSET, "maxRestarts", "maxRestart", "spec.failurePolicy.maxRestart", "did you mean maxRestarts?",
    ),
    "field of the level above": (JOBSET, "backoffLimit: 0", "replicas: 1", f"{SLICE}.replicas", "unknown field"),
    "two replicated jobs of one name": (
        JOBSET, "  replicatedJobs:\n",
        "  replicatedJobs:\n  - name: slice\n    template:\n      spec:\n        template:\n          spec:\n"
        "            restartPolicy: Never\n            containers: [{name: a, image: b}]\n",
        "spec.replicatedJobs[1].name", "the same name as item 0",
    ),
    "unknown success operator": (
        JOBSET, "  network:\n", "  successPolicy:\n    operator: Some\n  network:\n",
        "spec.successPolicy.operator", '"Some" is none of "All", "Any"',
    ),
    "success of no job": (
        JOBSET, "  network:\n", "  successPolicy:\n    operator: All\n    targetReplicatedJobs: [leader]\n  network:\n",
        "spec.successPolicy.targetReplicatedJobs[0]", "there is no replicatedJob leader",
    ),

    # Kueue
    "quota that is no quantity": (
        QUEUES, "Quota: 16", "Quota: lots", f"{GROUP}.flavors[0].resources[0].nominalQuota", '"lots" is not a quantity',
    ),
    "field of an older kueue": (
        QUEUES, "  namespaceSelector: {}", "  namespaceSelector: {}\n  cohort: all", "spec.cohort", "unknown field",
    ),
    "taint without effect": (
        QUEUES, "  topologyName: tpu\n", "  topologyName: tpu\n  nodeTaints:\n  - key: google.com/tpu\n",
        "spec.nodeTaints[0].effect", "is required",
    ),
    "flavour name with capitals": (
        QUEUES, "    - name: v6e-4x4", "    - name: V6E", f"{GROUP}.flavors[0].name", "is not a DNS name",
    ),
    "flavour without the covered resource": (
        QUEUES, "Resources: [google.com/tpu]", "Resources: [google.com/tpu, cpu]",
        f"{GROUP}.flavors[0].resources", "must be, in this order, google.com/tpu, cpu",
    ),
    "topology without node labels": (
        QUEUES, "  nodeLabels:\n    cloud.google.com/gke-tpu-topology: 4x4\n", "",
        "spec.nodeLabels", "is required with topologyName",
    ),
    "no provisioning class": (
        QUEUES, "  provisioningClassName: queued-provisioning.gke.io\n", "",
        "spec.provisioningClassName", "is required",
    ),
    "no controller": (
        QUEUES, "  controllerName: kueue.x-k8s.io/provisioning-request\n", "", "spec.controllerName", "is required",
    ),
    "no levels": (
        QUEUES, "\n  - nodeLabel: cloud.google.com/gke-nodepool\n  - nodeLabel: kubernetes.io/hostname\n", " []\n",
        "spec.levels", "too short",
    ),
    "namespace of a cluster's object": (
        QUEUES, "  name: dws-config\nspec", "  name: dws-config\n  namespace: team-a\nspec",
        "metadata.namespace", "unknown field",
    ),

    # between the objects of a file
    "same object twice": (
        QUEUES, "kind: ResourceFlavor\nmetadata:\n  name: v6e-4x4\nspec:\n",
        "kind: ResourceFlavor\nmetadata:\n  name: v6e-4x4\nspec: {}\n---\n"
        "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ResourceFlavor\nmetadata:\n  name: v6e-4x4\nspec:\n",
        "metadata.name", "an earlier ResourceFlavor is named v6e-4x4 too",
    ),
    "queue of nothing": (
        QUEUES, "clusterQueue: cluster-queue", "clusterQueue: other", "spec.clusterQueue", "no ClusterQueue other",
    ),
    "flavour that is not there": (
        QUEUES, "    - name: v6e-4x4", "    - name: v6e", f"{GROUP}.flavors[0].name", "there is no ResourceFlavor v6e",
    ),
    "no service": (
        MULTI_HOST, "  name: headless-svc", "  name: other-svc", f"{POD}.subdomain", "there is no Service headless-svc",
    ),
    "service in another namespace": (
        MULTI_HOST, "  name: headless-svc\n  namespace: team-a", "  name: headless-svc",
        f"{POD}.subdomain", "there is no Service headless-svc in namespace team-a",
    ),
    "service of another job": (
        MULTI_HOST, "job-name: job-1", "job-name: job-2", f"{POD}.subdomain", "selects job-name=job-2",
    ),

    "service of no pods": (
        DEPLOYMENT, "  selector:\n    app: chat\n", "  selector:\n    app: other\n", "spec.selector", "selects no pods",
    ),
    "service of workers that have no number 0": (
        LEADER, f"    {LWS}/name: big\n", f"    {LWS}/name: bigger\n", "spec.selector", "selects no pods",
    ),
    "port that no container has": (
        DEPLOYMENT, "targetPort: 8000", "targetPort: 8001", "spec.ports[0].targetPort", "no container has a port 8001",
    ),
    "budget for no pods": (
        DEPLOYMENT, "  maxUnavailable: 1\n  selector:\n    matchLabels:\n      app: chat\n",
        "  maxUnavailable: 1\n  selector:\n    matchLabels:\n      app: other\n", "spec.selector", "selects no pods",
    ),
    "service of a job that is not headless": (
        MULTI_HOST, "  clusterIP: None\n", "  ports: [{port: 8471}]\n", f"{POD}.subdomain", "is not headless",
    ),
    "config map that nobody mounts": (RAY_JOB, "name: tune-script\n  namespace", "name: tune\n  namespace", "metadata.name", "no pod"),
    "queue of a deployment that is not there": (
        DEPLOYMENT, "apiVersion: apps/v1", "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata:\n  name: other\n"
        "spec:\n  clusterQueue: q\n---\napiVersion: apps/v1",
        'metadata.labels["kueue.x-k8s.io/queue-name"]', "there is no LocalQueue tpu-queue",
    ),

    # TPUs
    "replica of half a slice": (
        DEPLOYMENT, 'tpu: "8"', 'tpu: "4"', f"{POD}.containers", "a replica has 4 chips, and a slice of 2x4 8",
    ),
    "replica without a topology": (
        DEPLOYMENT, "        cloud.google.com/gke-tpu-topology: 2x4\n", "",
        f'{SELECTOR}["cloud.google.com/gke-tpu-topology"]', "is required",
    ),
    "group of too many": (LEADER, "size: 4", "size: 5", "spec.leaderWorkerTemplate.size", "a group of 5 has 20 chips"),
    "leader without its chips": (
        LEADER, "          resources:\n            limits:\n              google.com/tpu: \"4\" # of the leader\n", "",
        "spec.leaderWorkerTemplate.size", "a group of 4 has 12 chips",
    ),
    "leader of another slice": (
        LEADER, "4x4 # of the leader", "2x8", 'spec.leaderWorkerTemplate.leaderTemplate.spec.nodeSelector["cloud.google.com/gke-tpu-topology"]',
        "must be 4x4",
    ),
    "groups that share slices": (
        LEADER, f"  annotations:\n    {LWS}/exclusive-topology: cloud.google.com/gke-nodepool\n", "",
        f'metadata.annotations["{LWS}/exclusive-topology"]', "groups share slices",
    ),
    "workers on the pool of their leader": (
        ROUTER, f"    {LWS}/sub", f"    {LWS}/exclusive-topology: cloud.google.com/gke-nodepool\n    {LWS}/sub",
        f'metadata.annotations["{LWS}/exclusive-topology"]', "which has no chips",
    ),
    "routed groups that share slices": (
        ROUTER, f"  annotations:\n    {LWS}/subgroup-exclusive-topology: cloud.google.com/gke-nodepool\n", "",
        f'metadata.annotations["{LWS}/subgroup-exclusive-topology"]', "groups share slices",
    ),
    "leader in a subgroup": (
        ROUTER, "LeaderExcluded", "LeaderWorker", "spec.leaderWorkerTemplate.subGroupPolicy.subGroupPolicyType", "must be LeaderExcluded",
    ),
    "half of the workers in a subgroup": (
        ROUTER, "subGroupSize: 4", "subGroupSize: 2", "spec.leaderWorkerTemplate.subGroupPolicy.subGroupSize", "must be 4",
    ),
    "half of the hosts in a worker group": (
        RAY_CLUSTER, "numOfHosts: 4", "numOfHosts: 2", f"{WORKERS}.numOfHosts", "2 hosts x 4 chips are no slice of 4x4",
    ),
    "head with chips": (
        RAY_CLUSTER, "              memory: 16Gi\n", '              google.com/tpu: "4"\n', f"{HEAD}.template.spec.containers", "no chips",
    ),
    "affinity of a worker": (
        RAY_CLUSTER, "      spec:\n        nodeSelector", "      spec:\n        affinity: {}\n        nodeSelector",
        f"{WORKERS}.template.spec.affinity", "is replaced by the webhook",
    ),
    "bucket of a replica without the annotation": (
        DEPLOYMENT, "      containers:\n", "      volumes:\n      - name: b\n        csi:\n          driver: gcsfuse.csi.storage.gke.io\n"
        "          volumeAttributes:\n            bucketName: b\n      containers:\n",
        'spec.template.metadata.annotations["gke-gcsfuse/volumes"]', 'must be "true"',
    ),
    "hosts without a subdomain": (
        MULTI_HOST, "      subdomain: headless-svc\n", "", f"{POD}.subdomain", "the 4 hosts of 4x4",
    ),
    "hosts without indexes": (
        MULTI_HOST, "completionMode: Indexed", "completionMode: NonIndexed", "spec.completionMode", "must be Indexed",
    ),
    "no accelerator": (
        SINGLE_HOST, "        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice\n", "",
        f'{SELECTOR}["cloud.google.com/gke-tpu-accelerator"]', "is required",
    ),
    "no topology": (
        SINGLE_HOST, "        cloud.google.com/gke-tpu-topology: 2x2\n", "",
        f'{SELECTOR}["cloud.google.com/gke-tpu-topology"]', "is required",
    ),
    "topology that is none": (
        SINGLE_HOST, "topology: 2x2", "topology: 2-2",
        f'{SELECTOR}["cloud.google.com/gke-tpu-topology"]', "no topology",
    ),
    "parallelism is not completions": (
        MULTI_HOST, "parallelism: 4", "parallelism: 2", "spec.parallelism", "must equal completions 4, is 2",
    ),
    "half of the hosts": (
        MULTI_HOST, "completions: 4 # 4x4 = 16 chips / 4 per VM\n  parallelism: 4", "completions: 2\n  parallelism: 2",
        "spec.parallelism", "2 pods x 4 chips do not fill slices of 4x4 = 16 chips",
    ),
    "half of the hosts in a jobset": (
        JOBSET, "completions: 4\n        parallelism: 4", "completions: 2\n        parallelism: 2",
        f"{SLICE}.parallelism", "2 pods x 4 chips do not fill",
    ),
    "bucket without the annotation": (
        MULTI_HOST, 'gke-gcsfuse/volumes: "true"', 'gke-gcsfuse/volumes: "false"',
        'spec.template.metadata.annotations["gke-gcsfuse/volumes"]', 'must be "true"',
    ),
}  # fmt: skip

# Good too: (manifest, text in it, text in its place).
VARIANTS = {
    "separator at the end": (SINGLE_HOST, "OnFailure\n", "OnFailure\n---\n"),
    "comment behind a separator": (MULTI_HOST, "---\n", "--- # the workload\n"),
    "several slices of one host": (SINGLE_HOST, "spec:\n  template", "spec:\n  parallelism: 3\n  template"),
    "queue that is elsewhere": (MULTI_HOST, "queue-name: tpu-queue", "queue-name: other"),
    "quota as text": (QUEUES, "nominalQuota: 16", 'nominalQuota: "16"'),
    "no TPU at all": (SINGLE_HOST, REQUESTS + LIMITS, '          limits:\n            cpu: "4"\n'),
    "host network": (MULTI_HOST, "      subdomain:", "      hostNetwork: true\n      subdomain:"),
    "all replicas at once": (DEPLOYMENT, ROLLOUT, "    type: Recreate\n"),
    "percentages": (DEPLOYMENT, "maxSurge: 0\n      maxUnavailable: 1", "maxSurge: 0%\n      maxUnavailable: 50%"),
    "replicas without chips": (DEPLOYMENT, 'google.com/tpu: "8"', 'cpu: "8"'),
    "groups without a leader of their own": (
        LEADER, LEADER[LEADER.index("    leaderTemplate:"):LEADER.index("    workerTemplate:")] + "    workerTemplate:\n      spec:\n        nodeSelector:\n"
        "          cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice\n          cloud.google.com/gke-tpu-topology: 4x4\n"
        "        containers:\n        - name: big\n          image: example.com/serve:1\n",
        "    workerTemplate:\n      spec:\n        nodeSelector:\n"
        "          cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice\n          cloud.google.com/gke-tpu-topology: 4x4\n"
        "        containers:\n        - name: big\n          image: example.com/serve:1\n"
        "          ports: [{name: http, containerPort: 8000}]\n",
    ),
    "one group that names its node pool": (
        LEADER, LEADER[LEADER.index("  annotations:"):LEADER.index("  rolloutStrategy")], "spec:\n",
    ),
    "job on a ray cluster that exists": (
        RAY_JOB, RAY_JOB[:RAY_JOB.index("apiVersion: ray")], "",
    ),
    "ray cluster without workers": (RAY_CLUSTER, RAY_CLUSTER[RAY_CLUSTER.index("  workerGroupSpecs"):], ""),
    "service with ports": (MULTI_HOST, "  clusterIP: None\n", "  clusterIP: None\n  ports:\n  - port: 8471\n"),
}


def mutated(case):
    """The text of a mutation or variant."""
    text, old, new, *_ = case
    assert text.count(old) == 1, f"{old!r} stands there {text.count(old)} times"
    return text.replace(old, new)
