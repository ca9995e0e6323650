#include <algorithm>

#include "catch.hpp"
#include "flexslice.hpp"

namespace flexslice::api {
namespace {

constexpr std::string_view spec =
    "apiVersion: flexslice/v1\nname: one\ncluster: {name: c, location: us-east5}\ntpu: {type: v6e, "
    "topology: 4x4}\n"
    "provisioning: {model: flex-start, zones: [us-east5-b]}\nworkload: {image: busybox, script: "
    "'true'}\n";

TEST_CASE("all artifacts, or those asked for") {
  const Result all = compile(spec);
  REQUIRE(all.ok);
  REQUIRE(all.workloads.size() == 1);
  CHECK(all.workloads[0].name == "one");
  CHECK(all.workloads[0].find(Emit::queues) == nullptr);
  REQUIRE(all.workloads[0].find(Emit::manifests) != nullptr);

  const Result one = compile(spec, {.emit = {Emit::manifests}, .comments = false});
  REQUIRE(one.workloads[0].artifacts.size() == 1);
  const std::string& manifests = *one.workloads[0].find(Emit::manifests);
  CHECK(manifests.find("  # ") == std::string::npos);
  CHECK(manifests.size() < all.workloads[0].find(Emit::manifests)->size());
}

TEST_CASE("layers lie underneath, sets on top") {
  const std::string bare =
      "apiVersion: flexslice/v1\nname: one\ncluster: {name: c, location: us-east5}\n"
      "provisioning: {model: flex-start, zones: [us-east5-b]}\nworkload: {image: busybox, script: "
      "'true'}\n";
  const Result layered =
      compile(bare, {.defaults = {{"team.yaml", "tpu: {type: v6e, topology: 4x4}\n"}},
                     .sets = {"tpu.topology=4x8"}});
  REQUIRE(layered.ok);
  CHECK(layered.workloads[0].find(Emit::manifests)->find("gke-tpu-topology: 4x8") !=
        std::string::npos);
}

TEST_CASE("findings have places, and the good documents compile") {
  const std::string stream = std::string(spec) + "---\n" + std::string(spec) + "colour: red\n";
  const Result result = compile(stream, {.file = "two.yaml"});
  CHECK_FALSE(result.ok);
  CHECK(result.workloads.size() == 1);
  REQUIRE(result.findings.size() == 1);
  const Finding& found = result.findings[0];
  CHECK(found.level == Level::error);
  CHECK(found.where.file == "two.yaml");
  CHECK(found.where.line == 14);
  CHECK(found.where.column == 1);
  CHECK(check(stream).size() == 1);
  CHECK(check(spec).empty());
}

TEST_CASE("lint finds what is wrong in the files of others") {
  const std::string page =
      "```yaml\nkind: Pod\napiVersion: v1\nspec:\n  nodeSelector: "
      "{cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice, cloud.google.com/gke-tpu-topology: "
      "2x2}"
      "\n  containers: [{name: a, resources: {limits: {google.com/tpu: 16}}}]\n```\n";
  const std::vector<Finding> findings = lint(page, {.file = "docs/page.md"});
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].code == "FS5003");
  CHECK(findings[0].level == Level::soft_error);
  CHECK(findings[0].where.file == "docs/page.md");
  CHECK(findings[0].where.line == 6);
  CHECK(findings[0].fixes.size() == 1);
  CHECK(lint("", {}).empty());
}

TEST_CASE("a spec that defines what an earlier one does is an error, and has no artifacts") {
  const std::string stream = std::string(spec) + "---\n" + std::string(spec);
  const Result result = compile(stream, {.file = "two.yaml"});
  CHECK(result.workloads.size() == 1);
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].code == "FS4100");
  CHECK(result.findings[0].where.line == 9);
  REQUIRE(result.findings[0].related.size() == 1);
  CHECK(result.findings[0].related[0].where.file == "two.yaml");
  CHECK(result.findings[0].related[0].where.line == 2);
}

TEST_CASE("what compile makes is imported as the spec that it was made of") {
  const Result result = compile(spec);
  const ImportResult imported =
      import_files({{"manifests.yaml", *result.workloads[0].find(Emit::manifests)},
                    {"provision.sh", *result.workloads[0].find(Emit::provision)}});
  CHECK(imported.equal);
  CHECK(imported.findings.empty());
  const Result again = compile(imported.specs, {.emit = {Emit::manifests}, .comments = false});
  REQUIRE(again.ok);
  CHECK(*again.workloads[0].find(Emit::manifests) ==
        *compile(spec, {.emit = {Emit::manifests}, .comments = false})
             .workloads[0]
             .find(Emit::manifests));
  CHECK(imported.specs == import_files({{"m.yaml", *result.workloads[0].find(Emit::manifests)},
                                        {"p.sh", *result.workloads[0].find(Emit::provision)}})
                              .specs);
}

TEST_CASE("a place of an import is in its file") {
  const ImportResult imported = import_files({{"empty.yaml", "a: b\n"}, {"run.sh", "true\n"}});
  CHECK(imported.specs.empty());
  REQUIRE(imported.findings.size() == 1);
  CHECK(imported.findings[0].code == "FS5101");
  CHECK(imported.findings[0].where.file == "empty.yaml");
}

TEST_CASE("words") {
  CHECK(word(Emit::provision) == "provision");
  CHECK(file_name(Emit::plan) == "plan.json");
  CHECK(about().version.find('.') != std::string_view::npos);
  CHECK_FALSE(about().catalog_date.empty());
  CHECK_FALSE(about().gcloud_version.empty());
}

}  // namespace
}  // namespace flexslice::api
