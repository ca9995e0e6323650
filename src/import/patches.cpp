#include "import/patches.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "base/lists.hpp"
#include "base/references.hpp"
#include "base/text.hpp"
#include "import/workload.hpp"
#include "resolve/labels.hpp"
#include "schema/combinations.hpp"
#include "schema/kubernetes_types.hpp"
#include "schema/merge.hpp"
#include "spec/derived_keys.hpp"
#include "spec/kinds.hpp"
#include "yaml/path.hpp"

namespace flexslice::imports {

using schema::MergeRule;
using yaml::Path, yaml::Value;

namespace {

// The plan derives these from `replicas`, so they follow it.
constexpr std::string_view limits_of_replicas[] = {"minReplicas", "maxReplicas"};

constexpr std::string_view names_in_queues[] = {
    "clusterQueue", "admissionChecks", "admissionChecksStrategy", "parameters", "topologyName"};

// Lists whose items are parts of the compiler's: their names are derived too.
constexpr std::string_view named_by_compiler[] = {"replicatedJobs", "workerGroupSpecs"};

constexpr std::string_view groups_of_ray = "workerGroupSpecs";

// The head of a Ray cluster gets what the spec says of the hosts.
constexpr std::string_view shared_with_head[] = {
    "env",
    "envFrom",
    "hostNetwork",
    "dnsPolicy",
    "priorityClassName",
    "volumeMounts",
    "serviceAccountName",
    "volumes",
    "securityContext",
};

bool is_shared_with_head(const Difference& difference) {
  bool of_head = false;
  for (const PathStep& step : difference.path) {
    of_head |= step.key == "headGroupSpec";
    if (of_head && contains(shared_with_head, step.key)) return true;
  }
  return false;
}

bool is_of_script(const Value& item) { return item.text_at({"name"}) == "flexslice-script"; }

// Makes null of what compile added, but for a script's own.
void take_out(const Difference& difference, Value& object) {
  Value* at = &object;
  for (const PathStep& step : difference.path) {
    at =
        step.key.empty() ? &at->items[static_cast<std::size_t>(step.compiled)] : at->find(step.key);
    if (at == nullptr) return;
  }
  if (is_of_script(*at)) return;
  std::erase_if(at->items, [](const Value& item) { return !is_of_script(item); });
  if (at->items.empty()) *at = Value();
}

// In a list null takes nothing out: what is not there has to be left out.
void drop_nulls_in_lists(Value& value, bool in_list = false) {
  const auto is_null = [](const Value& each) { return each.kind == Value::Kind::null; };
  std::erase_if(value.items, is_null);
  if (in_list)
    std::erase_if(value.members, [&](const auto& member) { return is_null(member.value); });
  for (Value& item : value.items) drop_nulls_in_lists(item, true);
  for (Value::Member& member : value.members) drop_nulls_in_lists(member.value, in_list);
}

// The first container is the one that kubectl shows.
bool adds_container(const Difference& difference) {
  const auto& path = difference.path;
  return path.size() > 1 && path.back().key.empty() && path.back().compiled < 0 &&
         path[path.size() - 2].key == "containers";
}

void apply_difference(const Difference& difference, Value& object) {
  if (difference.is_added()) return take_out(difference, object);
  Value* at = &object;
  for (const PathStep& step : difference.path) {
    if (!step.key.empty()) {
      at = &(*at)[step.key];
    } else if (step.compiled >= 0) {
      at = &at->items[static_cast<std::size_t>(step.compiled)];
    } else if (adds_container(difference) && step.input < std::ssize(at->items)) {
      at = &*at->items.insert(at->items.begin() + step.input, Value());
    } else {
      at = &at->push(Value());
    }
  }
  *at = difference.input;
}

// Kubernetes replaces `$(NAME)` by variables that come before it alone.
void put_variables_first(Value& env) {
  std::vector<NamedText> texts;
  for (const Value& item : env.items)
    texts.push_back({item.text_at({"name"}), item.text_at({"value"})});
  std::vector<Value> ordered;
  for (const std::size_t index : after_references(texts))
    ordered.push_back(std::move(env.items[index]));
  env.items = std::move(ordered);
}

void order_variables(Value& value) {
  std::ranges::for_each(value.items, order_variables);
  for (auto& [key, member] : value.members) {
    if (key == "env") put_variables_first(member);
    order_variables(member);
  }
}

// How long a patch is.
std::size_t lines(const Value& value) {
  std::size_t count = value.is_scalar() ? 1 : 0;
  for (const Value& item : value.items) count += lines(item);
  for (const Value::Member& member : value.members)
    count += lines(member.value) + (member.value.is_scalar() ? 0 : 1);
  return count;
}

// Says whether every item has a key that no other has.
bool has_unique_keys(const Value& list, std::string_view list_key) {
  std::vector<std::string_view> keys;
  for (const Value& item : list.items) {
    const auto key = schema::key_of(item, list_key);
    if (!item.is_mapping() || !key || contains(keys, *key)) return false;
    keys.push_back(*key);
  }
  return true;
}

// The same mappings, lists that merge in any order.
bool is_same_merged(const Value& a, const Value& b, const MergeRule& rule) {
  if (a.is_mapping() && b.is_mapping())
    return a.members.size() == b.members.size() &&
           std::ranges::all_of(a.members, [&](const Value::Member& member) {
             const Value* other = b.find(member.key);
             return other != nullptr &&
                    is_same_merged(member.value, *other, rule.member(member.key));
           });
  if (!a.is_sequence() || !b.is_sequence()) return a == b;
  if (a.items.size() != b.items.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    const auto key = schema::key_of(a.items[i], rule.list_key);
    const Value* other =
        rule.list_key.empty() || !key ? &b.items[i] : schema::find_item(b, rule.list_key, *key);
    if (other == nullptr || !is_same_merged(a.items[i], *other, rule.item())) return false;
  }
  return true;
}

// Lists in which the order of items says something: containers start one after the other, and the
// first is the one that kubectl shows; a variable may name those before it.
bool is_in_order(std::string_view list, const Value& made, const Value& after) {
  if (list == "env") {
    Value ordered = made;
    put_variables_first(ordered);
    return ordered == made;
  }
  const bool has_order = list == "containers" || list == "initContainers";
  return !has_order ||
         std::ranges::equal(made.items, after.items, [](const Value& one, const Value& other) {
           return one.text_at({"name"}) == other.text_at({"name"});
         });
}

Value patch_between(const Value& before, const Value& after, const MergeRule& rule,
                    std::string_view key = {});

Value directive(std::string_view word) {
  Value item = Value::mapping();
  item["$patch"] = Value::string(word);
  return item;
}

// The items that differ, or all of them where these would not give the list.
Value list_between(const Value& before, const Value& after, const MergeRule& rule,
                   std::string_view list) {
  Value wanted = after;
  std::erase_if(wanted.items, [](const Value& item) { return item.kind == Value::Kind::null; });
  drop_nulls_in_lists(wanted);
  Value items = Value::sequence();
  const bool keyed = has_unique_keys(before, rule.list_key) &&
                     has_unique_keys(wanted, rule.list_key) && !before.items.empty();
  for (const Value& item : keyed ? after.items : std::vector<Value>()) {
    if (item.kind == Value::Kind::null) continue;
    const std::string_view key = *schema::key_of(item, rule.list_key);
    const Value* old = schema::find_item(before, rule.list_key, key);
    if (old != nullptr && *old == item) continue;
    Value& patch = items.push(Value::mapping());
    patch[rule.list_key] = *item.find(rule.list_key);
    const Value rest = old == nullptr ? item : patch_between(*old, item, rule.item());
    for (const auto& [name, value] : rest.members) {
      if (old != nullptr || value.kind != Value::Kind::null) patch[name] = value;
    }
  }
  for (const Value& item : keyed ? before.items : std::vector<Value>()) {
    const std::string_view key = *schema::key_of(item, rule.list_key);
    if (schema::find_item(wanted, rule.list_key, key) != nullptr) continue;
    Value& patch = items.push(Value::mapping());
    patch[rule.list_key] = *item.find(rule.list_key);
    patch["$patch"] = Value::string("delete");
  }
  const Value made = keyed ? schema::merge(before, items, rule) : Value();
  if (keyed && lines(items) <= lines(wanted) && is_same_merged(made, wanted, rule) &&
      is_in_order(list, made, wanted))
    return items;
  if (!before.items.empty()) wanted.items.insert(wanted.items.begin(), directive("replace"));
  return wanted;
}

// The patch from one value to another that lacks nothing of it; null takes a member out. With a
// rule it is a strategic one. `key`: of the value.
Value patch_between(const Value& before, const Value& after, const MergeRule& rule,
                    std::string_view key) {
  if (before.is_sequence() && after.is_sequence() && !rule.list_key.empty())
    return list_between(before, after, rule, key);
  if (!before.is_mapping() || !after.is_mapping()) {
    Value whole = after;
    drop_nulls_in_lists(whole);
    return whole;
  }
  Value merge = Value::mapping();
  for (const auto& [name, value] : after.members) {
    const Value* old = before.find(name);
    if (old == nullptr) {
      merge[name] = value;
    } else if (!(*old == value)) {
      merge[name] = patch_between(*old, value, rule.member(name), name);
    }
  }
  return merge;
}

// A patch is a `merge`, or a `strategicMerge` where that is shorter.
struct Body {
  std::string_view field;
  Value patch;

  bool is_empty() const { return patch.is_empty(); }
  friend bool operator==(const Body&, const Body&) = default;
};

Body body_between(const Value& before, const Value& after, const schema::Table* table) {
  Value merge = patch_between(before, after, {});
  drop_nulls_in_lists(merge);
  if (table == nullptr) return {"merge", std::move(merge)};
  const schema::Type type{.category = schema::Category::record, .table = table};
  Value strategic = patch_between(before, after, {&type});
  if (lines(strategic) < lines(merge)) return {"strategicMerge", std::move(strategic)};
  return {"merge", std::move(merge)};
}

// Kueue wants the resources of a flavor in the order of those that its group covers.
void order_resources(Value& queue) {
  Value* groups = yaml::follow(queue, Path{"spec", "resourceGroups"});
  if (groups == nullptr) return;
  for (Value& group : groups->items) {
    const Value* covered = group.find("coveredResources");
    Value* flavors = group.find("flavors");
    if (covered == nullptr || flavors == nullptr) continue;
    const auto place = [&](const Value& resource) {
      return std::ranges::find(covered->items, resource.text_at({"name"}), &Value::text) -
             covered->items.begin();
    };
    for (Value& flavor : flavors->items) {
      if (Value* resources = flavor.find("resources"))
        std::ranges::stable_sort(resources->items, {}, place);
    }
  }
}

// Makes null of what compile wrote and Kubernetes does not accept with a field of the input.
void take_out_excluded(Value& compiled, Value& after) {
  const schema::Table* type =
      schema::kubernetes::find(compiled.text_at({"kind"}), compiled.text_at({"apiVersion"}));
  if (type == nullptr) return;
  const yaml::Node node = yaml::to_node(after);
  for (const schema::JudgedPart& wrong : schema::parts_with_combinations(node, *type)) {
    const auto given = schema::wrong_fields(wrong);
    Value* part = yaml::follow(after, wrong.path);
    const Value* before = yaml::follow(compiled, wrong.path);
    if (!given || part == nullptr || before == nullptr) continue;
    const auto is_compiled = [&](std::string_view key) { return before->find(key) != nullptr; };
    if (std::ranges::all_of(*given, is_compiled)) continue;
    for (std::string_view key : *given) {
      if (is_compiled(key)) (*part)[key] = Value();
    }
  }
}

// A pod template, as compile makes it and as it should be.
struct PodPair {
  std::string_view role;  // as `target.pod` has it
  bool in_list;           // which a patch of the object would replace as a whole
  Value* before;
  const Value* after;
};

void find_pods(Value& before, const Value& after, std::string_view role, bool in_list,
               std::vector<PodPair>& pods) {
  for (std::size_t i = 0; i < before.items.size() && i < after.items.size(); ++i)
    find_pods(before.items[i], after.items[i], role, true, pods);
  for (auto& [key, value] : before.members) {
    const Value* other = after.find(key);
    if (other == nullptr) continue;
    const std::string_view inner = spec::pod_role(key, role);
    if (value.at({"spec", "containers"}) != nullptr) {
      pods.push_back({inner, in_list, &value, other});
    } else {
      find_pods(value, *other, inner, in_list, pods);
    }
  }
}

// A patch of a part of the object.
struct PartPatch {
  std::string_view pod;
  std::string container;  // empty: of the whole template
  Body body;
};

bool is_same_list(const Value& a, const Value& b) {
  return std::ranges::equal(a.items, b.items, [](const Value& x, const Value& y) {
    return x.text_at({"name"}) == y.text_at({"name"});
  });
}

// Takes what differs over into the pod.
void collect_parts(const PodPair& pod, std::vector<PartPatch>& patches) {
  for (std::string_view key : {"containers", "initContainers"}) {
    Value* list = pod.before->find("spec")->find(key);
    const Value* other = pod.after->at({"spec", key});
    if (list == nullptr || other == nullptr || !is_same_list(*list, *other)) continue;
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      const Value& after = other->items[i];
      patches.push_back(
          {pod.role, std::string(after.text_at({"name"})),
           body_between(list->items[i], after, schema::kubernetes::find("Container"))});
      list->items[i] = after;
    }
  }
  if (!pod.in_list) return;
  patches.push_back(
      {pod.role,
       {},
       body_between(*pod.before, *pod.after, schema::kubernetes::find("PodTemplateSpec"))});
  *pod.before = *pod.after;
}

// Several pods may have the part, and one patch may be right for all of them.
struct Others {
  bool any = false, same = true;
};

Others others_of(const PartPatch& part, std::span<const PartPatch> parts, bool in_same_pod) {
  Others others;
  for (const PartPatch& each : parts) {
    if (&each == &part || each.container != part.container || (each.pod == part.pod) != in_same_pod)
      continue;
    others.any = true;
    others.same &= each.body == part.body;
  }
  return others;
}

bool has_containers(const Value& value) {
  const auto holds_them = [](const Value& each) { return each.find("containers") != nullptr; };
  return yaml::find_in_tree(value, holds_them) != nullptr;
}

Value patch_of(const Value& object, bool several, Body body) {
  Value entry = Value::mapping();
  entry["target"]["kind"] = Value::string(object.text_at({"kind"}));
  if (several) entry["target"]["name"] = Value::string(object.text_at({"metadata", "name"}));
  entry[body.field] = std::move(body.patch);
  return entry;
}

// compile keeps a group on one node pool by this annotation.
bool pins_group(const Difference& difference) {
  return difference.is_added() && difference.path.size() == 3 &&
         difference.path[2].key == resolve::exclusive_group;
}

// Only the annotation counts in a mapping that is added.
Difference narrowed(Difference difference) {
  const Value* annotation = difference.compiled.find(resolve::exclusive_group);
  if (difference.path.size() == 2 && annotation != nullptr) {
    difference.path.push_back({std::string(resolve::exclusive_group), -1, -1, {}});
    difference.compiled = Value(*annotation);
  }
  return difference;
}

bool adds_subgroups(const Difference& difference) {
  return difference.is_lost() &&
         any_of(difference.path, [](const PathStep& step) { return step.key == "subGroupPolicy"; });
}

// A job that no spec has. Then what names jobs of the JobSet may be for that one.
bool lacks_job(const Difference& difference) {
  const auto& path = difference.path;
  return difference.is_lost() && path.size() == 3 && path[1].key == "replicatedJobs";
}
bool names_jobs(const Difference& difference) {
  constexpr std::string_view names[] = {"successPolicy", "coordinator", "dependsOn"};
  const auto& path = difference.path;
  return any_of(path, [&](const PathStep& step) { return contains(names, step.key); }) ||
         (path.size() > 2 && path[1].key == "failurePolicy" && path[2].key == "rules");
}

// A patch must not touch what the plan derives, and names are the compiler's.
bool can_be_patched(const Difference& difference) {
  const auto& path = difference.path;
  if (difference.is_added()) return is_shared_with_head(difference);
  const std::string_view first = path.front().key,
                         second = path.size() > 1 ? std::string_view(path[1].key) : "";
  // Objects of a queue name each other by names that follow the queue's.
  if (first == "spec" && contains(names_in_queues, second)) return false;
  // It runs a script, or is one.
  if (second == "entrypoint") return false;
  // Containers that start after a sidecar would wait for it.
  if (path.size() > 2 && path.back().key == "startupProbe" &&
      path[path.size() - 3].key == "initContainers")
    return false;
  // A label that is there finds the pods.
  if (path.size() > 1 && path[path.size() - 2].key == "labels" && !difference.is_lost())
    return false;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const bool derived =
        contains(spec::derived_keys, path[i].key) || contains(limits_of_replicas, path[i].key);
    if (derived && !difference.is_lost()) return false;
    if (contains(named_by_compiler, path[i].key) && i + 3 == path.size() &&
        (path[i + 2].key == "name" || path[i + 2].key == "groupName"))
      return false;
    // No ResourceFlavor has another name.
    if (path[i].key == "flavors" && i + 3 >= path.size() &&
        (i + 2 >= path.size() || path[i + 2].key == "name"))
      return false;
    // Another job, or a group with chips, would need nodes that no spec describes.
    if (contains(named_by_compiler, path[i].key) && i + 2 == path.size())
      return path[i].key == groups_of_ray && !uses_tpus(difference.input);
  }
  const bool identity = path.size() == 2 && path[0].key == "metadata" &&
                        (path[1].key == "name" || path[1].key == "namespace");
  return !identity && !path.empty() && path.front().key != "apiVersion";
}

// A container that view_of has made a sidecar would start before those that it may need.
void drop_probes(Value& value) {
  std::ranges::for_each(value.items, drop_probes);
  for (Value::Member& member : value.members) drop_probes(member.value);
  const Value* policy = value.find("restartPolicy");
  if (policy != nullptr && policy->text == "Always" && policy->origin == Span{})
    value.erase("startupProbe");
}

}  // namespace

std::vector<Difference> patchable(const std::vector<Difference>& differences) {
  // Then each subgroup is a slice, and the group does not fit on the node pool of one.
  const bool has_subgroups = any_of(differences, adds_subgroups),
             lacks_jobs = any_of(differences, lacks_job);
  std::vector<Difference> wanted;
  for (const Difference& each : differences) {
    if (lacks_jobs && names_jobs(each)) continue;
    if (can_be_patched(each)) {
      wanted.push_back(each);
      drop_probes(wanted.back().input);
    } else if (has_subgroups && each.is_added()) {
      if (Difference only = narrowed(each); pins_group(only)) wanted.push_back(std::move(only));
    }
  }
  return wanted;
}

std::vector<Value> patches_for(const Value& compiled, const std::vector<Difference>& differences,
                               bool several) {
  Value after = compiled;
  // Containers that are added move those that other differences name by their place.
  for (const bool adds : {false, true}) {
    for (const Difference& difference : differences) {
      if (adds_container(difference) == adds) apply_difference(difference, after);
    }
  }
  order_variables(after);
  order_resources(after);
  Value before = compiled;
  take_out_excluded(before, after);
  std::vector<PodPair> pods;
  find_pods(before, after, spec::worker_pod, false, pods);
  std::vector<PartPatch> parts;
  for (const PodPair& pod : pods) collect_parts(pod, parts);
  const bool good = std::ranges::all_of(
      parts, [&](const PartPatch& part) { return others_of(part, parts, true).same; });
  const schema::Table* type =
      schema::kubernetes::find(compiled.text_at({"kind"}), compiled.text_at({"apiVersion"}));
  Body whole = body_between(before, after, type);
  std::vector<Value> patches;
  // A list that holds pod templates is in one patch with all that is in it.
  if (!good || has_containers(whole.patch)) {
    patches.push_back(patch_of(compiled, several, body_between(compiled, after, type)));
    return patches;
  }
  for (const PartPatch& part : parts) {
    if (part.body.is_empty()) continue;
    Value entry = patch_of(compiled, several, part.body);
    const Others elsewhere = others_of(part, parts, false);
    if (part.container.empty() || (elsewhere.any && !elsewhere.same))
      entry["target"]["pod"] = Value::string(part.pod);
    if (!part.container.empty()) entry["target"]["container"] = Value::string(part.container);
    if (!contains(patches, entry)) patches.push_back(std::move(entry));
  }
  if (whole.patch.text_at({"spec", "strategy", "type"}) == "Recreate")
    whole.patch["spec"]["strategy"]["rollingUpdate"] = Value();
  if (!whole.is_empty()) patches.push_back(patch_of(compiled, several, std::move(whole)));
  return patches;
}

}  // namespace flexslice::imports
