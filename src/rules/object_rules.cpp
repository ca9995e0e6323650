#include "rules/object_rules.hpp"

#include "yaml/made.hpp"

namespace flexslice::rules {

namespace {

// A value that a template has made without a claim gets the place of its holder.
void place_unsaid(Node& node, Span holder) {
  if (node.span == Span{}) node.span = holder;
  for (Node& item : node.items) place_unsaid(item, node.span);
  for (yaml::Member& member : node.members) {
    if (member.key.span == Span{}) member.key.span = member.value.span;
    place_unsaid(member.value, node.span);
  }
}

// The JobSpec that holds the template, without it.
Node job_around(const yaml::Value& pod, const yaml::Value& holder) {
  Node job = yaml::mapping_at();
  if (holder.find("template") != &pod) return job;
  for (const auto& [key, value] : holder.members) {
    if (&value == &pod) continue;
    yaml::Member& member = job.members.emplace_back();
    member.key.text = key;
    member.value = yaml::to_node(value);
  }
  return job;
}

}  // namespace

void judge_pods(std::span<const yaml::Value> objects, const Facts& facts, Completeness completeness,
                Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  for (const yaml::Value& object : objects) {
    spec::for_each_pod(
        object, [&](const yaml::Value& made, std::string_view role, const yaml::Value& holder) {
          // The head of Ray has the container of the workers.
          if (role == spec::head_pod) return;
          const bool leads = role == spec::leader_pod;
          const bool on_tpus = leads ? !facts.leader_apart() && !workload.leader.tpu.where.bad
                                     : !facts.has_pathways();
          std::vector<const MachineType*> nodes;
          if (facts.machine != nullptr && on_tpus) nodes.push_back(facts.machine);
          Node pod = yaml::to_node(*made.find("spec"));
          place_unsaid(pod, workload.where.span);
          const Node job = job_around(made, holder);
          const yaml::Value* described = made.find("metadata");
          const Node metadata = described == nullptr ? Node() : yaml::to_node(*described);
          judge_pod_tree({.spec = pod,
                          .facts = facts,
                          .nodes = nodes,
                          .job = &job,
                          .metadata = &metadata,
                          .name_space = facts.claims.name_space.value,
                          .field = leads ? "workload.leader" : "workload",
                          .on_tpus = on_tpus,
                          .completeness = completeness},
                         sink);
        });
  }
}

std::span<const Node> items(const Node& node, std::string_view key) {
  const Node* list = node.find(key);
  return list == nullptr ? std::span<const Node>() : list->items;
}

bool may_have(const Node& node, std::string_view list, std::string_view key,
              std::string_view value) {
  const Node* all = node.find(list);
  if (all != nullptr && all->kind != yaml::Kind::sequence) return true;
  return any_of(items(node, list), [&](const Node& item) {
    const Node* own = item.find(key);
    return own != nullptr && (own->kind == yaml::Kind::null || own->text == value);
  });
}

void judge_pod_tree(const PodTree& pod, Sink& sink) {
  for (const PodRules rules :
       {pod_admission_rules(), pod_affinity_rules(), pod_autopilot_rules(), pod_container_rules(),
        pod_command_rules(), pod_device_rules(), pod_host_rules(), pod_metric_rules(),
        pod_port_rules(), pod_resource_rules(), pod_schedule_rules(), pod_serving_rules(),
        pod_signal_rules()}) {
    for (const PodRule rule : rules) rule(pod, sink);
  }
}

}  // namespace flexslice::rules
