// Capacity buffers of GKE: a CapacityBuffer, whose units are pods of an object of the file, and the
// buffers of a ComputeClass, whose units have a fixed size without chips.
#include <fmt/core.h>

#include "resolve/labels.hpp"
#include "rules/file_judge.hpp"
#include "rules/pod_rules.hpp"

namespace flexslice::rules {

using yaml::Node;

namespace {

constexpr std::string_view standby = "buffer.gke.io/standby-capacity";

Text buffer_text(const Node& node, std::initializer_list<std::string_view> path) {
  const Node* at = node.at(path);
  Text text;
  if (at == nullptr || at->kind != yaml::Kind::scalar) return text;
  text.value = at->text;
  text.where = {.span = at->span, .given = true};
  return text;
}

}  // namespace

void FileJudge::keep_buffer(const Node& buffer) {
  Buffer kept;
  kept.name_space = buffer.text_at({"metadata", "namespace"});
  kept.is_standby = buffer.text_at({"spec", "provisioningStrategy"}) == standby;
  kept.kind = "PodTemplate";
  kept.unit = buffer_text(buffer, {"spec", "podTemplateRef", "name"});
  if (!kept.unit.where.given) {
    kept.kind = buffer.text_at({"spec", "scalableRef", "kind"});
    kept.unit = buffer_text(buffer, {"spec", "scalableRef", "name"});
  }
  kept.name = kept.unit.value;
  if (kept.unit.where.given) buffers_.push_back(std::move(kept));
}

// Units of other files, and classes that may have no TPUs, are open.
void FileJudge::judge_buffers() {
  const auto makes_tpus = [&](std::string_view name) {
    return !name.empty() && any_of(summary_.world.classes,
                                   [&](const NewClass& each) { return each.name.value == name; });
  };
  for (const Buffer& buffer : buffers_) {
    const BufferUnit* unit = find_where(units_, [&](const BufferUnit& each) {
      return each.kind == buffer.kind && each.name == buffer.name &&
             each.name_space == buffer.name_space;
    });
    if (unit == nullptr) continue;
    const std::string owner = fmt::format("{} `{}`", unit->kind, unit->name);
    if (buffer.is_standby && (unit->has_chips || makes_tpus(unit->of_class))) {
      sink_.report<Code::StandbyWithoutTpus>(buffer.unit, owner)
          .help(
              "write `provisioningStrategy: buffer.x-k8s.io/active-capacity`: its nodes are "
              "billed while they wait");
    } else if (unit->lacks_chips && makes_tpus(unit->of_class)) {
      sink_
          .report<Code::BufferWithoutChips>(buffer.unit,
                                            fmt::format("ComputeClass `{}`", unit->of_class))
          .help("request google.com/tpu in {}", owner);
    }
  }
}

// GKE creates a CapacityBuffer of these, with a PodTemplate of its own.
void judge_class_buffers(const Node& compute_class, Sink& sink) {
  const Node *buffers = compute_class.at({"spec", "buffers"}),
             *priorities = compute_class.at({"spec", "priorities"});
  if (buffers == nullptr || priorities == nullptr) return;
  if (!any_of(priorities->items, [](const Node& each) { return each.find("tpu") != nullptr; }))
    return;
  const std::string name =
      fmt::format("ComputeClass `{}`", compute_class.text_at({"metadata", "name"}));
  for (const Node& buffer : buffers->items) {
    const Text strategy = buffer_text(buffer, {"provisioningStrategy"});
    if (strategy.value == standby) {
      sink.report<Code::StandbyWithoutTpus>(strategy, name)
          .help(
              "keep TPU nodes ready with a CapacityBuffer whose PodTemplate requests "
              "google.com/tpu");
    } else {
      sink.report<Code::BufferWithoutChips>(buffer.span, name)
          .help("write a CapacityBuffer whose PodTemplate requests google.com/tpu instead");
    }
  }
}

}  // namespace flexslice::rules
