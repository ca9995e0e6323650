// Words of Kubernetes, gcloud, xpk and Terraform that people write into a spec, with what to do
// instead. Where a key is only written differently here (`machine_type`), the spelling finds it,
// and it needs no row.
#pragma once

#include "schema/table.hpp"

namespace flexslice::spec {

using schema::Foreign;

inline constexpr std::string_view kubernetes_shape =
    "a spec has no `metadata` and `spec`: `name`, `cluster`, `tpu` and `workload` stand side by "
    "side at the top";
inline constexpr Foreign spec_foreign[] = {
    {"kind", "leave it out, or say `workload.kind`: one slice is a Job, several are a JobSet"},
    {"metadata", kubernetes_shape},
    {"spec", kubernetes_shape},
};

inline constexpr Foreign cluster_foreign[] = {
    {"zone", "write `location` for the control plane, and `provisioning.zones` for the nodes",
     "location"},
    {"region", {}, "location"},
    {"autopilot", "write `mode: autopilot`"},
};

inline constexpr std::string_view derived_from_topology =
    "leave it out: it is derived from `topology`";
inline constexpr Foreign tpu_foreign[] = {
    {"accelerator", {}, "type"},        {"acceleratorType", {}, "type"},
    {"generation", {}, "type"},         {"version", {}, "type"},
    {"chips", derived_from_topology},   {"count", derived_from_topology},
    {"cores", derived_from_topology},   {"hosts", derived_from_topology},
    {"nodes", derived_from_topology},   {"numNodes", derived_from_topology},
    {"workers", derived_from_topology}, {"numSlices", {}, "slices"},
};

inline constexpr std::string_view derived_nodes =
    "leave it out: a multi-host pool has as many nodes as its slice has hosts, and a single-host "
    "one starts with what its model needs";
inline constexpr std::string_view name_the_model =
    "write it as the value of `model`; `flexslice catalog models` lists them";
inline constexpr Foreign provisioning_foreign[] = {
    {"flexStart", name_the_model},
    {"onDemand", name_the_model},
    {"preemptible", name_the_model},
    {"location", "write `zones` for the nodes; `cluster.location` is where the control plane is"},
    {"region", "write `zones` for the nodes; `cluster.location` is where the control plane is"},
    {"nodeLocations", {}, "zones"},
    {"nodes", derived_nodes},
    {"numNodes", derived_nodes},
    {"minNodes", derived_nodes},
    {"nodeCount", derived_nodes},
    {"reservationName", {}, "reservation"},
    {"reservationAffinity", "write `model: reservation`, with its name in `reservation`"},
};

inline constexpr std::string_view from_elsewhere =
    "write `{secret: NAME, key: KEY}` or `{configMap: NAME, key: KEY}`";
inline constexpr Foreign env_foreign[] = {
    {"valueFrom", from_elsewhere},
    {"secretKeyRef", from_elsewhere},
    {"configMapKeyRef", from_elsewhere},
};

inline constexpr Foreign volume_foreign[] = {
    {"persistentVolumeClaim", "write `pvc: NAME`", "pvc"},
    {"claimName", "write `pvc: NAME`", "pvc"},
    {"bucket", "write `gcs: {bucket: NAME}`", "gcs"},
    {"csi", "write `gcs: {bucket: NAME}` for Cloud Storage FUSE", "gcs"},
};

inline constexpr std::string_view of_the_container =
    "set it with `patches`, where a list such as `containers` is replaced: repeat the container "
    "with all it has";
inline constexpr std::string_view one_pod_a_host =
    "leave it out: it is derived, one pod for each host of the slice";
inline constexpr Foreign workload_foreign[] = {
    {"completions", one_pod_a_host},
    {"parallelism", one_pod_a_host},
    {"replicas", one_pod_a_host},
    {"completionMode", "leave it out: with several hosts it is Indexed"},
    {"imagePullPolicy", of_the_container},
    {"workingDir", of_the_container},
    {"envFrom", of_the_container},
    {"lifecycle", of_the_container},
    {"livenessProbe", of_the_container},
    {"readinessProbe", of_the_container},
    {"startupProbe", of_the_container},
    {"volumeMounts", "a volume says in `volumes` where it is mounted, by its `mountPath`"},
    {"subdomain", "leave it out: the Service and the pods' subdomain are derived"},
    {"containers", "write the fields of the first container here, and the others into `sidecars`"},
    {"template", "write the fields of the pod and its container here, without a template"},
    {"suspend",
     "use `patches`; with `provisioning.queue` Kueue suspends and admits the workload by itself"},
};
inline constexpr std::string_view workload_otherwise =
    "what the spec has no field for is set with `patches`";

inline constexpr std::string_view all_chips = "leave it out: a pod gets all chips of its node";
inline constexpr std::string_view no_limits =
    "write `cpu` and `memory` themselves: memory is limited to what is requested";
inline constexpr Foreign resources_foreign[] = {
    {"google.com/tpu", all_chips},
    {"tpu", all_chips},
    {"requests", no_limits},
    {"limits", no_limits},
};

}  // namespace flexslice::spec
