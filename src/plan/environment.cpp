#include "plan/environment.hpp"

#include <algorithm>
#include <vector>

namespace flexslice::plan {

using diag::Code;
using yaml::Value;

namespace {

using Variable = record::Entry<spec::EnvValue>;

bool has_variable(const record::Map<spec::EnvValue>& env, std::string_view name) {
  return std::any_of(env.entries.begin(), env.entries.end(), [&](const Variable& each) { return each.key.value == name; });
}

// Depth first; a circle of references is cut where it closes, as Kubernetes leaves such a reference unexpanded.
void append_after_references(const Variable& variable, const std::vector<const Variable*>& all, std::vector<const Variable*>& begun,
                             std::vector<const Variable*>& ordered) {
  if (std::find(begun.begin(), begun.end(), &variable) != begun.end()) return;
  begun.push_back(&variable);
  for (const Variable* other : all) {
    const std::string reference = "$(" + other->key.value + ")";
    if (other != &variable && variable.value.value.value.find(reference) != std::string::npos)
      append_after_references(*other, all, begun, ordered);
  }
  ordered.push_back(&variable);
}

std::vector<const Variable*> in_order(const record::Map<spec::EnvValue>& env) {
  std::vector<const Variable*> all;
  for (const Variable& variable : env.entries) all.push_back(&variable);
  std::sort(all.begin(), all.end(), [](const Variable* a, const Variable* b) { return a->key.value < b->key.value; });
  std::vector<const Variable*> begun;
  std::vector<const Variable*> ordered;
  for (const Variable* variable : all) append_after_references(*variable, all, begun, ordered);
  return ordered;
}

void check_variable(const Context& context, const Variable& variable) {
  if (const auto* reserved = catalog::find_reserved(context.catalog.reserved_env, variable.key.value)) {
    context.sink.report<Code::ReservedVariable>(variable.key.where.span, variable.key.value).note(std::string(reserved->why));
  }
  const spec::EnvValue& value = variable.value;
  if (value.where.bad) return;
  if (value.value.where.given && value.key.where.given) {
    context.sink.report<Code::EnvKey>(value.key.where.span, "belongs to `secret` or `configMap`, not to `value`");
  } else if ((value.secret.where.given || value.config_map.where.given) && !value.key.where.given && !value.key.where.bad) {
    context.sink.report<Code::EnvKey>(value.where.span, "is missing: say which key of the Secret or ConfigMap");
  }
}

}  // namespace

void resolve_environment(const Context& context, Value& fields) {
  const auto& env = context.spec.workload.env;
  for (const Variable& variable : env.entries) check_variable(context, variable);
  if (env.entries.empty()) return;
  Value& made = fields["env"] = Value::sequence();
  for (const Variable* variable : in_order(env)) {
    Value& each = made.push(Value::mapping());
    each["name"] = Value::string(variable->key.value);
    const spec::EnvValue& value = variable->value;
    // An empty value is the default, and the API server stores none.
    if (usable(value.value.where) && !value.value.value.empty()) each["value"] = Value::string(value.value.value);
    if (usable(value.secret.where)) each["secret"] = Value::string(value.secret.value);
    if (usable(value.config_map.where)) each["configMap"] = Value::string(value.config_map.value);
    if (usable(value.key.where)) each["key"] = Value::string(value.key.value);
  }
}

std::string escape_references(std::string_view script, const record::Map<spec::EnvValue>& env) {
  std::string escaped;
  const std::size_t closing = script.find_last_of(')') + 1;  // 0: none
  for (std::size_t i = 0; i < script.size(); ++i) {
    const std::string_view rest = script.substr(i);
    const std::size_t end = i < closing && rest.starts_with("$(") ? rest.find(')') : std::string_view::npos;
    if (rest.starts_with("$$")) {
      escaped += "$$$$";
      ++i;
    } else if (end != std::string_view::npos) {
      // What is no variable's name, Kubernetes leaves as it is up to the first `)`, with the dollars in it.
      if (has_variable(env, rest.substr(2, end - 2))) escaped += '$';
      escaped += rest.substr(0, end + 1);
      i += end;
    } else {
      escaped += script[i];
    }
  }
  return escaped;
}

}  // namespace flexslice::plan
