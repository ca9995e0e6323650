// What `--templates` checks of a user's templates holds for the built-in ones.
#include <string>
#include <vector>

#include "../catch.hpp"
#include "backend/gcloud/bash.hpp"
#include "backend/template/template.hpp"
#include "driver/driver.hpp"
#include "gist.hpp"
#include "plan/plan.hpp"
#include "yaml/parse.hpp"

using namespace flexslice;

namespace {

// Each finding as `FS9302 names`, on a line of its own.
std::string messages(diag::Sink& sink) {
  std::string text;
  for (const diag::Diagnostic& each : sink.take())
    text += diag::code_text(each.code) + " " + test::gist(each.message) + "\n";
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
  check_templates(built_in, sink);
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
  for (const char* name : {"gcloud/preflight", "gcloud/provision", "gcloud/verify",
                           "gcloud/cleanup", "gcloud/status"}) {
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
  check_templates(set, sink);
  return messages(sink);
}

TEST_CASE("a template is checked wherever others use it", "[template]") {
  CHECK(with_template("gcloud/pool-flags", "- --max-nodes=${pool.nodes}") == "");
  CHECK(with_template("gcloud/pool-flags", "- --tpu-topology=${pool.tpuToplogy}") ==
        "FS9302 `pool.tpuToplogy`\n");
  CHECK(with_template("kubernetes/pod", "spec: {a: '${tpu.host}'}") == "FS9302 `tpu.host`\n");
  CHECK(with_template("kubernetes/service", "a: ${kubernetes/sevice-port}") ==
        "FS9302 `kubernetes/sevice-port`\n");
  CHECK(with_template("kubernetes/service", "a: ${kubernetes/service}")
            .starts_with("FS9301 `kubernetes/service`"));
}

TEST_CASE("what is wrong with a script is said", "[template]") {
  CHECK(script_findings_of("title: a\nsteps: []") == "");
  CHECK(script_findings_of("steps: []") == "FS9301 `title` `steps`\n");
  CHECK(script_findings_of("title: a\nsteps: []\nstep: 1") == "FS9301 `step`\n");
  CHECK(script_findings_of("title: a\nsteps: {}") == "FS9301 `steps`\n");
  CHECK(script_findings_of("title: a\nsteps: [b]") == "FS9301 \n");
  CHECK(script_findings_of("title: a\nsteps: [{title: b}]") ==
        "FS9301 `title` `run` `credentials` `kubectl` `steps`\n");
  CHECK(script_findings_of("title: a\nsteps: [{title: b, run: [c], if: {exists: d}}]") ==
        "FS9301 `if` `exists` `list`\n");
  CHECK(script_findings_of("title: a\nsteps: [{title: b, steps: [{title: c, rum: [d]}]}]") ==
        "FS9301 `title` `run` `credentials` `kubectl` `steps`\nFS9301 `rum`\n");
}
