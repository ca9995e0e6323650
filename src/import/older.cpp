#include "import/older.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "resolve/labels.hpp"
#include "spec/kinds.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

// A spec with a namespace gives its pods this label.
constexpr std::string_view workload_label = "flexslice-workload";

Value expression(std::string_view key, std::string_view op, std::string_view value = {}) {
  Value made = Value::mapping();
  made["key"] = Value::string(key);
  made["operator"] = Value::string(op);
  if (!value.empty()) made["values"].push(Value::string(value));
  return made;
}

Value selector(std::initializer_list<Value> expressions) {
  Value made = Value::mapping();
  for (const Value& each : expressions) made["matchExpressions"].push(each);
  return made;
}

// Keys in the order of compile, which is that of a cluster too.
Value term(Value pods, Value namespaces) {
  Value made = Value::mapping();
  made["labelSelector"] = std::move(pods);
  made["namespaceSelector"] = std::move(namespaces);
  made["topologyKey"] = Value::string(resolve::pool_label);
  return made;
}

}  // namespace

void write_terms_as_compiled(Value& object, const Value& compiled) {
  constexpr std::string_view required = "requiredDuringSchedulingIgnoredDuringExecution";
  const spec::WorkloadKind* kind = spec::find_object(object.text_at({"kind"}));
  const std::string_view identity =
      spec::job_of(compiled).text_at({"spec", "template", "metadata", "labels", workload_label});
  const Value* job = object.find("spec");
  if (kind == nullptr || identity.empty() || job == nullptr) return;
  spec::for_each_pod(*object.find("spec"), [&](Value& pod, std::string_view, const Value&) {
    const Value* list = pod.at({"spec", "affinity", "podAntiAffinity", required});
    if (list == nullptr) return;
    const Value exists = expression("job-name", "Exists");
    const auto other_jobs = [&](std::string_view label, std::string_view own) {
      return term(selector({exists, expression(label, "NotIn", own)}), Value::mapping());
    };
    auto& terms = (*pod.find("spec"))["affinity"]["podAntiAffinity"][required].items;
    std::replace(terms.begin(), terms.end(),
                 other_jobs(kind->pod_label, object.text_at({"metadata", "name"})),
                 other_jobs(workload_label, identity));
    // Version 1.0 kept Jobs of other namespaces off by a term of their own.
    std::erase(terms, term(selector({exists}),
                           selector({expression("kubernetes.io/metadata.name", "NotIn",
                                                object.text_at({"metadata", "namespace"}))})));
  });
}

}  // namespace flexslice::imports
