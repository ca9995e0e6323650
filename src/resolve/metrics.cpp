#include "resolve/metrics.hpp"

#include <fmt/core.h>

namespace flexslice::resolve {

namespace {

constexpr std::string_view of_prometheus = "prometheus.googleapis.com|", gauge = "|gauge";
constexpr std::string_view of_gke = "autoscaling.gke.io|";

bool is_resource(std::string_view name) { return name == "cpu" || name == "memory"; }

}  // namespace

Metric read_metric(std::string_view said) {
  if (is_resource(said)) return {std::string(said), MetricSource::resource};
  if (said.find('|') == std::string_view::npos)
    return {fmt::format("{}{}{}", of_prometheus, said, gauge), MetricSource::prometheus, true};
  const MetricSource source = said.starts_with(of_prometheus) ? MetricSource::prometheus
                              : said.starts_with(of_gke)      ? MetricSource::gke
                                                              : MetricSource::other;
  return {std::string(said), source};
}

std::string metric_in_spec(std::string_view name) {
  if (!name.starts_with(of_prometheus) || !name.ends_with(gauge)) return std::string(name);
  const std::string_view inner =
      name.substr(of_prometheus.size(), name.size() - of_prometheus.size() - gauge.size());
  const bool is_plain =
      !inner.empty() && inner.find('|') == std::string_view::npos && !is_resource(inner);
  return std::string(is_plain ? inner : name);
}

std::string picker_name(std::string_view workload) {
  return fmt::format("{}-epp", workload.substr(0, 40));
}

}  // namespace flexslice::resolve
