// Metrics that autoscalers follow: whether a server has them, of which type they are, and which
// values they have.
#include <fmt/core.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "resolve/metrics.hpp"
#include "rules/servers.hpp"
#include "schema/placeholder.hpp"

namespace flexslice::rules {

namespace {

enum class MetricType : std::uint8_t { unknown, gauge, fraction, percentage, counter, histogram };

struct KnownMetric {
  const Server* server = nullptr;  // whose prefix the name has
  MetricType type{};
};

MetricType type_in(const Server& server, std::string_view name) {
  const auto is_in = [&](const Texts& names, std::initializer_list<std::string_view> endings) {
    return any_of(names, [&](std::string_view own) {
      return name == own ||
             (name.starts_with(own) && std::ranges::count(endings, name.substr(own.size())) > 0);
    });
  };
  if (is_in(server.gauges, {})) return MetricType::gauge;
  if (is_in(server.fractions, {})) return MetricType::fraction;
  if (is_in(server.percentages, {})) return MetricType::percentage;
  if (is_in(server.histograms, {"_bucket", "_sum", "_count"})) return MetricType::histogram;
  return is_in(server.counters, {"_total"}) ? MetricType::counter : MetricType::unknown;
}

// By the tables, and else by the endings that Prometheus gives names.
KnownMetric known_metric(std::string_view name, const Catalog& catalog) {
  KnownMetric known;
  known.server = find_where(catalog.servers, [&](const Server& server) {
    return !server.metric_prefix.empty() && name.starts_with(server.metric_prefix);
  });
  if (known.server != nullptr) known.type = type_in(*known.server, name);
  if (known.type != MetricType::unknown) return known;
  if (name.ends_with("_total")) known.type = MetricType::counter;
  if (name.ends_with("_bucket")) known.type = MetricType::histogram;
  if (name.ends_with("_ratio")) known.type = MetricType::fraction;
  return known;
}

constexpr std::string_view of_prometheus = "prometheus.googleapis.com|";

// `vllm:num_requests_waiting` of any name that leads to it.
std::string_view bare_name(std::string_view name) {
  if (name.starts_with(of_prometheus)) name.remove_prefix(of_prometheus.size());
  return name.substr(0, name.find('|'));
}

void judge_type(Span where, std::string_view name, const KnownMetric& known, Sink& sink) {
  const bool is_counter = known.type == MetricType::counter;
  if (!is_counter && known.type != MetricType::histogram) return;
  Diagnostic& finding =
      sink.report<Code::MetricIsCounter>(where, name, is_counter ? "counter" : "histogram");
  if (known.server != nullptr)
    finding.help("write a gauge of {}, such as `{}`", known.server->name,
                 known.server->gauges.front());
  if (is_counter)
    finding.help(
        "{}write `{}{}{}|counter`, and as the target the number per second of each replica",
        known.server != nullptr ? "or " : "", of_prometheus, name,
        name.ends_with("_total") ? "" : "_total");
}

void judge_range(Span where, std::string_view target, std::string_view name,
                 const KnownMetric& known, Sink& sink) {
  const auto amount = parse_quantity(target);
  if (!amount || amount->nano <= 0) return;
  const bool above = known.type == MetricType::fraction && amount->nano >= Quantity::unit,
             below = known.type == MetricType::percentage && amount->nano <= Quantity::unit;
  if (!above && !below) return;
  Diagnostic& finding = sink.report<Code::TargetOutOfRange>(where, target, name, above ? 1 : 100);
  const auto percent = static_cast<std::int64_t>(amount->nano / Quantity::unit);
  if (above && percent > 1 && percent < 100)
    finding.help("write `{}m`, which is {:.2f}", percent * 10, static_cast<double>(percent) / 100);
  else if (above)
    finding.help("write less than 1, such as `800m`, which is 0.8");
  else
    finding.help("write `{}`", static_cast<std::int64_t>(amount->nano * 100 / Quantity::unit));
}

// A name with the prefix of a server that is not among its metrics. False: it is none.
bool judge_unknown(Span where, std::string_view name, const KnownMetric& known, Sink& sink) {
  if (known.server == nullptr || type_in(*known.server, name) != MetricType::unknown) return false;
  const Server& server = *known.server;
  Diagnostic& finding = sink.report<Code::MetricNotExported>(where, server.name, name);
  std::vector<std::string_view> gauges;
  for (const auto* list : {&server.gauges, &server.fractions, &server.percentages})
    gauges.insert(gauges.end(), list->begin(), list->end());
  note_source(finding, server.evidence);
  const std::size_t helps = finding.helps.size();
  diag::did_you_mean(finding, name, gauges);
  if (finding.helps.size() == helps)
    finding.help("write one that it has, such as `{}`", server.gauges.front());
  return true;
}

// `said`: as it is written. `is_read_as_gauge`: by Managed Service for Prometheus.
void judge_metric_name(Span where, std::string_view said, bool is_read_as_gauge, Span at_target,
                       std::string_view target, const Catalog& catalog, Sink& sink) {
  const std::string_view name = bare_name(said);
  if (name.empty() || schema::is_placeholder(name)) return;
  const KnownMetric known = known_metric(name, catalog);
  if (judge_unknown(where, name, known, sink)) return;
  if (is_read_as_gauge) judge_type(where, name, known, sink);
  if (!target.empty()) judge_range(at_target, target, name, known, sink);
}

void judge_scaled_metric(const Facts& facts, Sink& sink) {
  const spec::Autoscaling& said = facts.claims.workload.autoscaling;
  if (!said.metric.usable() || facts.claims.is_found) return;
  const resolve::Metric metric = resolve::read_metric(said.metric.value);
  if (metric.source != resolve::MetricSource::prometheus) return;
  judge_metric_name(said.metric.where.span, said.metric.value, metric.name.ends_with("|gauge"),
                    said.target.where.span,
                    said.target.usable() ? std::string_view(said.target.value) : "", facts.catalog,
                    sink);
}

// The server in the pods of a spec has none of its metrics by that name.
void judge_exported(const PodTree& pod, Sink& sink) {
  const spec::Autoscaling& said = pod.facts.claims.workload.autoscaling;
  if (pod.field.empty() || !said.metric.usable() || said.port.where.given) return;
  const resolve::Metric metric = resolve::read_metric(said.metric.value);
  const auto containers = items(pod.spec, "containers");
  // Another container may have it.
  if (metric.source != resolve::MetricSource::prometheus || containers.size() != 1 ||
      pod.spec.find("initContainers") != nullptr)
    return;
  // The leaders of groups are asked.
  if (pod.facts.claims.workload.leader.where.given && pod.field != "workload.leader") return;
  const auto running = running_server(containers.front(), pod.facts.catalog);
  const std::string_view name = bare_name(said.metric.value);
  constexpr std::string_view of_any[] = {"process_", "python_", "http_", "up"};
  if (!running || running->server->metric_prefix.empty() ||
      name.starts_with(running->server->metric_prefix) ||
      any_of(of_any, [&](std::string_view prefix) { return name.starts_with(prefix); }))
    return;
  const Server& server = *running->server;
  Diagnostic& finding =
      sink.report<Code::MetricNotExported>(said.metric, server.name, said.metric.value);
  finding.note("the names of its own begin with `{}`", server.metric_prefix);
  note_source(finding, server.evidence);
  std::vector<std::string_view> gauges(server.gauges.begin(), server.gauges.end());
  finding.help("write one that it has, such as `{}`", gauges.front());
}

}  // namespace

void judge_autoscaler(const Node& object, const Catalog& catalog, Sink& sink) {
  const Node* spec = object.find("spec");
  if (spec == nullptr) return;
  for (const Node& metric : items(*spec, "metrics")) {
    for (std::string_view source : {"pods", "external", "object"}) {
      const Node* name = metric.at({source, "metric", "name"});
      if (!is_literal(name) || name->span == Span{}) continue;
      const Node* target = metric.at({source, "target", "averageValue"});
      const bool is_known = is_literal(target) && target->span != Span{};
      judge_metric_name(name->span, name->text,
                        name->text.starts_with(of_prometheus) && name->text.ends_with("|gauge"),
                        is_known ? target->span : Span{},
                        is_known ? std::string_view(target->text) : "", catalog, sink);
    }
  }
}

Rules metric_rules() {
  static constexpr Rule rules[] = {judge_scaled_metric};
  return rules;
}

PodRules pod_metric_rules() {
  static constexpr PodRule rules[] = {judge_exported};
  return rules;
}

}  // namespace flexslice::rules
