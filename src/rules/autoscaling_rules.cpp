// Replicas whose number an autoscaler decides, and the Gateway in front of them.
#include <fmt/core.h>

#include <algorithm>

#include "base/quantity.hpp"
#include "resolve/metrics.hpp"
#include "rules/object_rules.hpp"

namespace flexslice::rules {

namespace {

// Ray and Pathways have no replicas, and another rule refuses to scale them.
const spec::Autoscaling& scaling_of(const Facts& facts) {
  static const spec::Autoscaling none{};
  const bool has_none = facts.kind != nullptr && (facts.kind->ray || facts.kind->pathways);
  return has_none ? none : facts.claims.workload.autoscaling;
}

// Clients and autoscalers see these ports: a group's leader may have its own.
const schema::List<spec::Port>& client_ports(const Facts& facts) {
  const spec::Workload& workload = facts.claims.workload;
  return workload.leader.ports.where.given ? workload.leader.ports : workload.ports;
}

void judge_bounds(const Facts& facts, Sink& sink) {
  const spec::Autoscaling& said = scaling_of(facts);
  if (said.min.usable() && said.min.value == 0)
    sink.report<Code::AutoscalingToZero>(said.min)
        .note("from Kubernetes 1.37, HPAScaleToZero allows it for External and Object metrics")
        .help("write `min: 1`, or scale a fixed workload with KEDA");
  else if (said.min.usable() && said.max.usable() && said.min.value > said.max.value)
    sink.report<Code::MinAboveMax>(said.min, said.min.value, said.max.value)
        .help("write {} or less", said.max.value);
}

void judge_scaled_slices(const Facts& facts, Sink& sink) {
  const schema::Integer& slices = facts.claims.tpu.slices;
  if (!scaling_of(facts).where.given || !slices.usable()) return;
  sink.report<Code::SlicesAndAutoscaling>(slices, slices.value)
      .help("remove it; `workload.autoscaling.min` is the number that is always there");
}

void judge_scaled_nodes(const Facts& facts, Sink& sink) {
  const spec::Autoscaling& said = scaling_of(facts);
  const spec::Provisioning& provisioning = facts.claims.provisioning;
  if (!said.where.given) return;
  if (provisioning.queue.name.usable())
    sink.report<Code::CannotAutoscale>(said.where.span, "queue `" + provisioning.queue.name.value +
                                                            "` admits each replica by its quota")
        .also(provisioning.queue.name.where.span, "the queue is here")
        .help("remove `provisioning.queue`, or `workload.autoscaling`");
  const schema::Flag& autoscale = provisioning.autoscale;
  if (autoscale.usable() && !autoscale.value && !facts.nodes_by_gke())
    sink.report<Code::CannotAutoscale>(said.where.span, "the node pool does not")
        .also(autoscale.where.span, "its nodes stay, and are billed")
        .help("remove `autoscale: false`, or set `tpu.slices` in place of `autoscaling`");
}

// A faulty list of ports, or a faulty leader that may have them, has been reported.
bool lacks_ports(const Facts& facts) {
  const schema::List<spec::Port>& ports = client_ports(facts);
  const spec::Leader& leader = facts.claims.workload.leader;
  return !ports.where.given && !ports.where.bad && !leader.where.bad && !leader.ports.where.bad;
}

void judge_metric(const Facts& facts, Sink& sink) {
  const spec::Autoscaling& said = scaling_of(facts);
  if (!said.metric.usable()) return;
  const resolve::Metric metric = resolve::read_metric(said.metric.value);
  if (metric.source == resolve::MetricSource::prometheus && !said.port.where.given &&
      !said.port.where.bad && lacks_ports(facts))
    sink.report<Code::ServingPortMissing>(said.metric,
                                          fmt::format("metric `{}`", said.metric.value))
        .help("add `ports`, or `port` to `autoscaling`");
  if (metric.source != resolve::MetricSource::resource) return;
  const spec::Workload& workload = facts.claims.workload;
  const bool has_leader = workload.leader.where.given;
  const spec::Resources& requests = has_leader ? workload.leader.resources : workload.resources;
  const Text& amount = metric.name == "cpu" ? requests.cpu : requests.memory;
  // A leader without chips requests a CPU.
  const bool is_derived = metric.name == "cpu" && facts.leader_apart();
  if (!amount.where.given && !amount.where.bad && !is_derived)
    sink.report<Code::UtilizationWithoutRequest>(said.metric, metric.name, metric.name)
        .help("add `{}resources: {{{}: AMOUNT}}`", has_leader ? "leader." : "", metric.name);
}

void judge_target(const Facts& facts, Sink& sink) {
  const spec::Autoscaling& said = scaling_of(facts);
  if (!said.target.usable() || !said.metric.usable()) return;
  const auto amount = parse_quantity(said.target.value);
  if (!amount) return;
  const bool of_resource =
      resolve::read_metric(said.metric.value).source == resolve::MetricSource::resource;
  const auto percentage = text::whole_number(amount->text());
  if (of_resource && (!percentage || *percentage < 1 || *percentage > 2147483647))
    sink.report<Code::AutoscalingTarget>(said.target, said.target.value,
                                         "of a resource it is a percentage such as `80`");
  else if (amount->nano <= 0)
    sink.report<Code::AutoscalingTarget>(said.target, said.target.value, "it must be above 0");
}

auto names_with_pools(const Catalog& catalog) {
  return texts(catalog.gateway_classes, &GatewayClass::name,
               [](const GatewayClass& each) { return each.takes_pools.value_or(false); });
}

void judge_gateway(const Facts& facts, Sink& sink) {
  const spec::Gateway& said = facts.claims.workload.gateway;
  if (!said.where.given) return;
  if (lacks_ports(facts))
    sink.report<Code::ServingPortMissing>(said.where.span, "the InferencePool")
        .help("add `ports`, the first of which takes the requests");
  if (!said.class_name.usable()) return;
  const auto& classes = facts.catalog.gateway_classes;
  const GatewayClass* known = catalog::named(classes, &GatewayClass::name, said.class_name.value);
  if (known == nullptr)
    return judge_gateway_class(said.class_name.where.span, said.class_name.value, facts.catalog,
                               sink);
  if (known->takes_pools.value_or(true)) return;
  Diagnostic& finding =
      sink.report<Code::GatewayClassWithoutPools>(said.class_name, said.class_name.value);
  note_source(finding, known->evidence);
  finding.help("write one of these: {}", text::join(names_with_pools(facts.catalog), ", "));
}

}  // namespace

void judge_gateway_class(Span where, std::string_view name, const Catalog& catalog, Sink& sink) {
  constexpr std::string_view of_gke = "gke-l7-";
  const auto& classes = catalog.gateway_classes;
  if (catalog::named(classes, &GatewayClass::name, name) != nullptr) return;
  const auto is_near = [&](const GatewayClass& each) {
    return text::distance(name, each.name) < 3;
  };
  if (!name.starts_with(of_gke) && !any_of(classes, is_near)) return;
  Diagnostic& finding = sink.report<Code::UnknownGatewayClass>(where, name);
  const auto with_pools = names_with_pools(catalog);
  const auto begins_so = [&](std::string_view other) { return other.starts_with(name); };
  const auto meant = std::ranges::find_if(with_pools, begins_so);
  if (meant != with_pools.end())
    finding.help("did you mean `{}`?", *meant);
  else
    finding.help("write one of these: {}", text::join(with_pools, ", "));
}

Rules autoscaling_rules() {
  static constexpr Rule rules[] = {judge_bounds, judge_scaled_slices, judge_scaled_nodes,
                                   judge_metric, judge_target,        judge_gateway};
  return rules;
}

}  // namespace flexslice::rules
