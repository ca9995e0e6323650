#include "import/trial.hpp"

#include <algorithm>

namespace flexslice::imports {

using yaml::Value;

namespace {

void drop_comments(Value& value) {
  value.comment.clear();
  std::ranges::for_each(value.items, drop_comments);
  for (Value::Member& member : value.members) drop_comments(member.value);
}

void read_commands(const std::string& script, std::vector<Command>& commands) {
  extract::Variables variables;
  for (const extract::Command& command :
       extract::read_shell(script, 0, variables, programs()).commands) {
    if (auto known = read_command(command)) commands.push_back(std::move(*known));
  }
}

}  // namespace

bool may_be_newer(const diag::Diagnostic& finding) {
  return finding.code == diag::Code::FieldUnknownToKubernetes && finding.helps.empty();
}

Trial Compiler::compile(Value spec, Placeholders& names) const {
  names.fill_spec(spec);
  // Scripts need to know the cluster, manifests do not.
  const Value* cluster = spec.find("cluster");
  CompileOptions options;
  options.comments = false;
  options.objects = true;
  if (cluster != nullptr && cluster->find("name") != nullptr &&
      cluster->find("location") != nullptr)
    options.emit = {Emit::provision};
  Trial trial;
  trial.tree = yaml::to_node(spec, 0);
  Compiled compiled = flexslice::compile(trial.tree, "spec.yaml", catalog_, templates_, options);
  trial.ok = compiled.ok;
  trial.diagnostics = std::move(compiled.diagnostics);
  trial.objects = std::move(compiled.objects);
  std::ranges::for_each(trial.objects, drop_comments);
  for (const Artifact& artifact : compiled.artifacts) {
    if (artifact.emit != Emit::provision) continue;
    trial.script = artifact.text;
    read_commands(artifact.text, trial.commands);
  }
  return trial;
}

}  // namespace flexslice::imports
