// Words of Kubernetes, gcloud, xpk and Terraform that people write into a spec, with what to do
// instead. Where a key is only written differently here (`machine_type`), the spelling finds it,
// and it needs no row.
#pragma once

#include "schema/table.hpp"

namespace flexslice::spec {

using schema::Foreign;

inline constexpr Foreign spec_foreign[] = {
    {"kind",
     "remove it, or set `workload.kind`: the default is a Job, or a JobSet for several multi-host "
     "slices"},
    {"metadata spec",
     "a spec has no `metadata` and `spec`: `name`, `cluster`, `tpu` and `workload` are top-level "
     "fields"},
};

inline constexpr Foreign cluster_foreign[] = {
    {"zone", "write `location` for the control plane, and `provisioning.zones` for the nodes",
     "location"},
    {"region", {}, "location"},
    {"autopilot", "write `mode: autopilot`"},
};

inline constexpr Foreign tpu_foreign[] = {
    {"accelerator acceleratorType generation version", {}, "type"},
    {"chips count cores hosts nodes numNodes workers", "remove it: it is derived from `topology`"},
    {"numSlices", {}, "slices"},
};

inline constexpr Foreign provisioning_foreign[] = {
    {"flexStart onDemand preemptible",
     "write it as the value of `model`; `flexslice catalog models` lists them"},
    {"location region",
     "write `zones` for the nodes; `cluster.location` is where the control plane is"},
    {"nodeLocations", {}, "zones"},
    {"diskSizeGb bootDiskSize bootDiskSizeGb", {}, "diskSize"},
    {"nodes numNodes minNodes nodeCount",
     "remove it: a multi-host pool has as many nodes as its slice has hosts, and a single-host "
     "one starts with what its model needs"},
    {"workloadPolicy placementPolicy",
     "remove it: provision.sh creates the policy where the TPU generation needs one"},
    {"reservationName", {}, "reservation"},
    {"reservationAffinity", "write `model: reservation`, with its name in `reservation`"},
};

inline constexpr Foreign env_foreign[] = {
    {"valueFrom secretKeyRef configMapKeyRef",
     "write `{secret: NAME, key: KEY}` or `{configMap: NAME, key: KEY}`"},
    {"fieldRef fieldPath", "write `{field: metadata.name}`", "field"},
};

inline constexpr Foreign volume_foreign[] = {
    {"persistentVolumeClaim claimName", "write `pvc: NAME`", "pvc"},
    {"bucket", "write `gcs: {bucket: NAME}`", "gcs"},
    {"csi", "write `gcs: {bucket: NAME}` for Cloud Storage FUSE", "gcs"},
};

inline constexpr Foreign workload_foreign[] = {
    {"replicas", "write `tpu.slices`: each replica is a slice"},
    {"completions parallelism size",
     "remove it: it is derived, one pod for each host of the slice"},
    {"completionMode", "remove it: a Job on several hosts is Indexed"},
    {"workingDir lifecycle",
     "set it with `patches`: `target: {kind: KIND, container: NAME}` changes one container"},
    {"cpu memory", "write it in `resources`"},
    {"volumeMounts", "set `mountPath` of the volume in `volumes`"},
    {"subdomain", "remove it: the Service and the pods' subdomain are derived"},
    {"containers",
     "write the fields of the first container here, and the others into `sidecars`; "
     "`containersPerPod` is for several that share the chips of a host"},
    {"template", "write the fields of the pod and its container here, without a template"},
    {"service serviceType",
     "remove it: `patches` can set the type of a Service that is not headless, as of a deployment "
     "with `ports`; else apply a Service of your own"},
    {"suspend", "use `patches`; with `provisioning.queue`, Kueue suspends and admits the workload"},
};
inline constexpr std::string_view workload_otherwise =
    "use `patches` for fields that the spec does not have";

inline constexpr Foreign resources_foreign[] = {
    {"google.com/tpu tpu", "remove it: a pod gets all chips of its node"},
    {"requests limits", "write `cpu` and `memory` directly: the memory limit equals the request"},
};

inline constexpr Foreign ray_head_foreign[] = {
    {"tpu chips google.com/tpu", "remove it: the head has no chips"},
    {"resources requests limits", "write `cpu` and `memory` directly"},
};

}  // namespace flexslice::spec
