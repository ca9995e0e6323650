// The rules about pods as a cluster sees them, whatever they come from: the fields of a spec, what
// compile made of it and of its patches, or a file. Each takes one tree, in which every value has
// the place that it comes from.
#pragma once

#include <functional>
#include <initializer_list>

#include "base/completeness.hpp"
#include "rules/rules.hpp"
#include "schema/combinations.hpp"
#include "yaml/node.hpp"

namespace flexslice::rules {

using yaml::Node;

// A pod template with what is known about it. A list or a name that is null may be any.
struct PodTree {
  const Node& spec;
  const Facts& facts;
  std::vector<const MachineType*> nodes = {};  // that it may run on; none: not known
  const Node* job = nullptr;                   // the JobSpec that holds it
  const Node* object = nullptr;                // that holds it, as far as there is one
  const Node* metadata = nullptr;              // of the template
  std::string_view name_space = {};
  std::string_view field = {};  // of a spec, that has its container; empty: it is of a file
  bool on_tpus = true;
  Completeness completeness = {};
};
// The switch is there and says true.
bool is_on(const Node* node);
using PodRule = void (*)(const PodTree& pod, Sink& sink);
using PodRules = std::span<const PodRule>;

// The rules of each subject, at the end of the file of that name.
PodRules pod_admission_rules();
PodRules pod_affinity_rules();
PodRules pod_autopilot_rules();
PodRules pod_command_rules();
PodRules pod_container_rules();
PodRules pod_host_rules();
PodRules pod_metric_rules();
PodRules pod_port_rules();
PodRules pod_device_rules();
PodRules pod_resource_rules();
PodRules pod_schedule_rules();
PodRules pod_serving_rules();
PodRules pod_signal_rules();

// Reports a node pool that pods without chips cannot run on, although they select it.
void judge_ordinary_pool(const Text& pool, std::string_view help, const Facts& facts, Sink& sink);

// Reports what Autopilot refuses.
void judge_on_autopilot(const PodTree& pod, Sink& sink);
// The part of it that concerns pods without TPUs which tolerate the taint of nodes with TPUs.
void judge_tpu_toleration(const PodTree& pod, Sink& sink);

// All of them. Containers that share a claim share its findings.
void judge_pod_tree(const PodTree& pod, Sink& sink);

// The pods of what compile made of a spec, each value with the place of the claim that it comes
// from. Where patches add to them, they are fragments.
void judge_pods(std::span<const yaml::Value> objects, const Facts& facts, Completeness completeness,
                Sink& sink);

// Makes errors of the findings about terms that a cluster of these versions gets wrong.
void judge_terms_of_clusters(std::span<const Text> versions, const Catalog& catalog, Sink& sink);

// Reports an annotation that only the controller of another kind of object reads.
void judge_annotation(Span where, std::string_view annotation, std::string_view kind, Sink& sink);

// Reports what the rows `rules` of its type say of a part of an object.
// `is_complete`: what is missing here is nowhere else, which takes a look at all types and is asked
// late.
void judge_field_rules(const schema::JudgedPart& part, const std::function<bool()>& is_complete,
                       Sink& sink);
// Report parts of an object that contradict each other: names; a selector and labels.
void judge_relations(const Node& object, std::string_view kind, bool is_made, Sink& sink);
// Reports a name of which a controller makes one that is too long.
void judge_object_name(const Node& object, std::string_view kind, Sink& sink);
// Reports checkpoints in memory that take more than nodes of the type leave to pods.
void judge_checkpoint_configuration(const Node& object, const Catalog& catalog, Sink& sink);
// Reports metrics that no autoscaler gets a value of, and targets that they never reach.
void judge_autoscaler(const Node& object, const Catalog& catalog, Sink& sink);
// Reports a class of GKE that does not exist. `where`: of the name.
void judge_gateway_class(Span where, std::string_view name, const Catalog& catalog, Sink& sink);
// `is_made`: compile made it, and its fields have been judged.
void judge_cron_job(const Node& object, bool is_made, Sink& sink);
void judge_selector(const Node& object, std::string_view kind, Completeness completeness,
                    Sink& sink);

// Returns whether the node is a text that is meant as it is.
bool is_literal(const Node* node);
// Returns the place of the first node that has one: derived values have none, and then the value of
// a patch is meant.
Span place_of(std::initializer_list<const Node*> nodes);
// The items of a list; none where there is no list.
std::span<const Node> items(const Node& node, std::string_view key);
// Returns whether an item of the list may have the value: nothing is known of an item that is null.
bool may_have(const Node& node, std::string_view list, std::string_view key,
              std::string_view value);

}  // namespace flexslice::rules
