#include "backend/kubernetes/patch.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "base/text.hpp"

namespace flexslice::kubernetes {

using diag::Code;
using yaml::Node;
using yaml::Value;

Value merge_patch(Value target, const Value& patch) {
  if (!patch.is_mapping()) return patch;
  if (!target.is_mapping()) target = Value::mapping();
  std::vector<const Value::Member*> members;
  for (const Value::Member& member : patch.members) members.push_back(&member);
  std::sort(members.begin(), members.end(),
            [](const auto* a, const auto* b) { return a->key < b->key; });
  for (const Value::Member* member : members) {
    if (member->value.kind == Value::Kind::null) {
      target.erase(member->key);
      continue;
    }
    Value* old = target.find(member->key);
    Value merged = merge_patch(old == nullptr ? Value{} : std::move(*old), member->value);
    target[member->key] = std::move(merged);
  }
  return target;
}

namespace {

// Members that carry what the plan derives, wherever they stand in an object.
constexpr std::string_view derived_keys[] = {
    "apiVersion", "kind",      "completions",    "parallelism", "completionMode", "replicas",
    "subdomain",  "clusterIP", "google.com/tpu", "job-name",    "nodeSelector",
};

bool is_derived(std::string_view key) {
  return std::find(std::begin(derived_keys), std::end(derived_keys), key) != std::end(derived_keys);
}

// The place of the patch's member that reaches deepest along the path.
Span place(const Node& patch, std::span<const std::string> path, Span at) {
  if (path.empty()) return at;
  for (const yaml::Member& member : patch.members) {
    if (member.key.text == path.front())
      return place(member.value, path.subspan(1), member.key.span);
  }
  return at;
}

std::string_view text_at(const Value& object, std::initializer_list<std::string_view> path) {
  const Value* value = &object;
  for (std::string_view key : path) {
    if (value != nullptr) value = value->find(key);
  }
  return value == nullptr ? std::string_view() : std::string_view(value->text);
}

// Walks the object as it was, beside what became of it.
class Guard {
 public:
  Guard(const plan::Patch& patch, diag::Sink& sink) : patch_(patch), sink_(sink) {}

  // An object in another namespace than the rest would be found by none of them, nor by the
  // scripts.
  void compare_namespace(const Value& before, const Value& after) {
    if (!text_at(before, {"metadata", "namespace"}).empty() ||
        text_at(after, {"metadata", "namespace"}).empty())
      return;
    path_ = {"metadata", "namespace"};
    report("adds");
    path_.clear();
  }

  void compare(const Value& before, const Value* after, bool derived) {
    if (after != nullptr && *after == before) return;
    if (before.is_mapping()) {
      for (const Value::Member& member : before.members)
        descend(member.key, member.value, after == nullptr ? nullptr : after->find(member.key),
                derived || is_derived(member.key));
    } else if (before.is_sequence()) {
      for (std::size_t i = 0; i < before.items.size(); ++i) {
        const Value* item =
            after != nullptr && i < after->items.size() ? &after->items[i] : nullptr;
        descend(std::to_string(i), before.items[i], item, derived);
      }
    } else if (derived) {
      report(after == nullptr || after->kind == Value::Kind::null ? "drops" : "changes");
    }
  }

 private:
  void descend(const std::string& key, const Value& before, const Value* after, bool derived) {
    // The scripts and the other objects find this one by its name.
    if (path_.size() == 1 && path_.front() == "metadata" && (key == "name" || key == "namespace"))
      derived = true;
    path_.push_back(key);
    compare(before, after, derived);
    path_.pop_back();
  }

  void report(std::string_view what) {
    const Span at = place(patch_.merge, path_, patch_.where);
    const auto earlier = sink_.found();
    // A dropped list takes many derived values with it; one message is enough.
    const bool said =
        std::any_of(earlier.begin(), earlier.end(), [&](const diag::Diagnostic& each) {
          return each.code == Code::PatchBreaksPlan && each.where == at;
        });
    if (said) return;
    diag::Diagnostic& found = sink_.report<Code::PatchBreaksPlan>(at, what, text::join(path_, "."));
    const auto is_index = [](const std::string& key) {
      return text::whole_number(key).has_value();
    };
    if (std::any_of(path_.begin(), path_.end(), is_index))
      found.note("a merge patch replaces a list as a whole: what it is to keep has to be repeated");
    found.help("leave it as it is, or change the spec's own fields");
  }

  const plan::Patch& patch_;
  diag::Sink& sink_;
  std::vector<std::string> path_;
};

void check_combinations(const plan::Patch& patch, const Value& object, diag::Sink& sink) {
  const Value* spec = object.find("spec");
  if (spec == nullptr || spec->find("podFailurePolicy") == nullptr) return;
  if (text_at(object, {"spec", "template", "spec", "restartPolicy"}) != "OnFailure") return;
  const std::string path[] = {"spec", "podFailurePolicy"};
  sink.report<Code::PolicyNeedsNever>(place(patch.merge, path, patch.where))
      .help("write `workload.restartPolicy: Never`");
}

void report_no_target(const plan::Patch& patch, std::initializer_list<std::vector<Value>*> lists,
                      diag::Sink& sink) {
  std::string listed;
  for (const std::vector<Value>* list : lists) {
    for (const Value& object : *list) {
      listed += fmt::format("{}{} `{}`", listed.empty() ? "" : ", ", text_at(object, {"kind"}),
                            text_at(object, {"metadata", "name"}));
    }
  }
  const std::string wanted = patch.name.empty()
                                 ? "a `" + patch.kind + "`"
                                 : fmt::format("the `{}` called `{}`", patch.kind, patch.name);
  sink.report<Code::PatchHitsNothing>(patch.where, wanted)
      .note(fmt::format("generated are {}", listed));
}

}  // namespace

bool is_target(const plan::Patch& patch, const Value& object) {
  return text_at(object, {"kind"}) == patch.kind &&
         (patch.name.empty() || text_at(object, {"metadata", "name"}) == patch.name);
}

std::vector<Value> patched(std::vector<Value> objects, std::span<const plan::Patch> patches) {
  for (const plan::Patch& patch : patches) {
    for (Value& object : objects) {
      if (is_target(patch, object))
        object = merge_patch(std::move(object), yaml::to_value(patch.merge));
    }
  }
  return objects;
}

void apply_patches(std::span<const plan::Patch> patches,
                   std::initializer_list<std::vector<Value>*> lists, diag::Sink& sink) {
  for (const plan::Patch& patch : patches) {
    const Value merge = yaml::to_value(patch.merge);
    bool hit = false;
    for (std::vector<Value>* list : lists) {
      for (Value& object : *list) {
        if (!is_target(patch, object)) continue;
        hit = true;
        const Value before = object;
        object = merge_patch(std::move(object), merge);
        Guard guard(patch, sink);
        guard.compare(before, &object, false);
        guard.compare_namespace(before, object);
        check_combinations(patch, object, sink);
      }
    }
    if (!hit) report_no_target(patch, lists, sink);
  }
}

}  // namespace flexslice::kubernetes
