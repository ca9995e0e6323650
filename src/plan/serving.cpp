// Plans the number of replicas of a server, and how requests reach them.
#include <fmt/core.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "plan/build.hpp"
#include "resolve/metrics.hpp"
#include "resolve/workload_names.hpp"

namespace flexslice::plan {

namespace {

Derived<std::optional<std::int64_t>> metric_port(const spec::Autoscaling& said,
                                                 const WorkloadPods& workload) {
  if (said.port.usable()) return {said.port.value};
  for (const ContainerPort& port : workload.service_ports) {
    if (port.name.value == resolve::metrics_port_name)
      return {port.number.value, "the port that is named `metrics`"};
  }
  if (workload.service_ports.empty()) return {};
  return {workload.service_ports.front().number.value, "the first of `ports`"};
}

}  // namespace

std::optional<ReplicaScaler> build_autoscaling(const Complete& complete,
                                               const WorkloadPods& workload) {
  const spec::Autoscaling& said = complete.claims.workload.autoscaling;
  if (!said.where.given) return std::nullopt;
  ReplicaScaler scaling;
  scaling.min = said.min.usable() ? said.min.value : 1;
  scaling.max = said.max.value;
  scaling.api_version = complete.kind.api_version;
  scaling.kind = complete.kind.object;
  const resolve::Metric metric = resolve::read_metric(said.metric.value);
  const std::string target = parse_quantity(said.target.value)->text();
  if (metric.source == resolve::MetricSource::resource) {
    scaling.resource = metric.name;
    scaling.percentage = text::whole_number(target);
    return scaling;
  }
  scaling.metric = metric.name;
  if (metric.is_short)
    scaling.metric.reason = {"how the adapter calls a gauge of Managed Service for Prometheus"};
  scaling.average = target;
  scaling.from_api = metric.source != resolve::MetricSource::gke;
  if (metric.source == resolve::MetricSource::prometheus)
    scaling.port = metric_port(said, workload);
  return scaling;
}

std::optional<ModelRoute> build_gateway(const Complete& complete, const WorkloadPods& workload) {
  const spec::Gateway& said = complete.claims.workload.gateway;
  if (!said.where.given) return std::nullopt;
  const std::string& name = complete.claims.name.value;
  ModelRoute gateway;
  gateway.model = said.model.value;
  gateway.class_name = said.class_name.value;
  gateway.name = said.gateway.usable() ? said.gateway.value : name;
  if (const std::size_t slash = gateway.name.find('/'); slash != std::string::npos) {
    gateway.name_space = gateway.name.substr(0, slash);
    gateway.name.erase(0, slash + 1);
  }
  if (said.gateway.usable()) {
    gateway.header_name = "X-Gateway-Model-Name";
    gateway.header = said.model.value;
  }
  if (said.picker.usable())
    gateway.picker = said.picker.value;
  else
    gateway.picker = {resolve::picker_name(name), "as the chart of the endpoint picker calls it"};
  gateway.picker_port = 9002;
  gateway.ports = workload.service_ports;
  gateway.ports.resize(std::min<std::size_t>(gateway.ports.size(), 1));
  return gateway;
}

Pairs client_selector(const Complete& complete) {
  const std::string& name = complete.claims.name.value;
  Pairs labels{{std::string(complete.kind.pod_label), name}};
  if (complete.kind.leads) labels.emplace_back(std::string(resolve::worker_index_label), "0");
  return labels;
}

}  // namespace flexslice::plan
