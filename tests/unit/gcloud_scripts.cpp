// The order of what scripts do: policies before pools, clean-up the other way round; and patches
// that go too far.
#include <algorithm>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "../property/compiled.hpp"
#include "base/text.hpp"

namespace flexslice::gcloud {
namespace {

using law::Case;
using Lines = std::vector<std::string>;

std::string spec_of(const std::string& tpu, const std::string& more = "",
                    const std::string& cluster = "") {
  return "apiVersion: flexslice/v1\nname: train\ncluster: {name: c1, location: us-central1" +
         cluster + "}\ntpu: " + tpu +
         "\nprovisioning: {model: on-demand, zones: [us-central1-c]}\nworkload: {image: "
         "busybox}\n" +
         more;
}

// The commands of a script by their first words, without those that only look.
Lines order(const Case& made, Emit script) {
  Lines all;
  for (const law::Words& command : law::commands(made.text(script))) {
    std::string name;
    for (const std::string& word : command) {
      if (word.starts_with("--")) break;
      name += (name.empty() ? "" : " ") + word;
    }
    const auto has = [&](std::string_view word) { return name.find(word) != std::string::npos; };
    if (!has(" list") && !has(" describe ")) all.push_back(std::move(name));
  }
  return all;
}

TEST_CASE("a policy whose pools others own keeps its name") {
  std::string spec = spec_of("{type: tpu7x, topology: 4x4x4}");
  spec.replace(spec.find("model: on-demand"), 16, "owner: terraform, model: on-demand");
  const Case made = law::compile(spec);
  INFO(made.findings());
  REQUIRE(made.compiled.ok);
  const std::string_view verify = made.text(Emit::verify);
  CHECK(verify.find("placementPolicy.policyName=train-policy ") != verify.npos);
  CHECK(verify.find("train-c1-policy") == verify.npos);
}

TEST_CASE("policies come before the pools that name them, and go after them") {
  const Case made =
      law::compile(spec_of("{type: tpu7x, topology: 4x4x4, slices: 2}", "", ", create: true"));
  INFO(made.findings());
  REQUIRE(made.compiled.ok);
  CHECK(order(made, Emit::provision) ==
        Lines{"gcloud services enable container.googleapis.com",
              "gcloud container clusters create c1", "gcloud container clusters get-credentials c1",
              "gcloud compute resource-policies create workload-policy train-c1-policy",
              "gcloud container node-pools create train-pool-0",
              "gcloud container node-pools create train-pool-1"});
  const Lines cleanup = order(made, Emit::cleanup);
  const auto index = [&](const std::string& what) {
    return std::find(cleanup.begin(), cleanup.end(), what) - cleanup.begin();
  };
  REQUIRE(index("gcloud container clusters delete c1") <
          static_cast<std::ptrdiff_t>(cleanup.size()));
  CHECK(index("gcloud container node-pools delete train-pool-1") <
        index("gcloud container clusters delete c1"));
  // A pool that could not be deleted uses its policy until the cluster is gone.
  CHECK(index("gcloud container clusters delete c1") <
        index("gcloud compute resource-policies delete train-c1-policy"));
}

TEST_CASE("a cluster that the spec does not create is never touched") {
  const Case made = law::compile(spec_of("{type: tpu7x, topology: 2x2x1}"));
  REQUIRE(made.compiled.ok);
  for (Emit script : {Emit::provision, Emit::cleanup, Emit::verify}) {
    for (const std::string& command : order(made, script)) {
      CAPTURE(command);
      CHECK(command.find("services enable") == std::string::npos);
      CHECK(command.find("clusters create") == std::string::npos);
      CHECK(command.find("clusters delete") == std::string::npos);
    }
  }
}

TEST_CASE("objects are deleted in the reverse of the order in which they are applied") {
  const Case made = law::compile(spec_of("{type: tpu7x, topology: 4x4x4}"));
  const auto objects = law::documents(made.text(Emit::manifests));
  REQUIRE(objects.size() == 2);
  Lines deletions;
  for (const std::string& command : order(made, Emit::cleanup)) {
    if (command.starts_with("kubectl delete ")) deletions.push_back(command);
  }
  REQUIRE(deletions.size() == 2);
  CHECK(deletions[0].find("job") != std::string::npos);
  CHECK(deletions[1].find("service") != std::string::npos);
}

TEST_CASE("the project stands on every gcloud command, when it is given") {
  const Case made = law::compile(
      spec_of("{type: tpu7x, topology: 4x4x4}", "", ", create: true, project: my-project"));
  REQUIRE(made.compiled.ok);
  for (Emit script : {Emit::provision, Emit::verify, Emit::cleanup}) {
    for (const law::Words& command : law::commands(made.text(script))) {
      CAPTURE(text::join(command, " "));
      CHECK(law::flag(command, "--project") == (command[0] == "gcloud" ? "my-project" : ""));
    }
  }
}

std::string patched(const std::string& patch) {
  const Case made =
      law::compile(spec_of("{type: tpu7x, topology: 4x4x4}", "patches: [" + patch + "]\n"));
  std::string codes;
  for (const auto& each : made.compiled.diagnostics) codes += diag::code_text(each.code) + " ";
  return codes;
}

TEST_CASE("patches that hit nothing or break what is derived are found") {
  CHECK(patched("{target: {kind: Job}, merge: {metadata: {annotations: {a: b}}}}").empty());
  CHECK(patched("{target: {kind: Pod}, merge: {spec: {}}}") == "FS4031 ");
  CHECK(patched("{target: {kind: Job, name: other}, merge: {spec: {}}}") == "FS4031 ");
  CHECK(patched("{target: {kind: Job}, merge: [a]}") == "FS4030 ");
  CHECK(patched("{target: {kind: Job}, merge: {spec: {completions: 3}}}") == "FS4032 ");
  CHECK(patched("{target: {kind: Job}, merge: {spec: ~}}") == "FS4032 ");
  CHECK(patched("{target: {kind: Job}, merge: {metadata: {namespace: team-b}}}") == "FS4032 ");
  CHECK(patched("{target: {kind: Job}, merge: {kind: ~, metadata: ~}}") == "FS4032 FS4032 ");
}

}  // namespace
}  // namespace flexslice::gcloud
