#include "import/trial.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "resolve/workload_names.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

void drop_comments(Value& value) {
  value.comment.clear();
  std::ranges::for_each(value.items, drop_comments);
  for (Value::Member& member : value.members) drop_comments(member.value);
}

// The commands of the steps, as those of scripts are read.
void read_commands(const Value& steps, std::vector<NodeCommand>& commands) {
  for (const Value& step : steps.items) {
    if (const Value* inner = step.find("steps")) read_commands(*inner, commands);
    const Value* run = step.find("run");
    if (run == nullptr) continue;
    extract::Command command;
    const auto add = [&](const Value& words) {
      for (const Value& word : words.items) command.words.push_back({word.text, {}});
    };
    for (const auto& [key, function] : {std::pair("expect", "expect"), {"pools", "expect_pools"}}) {
      const Value* conditions = step.find(key);
      if (conditions == nullptr) continue;
      command.words.push_back({function, {}});
      add(*conditions);
    }
    add(*run);
    if (auto known = node_command(command)) commands.push_back(std::move(*known));
  }
}

// The scripts name policies after the cluster as well, which no other owner of them does.
void name_as_of_owner(const Value& spec, std::vector<NodeCommand>& commands) {
  const std::string_view pool = spec.text_at({"provisioning", "nodePool"});
  const std::string name = resolve::fit_label(
      fmt::format("{}{}", pool.empty() ? spec.text_at({"name"}) : pool, resolve::policy_suffix));
  for (NodeCommand& command : commands) {
    if (command.name == create_policy) command.operand = name;
    for (Flag& flag : command.flags) {
      if (flag.name == "--placement-policy") flag.value = name;
    }
  }
}

}  // namespace

bool may_be_newer(const diag::Diagnostic& finding) {
  return finding.code == diag::Code::NoSuchField && finding.helps.empty();
}

Trial Compiler::compile(Value spec, Placeholders& names) const {
  names.fill_spec(spec);
  // The commands of the scripts say what is created, whoever creates it.
  const std::string owner(spec.text_at({"provisioning", "owner"}));
  if (Value* provisioning = spec.find("provisioning")) provisioning->erase("owner");
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
  trial.objects = std::move(compiled.volumes);
  std::ranges::move(compiled.objects, std::back_inserter(trial.objects));
  std::ranges::for_each(trial.objects, drop_comments);
  if (const Value* steps = compiled.scripts.provision.find("steps"))
    read_commands(*steps, trial.commands);
  if (!owner.empty() && owner != word(spec::Owner::scripts)) name_as_of_owner(spec, trial.commands);
  return trial;
}

Trial Compiler::judge(const Value& spec) const {
  Trial trial;
  trial.tree = yaml::to_node(spec, 0);
  trial.diagnostics =
      flexslice::compile(trial.tree, "spec.yaml", catalog_, templates_, {}).diagnostics;
  return trial;
}

}  // namespace flexslice::imports
