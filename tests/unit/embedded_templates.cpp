// What `--templates` checks of a user's templates holds for the built-in ones.
#include <string>
#include <vector>

#include "../catch.hpp"
#include "backend/gcloud/bash.hpp"
#include "backend/gcloud/scripts.hpp"
#include "backend/kubernetes/objects.hpp"
#include "plan/plan.hpp"
#include "template/template.hpp"
#include "yaml/parse.hpp"

using namespace flexslice;

namespace {

std::string messages(diag::Sink& sink) {
  std::string text;
  for (const diag::Diagnostic& each : sink.take()) text += each.message + "\n";
  return text;
}

std::string script_findings(yaml::View tree) {
  diag::Sink sink;
  gcloud::check(tree, sink);
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

std::string script_findings_of(std::string text) {
  return of_text(std::move(text), script_findings);
}

}  // namespace

TEST_CASE("built-in templates name only what the plan has", "[template]") {
  const templates::Set built_in;
  CHECK(built_in.names("").size() > 15);
  diag::Sink sink;
  kubernetes::check_templates(built_in, sink);
  gcloud::check_templates(built_in, sink);
  CHECK(messages(sink) == "");
}

TEST_CASE("the template of explain names only what the plan has", "[template]") {
  const plan::Plan plan;
  const schema::Pairs words;
  const templates::Scope of_plan{{}, schema::ref(plan)};
  diag::Sink sink;
  templates::check({}, "explain/plan", {"text", schema::ref(words), &of_plan}, sink);
  CHECK(messages(sink) == "");
}

TEST_CASE("built-in scripts have the form of scripts", "[template]") {
  const templates::Set built_in;
  for (const char* name :
       {"gcloud/preflight", "gcloud/provision", "gcloud/verify", "gcloud/cleanup"}) {
    INFO(name);
    CHECK(script_findings(built_in.find(name)) == "");
  }
}

// Findings when the text takes the place of a template.
std::string with_template(const std::string& name, const std::string& text) {
  Sources sources;
  const auto index = sources.add({"template.yaml", text, 1});
  diag::Sink sink;
  const auto tree = yaml::parse(sources, index, sink);
  REQUIRE(tree);
  templates::Set set;
  set.override_with(name, *tree);
  kubernetes::check_templates(set, sink);
  gcloud::check_templates(set, sink);
  return messages(sink);
}

TEST_CASE("a template is checked wherever others use it", "[template]") {
  CHECK(with_template("gcloud/pool-flags", "- --max-nodes=${pool.nodes}") == "");
  CHECK(with_template("gcloud/pool-flags", "- --tpu-topology=${pool.tpuToplogy}") ==
        "the plan has no `pool.tpuToplogy`\n");
  CHECK(with_template("kubernetes/pod", "spec: {a: '${tpu.host}'}") ==
        "the plan has no `tpu.host`\n");
  CHECK(with_template("kubernetes/service", "a: ${kubernetes/sevice-port}") ==
        "the plan has no `kubernetes/sevice-port`\n");
  CHECK(with_template("kubernetes/service", "a: ${kubernetes/service}")
            .starts_with("invalid template: `kubernetes/service` includes itself"));
}

TEST_CASE("what is wrong with a script is said", "[template]") {
  CHECK(script_findings_of("title: a\nsteps: []") == "");
  CHECK(script_findings_of("steps: []") ==
        "invalid template: a script needs `title` and `steps`\n");
  CHECK(script_findings_of("title: a\nsteps: []\nstep: 1") ==
        "invalid template: a script has no `step`\n");
  CHECK(script_findings_of("title: a\nsteps: {}") == "invalid template: `steps` is a list\n");
  CHECK(script_findings_of("title: a\nsteps: [b]") == "invalid template: a step is a mapping\n");
  CHECK(script_findings_of("title: a\nsteps: [{title: b}]") ==
        "invalid template: a step needs `title`, and `run`, `credentials`, `kubectl` or `steps`\n");
  CHECK(script_findings_of("title: a\nsteps: [{title: b, run: [c], if: {exists: d}}]") ==
        "invalid template: `if` needs `exists` and `list`\n");
  CHECK(script_findings_of("title: a\nsteps: [{title: b, steps: [{title: c, rum: [d]}]}]") ==
        "invalid template: a step needs `title`, and `run`, `credentials`, `kubectl` or "
        "`steps`\ninvalid template: a step has no "
        "`rum`\n");
}
