#include "base/text.hpp"
#include "lower/kinds.hpp"

namespace flexslice::lower {

using templates::Scope;
using yaml::Value;

namespace {

Value expand_in(const Inputs& inputs, std::string_view name, const Scope& scope) {
  return templates::expand(inputs.templates.find(name), scope).value_or(Value{});
}

// `a=1,b=2` of a mapping, and then of the pairs.
std::string comma_list(const Value* mapping, const plan::Pairs& pairs) {
  std::string joined;
  const auto add = [&](std::string_view key, std::string_view value) {
    joined += text::format("{}{}={}", joined.empty() ? "" : ",", key, value);
  };
  if (mapping != nullptr) {
    for (const auto& [key, value] : mapping->members) add(key, value.text);
  }
  for (const auto& [key, value] : pairs) add(key, value);
  return joined;
}

// Adds to each pool its flags, its existence check, and appends to `checks` what verify compares.
void complete_pools(const Inputs& inputs, Value& document, Value& checks) {
  const Scope root{{}, &document, nullptr};
  for (Value& pool : document["pools"].items) {
    const Scope scope{"pool", &pool, &root};
    Value model = expand_in(inputs, text::format("models/{}", inputs.plan.provisioning.model->name), scope);
    Value shared = expand_in(inputs, "gcloud/pool", scope);
    for (Value* source : {&model, &shared}) {
      Value* rows = source->find("checks");
      for (Value& row : rows == nullptr ? std::vector<Value>{} : rows->items) {
        if (row.find("is") == nullptr) continue;  // this pool does not have it
        row["pool"] = *pool.find("name");
        checks.push(row);
      }
    }
    if (const Value* flags = model.find("poolFlags")) pool["flags"] = *flags;
    if (const Value* list = shared.find("list")) pool["list"] = *list;
    const std::string labels = comma_list(model.find("nodeLabels"), inputs.plan.provisioning.node_labels);
    if (!labels.empty()) pool["nodeLabels"] = Value::string(labels);
  }
}

// Where the API server describes the group of an `apiVersion`, or the version where there is no group.
std::string api_path(std::string_view version) {
  const std::size_t slash = version.find('/');
  return text::format("{}{}", slash == std::string_view::npos ? "/api/" : "/apis/", version.substr(0, slash));
}

// In the reverse of the order in which they are applied.
Value deletions(std::span<const Value> objects) {
  Value made = Value::sequence();
  for (std::size_t i = objects.size(); i-- > 0;) {
    const Value* kind = objects[i].find("kind");
    const Value* version = objects[i].find("apiVersion");
    const Value* metadata = objects[i].find("metadata");
    const Value* name = metadata == nullptr ? nullptr : metadata->find("name");
    if (kind == nullptr || version == nullptr || name == nullptr) continue;
    Value& each = made.push(Value::mapping());
    each["kind"] = *kind;
    each["resource"] = Value::string(text::lower(kind->text));
    each["name"] = *name;
    each["api"] = Value::string(api_path(version->text));
  }
  return made;
}

}  // namespace

Scripts scripts(const Inputs& inputs, std::span<const Value> objects) {
  Value document = inputs.document;
  const Scope root{{}, &document, nullptr};
  document["checks"] = Value::sequence();
  complete_pools(inputs, document, document["checks"]);
  for (Value& policy : document["policies"].items) {
    const Value shared = expand_in(inputs, "gcloud/policy", Scope{"policy", &policy, &root});
    if (const Value* list = shared.find("list")) policy["list"] = *list;
  }
  document["objects"] = deletions(objects);
  document["podSelector"] = Value::string(pod_selector(inputs.plan));
  document["commands"] = expand_in(inputs, "gcloud/commands", root);
  document["commands"]["createCluster"] =
      expand_in(inputs, inputs.plan.cluster.autopilot ? "gcloud/create-autopilot" : "gcloud/create-standard", root);
  return {expand_in(inputs, "gcloud/provision", root), expand_in(inputs, "gcloud/verify", root), expand_in(inputs, "gcloud/cleanup", root)};
}

std::span<const std::string_view> added_paths() {
  static constexpr std::string_view paths[] = {"model.*", "placement.*", "clusterQueue.*", "placement.nodePool",
                                               "pod",     "pool.*",      "policy.*",       "commands.*",
                                               "checks",  "objects",     "podSelector"};
  return paths;
}

}  // namespace flexslice::lower
