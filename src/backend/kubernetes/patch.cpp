#include "backend/kubernetes/patch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "schema/kubernetes_types.hpp"
#include "schema/merge.hpp"
#include "schema/written.hpp"
#include "spec/derived_keys.hpp"
#include "spec/kinds.hpp"
#include "yaml/path.hpp"

namespace flexslice::kubernetes {

using diag::Code;
using schema::find_item, schema::key_of, schema::MergeRule;
using yaml::Node;
using yaml::Value;

namespace {

bool is_target(const spec::Patch& patch, const Value& object) {
  return object.text_at({"kind"}) == patch.target.kind.value &&
         (patch.target.name.value.empty() ||
          object.text_at({"metadata", "name"}) == patch.target.name.value);
}

// Calls `visit` with each container of a pod template, init containers included.
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

// Finds the targets of the patch in the object: nothing, the whole, pod templates or containers.
std::vector<Value*> targets_in(const spec::Patch& patch, Value& object) {
  if (!is_target(patch, object)) return {};
  if (patch.target.pod.value.empty() && patch.target.container.value.empty()) return {&object};
  std::vector<Value*> found;
  spec::for_each_pod(object, [&](Value& pod, std::string_view role, const Value&) {
    if (!patch.target.pod.value.empty() && patch.target.pod.value != role) return;
    if (patch.target.container.value.empty()) return found.push_back(&pod);
    for_each_container(pod, [&](Value& container) {
      if (container.text_at({"name"}) == patch.target.container.value) found.push_back(&container);
    });
  });
  return found;
}

// Names the targets that the patch could have instead.
std::string parts_of(const Value& object, const spec::Patch& patch) {
  std::vector<std::string> names;
  spec::for_each_pod(object, [&](const Value& pod, std::string_view role, const Value&) {
    if (patch.target.container.value.empty()) return names.push_back(fmt::format("`{}`", role));
    if (!patch.target.pod.value.empty() && patch.target.pod.value != role) return;
    for_each_container(pod, [&](const Value& container) {
      names.push_back(fmt::format("`{}`", container.text_at({"name"})));
    });
  });
  return text::join(names, ", ");
}

// The type of what the patch changes of the object; nothing where the table of types lacks it.
std::optional<schema::Type> type_of(const spec::Patch& patch, const Value& object) {
  const schema::Table* table =
      !patch.target.container.value.empty() ? schema::kubernetes::find("Container")
      : !patch.target.pod.value.empty()
          ? schema::kubernetes::find("PodTemplateSpec")
          : schema::kubernetes::find(object.text_at({"kind"}), object.text_at({"apiVersion"}));
  if (table == nullptr) return std::nullopt;
  return schema::Type{.category = schema::Category::record, .table = table};
}

Value changed(const spec::Patch& patch, Value target, const std::optional<schema::Type>& type) {
  return schema::merge(std::move(target), yaml::to_value(patch.body().value),
                       patch.is_strategic() && type ? MergeRule{&*type} : MergeRule{});
}

// On the way to a value: a key, or an item of a list.
struct PatchStep {
  std::string text;           // the key, or the index
  std::string_view list_key;  // of an item that is known by it
  std::string item;           // which it has there
};

const Node* follow(const Node& patch, const PatchStep& step) {
  if (step.list_key.empty()) return patch.items.empty() ? nullptr : yaml::child(patch, step.text);
  const auto item = std::ranges::find_if(patch.items, [&](const Node& each) {
    const Node* key = each.kind == yaml::Kind::mapping ? each.find(step.list_key) : &each;
    return key != nullptr && key->text == step.item;
  });
  return item == patch.items.end() ? nullptr : &*item;
}

// The place of the patch's member that reaches deepest along the path.
Span place(const Node& patch, std::span<const PatchStep> path, Span at) {
  if (path.empty()) return at;
  for (const yaml::Member& member : patch.members) {
    if (member.key.text == path.front().text)
      return place(member.value, path.subspan(1), member.key.span);
  }
  const Node* item = follow(patch, path.front());
  return item == nullptr ? at : place(*item, path.subspan(1), item->span);
}

PatchStep step_to(const Value& list, std::size_t i, const MergeRule& rule) {
  const auto key = key_of(list.items[i], rule.list_key);
  if (rule.list_key.empty() || !key) return {std::to_string(i), {}, {}};
  return {std::to_string(i), rule.list_key, std::string(*key)};
}

// Returns what the patch made of the item, which is found by its key, else by its place; null: the
// item is gone.
const Value* item_after(const Value& before, std::size_t i, const Value& after,
                        const MergeRule& rule) {
  const auto key = key_of(before.items[i], rule.list_key);
  if (!rule.list_key.empty() && key) return find_item(after, rule.list_key, *key);
  return i < after.items.size() ? &after.items[i] : nullptr;
}

// Walks the object before and after the patch.
class Guard {
 public:
  // `can_merge`: the lists of its kind can be merged.
  Guard(const spec::Patch& patch, bool can_merge, diag::Sink& sink)
      : patch_(patch), is_merged_(can_merge), sink_(sink) {}

  // An object in another namespace than the rest would be found by none of them, nor by the
  // scripts.
  void compare_namespace(const Value& before, const Value& after) {
    if (!before.text_at({"metadata", "namespace"}).empty() ||
        after.text_at({"metadata", "namespace"}).empty())
      return;
    path_ = {{"metadata", {}, {}}, {"namespace", {}, {}}};
    report("adds");
    path_.clear();
  }

  // Compares the containers of a pod that are no sidecars, before and after the patch. A sidecar is
  // an init container that restarts by itself; a patch may change one.
  void compare_containers(const Value& before, const Value& after, const MergeRule& rule) {
    if (before.find("image") != nullptr) {
      if (before.find("restartPolicy") == nullptr) compare_fields(before, after);
      return;
    }
    for (const auto& [key, member] : before.members) {
      const Value* other = after.find(key);
      if (other == nullptr || key == "initContainers") continue;
      path_.push_back({key, {}, {}});
      compare_containers(member, *other, rule.member(key));
      path_.pop_back();
    }
    for (std::size_t i = 0; i < before.items.size(); ++i) {
      const Value* other = item_after(before, i, after, rule);
      if (other == nullptr) continue;
      path_.push_back(step_to(before, i, rule));
      compare_containers(before.items[i], *other, rule.item());
      path_.pop_back();
    }
  }

  // A field of the spec has no effect where a patch sets the same in its container.
  void compare_fields(const Value& before, const Value& after) {
    for (const char* key : {"command", "args", "env"}) {
      const Value *said = before.find(key), *now = after.find(key);
      if (said == nullptr || (now != nullptr && *now == *said)) continue;
      path_.push_back({key, {}, {}});
      if (std::string_view(key) != "env")
        report_override(fmt::format("`{}`", key), said->origin);
      else
        compare_variables(*said, now);
      path_.pop_back();
    }
  }

  void compare_variables(const Value& said, const Value* now) {
    for (std::size_t i = 0; i < said.items.size(); ++i) {
      const Value& variable = said.items[i];
      const Value* name = variable.find("name");
      if (name == nullptr || name->origin == Span{} ||
          (now != nullptr && contains(now->items, variable)))
        continue;
      path_.push_back(step_to(said, i, {nullptr, "name"}));
      report_override(fmt::format("variable `{}`", name->text), name->origin);
      path_.pop_back();
    }
  }

  // `after` is null where the patch dropped the value.
  void compare(const Value& before, const Value& after, bool derived, const MergeRule& rule) {
    static const Value dropped;
    if (after == before) return;
    for (const auto& [key, value] : before.members) {
      const Value* member = after.find(key);
      // The node pools have room for as many replicas.
      const bool is_most = key == "maxReplicas" && before.find("scaleTargetRef") != nullptr;
      descend({key, {}, {}}, value, member == nullptr ? dropped : *member,
              derived || is_most || contains(spec::derived_keys, key), rule.member(key));
    }
    // Without a number of the workload's, its autoscaler decides it.
    const bool has_pods =
        before.find("strategy") != nullptr || before.find("leaderWorkerTemplate") != nullptr;
    if (path_.size() == 1 && path_.front().text == "spec" && has_pods &&
        before.find("replicas") == nullptr && after.find("replicas") != nullptr) {
      path_.push_back({"replicas", {}, {}});
      report("adds");
      path_.pop_back();
    }
    for (std::size_t i = 0; i < before.items.size(); ++i) {
      const Value* item = item_after(before, i, after, rule);
      // Several items may have one key.
      if (contains(after.items, before.items[i])) continue;
      const bool was_merged = is_merged_;
      is_merged_ &= !rule.list_key.empty();
      descend(step_to(before, i, rule), before.items[i], item == nullptr ? dropped : *item, derived,
              rule.item());
      is_merged_ = was_merged;
    }
    if (!path_.empty() && path_.back().text == "containers") compare_more_containers(before, after);
    // The pods lack a label that only the patched selector has.
    for (const auto& [key, value] : after.members) {
      if (before.find(key) != nullptr ||
          std::ranges::count(path_, "selector", &PatchStep::text) == 0)
        continue;
      path_.push_back({key, {}, {}});
      report("adds");
      path_.pop_back();
    }
    if (derived && before.is_scalar())
      report(after.kind == Value::Kind::null ? "drops" : "changes");
  }

 private:
  Span here() const { return place(patch_.body().value, path_, patch_.target.where.span); }

  void report_override(const std::string& what, Span said) {
    diag::Diagnostic& report = sink_.report<Code::PatchOverridesField>(here(), what);
    if (said != Span{}) report.also(said, "this has no effect");
    report.help("write it in the field of `workload`, or remove the field");
  }

  // The others have all chips of the host already.
  void compare_more_containers(const Value& before, const Value& after) {
    for (std::size_t i = 0; i < after.items.size(); ++i) {
      const std::string_view name = after.items[i].text_at({"name"});
      if (find_item(before, "name", name) != nullptr) continue;
      for (const char* of : {"requests", "limits"}) {
        const std::string_view chips =
            after.items[i].text_at({"resources", of, spec::tpu_resource});
        if (chips.empty() || chips == "0") continue;
        const std::size_t length = path_.size();
        path_.push_back(step_to(after, i, {nullptr, "name"}));
        for (const std::string_view key :
             {std::string_view("resources"), std::string_view(of), spec::tpu_resource})
          path_.push_back({std::string(key), {}, {}});
        sink_.report<Code::SecondTpuContainer>(here(), name);
        path_.resize(length);
        break;
      }
    }
  }

  void descend(PatchStep step, const Value& before, const Value& after, bool derived,
               const MergeRule& rule) {
    const std::string_view key = step.text;
    // The scripts and the other objects find this one by its name.
    if (path_.size() == 1 && path_.front().text == "metadata" &&
        (key == "name" || key == "namespace"))
      derived = true;
    // They find the pods by this label.
    if (key == "app" && path_.size() > 1 && path_.back().text == "labels") derived = true;
    path_.push_back(std::move(step));
    compare(before, after, derived, rule);
    path_.pop_back();
  }

  void report(std::string_view what) {
    const Span at = here();
    // A dropped list takes many derived values with it; one message is enough.
    const auto is_same = [&](const diag::Diagnostic& earlier) {
      return earlier.code == Code::PatchBreaksPlan && earlier.where == at;
    };
    if (std::ranges::any_of(sink_.found(), is_same)) return;
    std::vector<std::string> keys;
    for (const PatchStep& step : path_) keys.push_back(step.text);
    diag::Diagnostic& report = sink_.report<Code::PatchBreaksPlan>(at, what, text::join(keys, "."));
    const bool is_in_list = any_of(keys, [](const auto& key) { return text::is_index(key); });
    if (is_in_list && (!patch_.is_strategic() || !is_merged_))
      report.note(
          "{} replaces {} list as a whole: repeat the items to keep, with all their fields{}",
          patch_.is_strategic() ? "`strategicMerge`" : "`merge`",
          patch_.is_strategic() ? "this" : "a", is_merged_ ? ", or write `strategicMerge`" : "");
    const auto field = schema::field_behind(patch_.target.kind.value, text::join(keys, "."));
    report.help("remove it from the patch, or change {}",
                field ? fmt::format("`{}`", *field) : "the spec's own fields");
  }

  const spec::Patch& patch_;
  bool is_merged_;  // each list on the path, by the keys of its items
  diag::Sink& sink_;
  std::vector<PatchStep> path_;
};

// Adds the items that a strategic merge patch deletes from lists that do not have them.
void find_idle(const Node& patch, const Value& before, const MergeRule& rule,
               std::vector<Span>& idle) {
  static const Value nothing;
  for (const yaml::Member& member : patch.members) {
    const Value* below = before.find(member.key.text);
    find_idle(member.value, below == nullptr ? nothing : *below, rule.member(member.key.text),
              idle);
  }
  if (rule.list_key.empty()) return;
  for (const Node& item : patch.items) {
    const Node* key = item.find(rule.list_key);
    const Value* old = key == nullptr ? nullptr : find_item(before, rule.list_key, key->text);
    const Node* directive = item.find("$patch");
    if (directive == nullptr)
      find_idle(item, old == nullptr ? nothing : *old, rule.item(), idle);
    else if (directive->text == "delete" && old == nullptr)
      idle.push_back(item.span);
  }
}

}  // namespace

void patch(const spec::Patch& patch, Value& object) {
  const auto type = type_of(patch, object);
  for (Value* target : targets_in(patch, object))
    *target = changed(patch, std::move(*target), type);
}

void Patches::apply(std::vector<Value>& objects) {
  if (patches_.empty()) return;
  for (const Value& object : objects) generated_.push_back(name_of(object));
  for (std::size_t i = 0; i < patches_.size(); ++i) {
    const spec::Patch& patch = patches_[i];
    for (Value& object : objects) {
      const std::vector<Value*> targets = targets_in(patch, object);
      for (Value* target : targets) apply(i, object, *target);
      if (targets.empty() && is_target(patch, object)) {
        missed_[i] = name_of(object);
        instead_[i] = parts_of(object, patch);
      }
    }
  }
}

void Patches::apply(std::size_t index, const Value& object, Value& target) {
  const spec::Patch& patch = patches_[index];
  const bool first = !hit_[index];
  hit_[index] = true;
  const auto type = type_of(patch, object);
  if (patch.is_strategic() && !type) {
    if (first)
      sink_.report<Code::NoStrategicMerge>(patch.target.where.span, patch.target.kind.value)
          .help("write `merge`, and repeat the items to keep of a list");
    return;
  }
  const Value before = target;
  const MergeRule rule = type ? MergeRule{&*type} : MergeRule{};
  target = changed(patch, std::move(target), type);
  Guard guard(patch, type.has_value(), sink_);
  guard.compare(before, target, false, rule);
  guard.compare_namespace(before, target);
  guard.compare_containers(before, target, rule);
  if (!patch.is_strategic()) return;
  std::vector<Span> idle;
  find_idle(patch.body().value, before, rule, idle);
  if (!first) std::erase_if(idle, [&](Span item) { return !contains(idle_[index], item); });
  idle_[index] = std::move(idle);
}

void Patches::report_misses() {
  for (std::size_t i = 0; i < patches_.size(); ++i) {
    for (const Span item : idle_[i]) sink_.report<Code::PatchDeletesNothing>(item);
    if (hit_[i]) continue;
    if (!missed_[i].empty()) {
      const spec::Patch& patch = patches_[i];
      const bool pod = patch.target.container.value.empty() || instead_[i].empty();
      diag::Diagnostic& report = sink_.report<Code::PatchHitsNoPart>(
          patch.target.where.span, missed_[i], pod ? "pod" : "container",
          pod ? patch.target.pod.value : patch.target.container.value);
      if (!instead_[i].empty()) report.note("it has {}", instead_[i]);
      continue;
    }
    sink_.report<Code::PatchHitsNothing>(patches_[i].target.where.span)
        .note("generated objects: {}", text::join(generated_, ", "));
  }
}

}  // namespace flexslice::kubernetes
