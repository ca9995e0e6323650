#include "import/workload.hpp"

#include <fmt/core.h>

#include <initializer_list>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "spec/derived_keys.hpp"
#include "spec/kinds.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

bool template_has_chips(const Value& pod_template) {
  const Value* spec = pod_template.find("spec");
  return spec != nullptr && container_with_chips(*spec) != nullptr;
}

bool selects_tpus(const Value& pod_template) {
  const Value* selector = pod_template.at({"spec", "nodeSelector"});
  return selector != nullptr && (selector->find(accelerator_label) != nullptr ||
                                 selector->find(topology_label) != nullptr);
}

bool is_for_tpus(const Value* pod_template) {
  return pod_template != nullptr &&
         (template_has_chips(*pod_template) || selects_tpus(*pod_template));
}

// The item of a list whose pods request chips, or at least select their nodes.
const Value* item_for_tpus(const Value* list) {
  if (list == nullptr) return nullptr;
  const Value* item = compiled_item(*list);
  return item == nullptr ? find_where(list->items, uses_tpus) : item;
}

std::optional<std::int64_t> number_at(const Value* value,
                                      std::initializer_list<std::string_view> path) {
  const Value* number = value == nullptr ? nullptr : value->at(path);
  return number == nullptr ? std::nullopt : text::whole_number(number->text);
}

void find_in_jobset(const Value& spec, FoundWorkload& workload) {
  const Value* job = item_for_tpus(spec.find("replicatedJobs"));
  workload.job = job == nullptr ? nullptr : job->at({"template", "spec"});
  if (workload.job == nullptr) return;
  workload.pod = workload.job->find("template");
  workload.slices = number_at(job, {"replicas"}).value_or(1);
  const std::string_view replicas = job->text_at({"replicas"});
  if (!replicas.empty() && !text::whole_number(replicas)) workload.open_slices = replicas;
  // With it each replica has a node pool for itself.
  const auto is_exclusive = [](const Value& each) {
    return each.find(resolve::exclusive_topology) != nullptr;
  };
  workload.may_be_hosts = number_at(workload.job, {"completions"}).value_or(1) == 1 &&
                          number_at(workload.job, {"parallelism"}).value_or(1) == 1 &&
                          yaml::find_in_tree(*workload.object, is_exclusive) == nullptr;
}

bool has_argument(const Value& container, std::string_view argument) {
  for (std::string_view words : {"args", "command"}) {
    const Value* list = container.find(words);
    if (list != nullptr &&
        any_of(list->items, [&](const Value& word) { return word.text == argument; }))
      return true;
  }
  return false;
}

const Value* container_that(const Value& pod_spec, auto is) {
  for (std::string_view list : {"initContainers", "containers"}) {
    const Value* containers = pod_spec.find(list);
    const Value* found = containers == nullptr ? nullptr : find_where(containers->items, is);
    if (found != nullptr) return found;
  }
  return nullptr;
}

void find_in_pathways(const Value& head, FoundWorkload& workload) {
  workload.head_job = head.at({"template", "spec"});
  workload.leader = workload.head_job->find("template");
}

void find_in_group(const Value& spec, FoundWorkload& workload) {
  workload.slices = number_at(&spec, {"replicas"}).value_or(1);
  workload.pod = spec.at({"leaderWorkerTemplate", "workerTemplate"});
  workload.leader = spec.at({"leaderWorkerTemplate", "leaderTemplate"});
  if (!is_for_tpus(workload.pod)) workload.pod = nullptr;
}

void find_in_ray(const Value& object, FoundWorkload& workload) {
  for (const auto& path : {std::initializer_list<std::string_view>{"spec", "rayClusterSpec"},
                           {"spec", "rayClusterConfig"},
                           {"spec"}}) {
    workload.cluster = object.at(path);
    if (workload.cluster != nullptr) break;
  }
  if (workload.cluster == nullptr) return;
  const Value* group = item_for_tpus(workload.cluster->find("workerGroupSpecs"));
  workload.leader = workload.cluster->at({"headGroupSpec", "template"});
  if (group == nullptr) return;
  workload.pod = group->find("template");
  workload.slices = number_at(group, {"replicas"}).value_or(1);
}

void find_in_replicas(const Value& spec, FoundWorkload& workload) {
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

const Value& leading_container(const Value& pod_spec) {
  if (const Value* chips = container_with_chips(pod_spec)) return *chips;
  const auto& containers = pod_spec.find("containers")->items;
  // A patch that adds the other ones with a probe puts them first, where they are.
  const Value* last = &containers.front();
  for (const Value& each : containers) {
    if (each.find("startupProbe") != nullptr) last = &each;
  }
  return *last;
}

const Value* container_with_chips(const Value& pod_spec) {
  const Value* containers = pod_spec.find("containers");
  if (containers == nullptr) return nullptr;
  return find_where(containers->items, [](const Value& container) {
    return !spec::requested_chips(container).empty();
  });
}

const Value* pathways_manager(const Value& pod_spec) {
  return container_that(pod_spec, [](const Value& container) {
    return has_argument(container, "--node_type=resource_manager");
  });
}

const Value* pathways_proxy(const Value& pod_spec) {
  return container_that(pod_spec, [](const Value& container) {
    return container.text_at({"name"}) == "pathways-proxy" ||
           container.text_at({"image"}).find("pathways/proxy_server") != std::string_view::npos;
  });
}

const Value* pathways_head(const Value& object) {
  const Value* jobs = object.at({"spec", "replicatedJobs"});
  if (jobs == nullptr || object.text_at({"kind"}) != "JobSet") return nullptr;
  return find_where(jobs->items, [](const Value& job) {
    const Value* pod = job.at({"template", "spec", "template", "spec"});
    return pod != nullptr && container_with_chips(*pod) == nullptr &&
           pathways_manager(*pod) != nullptr;
  });
}

std::string_view FoundWorkload::queue() const {
  return spec::job_of(*object).text_at({"metadata", "labels", queue_label});
}

const Value* FoundWorkload::main() const {
  const Value* spec = pod_spec();
  if (spec == nullptr) return nullptr;
  if (const Value* chips = container_with_chips(*spec)) return chips;
  const Value* containers = spec->find("containers");
  return containers == nullptr || containers->items.empty() ? nullptr : &containers->items.front();
}

std::int64_t FoundWorkload::parallel_pods() const {
  const auto completions = number_at(job, {"completions"});
  return completions && completions == number_at(job, {"parallelism"}) ? *completions : 0;
}

std::int64_t FoundWorkload::chips() const {
  const Value* spec = pod_spec();
  const Value* containers = spec == nullptr ? nullptr : spec->find("containers");
  if (containers == nullptr) return 0;
  std::int64_t sum = 0;
  for (const Value& container : containers->items)
    sum += text::whole_number(spec::requested_chips(container)).value_or(0);
  return sum;
}

std::vector<std::string> FoundWorkload::node_labels(std::string_view key) const {
  const Value* spec = pod_spec();
  std::vector<std::string> texts;
  if (spec == nullptr) return texts;
  if (const auto text = spec->text_at({"nodeSelector", key}); !text.empty())
    return {std::string(text)};
  const Value* terms =
      spec->at({"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution",
                "nodeSelectorTerms"});
  // Any of several terms may hold, so they say nothing certain.
  if (terms == nullptr || terms->items.size() != 1) return texts;
  const Value* expressions = terms->items.front().find("matchExpressions");
  if (expressions == nullptr) return texts;
  for (const Value& expression : expressions->items) {
    const Value* values = expression.find("values");
    if (expression.text_at({"key"}) != key || expression.text_at({"operator"}) != "In" ||
        values == nullptr)
      continue;
    for (const Value& value : values->items) texts.push_back(value.text);
    break;
  }
  return texts;
}

std::string FoundWorkload::node_label(std::string_view key) const {
  const std::vector<std::string> texts = node_labels(key);
  return texts.size() == 1 ? texts.front() : "";
}

std::optional<FoundWorkload> workload_in(const Value& object) {
  const spec::WorkloadKind* kind = spec::find_object(object.text_at({"kind"}));
  const Value* spec = spec::job_of(object).find("spec");
  if (kind == nullptr || spec == nullptr) return std::nullopt;
  FoundWorkload workload;
  workload.word = kind->word;
  workload.object = &object;
  if (kind->scheduled) workload.schedule = object.find("spec");
  if (kind->ray) {
    find_in_ray(object, workload);
  } else if (kind->word == "jobset") {
    find_in_jobset(*spec, workload);
    if (const Value* head = pathways_head(object)) {
      workload.word = "pathways";
      find_in_pathways(*head, workload);
    }
  } else if (kind->leads) {
    find_in_group(*spec, workload);
  } else {
    find_in_replicas(*spec, workload);
  }
  return workload;
}

std::string FoundWorkload::slice_topology() const {
  const Value* annotations = yaml::find_in_tree(
      *object, [](const Value& each) { return each.find(slice_annotation) != nullptr; });
  return annotations == nullptr ? "" : annotations->find(slice_annotation)->text;
}

std::string_view FoundWorkload::own_flavor() const {
  const Value* spec = pod_spec();
  const Value* tolerations = spec == nullptr ? nullptr : spec->find("tolerations");
  const Value* found =
      tolerations == nullptr ? nullptr : find_where(tolerations->items, [](const Value& each) {
        return each.text_at({"key"}) == "flexslice/flavor";
      });
  return found == nullptr ? "" : found->text_at({"value"});
}

bool FoundWorkload::is_of_own_queue() const { return !queue().empty() && !own_flavor().empty(); }

std::optional<std::string> FoundWorkload::reservation_of_flavor(std::string_view model) const {
  std::string_view rest = own_flavor();
  const std::size_t at = rest.find(fmt::format("-{}", model));
  if (at == std::string_view::npos) return std::nullopt;
  rest.remove_prefix(at + 1 + model.size());
  for (std::string_view part : {"-autoscaled", "-ray"}) {
    if (rest.starts_with(part)) rest.remove_prefix(part.size());
  }
  return std::string(rest.substr(rest.starts_with('-') ? 1 : 0));
}

// The TPU webhook of Ray keeps several slices apart, whether their nodes are there or not.
bool FoundWorkload::is_apart_by_webhook() const {
  const auto has = [&](std::string_view part) {
    return own_flavor().find(part) != std::string::npos;
  };
  return word.starts_with("ray") && has("-ray") && !has("-autoscaled");
}

bool FoundWorkload::requests_topology() const {
  const auto is_request = [](const Value::Member& each) {
    return resolve::requests_topology(each.key, each.value.text);
  };
  return yaml::find_in_tree(*object, [&](const Value& each) {
           return any_of(each.members, is_request);
         }) != nullptr;
}

std::string reason_against(const FoundWorkload& workload, bool has_queue) {
  constexpr std::string_view forms_slices =
      "its pods ask for a slice that is formed when they start (`{}: {}`), which takes a queue and "
      "its objects";
  if (const std::string shape = workload.slice_topology(); !shape.empty() && !has_queue)
    return fmt::format(forms_slices, slice_annotation, shape);
  if (!template_has_chips(*workload.pod))
    return fmt::format("none of its containers requests {}; a spec requests all chips of each host",
                       spec::tpu_resource);
  return {};
}

bool is_part(const FoundWorkload& workload) {
  const Value* main = workload.main();
  const auto has_directive = [](const Value& each) { return each.find("$patch") != nullptr; };
  return (main != nullptr && main->find("image") == nullptr) ||
         (workload.word == "deployment" && workload.object->at({"spec", "selector"}) == nullptr) ||
         yaml::find_in_tree(*workload.object, has_directive) != nullptr;
}

const Value* compiled_item(const Value& list) {
  return find_where(list.items, [](const Value& item) {
    return yaml::find_in_tree(item, template_has_chips) != nullptr;
  });
}

bool uses_tpus(const Value& object) {
  return yaml::find_in_tree(object, [](const Value& each) { return is_for_tpus(&each); }) !=
         nullptr;
}

}  // namespace flexslice::imports
