#include "import/trial.hpp"

#include "import/write.hpp"
#include "yaml/parse.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

void read_objects(const std::string& stream, std::vector<Value>& objects) {
  for (const yaml::Document& document : yaml::split_documents(stream)) {
    Sources sources;
    diag::Sink sink;
    const std::uint32_t index = sources.add({"", std::string(document.text), 1});
    if (const auto tree = yaml::parse(sources, index, sink)) objects.push_back(to_value(*tree));
  }
}

void read_commands(const std::string& script, std::vector<Command>& commands) {
  read::Variables variables;
  for (const read::Command& command : read::read_shell(script, 0, variables, programs()).commands) {
    if (auto known = read_command(command)) commands.push_back(std::move(*known));
  }
}

}  // namespace

Trial Compiler::compile(Value spec) const {
  names_.fill_spec(spec);
  // Scripts need to know the cluster, manifests do not.
  const Value* cluster = spec.find("cluster");
  CompileOptions options{{Emit::manifests, Emit::queues}, false};
  if (cluster != nullptr && cluster->find("name") != nullptr &&
      cluster->find("location") != nullptr)
    options.emit.push_back(Emit::provision);
  Sources sources;
  const Input input{sources, sources.add({"spec.yaml", spec_text(spec), 1}), {}, {}};
  std::vector<Compiled> run;
  run.push_back(flexslice::compile(input, catalog_, templates_, options));
  add_queues(run, templates_, false);
  Compiled& compiled = run.front();
  Trial trial;
  trial.ok = compiled.ok;
  trial.diagnostics = std::move(compiled.diagnostics);
  for (const Artifact& artifact : compiled.artifacts) {
    if (artifact.emit == Emit::provision) {
      trial.script = artifact.text;
      read_commands(artifact.text, trial.commands);
    } else {
      read_objects(artifact.text, trial.objects);
    }
  }
  if (!trial.diagnostics.empty()) {
    diag::Sink sink;
    if (auto tree = yaml::parse(sources, input.spec, sink)) trial.tree = std::move(*tree);
  }
  return trial;
}

}  // namespace flexslice::imports
