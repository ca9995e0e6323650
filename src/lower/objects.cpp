#include "lower/kinds.hpp"

namespace flexslice::lower {

using yaml::Value;

namespace {

struct Kind {
  std::string_view word;
  std::vector<Value> (*lower)(const Inputs& inputs);
};

constexpr Kind kinds[] = {
#define FS_KIND(word, kind) {#word, lower_##word},
#include "spec/kinds.def"
#undef FS_KIND
};

// How pods find the nodes of their slice, and only those.
Value placement(const plan::Plan& plan) {
  Value made = Value::mapping();
  const auto& pools = plan.provisioning.pools;
  if (pools.size() == 1) made["nodePool"] = Value::string(pools.front().name);
  if (pools.size() > 1) {
    Value& names = made["nodePools"] = Value::sequence();
    for (const plan::Pool& pool : pools) names.push(Value::string(pool.name));
  }
  const bool by_affinity = pools.empty() && plan.tpu.multi_host() && plan.tpu.slices == 1 && plan.workload.kind == "job";
  made["together"] = Value::boolean(by_affinity);
  return made;
}

std::string model_template(const plan::Plan& plan) { return "models/" + std::string(plan.provisioning.model->name); }

}  // namespace

Value expand(const Inputs& inputs, std::string_view name) {
  const templates::Scope scope{{}, &inputs.document, nullptr};
  return templates::expand(inputs.templates.find(name), scope).value_or(Value{});
}

Inputs inputs_of(const plan::Plan& plan, const templates::Set& templates) {
  Inputs inputs{plan, templates, plan::document(plan)};
  inputs.document["placement"] = placement(plan);
  inputs.document["model"] = expand(inputs, model_template(plan));
  inputs.document["pod"] = expand(inputs, "kubernetes/pod");
  return inputs;
}

std::vector<Value> objects(const Inputs& inputs) {
  for (const Kind& kind : kinds) {
    if (kind.word == inputs.plan.workload.kind) return kind.lower(inputs);
  }
  return {};
}

}  // namespace flexslice::lower
