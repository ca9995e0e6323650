"""Good manifests for test_check_manifests.py, in the shapes that the compiler emits.

A single-host Job, a multi-host Job with its Service and much of what a user may add, a CronJob, a JobSet over two slices, Kueue's
objects, a Deployment with what clients and upgrades need, LeaderWorkerSets whose leader has chips and has none, and
the three kinds of Ray.
"""

SINGLE_HOST = """\
apiVersion: batch/v1
kind: Job
metadata:
  name: job-1
spec:
  template:
    spec:
      nodeSelector:
        cloud.google.com/gke-flex-start: "true"
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
        cloud.google.com/gke-tpu-topology: 2x2
      containers:
      - name: container-1
        image: gcr.io/k8s-staging-perf-tests/sleep:latest
        args: ["3600s"]
        resources:
          requests:
            google.com/tpu: "4"
          limits:
            google.com/tpu: "4"
      restartPolicy: OnFailure
"""

MULTI_HOST = """\
# A slice of four hosts.
apiVersion: v1
kind: Service
metadata:
  name: headless-svc
  namespace: team-a
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector:
    job-name: job-1
---
apiVersion: batch/v1
kind: Job
metadata:
  name: job-1
  namespace: team-a
  labels:
    app.kubernetes.io/name: train
    kueue.x-k8s.io/queue-name: tpu-queue
  annotations:
    example.com/note: "any text: with # signs"
spec:
  backoffLimit: 0
  completions: 4 # 4x4 = 16 chips / 4 per VM
  parallelism: 4
  completionMode: Indexed
  activeDeadlineSeconds: 86400
  podFailurePolicy:
    rules:
    - action: Ignore
      onPodConditions:
      - type: DisruptionTarget
        status: "True"
    - action: FailJob
      onExitCodes:
        containerName: tpu-job
        operator: In
        values: [2, 42]
  template:
    metadata:
      annotations:
        gke-gcsfuse/volumes: "true"
    spec:
      subdomain: headless-svc
      restartPolicy: Never
      serviceAccountName: trainer
      nodeSelector:
        cloud.google.com/gke-nodepool: job-1-pool
        cloud.google.com/gke-flex-start: "true"
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
        cloud.google.com/gke-tpu-topology: 4x4
      tolerations:
      - key: google.com/tpu
        operator: Exists
        effect: NoSchedule
      initContainers:
      - name: sidecar
        image: example.com/sidecar:1
        restartPolicy: Always
        startupProbe:
          httpGet:
            port: 8080
      containers:
      - name: tpu-job
        image: us-docker.pkg.dev/cloud-tpu-images/jax-ai-image/tpu:latest
        ports:
        - containerPort: 8471
          name: tpu
        - containerPort: 8431
          name: metrics
        securityContext:
          privileged: true
        env:
        - name: DEBUG
          value: "1"
        - name: TOKEN
          valueFrom:
            secretKeyRef:
              name: hub
              key: token
        command:
        - bash
        - -c
        - |
          python -c 'import jax; print("TPU cores:", jax.device_count())'
        volumeMounts:
        - name: data
          mountPath: /data
        - name: shm
          mountPath: /dev/shm
        resources:
          requests:
            google.com/tpu: "4"
            memory: 16Gi
          limits:
            google.com/tpu: "4"
            memory: 32Gi
      volumes:
      - name: data
        csi:
          driver: gcsfuse.csi.storage.gke.io
          volumeAttributes:
            bucketName: my-bucket
      - name: shm
        emptyDir:
          medium: Memory
"""

SCHEDULE = """\
apiVersion: v1
kind: Service
metadata:
  name: nightly
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector:
    flexslice-schedule: nightly
---
apiVersion: batch/v1
kind: CronJob
metadata:
  name: nightly
spec:
  schedule: 0 2 * * *
  timeZone: Europe/Berlin
  concurrencyPolicy: Forbid
  startingDeadlineSeconds: 14400
  jobTemplate:
    metadata:
      labels:
        flexslice-schedule: nightly
    spec:
      backoffLimit: 0
      completions: 4
      parallelism: 4
      completionMode: Indexed
      template:
        metadata:
          labels:
            flexslice-schedule: nightly
        spec:
          subdomain: nightly
          restartPolicy: Never
          nodeSelector:
            cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
            cloud.google.com/gke-tpu-topology: 4x4
          containers:
          - name: nightly
            image: busybox
            resources:
              requests:
                google.com/tpu: "4"
              limits:
                google.com/tpu: "4"
"""

JOBSET = """\
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata:
  name: multislice
  annotations:
    alpha.jobset.sigs.k8s.io/exclusive-topology: cloud.google.com/gke-nodepool
spec:
  failurePolicy:
    maxRestarts: 3
  network:
    enableDNSHostnames: true
  replicatedJobs:
  - name: slice
    replicas: 2
    template:
      spec:
        backoffLimit: 0
        completions: 4
        parallelism: 4
        completionMode: Indexed
        template:
          spec:
            restartPolicy: Never
            nodeSelector:
              cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
              cloud.google.com/gke-tpu-topology: 4x4
            containers:
            - name: train
              image: example.com/train:1
              resources:
                requests:
                  google.com/tpu: "4"
                limits:
                  google.com/tpu: "4"
"""

QUEUES = """\
apiVersion: kueue.x-k8s.io/v1beta2
kind: Topology
metadata:
  name: tpu
spec:
  levels:
  - nodeLabel: cloud.google.com/gke-nodepool
  - nodeLabel: kubernetes.io/hostname
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ResourceFlavor
metadata:
  name: v6e-4x4
spec:
  nodeLabels:
    cloud.google.com/gke-tpu-topology: 4x4
  tolerations:
  - key: google.com/tpu
    operator: Exists
    effect: NoSchedule
  topologyName: tpu
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: AdmissionCheck
metadata:
  name: dws
spec:
  controllerName: kueue.x-k8s.io/provisioning-request
  parameters:
    apiGroup: kueue.x-k8s.io
    kind: ProvisioningRequestConfig
    name: dws-config
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ProvisioningRequestConfig
metadata:
  name: dws-config
spec:
  provisioningClassName: queued-provisioning.gke.io
  managedResources:
  - google.com/tpu
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata:
  name: cluster-queue
spec:
  namespaceSelector: {}
  resourceGroups:
  - coveredResources: [google.com/tpu]
    flavors:
    - name: v6e-4x4
      resources:
      - name: google.com/tpu
        nominalQuota: 16
  admissionChecksStrategy:
    admissionChecks:
    - name: dws
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: WorkloadPriorityClass
metadata:
  name: urgent
value: 1000
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: LocalQueue
metadata:
  name: tpu-queue
  namespace: team-a
spec:
  clusterQueue: cluster-queue
"""

DEPLOYMENT = """\
apiVersion: v1
kind: Service
metadata:
  name: chat
spec:
  selector:
    app: chat
  ports:
  - name: http
    port: 80
    targetPort: 8000
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: chat
spec:
  maxUnavailable: 1
  selector:
    matchLabels:
      app: chat
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: chat
  labels:
    kueue.x-k8s.io/queue-name: tpu-queue
spec:
  replicas: 2
  progressDeadlineSeconds: 1200
  selector:
    matchLabels:
      app: chat
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 0
      maxUnavailable: 1
  template:
    metadata:
      labels:
        app: chat
    spec:
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
        cloud.google.com/gke-tpu-topology: 2x4
      containers:
      - name: chat
        image: example.com/serve:1
        ports:
        - containerPort: 8000
        startupProbe:
          failureThreshold: 180
          httpGet:
            path: /health
            port: 8000
        resources:
          limits:
            google.com/tpu: "8"
"""

LEADER = """\
apiVersion: v1
kind: Service
metadata:
  name: big-leader
spec:
  selector:
    leaderworkerset.sigs.k8s.io/name: big
    leaderworkerset.sigs.k8s.io/worker-index: "0"
  ports:
  - port: 8000
    targetPort: http
---
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata:
  name: big
  annotations:
    leaderworkerset.sigs.k8s.io/exclusive-topology: cloud.google.com/gke-nodepool
spec:
  replicas: 2
  rolloutStrategy:
    type: RollingUpdate
    rollingUpdateConfiguration:
      maxSurge: 0
      maxUnavailable: 1
  leaderWorkerTemplate:
    size: 4
    restartPolicy: RecreateGroupOnPodRestart
    leaderTemplate:
      spec:
        nodeSelector:
          cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
          cloud.google.com/gke-tpu-topology: 4x4 # of the leader
        containers:
        - name: big
          image: example.com/serve:1
          ports:
          - name: http
            containerPort: 8000
            protocol: TCP
          resources:
            limits:
              google.com/tpu: "4" # of the leader
    workerTemplate:
      spec:
        nodeSelector:
          cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
          cloud.google.com/gke-tpu-topology: 4x4
        containers:
        - name: big
          image: example.com/serve:1
          resources:
            limits:
              google.com/tpu: "4"
"""

ROUTER = """\
apiVersion: leaderworkerset.x-k8s.io/v1
kind: LeaderWorkerSet
metadata:
  name: routed
  annotations:
    leaderworkerset.sigs.k8s.io/subgroup-exclusive-topology: cloud.google.com/gke-nodepool
spec:
  replicas: 2
  leaderWorkerTemplate:
    size: 5
    subGroupPolicy:
      subGroupPolicyType: LeaderExcluded
      subGroupSize: 4
    leaderTemplate:
      spec:
        containers:
        - name: router
          image: example.com/router:1
    workerTemplate:
      spec:
        nodeSelector:
          cloud.google.com/gke-tpu-accelerator: tpu7x
          cloud.google.com/gke-tpu-topology: 2x2x4
        containers:
        - name: engine
          image: example.com/serve:1
          resources:
            limits:
              google.com/tpu: "4"
"""

RAY_CLUSTER = """\
apiVersion: ray.io/v1
kind: RayCluster
metadata:
  name: ray
  labels:
    kueue.x-k8s.io/queue-name: tpu-queue
spec:
  rayVersion: 2.51.0
  headGroupSpec:
    rayStartParams: {}
    template:
      metadata:
        labels:
          app: ray
      spec:
        containers:
        - name: ray
          image: example.com/ray:1
          resources:
            limits:
              memory: 16Gi
  workerGroupSpecs:
  - groupName: slices
    replicas: 2
    minReplicas: 2
    maxReplicas: 2
    numOfHosts: 4
    rayStartParams: {}
    template:
      spec:
        nodeSelector:
          cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
          cloud.google.com/gke-tpu-topology: 4x4
        containers:
        - name: ray
          image: example.com/ray:1
          resources:
            limits:
              google.com/tpu: "4"
"""

RAY_JOB = """\
apiVersion: v1
kind: ConfigMap
metadata:
  name: tune-script
  namespace: research
data:
  script.sh: |
    python tune.py
---
apiVersion: ray.io/v1
kind: RayJob
metadata:
  name: tune
  namespace: research
spec:
  entrypoint: bash /etc/flexslice/script.sh
  shutdownAfterJobFinishes: true
  backoffLimit: 2
  activeDeadlineSeconds: 43200
  ttlSecondsAfterFinished: 86400
  rayClusterSpec:
    rayVersion: 2.51.0
    headGroupSpec:
      rayStartParams: {}
      template:
        spec:
          containers:
          - name: tune
            image: example.com/ray:1
            volumeMounts:
            - name: script
              mountPath: /etc/flexslice
          volumes:
          - name: script
            configMap:
              name: tune-script
"""

RAY_SERVICE = """\
apiVersion: ray.io/v1
kind: RayService
metadata:
  name: assistant
spec:
  serveConfigV2: |
    applications: []
  rayClusterConfig:
    rayVersion: 2.51.0
    headGroupSpec:
      rayStartParams: {}
      template:
        spec:
          containers:
          - name: assistant
            image: example.com/ray:1
"""

SCALED = DEPLOYMENT.replace("  replicas: 2\n", "") + """\
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: chat
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: chat
  minReplicas: 1
  maxReplicas: 3
  metrics:
  - type: Pods
    pods:
      metric:
        name: prometheus.googleapis.com|vllm:num_requests_waiting|gauge
      target:
        type: AverageValue
        averageValue: "5"
---
apiVersion: monitoring.googleapis.com/v1
kind: PodMonitoring
metadata:
  name: chat
spec:
  selector:
    matchLabels:
      app: chat
  endpoints:
  - port: 8000
    interval: 15s
---
apiVersion: gateway.networking.k8s.io/v1
kind: Gateway
metadata:
  name: chat
spec:
  gatewayClassName: gke-l7-rilb
  listeners:
  - name: http
    protocol: HTTP
    port: 80
---
apiVersion: inference.networking.k8s.io/v1
kind: InferencePool
metadata:
  name: chat
spec:
  selector:
    matchLabels:
      app: chat
  targetPorts:
  - number: 8000
  endpointPickerRef:
    name: chat-epp
    port:
      number: 9002
---
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: chat
spec:
  parentRefs:
  - name: chat
  rules:
  - matches:
    - path:
        type: PathPrefix
        value: /
    backendRefs:
    - group: inference.networking.k8s.io
      kind: InferencePool
      name: chat
"""

GOOD = {
    "scaled": SCALED,
    "single-host": SINGLE_HOST, "multi-host": MULTI_HOST, "jobset": JOBSET, "schedule": SCHEDULE, "queues": QUEUES, "deployment": DEPLOYMENT,
    "leader": LEADER, "router": ROUTER, "raycluster": RAY_CLUSTER, "rayjob": RAY_JOB, "rayservice": RAY_SERVICE,
}  # fmt: skip
