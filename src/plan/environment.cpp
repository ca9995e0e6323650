// Environment variables, and the references `$(NAME)` that Kubernetes expands.
#include <algorithm>

#include "plan/build.hpp"

namespace flexslice::plan {

namespace {

using Variable = schema::Entry<claims::EnvValue>;
using Variables = std::vector<const Variable*>;

bool has_variable(const schema::Map<claims::EnvValue>& env, std::string_view name) {
  return std::ranges::any_of(env.entries,
                             [&](const Variable& variable) { return variable.key.value == name; });
}

// Depth first; a circle of references is cut where it closes, as Kubernetes leaves such a reference
// unexpanded.
void append_after_references(const Variable& variable, const Variables& all, Variables& begun,
                             Variables& ordered) {
  if (std::ranges::count(begun, &variable) > 0) return;
  begun.push_back(&variable);
  for (const Variable* other : all) {
    const std::string reference = "$(" + other->key.value + ")";
    if (other != &variable && variable.value.value.value.find(reference) != std::string::npos)
      append_after_references(*other, all, begun, ordered);
  }
  ordered.push_back(&variable);
}

}  // namespace

std::vector<EnvVariable> build_environment(const schema::Map<claims::EnvValue>& env) {
  Variables all, begun, ordered;
  for (const Variable& variable : env.entries) all.push_back(&variable);
  std::ranges::sort(
      all, {}, [](const Variable* variable) -> const std::string& { return variable->key.value; });
  for (const Variable* variable : all) append_after_references(*variable, all, begun, ordered);
  std::vector<EnvVariable> environment;
  for (const Variable* variable : ordered) {
    const claims::EnvValue& value = variable->value;
    environment.push_back({variable->key.value, value.value.value, value.secret.value,
                           value.config_map.value, value.key.value});
  }
  return environment;
}

std::string escape_references(std::string_view script, const schema::Map<claims::EnvValue>& env) {
  std::string escaped;
  const std::size_t closing = script.find_last_of(')') + 1;  // 0: none
  for (std::size_t i = 0; i < script.size(); ++i) {
    const std::string_view rest = script.substr(i);
    const std::size_t end =
        i < closing && rest.starts_with("$(") ? rest.find(')') : std::string_view::npos;
    if (rest.starts_with("$$")) {
      escaped += "$$$$";
      ++i;
    } else if (end != std::string_view::npos) {
      // What is no variable's name, Kubernetes leaves as it is up to the first `)`, with the
      // dollars in it.
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
