// What becomes of a workload whose node Google reclaims.
#include <fmt/core.h>

#include "../catch.hpp"
#include "../property/compiled.hpp"

namespace flexslice {
namespace {

using yaml::Value;

struct Made {
  law::Case made;
  std::vector<Value> objects;

  Made(std::string_view topology, std::string_view model, std::string_view workload)
      : made(law::compile(fmt::format("apiVersion: flexslice/v1\nname: a\n"
                                      "cluster: {{name: c, location: us-east5}}\n"
                                      "tpu: {{type: v6e, topology: {}}}\n"
                                      "provisioning: {{model: {}, zones: [us-east5-b]}}\n"
                                      "workload: {{image: i{}}}\n",
                                      topology, model, workload))),
        objects(law::documents(made.text(Emit::manifests))) {
    INFO(made.findings());
    REQUIRE(made.compiled.ok);
  }

  // `Ignore DisruptionTarget, Never`: the first rule of the Job, and how its pods are restarted.
  std::string policy() const {
    const Value* set = law::object(objects, "JobSet");
    const Value* job = set == nullptr ? law::at(law::object(objects, "Job"), "spec")
                                      : law::at(set, "spec.replicatedJobs.0.template.spec");
    const Value* rule = law::at(job, "podFailurePolicy.rules.0");
    const std::string action = rule == nullptr
                                   ? "none"
                                   : fmt::format("{} {} {}", law::text_at(rule, "action"),
                                                 law::text_at(rule, "onPodConditions.0.type"),
                                                 law::text_at(rule, "onPodConditions.0.status"));
    return fmt::format("{}, {}", action, law::text_at(job, "template.spec.restartPolicy"));
  }

  std::string restart_rule() const {
    return law::text_at(law::object(objects, "JobSet"), "spec.failurePolicy.rules.0.action");
  }
};

TEST_CASE("on Spot, a reclaimed node of one host is no failure") {
  CHECK(Made("2x2", "spot", "").policy() == "Ignore DisruptionTarget True, Never");
  CHECK(Made("2x2", "spot", ", backoffLimit: 3").policy() == "Ignore DisruptionTarget True, Never");
  for (std::string_view model : {"flex-start", "on-demand"})
    CHECK(Made("2x2", model, "").policy() == "none, OnFailure");
}

TEST_CASE("on Spot, a JobSet starts again without using up its restarts") {
  for (std::string_view topology : {"2x2", "4x4"}) {
    const Made made(topology, "spot", ", kind: jobset, maxRestarts: 2");
    CHECK(made.policy() == "FailJob DisruptionTarget True, Never");
    CHECK(made.restart_rule() == "RestartJobSetAndIgnoreMaxRestarts");
    CHECK(law::text_at(law::object(made.objects, "JobSet"), "spec.failurePolicy.maxRestarts") ==
          "2");
  }
  CHECK(Made("4x4", "on-demand", ", kind: jobset").restart_rule() == "(none)");
}

TEST_CASE("the hosts of a Job's slice fail together, so nothing is ignored") {
  CHECK(Made("4x4", "spot", "").policy() == "none, Never");
}

TEST_CASE("what the spec says of failures wins") {
  CHECK(Made("2x2", "spot", ", restartPolicy: OnFailure").policy() == "none, OnFailure");
  CHECK(Made("2x2", "spot", ", kind: jobset, restartPolicy: OnFailure").policy() ==
        "none, OnFailure");
  const std::string_view own =
      ", podFailurePolicy: {rules: [{action: Count, onPodConditions: [{type: DisruptionTarget}]}]}";
  CHECK(Made("2x2", "spot", own).policy() == "Count DisruptionTarget True, Never");
  const Made jobset("2x2", "spot", fmt::format("{}, kind: jobset", own));
  CHECK(jobset.policy() == "Count DisruptionTarget True, Never");
  CHECK(jobset.restart_rule() == "(none)");
  CHECK(Made("2x2", "on-demand", own).policy() == "Count DisruptionTarget True, Never");
}

}  // namespace
}  // namespace flexslice
