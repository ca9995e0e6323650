#include <algorithm>

#include "base/text.hpp"
#include "lower/kinds.hpp"

namespace flexslice::lower {

using yaml::Value;

namespace {

struct Kind {
  std::string_view word;
  std::string_view pod_label;
  std::vector<Value> (*lower)(const Inputs& inputs);
};

constexpr Kind kinds[] = {
#define FS_KIND(word, kind, pod_label) {#word, pod_label, lower_##word},
#include "spec/kinds.def"
#undef FS_KIND
};

const Kind& kind_of(const plan::Plan& plan) {
  return *std::find_if(std::begin(kinds), std::end(kinds), [&](const Kind& kind) { return kind.word == plan.workload.kind; });
}

// How pods find the nodes of their slice, and only those.
Value placement(const plan::Plan& plan) {
  Value made = Value::mapping();
  const auto& pools = plan.provisioning.pools;
  if (pools.size() == 1) made["nodePool"] = Value::string(pools.front().name);
  if (pools.size() > 1) {
    Value& names = made["nodePools"] = Value::sequence();
    for (const plan::Pool& pool : pools) names.push(Value::string(pool.name));
  }
  const bool several_slices = plan.tpu.slices > 1;
  const bool by_queue = plan.provisioning.placed_by_queue;
  const bool by_jobset = plan.workload.kind == "jobset";
  const bool unknown_pool = pools.empty() && plan.tpu.multi_host();
  made["together"] = Value::boolean(unknown_pool && !by_jobset && !by_queue);
  made["exclusive"] = Value::boolean(by_jobset && !by_queue && (several_slices || unknown_pool));
  made["byQueue"] = Value::boolean(by_queue);
  made["slicesInOne"] = Value::boolean(by_queue && !several_slices);
  made["slicesApart"] = Value::boolean(by_queue && several_slices);
  if (by_queue && several_slices) made["sliceSize"] = Value::string(std::to_string(plan.tpu.hosts));
  return made;
}

std::string model_template(const plan::Plan& plan) { return "models/" + std::string(plan.provisioning.model->name); }

}  // namespace

Value expand(const Inputs& inputs, std::string_view name) {
  const templates::Part pod{"pod", inputs.templates.find("kubernetes/pod")};
  const templates::Scope scope{{}, &inputs.document, nullptr, &pod};
  return templates::expand(inputs.templates.find(name), scope).value_or(Value{});
}

Inputs inputs_of(const plan::Plan& plan, const templates::Set& templates) {
  Inputs inputs{plan, templates, plan::values(plan)};
  inputs.document["placement"] = placement(plan);
  inputs.document["model"] = expand(inputs, model_template(plan));
  return inputs;
}

std::vector<Value> objects(const Inputs& inputs) { return kind_of(inputs.plan).lower(inputs); }

std::string pod_selector(const plan::Plan& plan) { return text::format("{}={}", kind_of(plan).pod_label, plan.name); }

}  // namespace flexslice::lower
