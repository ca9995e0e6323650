#include "import/view.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/lists.hpp"
#include "import/workload.hpp"
#include "spec/derived_keys.hpp"
#include "yaml/path.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

class Viewer {
 public:
  Viewer(std::string_view name, std::vector<RenamedContainer>& renamed)
      : name_(name), renamed_(renamed) {}

  void visit(Value& value, const std::string& place) {
    if (const Value* containers = value.find("containers");
        containers != nullptr && containers->is_sequence())
      pod(value, place);
    for (std::size_t i = 0; i < value.items.size(); ++i)
      visit(value.items[i], fmt::format("{}[{}]", place, i));
    for (auto& [key, member] : value.members) {
      const std::string below = place.empty() ? key : place + "." + key;
      if (contains(lists_of_one, key)) {
        visit_compiled(member, below);
      } else if (!contains(not_compiled, key)) {
        visit(member, below);
      }
    }
  }

  // The head of Pathways has the container of the spec, and the others keep the names that
  // compile gives them.
  bool visit_pathways(Value& object) {
    if (pathways_head(object) == nullptr) return false;
    for (Value& job : object.find("spec")->find("replicatedJobs")->items) {
      const bool is_head = &job == pathways_head(object);
      const std::string_view name = is_head ? "pathways-head" : "worker";
      if (Value* own = job.find("name")) {
        jobs_[own->text] = name;
        own->text = name;
      }
      Value* pod = yaml::follow(job, yaml::Path{"template", "spec", "template", "spec"});
      if (pod == nullptr) continue;
      if (is_head) {
        head(*pod);
      } else if (Value* containers = pod->find("containers");
                 containers != nullptr && containers->items.size() == 1) {
        containers->items.front()["name"] = Value::string("pathways-worker");
      }
    }
    return true;
  }

  // The job of a JobSet that is compiled.
  void rename_job(const Value& object, std::string_view name) {
    const Value* jobs = object.at({"spec", "replicatedJobs"});
    if (jobs == nullptr || name.empty()) return;
    if (const Value* job = compiled_item(*jobs)) jobs_[std::string(job->text_at({"name"}))] = name;
  }

  // Policies and annotations name containers and jobs too.
  void rename_in_policies(Value& value) {
    for (Value& item : value.items) rename_in_policies(item);
    for (auto& [key, member] : value.members) {
      const bool is_container = key == "containerName" || key == default_container;
      const bool is_job = key == "replicatedJob" || key == "targetReplicatedJobs";
      if (!is_container && !is_job) {
        rename_in_policies(member);
        continue;
      }
      const Names& names = is_job ? jobs_ : names_;
      const auto rename = [&](Value& text) {
        if (const auto renamed = names.find(text.text); renamed != names.end())
          text.text = renamed->second;
      };
      rename(member);
      std::ranges::for_each(member.items, rename);
    }
  }

 private:
  void head(Value& spec) {
    Value* containers = spec.find("containers");
    if (containers == nullptr || containers->items.empty()) return;
    const Value *manager = pathways_manager(spec), *proxy = pathways_proxy(spec);
    Value& main = containers->items.front();
    if (&main == manager || &main == proxy) return;
    const std::string old(main.text_at({"name"}));
    if (old == name_) return;
    renamed_.push_back({fmt::format("spec.replicatedJobs.containers[{}]", old), old,
                        std::string(name_), old.empty() ? Span{} : main.find("name")->origin});
    names_[old] = name_;
    main["name"] = Value::string(name_);
  }

  // A spec has only the first item that requests chips of such a list.
  static constexpr std::string_view lists_of_one[] = {"replicatedJobs", "workerGroupSpecs"};
  // Compile names no container in these.
  static constexpr std::string_view not_compiled[] = {"containers", "submitterPodTemplate"};

  void visit_compiled(Value& list, const std::string& place) {
    if (const Value* item = compiled_item(list)) {
      const auto index = static_cast<std::size_t>(item - list.items.data());
      visit(list.items[index], fmt::format("{}[{}]", place, index));
    }
  }

  using Names = std::map<std::string, std::string>;
  static constexpr std::string_view default_container = "kubectl.kubernetes.io/default-container";

  // No reader of the pods sees the name of the volume.
  static void rename_checkpoints(Value& spec) {
    Value* volumes = spec.find("volumes");
    if (volumes == nullptr) return;
    const auto volume = std::ranges::find_if(volumes->items, spec::keeps_checkpoints<Value>);
    if (volume == volumes->items.end() || any_of(volumes->items, [](const Value& each) {
          return each.text_at({"name"}) == spec::checkpoint_volume;
        }))
      return;
    const std::string old(volume->text_at({"name"}));
    const auto rename = [](Value& named) {
      named["name"] = Value::string(spec::checkpoint_volume);
    };
    for (std::string_view list : {"containers", "initContainers"}) {
      Value* containers = spec.find(list);
      if (containers == nullptr) continue;
      for (Value& container : containers->items) {
        Value* mounts = container.find("volumeMounts");
        if (mounts == nullptr) continue;
        for (Value& mount : mounts->items) {
          if (mount.text_at({"name"}) == old) rename(mount);
        }
      }
    }
    rename(*volume);
  }

  void pod(Value& spec, const std::string& place) {
    rename_checkpoints(spec);
    Value kept = Value::sequence(), sidecars = Value::sequence();
    Value& containers = *spec.find("containers");
    if (containers.items.empty()) return;
    const bool has_chips = any_of(
        containers.items, [](const Value& each) { return !spec::requested_chips(each).empty(); });
    const bool is_leader = place.find("leaderTemplate") != std::string::npos;
    // KubeRay runs Ray in the first container of a head.
    const std::size_t first =
        !has_chips && is_leader ? &leading_container(spec) - containers.items.data() : 0;
    std::size_t count = 0;  // of those with a name of the spec's
    for (Value& container : containers.items) {
      const std::string old(container.text_at({"name"}));
      const Span where = old.empty() ? Span{} : container.find("name")->origin;
      const std::string at = fmt::format("{}.containers[{}]", place, old);
      const bool is_main = has_chips ? !spec::requested_chips(container).empty()
                                     : &container == &containers.items[first];
      // As a sidecar it would keep the others waiting for its probe: a patch adds it as it is.
      if (!is_main && is_leader && container.find("startupProbe") != nullptr) {
        kept.push(std::move(container));
        continue;
      }
      if (!is_main) {
        container["restartPolicy"] = Value::string("Always");
        renamed_.push_back({at, old, {}, where});
        sidecars.push(std::move(container));
        continue;
      }
      const std::size_t index = count++;
      const std::string name = index == 0 ? std::string(name_) : fmt::format("{}-{}", name_, index);
      if (old != name) {
        renamed_.push_back({at, old, name, where});
        names_[old] = name;
        container["name"] = Value::string(name);
      }
      kept.push(std::move(container));
    }
    containers = std::move(kept);
    for (Value& sidecar : sidecars.items) spec["initContainers"].push(std::move(sidecar));
  }

  std::string_view name_;
  std::vector<RenamedContainer>& renamed_;
  Names names_, jobs_;  // new by old
};

}  // namespace

ObjectView view_of(Value object, std::string_view name, std::string_view job) {
  ObjectView view;
  // No pods are made of the units of a buffer.
  if (object.text_at({"kind"}) == "PodTemplate") {
    view.object = std::move(object);
    return view;
  }
  Viewer viewer(name, view.renamed);
  if (!viewer.visit_pathways(object)) {
    viewer.visit(object, {});
    viewer.rename_job(object, job);
  }
  viewer.rename_in_policies(object);
  view.object = std::move(object);
  return view;
}

}  // namespace flexslice::imports
