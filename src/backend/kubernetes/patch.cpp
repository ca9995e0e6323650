#include "backend/kubernetes/patch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "schema/kubernetes_types.hpp"
#include "spec/derived_keys.hpp"
#include "spec/kinds.hpp"
#include "yaml/path.hpp"

namespace flexslice::kubernetes {

using diag::Code;
using yaml::Node, yaml::Path, yaml::PathView;
using yaml::Value;

Value merge_patch(Value target, const Value& patch) {
  if (!patch.is_mapping()) return patch;
  if (!target.is_mapping()) {
    target = Value::mapping();
    target.origin = patch.origin;
  }
  std::vector<const Value::Member*> members;
  for (const Value::Member& member : patch.members) members.push_back(&member);
  std::ranges::sort(members, {}, &Value::Member::key);
  for (const Value::Member* member : members) {
    if (member->value.kind == Value::Kind::null) {
      target.erase(member->key);
    } else {
      Value& value = target[member->key];
      value = merge_patch(std::move(value), member->value);
      value.key_origin = member->value.key_origin;
    }
  }
  return target;
}

namespace {

// Whether the patch is for that object.
bool is_target(const plan::Patch& patch, const Value& object) {
  return object.text_at({"kind"}) == patch.kind &&
         (patch.name.empty() || object.text_at({"metadata", "name"}) == patch.name);
}

// Calls `visit` with each pod template of the object and its role in it.
template <class Tree, class Visit>
void for_each_pod(Tree& object, const Visit& visit, std::string_view role = spec::worker_pod) {
  for (auto& item : object.items) for_each_pod(item, visit, role);
  for (auto& [key, member] : object.members) {
    const std::string_view inner = spec::pod_role(key, role);
    if (member.at({"spec", "containers"}) != nullptr) {
      visit(member, inner);
    } else {
      for_each_pod(member, visit, inner);
    }
  }
}

// Likewise with each container of a pod template, init containers included.
template <class Tree, class Visit>
void for_each_container(Tree& pod, const Visit& visit) {
  for (auto& [key, member] : pod.members) {
    if (key == "containers" || key == "initContainers") {
      for (auto& container : member.items) visit(container);
    } else {
      for_each_container(member, visit);
    }
  }
}

std::string name_of(const Value& object) {
  return fmt::format("{} `{}`", object.text_at({"kind"}), object.text_at({"metadata", "name"}));
}

// What the patch changes of the object: nothing, the whole, pod templates or containers.
std::vector<Value*> targets_in(const plan::Patch& patch, Value& object) {
  if (!is_target(patch, object)) return {};
  if (patch.pod.empty() && patch.container.empty()) return {&object};
  std::vector<Value*> found;
  for_each_pod(object, [&](Value& pod, std::string_view role) {
    if (!patch.pod.empty() && patch.pod != role) return;
    if (patch.container.empty()) return found.push_back(&pod);
    for_each_container(pod, [&](Value& container) {
      if (container.text_at({"name"}) == patch.container) found.push_back(&container);
    });
  });
  return found;
}

// What the patch could change instead.
std::string parts_of(const Value& object, const plan::Patch& patch) {
  std::vector<std::string> names;
  for_each_pod(object, [&](const Value& pod, std::string_view role) {
    if (patch.container.empty()) return names.push_back(fmt::format("`{}`", role));
    if (!patch.pod.empty() && patch.pod != role) return;
    for_each_container(pod, [&](const Value& container) {
      names.push_back(fmt::format("`{}`", container.text_at({"name"})));
    });
  });
  return text::join(names, ", ");
}

// The place of the patch's member that reaches deepest along the path.
Span place(const Node& patch, PathView path, Span at) {
  if (path.empty()) return at;
  for (const yaml::Member& member : patch.members) {
    if (member.key.text == path.front())
      return place(member.value, path.subspan(1), member.key.span);
  }
  const Node* item = patch.items.empty() ? nullptr : yaml::child(patch, path.front());
  return item == nullptr ? at : place(*item, path.subspan(1), item->span);
}

// Walks the object before and after the patch.
class Guard {
 public:
  Guard(const plan::Patch& patch, diag::Sink& sink) : patch_(patch), sink_(sink) {}

  // An object in another namespace than the rest would be found by none of them, nor by the
  // scripts.
  void compare_namespace(const Value& before, const Value& after) {
    if (!before.text_at({"metadata", "namespace"}).empty() ||
        after.text_at({"metadata", "namespace"}).empty())
      return;
    path_ = {"metadata", "namespace"};
    report("adds");
    path_.clear();
  }

  // A field of the spec has no effect where a patch sets the same in its container.
  void compare_fields(const Value& before, const Value& after) {
    for (const char* key : {"command", "args", "env"}) {
      const Value *said = before.find(key), *now = after.find(key);
      if (said == nullptr || (now != nullptr && *now == *said)) continue;
      const Span at = place(patch_.merge, Path{key}, patch_.where);
      if (std::string_view(key) != "env") {
        report_override(at, fmt::format("`{}`", key), said->origin);
        continue;
      }
      for (const Value& variable : said->items) {
        if (variable.origin == Span{} || (now != nullptr && contains(now->items, variable)))
          continue;
        report_override(at, fmt::format("variable `{}`", variable.text_at({"name"})),
                        variable.origin);
      }
    }
  }

  // `after` is null where the patch dropped the value.
  void compare(const Value& before, const Value& after, bool derived) {
    static const Value dropped;
    if (after == before) return;
    for (const auto& [key, value] : before.members) {
      const Value* member = after.find(key);
      // The node pools have room for as many replicas.
      const bool is_most = key == "maxReplicas" && before.find("scaleTargetRef") != nullptr;
      descend(key, value, member == nullptr ? dropped : *member,
              derived || is_most || contains(spec::derived_keys, key));
    }
    // Without a number of the workload's, its autoscaler decides it.
    const bool has_pods =
        before.find("strategy") != nullptr || before.find("leaderWorkerTemplate") != nullptr;
    if (path_ == Path{"spec"} && has_pods && before.find("replicas") == nullptr &&
        after.find("replicas") != nullptr) {
      path_.emplace_back("replicas");
      report("adds");
      path_.pop_back();
    }
    for (std::size_t i = 0; i < before.items.size(); ++i)
      descend(std::to_string(i), before.items[i], i < after.items.size() ? after.items[i] : dropped,
              derived);
    if (!path_.empty() && path_.back() == "containers") compare_more_containers(before, after);
    // The pods lack a label that only the patched selector has.
    for (const auto& [key, value] : after.members) {
      if (before.find(key) != nullptr || std::ranges::count(path_, "selector") == 0) continue;
      path_.push_back(key);
      report("adds");
      path_.pop_back();
    }
    if (derived && before.is_scalar())
      report(after.kind == Value::Kind::null ? "drops" : "changes");
  }

 private:
  void report_override(Span at, const std::string& what, Span said) {
    diag::Diagnostic& report = sink_.report<Code::PatchOverridesField>(at, what);
    if (said != Span{}) report.also(said, "this has no effect");
    report.help("write it in the field of `workload`, or remove the field");
  }

  // The others have all chips of the host already.
  void compare_more_containers(const Value& before, const Value& after) {
    for (std::size_t i = before.items.size(); i < after.items.size(); ++i) {
      for (const char* of : {"requests", "limits"}) {
        const std::string_view chips =
            after.items[i].text_at({"resources", of, spec::tpu_resource});
        if (chips.empty() || chips == "0") continue;
        const Path below{std::to_string(i), "resources", of, std::string(spec::tpu_resource)};
        path_.insert(path_.end(), below.begin(), below.end());
        sink_.report<Code::SecondTpuContainer>(place(patch_.merge, path_, patch_.where),
                                               after.items[i].text_at({"name"}));
        path_.resize(path_.size() - below.size());
        break;
      }
    }
  }

  void descend(const std::string& key, const Value& before, const Value& after, bool derived) {
    // The scripts and the other objects find this one by its name.
    if (path_.size() == 1 && path_.front() == "metadata" && (key == "name" || key == "namespace"))
      derived = true;
    // They find the pods by this label.
    if (key == "app" && path_.size() > 1 && path_.back() == "labels") derived = true;
    path_.push_back(key);
    compare(before, after, derived);
    path_.pop_back();
  }

  void report(std::string_view what) {
    const Span at = place(patch_.merge, path_, patch_.where);
    // A dropped list takes many derived values with it; one message is enough.
    const auto is_same = [&](const diag::Diagnostic& earlier) {
      return earlier.code == Code::PatchBreaksPlan && earlier.where == at;
    };
    if (std::ranges::any_of(sink_.found(), is_same)) return;
    diag::Diagnostic& report =
        sink_.report<Code::PatchBreaksPlan>(at, what, text::join(path_, "."));
    if (std::ranges::any_of(path_, text::is_index))
      report.note("a merge patch replaces a list as a whole: repeat the items to keep");
    report.help("remove it from the patch, or change the spec's own fields");
  }

  const plan::Patch& patch_;
  diag::Sink& sink_;
  Path path_;
};

// `claimed` has the places of claims.
void place_claims(Value& value, const Node& claimed) {
  value.origin = claimed.span;
  for (Value::Member& member : value.members) {
    const Node* of_claim = claimed.find(member.key);
    if (of_claim == nullptr) continue;
    member.value.key_origin = of_claim->span;
    place_claims(member.value, *of_claim);
  }
  for (std::size_t i = 0; i < value.items.size(); ++i) {
    const Node* of_claim = i < claimed.items.size() ? &claimed.items[i] : nullptr;
    for (const Node& item : claimed.items) {
      const Node* name = item.find("name");
      if (name != nullptr && name->text == value.items[i].text_at({"name"})) of_claim = &item;
    }
    if (of_claim != nullptr) place_claims(value.items[i], *of_claim);
  }
}

// Compares the containers of a pod that are no sidecars, before and after a patch. A sidecar is an
// init container that restarts by itself; a patch may change one.
void compare_containers(const Value& before, const Value& after, Guard& guard) {
  if (before.find("image") != nullptr) {
    if (before.find("restartPolicy") == nullptr) guard.compare_fields(before, after);
    return;
  }
  for (const auto& [key, member] : before.members) {
    const Value* other = after.find(key);
    if (other != nullptr && key != "initContainers") compare_containers(member, *other, guard);
  }
  for (std::size_t i = 0; i < before.items.size() && i < after.items.size(); ++i)
    compare_containers(before.items[i], after.items[i], guard);
}

}  // namespace

void patch(const plan::Patch& patch, Value& object) {
  for (Value* target : targets_in(patch, object))
    *target = merge_patch(std::move(*target), yaml::to_value(patch.merge));
}

void set_origins(std::vector<Value>& objects, const Node& worker, const Node& leader) {
  for (Value& object : objects) {
    for_each_pod(object, [&](Value& pod, std::string_view role) {
      if (role != spec::head_pod)
        place_claims(*pod.find("spec"), role == spec::leader_pod ? leader : worker);
    });
  }
}

void Patches::apply(std::vector<Value>& objects) {
  if (patches_.empty()) return;
  for (const Value& object : objects) generated_.push_back(name_of(object));
  for (std::size_t i = 0; i < patches_.size(); ++i) {
    const plan::Patch& patch = patches_[i];
    for (Value& object : objects) {
      const std::vector<Value*> targets = targets_in(patch, object);
      for (Value* target : targets) {
        hit_[i] = true;
        const Value before = *target;
        *target = merge_patch(std::move(*target), yaml::to_value(patch.merge));
        Guard guard(patch, sink_);
        guard.compare(before, *target, false);
        guard.compare_namespace(before, *target);
        compare_containers(before, *target, guard);
      }
      if (targets.empty() && is_target(patch, object)) {
        missed_[i] = name_of(object);
        instead_[i] = parts_of(object, patch);
      }
    }
  }
}

void Patches::report_misses() {
  for (std::size_t i = 0; i < patches_.size(); ++i) {
    if (hit_[i]) continue;
    if (!missed_[i].empty()) {
      const plan::Patch& patch = patches_[i];
      const bool pod = patch.container.empty() || instead_[i].empty();
      diag::Diagnostic& report = sink_.report<Code::PatchHitsNoPart>(
          patch.where, missed_[i], pod ? "pod" : "container", pod ? patch.pod : patch.container);
      if (!instead_[i].empty()) report.note("it has {}", instead_[i]);
      continue;
    }
    sink_.report<Code::PatchHitsNothing>(patches_[i].where)
        .note("generated objects: {}", text::join(generated_, ", "));
  }
}

}  // namespace flexslice::kubernetes
