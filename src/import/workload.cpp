#include "import/workload.hpp"

#include <initializer_list>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "spec/derived_keys.hpp"
#include "spec/kinds.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

constexpr std::string_view chips_key = spec::tpu_resource;

bool has_chips(const Value& pod_template) {
  const Value* spec = pod_template.find("spec");
  return spec != nullptr && container_with_chips(*spec) != nullptr;
}

bool selects_tpus(const Value& pod_template) {
  const Value* selector = pod_template.at({"spec", "nodeSelector"});
  return selector != nullptr && (selector->find(accelerator_label) != nullptr ||
                                 selector->find(topology_label) != nullptr);
}

bool is_for_tpus(const Value* pod_template) {
  return pod_template != nullptr && (has_chips(*pod_template) || selects_tpus(*pod_template));
}

// The item of a list whose pods, at `path` below it, have chips; the others are counted.
const Value* item_with_chips(const Value* list, std::initializer_list<std::string_view> path,
                             std::size_t& others) {
  const Value* chosen = nullptr;
  if (list == nullptr) return chosen;
  for (const Value& item : list->items) {
    if (chosen == nullptr && is_for_tpus(item.at(path))) {
      chosen = &item;
    } else {
      ++others;
    }
  }
  return chosen;
}

std::optional<std::int64_t> number_at(const Value* value,
                                      std::initializer_list<std::string_view> path) {
  const Value* number = value == nullptr ? nullptr : value->at(path);
  return number == nullptr ? std::nullopt : text::whole_number(number->text);
}

void find_in_jobset(const Value& spec, Workload& workload) {
  const Value* job = item_with_chips(spec.find("replicatedJobs"), {"template", "spec", "template"},
                                     workload.others);
  if (job == nullptr) return;
  workload.job = job->at({"template", "spec"});
  workload.pod = workload.job->find("template");
  workload.slices = number_at(job, {"replicas"}).value_or(1);
}

void find_in_group(const Value& spec, Workload& workload) {
  workload.slices = number_at(&spec, {"replicas"}).value_or(1);
  workload.pod = spec.at({"leaderWorkerTemplate", "workerTemplate"});
  workload.leader = spec.at({"leaderWorkerTemplate", "leaderTemplate"});
  if (!is_for_tpus(workload.pod)) workload.pod = nullptr;
}

void find_in_ray(const Value& object, Workload& workload) {
  for (const auto& path : {std::initializer_list<std::string_view>{"spec", "rayClusterSpec"},
                           {"spec", "rayClusterConfig"},
                           {"spec"}}) {
    workload.cluster = object.at(path);
    if (workload.cluster != nullptr) break;
  }
  if (workload.cluster == nullptr) return;
  const Value* group =
      item_with_chips(workload.cluster->find("workerGroupSpecs"), {"template"}, workload.others);
  workload.leader = workload.cluster->at({"headGroupSpec", "template"});
  if (group == nullptr) return;
  workload.pod = group->find("template");
  workload.slices = number_at(group, {"replicas"}).value_or(1);
}

void find_in_replicas(const Value& spec, Workload& workload) {
  workload.pod = spec.find("template");
  if (!is_for_tpus(workload.pod)) workload.pod = nullptr;
  if (workload.word == "job") {
    workload.job = &spec;
    if (spec.text_at({"completionMode"}) == "Indexed")
      workload.slices = number_at(&spec, {"completions"});
  } else {
    workload.slices = number_at(&spec, {"replicas"}).value_or(1);
  }
}

}  // namespace

std::string_view chips_text(const Value& container) {
  for (std::string_view of : {"limits", "requests"}) {
    const std::string_view text = container.text_at({"resources", of, chips_key});
    if (!text.empty() && text != "0") return text;
  }
  return {};
}

const Value* container_with_chips(const Value& pod_spec) {
  const Value* containers = pod_spec.find("containers");
  if (containers == nullptr) return nullptr;
  return find_where(containers->items,
                    [](const Value& container) { return !chips_text(container).empty(); });
}

const Value* Workload::main() const {
  const Value* spec = pod_spec();
  if (spec == nullptr) return nullptr;
  if (const Value* chips = container_with_chips(*spec)) return chips;
  const Value* containers = spec->find("containers");
  return containers == nullptr || containers->items.empty() ? nullptr : &containers->items.front();
}

std::int64_t Workload::chips() const {
  const Value* spec = pod_spec();
  const Value* containers = spec == nullptr ? nullptr : spec->find("containers");
  if (containers == nullptr) return 0;
  std::int64_t sum = 0;
  for (const Value& container : containers->items)
    sum += text::whole_number(chips_text(container)).value_or(0);
  return sum;
}

std::string_view Workload::node_label(std::string_view key) const {
  const Value* spec = pod_spec();
  if (spec == nullptr) return {};
  if (const auto text = spec->text_at({"nodeSelector", key}); !text.empty()) return text;
  const Value* terms =
      spec->at({"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution",
                "nodeSelectorTerms"});
  if (terms == nullptr || terms->items.size() != 1) return {};
  const Value* expressions = terms->items.front().find("matchExpressions");
  if (expressions == nullptr) return {};
  for (const Value& expression : expressions->items) {
    const Value* values = expression.find("values");
    if (expression.text_at({"key"}) == key && expression.text_at({"operator"}) == "In" &&
        values != nullptr && values->items.size() == 1)
      return values->items.front().text;
  }
  return {};
}

std::vector<std::string> Workload::node_pools() const {
  if (const auto name = node_label(pool_label); !name.empty()) return {std::string(name)};
  const Value* spec = pod_spec();
  const Value* terms =
      spec == nullptr
          ? nullptr
          : spec->at({"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution",
                      "nodeSelectorTerms"});
  std::vector<std::string> names;
  if (terms == nullptr || terms->items.size() != 1) return names;
  const Value* expressions = terms->items.front().find("matchExpressions");
  if (expressions == nullptr) return names;
  for (const Value& expression : expressions->items) {
    const Value* values = expression.find("values");
    if (expression.text_at({"key"}) != pool_label || values == nullptr) continue;
    for (const Value& value : values->items) names.push_back(value.text);
  }
  return names;
}

std::optional<Workload> workload_in(const Value& object) {
  const auto* kind = find_where(spec::kinds, [&](const spec::WorkloadKind& each) {
    return each.object == object.text_at({"kind"});
  });
  const Value* spec = object.find("spec");
  if (kind == nullptr || spec == nullptr) return std::nullopt;
  Workload workload;
  workload.word = kind->word;
  workload.object = &object;
  if (kind->ray) {
    find_in_ray(object, workload);
  } else if (kind->word == "jobset") {
    find_in_jobset(*spec, workload);
  } else if (kind->leads) {
    find_in_group(*spec, workload);
  } else {
    find_in_replicas(*spec, workload);
  }
  return workload;
}

bool uses_tpus(const Value& object) {
  return yaml::find_in_tree(object, [](const Value& each) { return is_for_tpus(&each); }) !=
         nullptr;
}

}  // namespace flexslice::imports
