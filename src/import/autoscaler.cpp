#include "import/autoscaler.hpp"

#include "base/lists.hpp"
#include "base/text.hpp"
#include "resolve/metrics.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

// A spec can say averages of pods and the use of a resource. Other metrics are about something else
// than replicas.
bool is_metric_of_pods(const Value& metric) {
  const std::string_view type = metric.text_at({"type"});
  if (type == "Pods") {
    return metric.text_at({"pods", "target", "type"}) == "AverageValue" &&
           metric.at({"pods", "metric", "selector"}) == nullptr &&
           metric.text_at({"pods", "metric", "name"}).find('|') != std::string_view::npos;
  }
  const std::string_view name = metric.text_at({"resource", "name"});
  return type == "Resource" && (name == "cpu" || name == "memory") &&
         metric.text_at({"resource", "target", "type"}) == "Utilization";
}

const Value* described_metric(const Value& autoscaler) {
  const Value* metrics = autoscaler.at({"spec", "metrics"});
  return metrics == nullptr ? nullptr : find_where(metrics->items, is_metric_of_pods);
}

const Value* collected_port(const Value* monitoring) {
  const Value* endpoints = monitoring == nullptr ? nullptr : monitoring->at({"spec", "endpoints"});
  return endpoints == nullptr || endpoints->items.empty() ? nullptr
                                                          : endpoints->items.front().find("port");
}

const Value* number_in(const Value& port) { return port.is_mapping() ? port.find("port") : &port; }

}  // namespace

bool scales(const Value& autoscaler, const Value& object) {
  const auto target = [&](std::string_view key) {
    return autoscaler.text_at({"spec", "scaleTargetRef", key});
  };
  return autoscaler.text_at({"kind"}) == "HorizontalPodAutoscaler" &&
         target("kind") == object.text_at({"kind"}) &&
         target("name") == object.text_at({"metadata", "name"});
}

std::string reason_against_autoscaler(const Value& autoscaler) {
  if (autoscaler.text_at({"apiVersion"}) != "autoscaling/v2") return "it is not autoscaling/v2";
  if (!text::whole_number(autoscaler.text_at({"spec", "maxReplicas"})))
    return "its `maxReplicas` is not a number";
  if (autoscaler.at({"spec", "metrics"}) == nullptr)
    return "it has no `metrics`, for which Kubernetes takes the CPU";
  if (described_metric(autoscaler) == nullptr)
    return "none of its metrics is a resource of the pods, or one of the pods by its average";
  return {};
}

const FoundObject* autoscaler_of(const FoundWorkload& workload,
                                 const std::vector<FoundObject>& objects) {
  if (workload.word != "deployment" && workload.word != "leaderworkerset") return nullptr;
  return find_where(objects, [&](const FoundObject& each) {
    return scales(each.value, *workload.object) && reason_against_autoscaler(each.value).empty();
  });
}

void count_scaled_slices(FoundWorkload& workload, const std::vector<FoundObject>& objects) {
  const FoundObject* autoscaler = autoscaler_of(workload, objects);
  if (autoscaler == nullptr) return;
  workload.slices = text::whole_number(autoscaler->value.text_at({"spec", "maxReplicas"}));
}

Value autoscaling_field(const Value& autoscaler, const Value* monitoring, const Value& fields) {
  Value field = Value::mapping();
  const Value& spec = *autoscaler.find("spec");
  if (const Value* least = spec.find("minReplicas"); least != nullptr && least->text != "1")
    field["min"] = *least;
  field["max"] = *spec.find("maxReplicas");
  const Value& metric = *described_metric(autoscaler);
  const bool is_resource = metric.text_at({"type"}) == "Resource";
  const Value* name =
      metric.at({is_resource ? "resource" : "pods", is_resource ? "name" : "metric"});
  if (!is_resource) name = name->find("name");
  Value& said = field["metric"] = *name;
  if (!is_resource) said.text = resolve::metric_in_spec(name->text);
  const Value* target = metric.at({is_resource ? "resource" : "pods", "target",
                                   is_resource ? "averageUtilization" : "averageValue"});
  if (target != nullptr) {
    Value& kept = field["target"] = *target;
    if (const auto whole = text::whole_number(target->text)) {
      kept = Value::number(*whole);
      kept.origin = target->origin;
    }
  }
  // The first port is the default.
  const Value* port = collected_port(monitoring);
  if (is_resource || port == nullptr) return field;
  const Value* ports = fields.at({"leader", "ports"});
  if (ports == nullptr) ports = fields.find("ports");
  const Value* number = text::whole_number(port->text) ? port : nullptr;
  if (ports != nullptr) {
    for (const Value& each : ports->items) {
      if (each.text_at({"name"}) == port->text) number = number_in(each);
    }
    const bool is_first = number != nullptr && !ports->items.empty() &&
                          number_in(ports->items.front())->text == number->text;
    if (is_first) return field;
  }
  if (number != nullptr) field["port"] = *number;
  return field;
}

}  // namespace flexslice::imports
