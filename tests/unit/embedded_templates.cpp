// What `--templates` checks of a user's templates holds for the built-in ones.
#include <string>
#include <vector>

#include "../catch.hpp"
#include "lower/lower.hpp"
#include "plan/plan.hpp"
#include "script/bash.hpp"
#include "template/template.hpp"
#include "yaml/parse.hpp"

using namespace flexslice;

namespace {

std::vector<std::string_view> known_paths() {
  std::vector<std::string_view> known(lower::added_paths().begin(), lower::added_paths().end());
  for (const plan::PathDoc& path : plan::value_paths()) known.push_back(path.path);
  return known;
}

std::string messages(diag::Sink& sink) {
  std::string text;
  for (const diag::Diagnostic& each : sink.take()) text += each.message + "\n";
  return text;
}

std::string findings(yaml::View tree) {
  diag::Sink sink;
  templates::check(tree, known_paths(), sink);
  return messages(sink);
}

std::string script_findings(yaml::View tree) {
  diag::Sink sink;
  script::check(tree, sink);
  return messages(sink);
}

// The same of a template as text.
template <class Find>
std::string of_text(std::string text, Find find) {
  Sources sources;
  const auto index = sources.add({"template.yaml", std::move(text), 1});
  diag::Sink sink;
  auto tree = yaml::parse(sources, index, sink);
  REQUIRE(tree);
  const yaml::Frozen frozen(*tree);
  return find(frozen.root());
}

std::string findings_of(std::string text) { return of_text(std::move(text), findings); }
std::string script_findings_of(std::string text) { return of_text(std::move(text), script_findings); }

}  // namespace

TEST_CASE("built-in templates name only what the plan has", "[template]") {
  const templates::Set built_in;
  const auto names = built_in.names("");
  CHECK(names.size() > 15);
  for (std::string_view name : names) {
    INFO(name);
    REQUIRE(built_in.find(name));
    if (!name.starts_with("script/")) CHECK(findings(built_in.find(name)) == "");
  }
}

TEST_CASE("built-in scripts have the form of scripts", "[template]") {
  const templates::Set built_in;
  for (const char* name : {"gcloud/provision", "gcloud/verify", "gcloud/cleanup"}) {
    INFO(name);
    CHECK(script_findings(built_in.find(name)) == "");
  }
}

TEST_CASE("what is wrong with a template is said", "[template]") {
  CHECK(findings_of("a: ${tpu.hosts}") == "");
  CHECK(findings_of("a: --max-nodes=${tpu.host}") == "the plan has no `tpu.host`\n");
  CHECK(findings_of("a: {$when: '!cluster.nothing', b: 1}") == "the plan has no `cluster.nothing`\n");
  CHECK(findings_of("- {$each: one in workload.volumes, a: '${one.name}'}") == "");
  CHECK(findings_of("- {$each: one in workload.nothing, a: 1}") == "the plan has no `workload.nothing`\n");
  CHECK(findings_of("- {$each: workload.volumes, a: 1}") == "`$each` must be `NAME in PATH`\n");
  CHECK(findings_of("{$unless: cluster.create}").starts_with("there is no `$unless`"));
}

TEST_CASE("what is wrong with a script is said", "[template]") {
  CHECK(script_findings_of("title: a\nsteps: []") == "");
  CHECK(script_findings_of("steps: []") == "a script needs `title` and `steps`\n");
  CHECK(script_findings_of("title: a\nsteps: []\nstep: 1") == "a script has no `step`\n");
  CHECK(script_findings_of("title: a\nsteps: {}") == "`steps` is a list\n");
  CHECK(script_findings_of("title: a\nsteps: [b]") == "a step is a mapping\n");
  CHECK(script_findings_of("title: a\nsteps: [{title: b}]") == "a step needs `title`, and `run`, `credentials`, `kubectl` or `steps`\n");
  CHECK(script_findings_of("title: a\nsteps: [{title: b, run: [c], if: {exists: d}}]") == "`if` needs `exists` and `list`\n");
  CHECK(script_findings_of("title: a\nsteps: [{title: b, steps: [{title: c, rum: [d]}]}]") ==
        "a step needs `title`, and `run`, `credentials`, `kubectl` or `steps`\na step has no `rum`\n");
}
