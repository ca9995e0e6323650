// An invented generation, machine types and a provisioning model, all of them rows of data: they
// compile like the built-in ones.
#include <memory>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "base/text.hpp"
#include "compiled.hpp"
#include "yaml/parse.hpp"

namespace flexslice::law {
namespace {

using yaml::Value;

constexpr const char* facts_of_v9 = R"(
asOf: 2031-01
evidence: {confidence: high, sources: [HOUSE], asOf: 2031-01}
sources:
  - {id: HOUSE, title: Our own trials, date: 2031-01-15}
generations:
  - id: v9
    names: [Nine]
    dimensions: 3
    coresPerChip: 4
    devicesPerChip: 2
    hbmGb: 500
    maxChips: 512
    maxDimension: 64
    placement: both
    coreNames: [v9-]
    coreNamesCountCores: true
    machineTypes:
      - {name: ct9-standard-8t, accelerator: tpu-v9-slice, chips: 8, cubes: true,
         shapes: [2x2x2, 2x2x4, 2x4x4]}
      - {name: ct9-standard-2t, accelerator: tpu-v9-slice, chips: 2, shapes: [1x1x2]}
    minimums:
      - {mode: standard, version: 1.40.0-gke.10}
    zones: [us-east5-z]
models:
  - name: lease
    title: a lease
    nodes: all
    quota: reserved
    idle: Every node, until the lease ends.
    lifetime: As long as the lease.
    takesRunDuration: true
    minRunSeconds: 60
    maxRunSeconds: 3600
    autoRepair: false
    reservationAffinity: none
    nodeLabels: [{key: example.com/lease, value: "on"}]
    nodeSelector: [{key: example.com/lease, value: "on"}]
    taints: [{key: example.com/lease, value: "on", effect: NoSchedule}]
    modes: [standard]
    supports:
      - generations: [v9, v6e]
        since: 1.41.0-gke.100
      - {generations: [v5e], supported: false}
)";

yaml::Node parsed(const std::string& text) {
  Sources sources;
  sources.add({"overlay", text, 1});
  diag::Sink sink;
  auto node = yaml::parse(sources, 0, sink);
  REQUIRE(node);
  return *std::move(node);
}

struct House {
  House() {
    diag::Sink sink;
    catalog::load(parsed(facts_of_v9), catalog, sink);
    catalog::verify(catalog, sink);
    for (const auto& each : sink.found()) FAIL_CHECK(each.message);
  }
  Case compile(const std::string& tpu, const std::string& provisioning,
               const std::string& version = "1.41.0-gke.100") const {
    const std::string spec =
        "apiVersion: flexslice/v1\nname: law\ncluster: {name: c1, location: us-east5, version: " +
        version + "}\ntpu: " + tpu + "\nprovisioning: " + provisioning +
        "\nworkload: {image: busybox}\n";
    return law::compile(spec, {.catalog = catalog});
  }

  catalog::Catalog catalog = catalog::built_in();
};

constexpr const char* lease = "{model: lease, zones: [us-east5-z], maxRunDuration: 30m}";

const Words& pool_of(const std::vector<Words>& all) {
  static const Words none;
  for (const Words& each : all) {
    if (name_of(each) == "container node-pools create") return each;
  }
  return none;
}

TEST_CASE("what is only data compiles like what is built in", "[property]") {
  const House house;
  const Case made = house.compile("{type: v9, topology: 4x4x8}", lease);
  INFO(made.findings());
  REQUIRE(made.compiled.ok);
  CHECK(made.compiled.diagnostics.empty());

  const std::vector<Words> provision = commands(made.text(Emit::provision));
  const Words& pool = pool_of(provision);
  CHECK(flag(pool, "--machine-type") == "ct9-standard-8t");
  CHECK(flag(pool, "--num-nodes") == "16");
  CHECK(flag(pool, "--max-run-duration") == "1800s");
  CHECK(flag(pool, "--reservation-affinity") == "none");
  CHECK(has_flag(pool, "--no-enable-autorepair"));
  CHECK_FALSE(has_flag(pool, "--enable-autoscaling"));
  CHECK(flag(pool, "--node-labels") == "example.com/lease=on");
  // Its pools take their shape from a policy and from the flag.
  CHECK(flag(pool, "--tpu-topology") == "4x4x8");
  CHECK(flag(pool, "--placement-policy") == "law-c1-policy");

  const auto objects = documents(made.text(Emit::manifests));
  const Value* job = object(objects, "Job");
  CHECK(text_at(job, "spec.completions") == "16");
  const Value* pod = at(job, "spec.template.spec");
  CHECK(pod->find("nodeSelector")->find("cloud.google.com/gke-tpu-accelerator")->text ==
        "tpu-v9-slice");
  CHECK(pod->find("nodeSelector")->find("example.com/lease")->text == "on");
  CHECK(text_at(pod, "tolerations.0.key") == "example.com/lease");
  CHECK(at(pod, "containers.0.resources.limits")->find("google.com/tpu")->text == "8");
  CHECK(text_at(&documents(made.text(Emit::plan)).front(), "tpu.devices") == "256");
  CHECK(made.text(Emit::verify).find(" initialNodeCount=16 ") != std::string_view::npos);
}

TEST_CASE("an invented machine type forms one host, and two cannot be told apart by a name",
          "[property]") {
  const House house;
  const Case two_chips = house.compile("{type: v9, topology: 1x1x2}", lease);
  REQUIRE(two_chips.compiled.ok);
  const std::vector<Words> provision = commands(two_chips.text(Emit::provision));
  CHECK(flag(pool_of(provision), "--machine-type") == "ct9-standard-2t");
  CHECK_FALSE(has_flag(pool_of(provision), "--tpu-topology"));
  CHECK_FALSE(has_flag(pool_of(provision), "--placement-policy"));
  CHECK(house.compile("{type: v6e, topology: 4x4}", lease).errors() == 0);
}

TEST_CASE("the rules of invented facts are held up", "[property]") {
  const House house;
  const auto code = [&](const std::string& tpu, const std::string& provisioning,
                        const std::string& version = "1.41.0-gke.100") {
    const Case made = house.compile(tpu, provisioning, version);
    std::string codes;
    for (const auto& each : made.compiled.diagnostics) codes += diag::code_text(each.code) + " ";
    return codes;
  };
  CHECK(code("{type: v9, topology: 4x4x6}", lease) == "FS3002 ");
  CHECK(code("{type: v9, topology: 8x4x4}", lease) == "FS3008 ");
  CHECK(code("{type: v9, topology: 8x8x12}", lease) == "FS3009 ");
  CHECK(code("{type: v9-64, topology: 2x2x4}", lease) == "FS3015 ");
  CHECK(code("{type: v5e, topology: 2x2}", lease) == "FS3012 ");
  CHECK(code("{type: v9, topology: 2x2x4}",
             "{model: lease, zones: [us-east5-z], maxRunDuration: 2h}") == "FS4009 ");
  CHECK(code("{type: v9, topology: 2x2x4}", "{model: lease, zones: [us-east5-y]}") == "FS3017 ");
  CHECK(code("{type: v9, topology: 2x2x4}", lease, "1.41.0-gke.99") == "FS3014 ");
  CHECK(code("{type: v9, topology: 2x2x4}", "{model: spot, zones: [us-east5-z]}") == "FS3013 ");
  CHECK(code("{type: v9, topology: 2x2x4, machineType: ct6e-standard-4t}", lease) == "FS3004 ");
}

}  // namespace
}  // namespace flexslice::law
