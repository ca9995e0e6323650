// Names of the metrics that a HorizontalPodAutoscaler follows on GKE, and of what serves them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace flexslice::resolve {

// A metric comes from Kubernetes, for resources that the pods request; from Managed Service for
// Prometheus; from GKE itself, by an AutoscalingMetric; or from another server of the API of custom
// metrics.
enum class MetricSource : std::uint8_t { resource, prometheus, gke, other };

struct Metric {
  std::string name;  // as the autoscaler has it
  MetricSource source{};
  bool is_short = false;  // the spec has the name of Prometheus alone
};

// A name of the spec: `cpu`, `vllm:num_requests_waiting`, or one with `|`.
Metric read_metric(std::string_view said);
// The shortest name of the spec for that of an autoscaler.
std::string metric_in_spec(std::string_view name);

inline constexpr std::string_view metrics_port_name = "metrics";
inline constexpr std::string_view worker_index_label = "leaderworkerset.sigs.k8s.io/worker-index";

// The Service of the endpoint picker, as its chart calls it for a release of that name.
std::string picker_name(std::string_view workload);

}  // namespace flexslice::resolve
