// What `--catalog FILE` does: the facts of a document on top of the built-in ones.
#include <fmt/core.h>

#include <string>
#include <vector>

#include "../catch.hpp"
#include "base/text.hpp"
#include "catalog/catalog.hpp"
#include "gist.hpp"
#include "yaml/parse.hpp"

using namespace flexslice;
using namespace flexslice::catalog;

namespace {

struct Overlay {
  explicit Overlay(std::string text) {
    const std::uint32_t index = sources.add({"overlay.yaml", std::move(text)});
    const yaml::Node document = yaml::parse(sources, index, sink).value();
    load(document, catalog, sink);
    if (sink.errors() == 0) verify(catalog, sink, document.span);
    for (const diag::Diagnostic& each : sink.take()) {
      const Position at = sources.position(each.where);
      found.push_back(test::gist(fmt::format("{}:{} {} {}", at.line, at.column,
                                             diag::code_text(each.code), each.message)));
      for (const std::string& help : each.helps) found.push_back(help);
    }
  }

  Sources sources;
  diag::Sink sink;
  Catalog catalog = built_in();
  std::vector<std::string> found;
};

using Lines = std::vector<std::string>;

Lines problems(std::string text) { return Overlay(std::move(text)).found; }

constexpr const char* invented = R"(
asOf: 2031-01
evidence: {confidence: medium, sources: [HOUSE], asOf: 2031-01}
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
    placement: both
    coreNames: [v9-]
    machineTypes:
      - name: ct9-standard-8t
        accelerator: tpu-v9-slice
        architecture: arm64
        chips: 8
        shapes: [2x2x2, {topology: 2x2x4, evidence: {confidence: low, note: Seen once.}}, 2x4x4]
        cubes: true
    minimums: [{mode: standard, version: 1.50.0-gke.1}]
    zones: [us-east9-a, {name: us-east9-b, flexStart: true}]
models:
  - name: flex-start
    supports: [{generations: [v9], since: 1.51.0-gke.7}]
  - name: lottery
    title: the lottery
    nodes: none
    quota: on-demand
    idle: Nothing.
    lifetime: Until the next draw.
    modes: [standard]
    supports: [{generations: [v9, v6e]}]
)";

}  // namespace

TEST_CASE("an overlay adds a generation, a machine type and a model", "[catalog]") {
  const Overlay overlay(invented);
  CHECK(overlay.found == Lines{});
  const Generation* generation = find_generation(overlay.catalog, "tpu-v9-slice");
  REQUIRE(generation != nullptr);
  CHECK(generation->id == "v9");
  CHECK(generation->placement == Placement::both);
  const MachineType& machine = generation->machine_types.front();
  CHECK(machine.status == Status::published);
  CHECK(machine.architecture == "arm64");
  CHECK(find_generation(overlay.catalog, "v6e")->machine_types.front().architecture == "amd64");
  CHECK(find_shape(*generation, machine, *parse_topology("4x4x4")) != nullptr);
  CHECK(find_shape(*generation, machine, *parse_topology("2x2x1")) == nullptr);
  CHECK(topologies(*generation, 64).size() == 4);
  CHECK(citation(machine.evidence) == "HOUSE (medium, 2031-01)");
  CHECK(citation(machine.shapes[1].evidence) == "HOUSE (low, 2031-01)");
  CHECK(machine.shapes[1].evidence.note == "Seen once.");
  CHECK(machine.shapes[2].evidence.note.empty());
  CHECK(find_zone(*generation, "us-east9-b")->flex_start == true);
  CHECK_FALSE(find_zone(*generation, "us-east9-a")->flex_start.has_value());
  CHECK(overlay.catalog.as_of == "2031-01");

  const Model& flex_start = *find_model(overlay.catalog, "flex-start");
  CHECK(find_support(flex_start, "v9")->since == "1.51.0-gke.7");
  CHECK(find_support(flex_start, "v6e")->since == "1.33.0-gke.1712000");
  CHECK(flex_start.max_run_seconds == 604800);
  CHECK(find_model(overlay.catalog, "lottery")->title == "the lottery");
}

TEST_CASE("an overlay overrides what it names and keeps the rest", "[catalog]") {
  const Overlay overlay(R"(
generations:
  - id: v6e
    machineTypes:
      - {name: ct6e-standard-8t, vcpus: 192}
      - {name: ct6e-standard-4t, shapes: [2x2, 16x32, 4x6]}
    maxChips: 512
    minimums: [{mode: standard, version: 1.32.0}]
    zones: [{name: us-east1-d, flexStart: true}]
models:
  - name: flex-start
    supports: [{generations: [v4], evidence: {confidence: low, note: A trial.}}]
mistakes: [{name: trillium, instead: v5e, why: Because.}]
ports: [{number: 8080, use: something else}]
)");
  CHECK(overlay.found == Lines{});
  const Catalog before = built_in();
  const Generation& was = *find_generation(before, "v6e");
  const Generation& is = *find_generation(overlay.catalog, "v6e");
  CHECK(is.hbm_gb == 32);
  CHECK(is.machine_types.size() == was.machine_types.size());
  CHECK(find_machine_type(is, "ct6e-standard-8t")->vcpus == 192);
  CHECK(find_machine_type(is, "ct6e-standard-8t")->memory_gib == 1440);
  CHECK(citation(find_machine_type(is, "ct6e-standard-8t")->evidence) ==
        citation(find_machine_type(was, "ct6e-standard-8t")->evidence));
  std::string shapes;
  for (const Topology& shape : topologies(is)) shapes += shape.text() + ' ';
  CHECK(shapes == "1x1 2x2 2x4 4x4 4x6 4x8 8x8 8x16 16x16 16x32 ");
  CHECK(citation(*find_shape(is, *find_machine_type(is, "ct6e-standard-4t"),
                             *parse_topology("4x6"))) == "no source (high)");
  CHECK(find_minimum(is.minimums, MinimumMode::standard)->version == "1.32.0");
  CHECK(find_zone(is, "us-east1-d")->flex_start == true);
  CHECK(find_zone(is, "us-east5-a")->flex_start == true);
  CHECK(is.zones.size() == was.zones.size());
  const Support& support = *find_support(*find_model(overlay.catalog, "flex-start"), "v4");
  CHECK((support.supported && support.evidence.confidence == Confidence::low));
  CHECK_FALSE(find_support(*find_model(overlay.catalog, "flex-start"), "v3")->supported);
  CHECK(find_mistake(overlay.catalog, "Trillium")->instead == "v5e");
  CHECK(overlay.catalog.ports.size() == 5);
  CHECK((overlay.catalog.ports[2].use == "something else" &&
         overlay.catalog.ports[2].when == PortUse::multislice));
}

TEST_CASE("evidence of an overlay does not spread to what it only adds to", "[catalog]") {
  const Overlay overlay(R"(
evidence: {confidence: low, asOf: 2031}
generations:
  - id: v6e
    zones: [us-east9-z, us-east5-a]
    machineTypes: [{name: ct6e-standard-2t, accelerator: tpu-v6e-slice, chips: 2, shapes: [1x2]}]
  - id: v5e
    evidence: {confidence: medium}
)");
  CHECK(overlay.found == Lines{});
  const Generation& v6e = *find_generation(overlay.catalog, "v6e");
  CHECK(citation(v6e.evidence) == "CA, XPK, CTK, SEED, TPU-V6E (high, 2026-08)");
  CHECK(citation(v6e.limit_evidence) == "XPK, CTK, TPU-V6E (high, 2026-08)");
  CHECK(citation(find_zone(v6e, "us-east9-z")->evidence) == "no source (low, 2031)");
  CHECK(citation(find_zone(v6e, "us-east5-a")->evidence) == "no source (low, 2031)");
  CHECK(find_zone(v6e, "us-east5-b")->evidence.confidence == Confidence::medium);
  CHECK(citation(find_machine_type(v6e, "ct6e-standard-2t")->evidence) == "no source (low, 2031)");
  CHECK(citation(find_generation(overlay.catalog, "v5e")->evidence) == "no source (medium, 2031)");
}

TEST_CASE("a newer gcloud in an overlay", "[catalog]") {
  const Overlay overlay(R"(
gcloud:
  version: 560.0.0
  commands:
    - name: container node-pools create
      later:
        - {name: --accelerator-network-profile, since: 550.0.0}
        - {name: --new-flag, since: 570.0.0}
)");
  CHECK(overlay.found == Lines{});
  const char* create = "container node-pools create";
  CHECK(gcloud_knows(overlay.catalog, create, "--accelerator-network-profile"));
  CHECK(gcloud_knows(overlay.catalog, create, "--flex-start"));
  CHECK_FALSE(gcloud_knows(overlay.catalog, create, "--accelerator-network-profile", "528.0.0"));
  CHECK_FALSE(gcloud_knows(overlay.catalog, create, "--new-flag"));
  CHECK(gcloud_knows(overlay.catalog, create, "--new-flag", "570.1.0"));
}

TEST_CASE("an empty overlay changes nothing", "[catalog]") {
  CHECK(problems("") == Lines{});
  CHECK(problems("# nothing\n") == Lines{});
  CHECK(problems("{}\n") == Lines{});
  CHECK(problems("generations: []\n") == Lines{});
}

TEST_CASE("malformed overlays", "[catalog]") {
  CHECK(problems("[1]\n") == Lines{"1:1 FS3202"});
  CHECK(problems("generation: []\n") ==
        Lines{"1:13 FS3201 `generation`", "did you mean `generations`?"});
  CHECK(problems("generations: {}\n") == Lines{"1:14 FS3202 `generations`"});
  CHECK(problems("generations: [v6e]\n") == Lines{"1:15 FS3202 `generations` `v6e`"});
  CHECK(problems("generations: [{hbmGb: 3}]\n") == Lines{"1:15 FS3203 `id`"});
  CHECK(problems("generations:\n- id: v6e\n  hbmGb: much\n") ==
        Lines{"3:10 FS3202 `hbmGb` `much`"});
  CHECK(problems("generations:\n- id: v6e\n  hbmGb: '3'\n") == Lines{"3:10 FS3202 `hbmGb` `3`"});
  CHECK(problems("generations:\n- id: v6e\n  hbmGb: -3\n") == Lines{"3:10 FS3202 `hbmGb` `-3`"});
  CHECK(problems("generations:\n- id: v6e\n  hbmGb: 99999999\n") ==
        Lines{"3:10 FS3204 `hbmGb: 99999999` 1000000"});
  CHECK(problems("generations:\n- id: v6e\n  multislice: yes\n") ==
        Lines{"3:15 FS3202 `multislice` `yes`"});
  CHECK(problems("generations:\n- id: v6e\n  names: Trillium\n") ==
        Lines{"3:10 FS3202 `names` `Trillium`"});
  CHECK(problems("generations:\n- id: v6e\n  names: [[a]]\n") == Lines{"3:11 FS3202 `names`"});
  CHECK(problems("generations:\n- id: v6e\n  placement: flags\n") ==
        Lines{"3:14 FS3204 `placement: flags`"});
  CHECK(problems("generations:\n- id: v6e\n  evidence: {confidence: certain}\n") ==
        Lines{"3:26 FS3204 `confidence: certain`"});
  CHECK(problems("generations:\n- id: v6e\n  evidence: CA\n") ==
        Lines{"3:13 FS3202 `evidence` `CA`"});
  CHECK(problems("generations:\n- id:\n") == Lines{"2:3 FS3203 `id`"});
}

TEST_CASE("a new thing must be whole", "[catalog]") {
  CHECK(problems("generations:\n- id: v9\n") ==
        Lines{"2:3 FS3203 `dimensions`", "2:3 FS3203 `maxChips`", "2:3 FS3203 `machineTypes`"});
  CHECK(problems("generations:\n- id: v6e\n  machineTypes:\n  - name: ct6e-standard-2t\n    chips: "
                 "2\n    shapes: [1x2]\n") == Lines{"4:5 FS3203 `accelerator`"});
  CHECK(problems("models:\n- name: flex-start\n  supports: [{since: '1.2'}]\n") ==
        Lines{"3:14 FS3203 `generations`"});
}

TEST_CASE("shapes that are not topologies", "[catalog]") {
  const std::string head =
      "generations:\n- id: v6e\n  machineTypes:\n  - name: ct6e-standard-4t\n    shapes: ";
  CHECK(problems(head + "[4by4]\n") == Lines{"5:14 FS3204 `topology: 4by4` 4x4 2x2x1"});
  CHECK(problems(head + "[{topology: 4x4, hosts: 4}]\n") == Lines{"5:37 FS3201 `hosts`"});
}

TEST_CASE("facts that contradict one another", "[catalog]") {
  const std::string head =
      "generations:\n- id: v6e\n  machineTypes:\n  - name: ct6e-standard-4t\n    shapes: ";
  CHECK(problems(head + "[3x3]\n") == Lines{"5:14 FS3020 `3x3` ct6e-standard-4t"});
  CHECK(problems(head + "[4x2]\n") == Lines{"5:14 FS3020 `4x2` ct6e-standard-4t"});
  CHECK(problems(head + "[16x32]\n") == Lines{"5:14 FS3020 `16x32` ct6e-standard-4t"});
  CHECK(problems(head + "[2x2x1]\n") == Lines{"5:14 FS3020 `2x2x1` ct6e-standard-4t"});
  CHECK(problems(head + "[4x12, 4x12]\n") == Lines{"5:20 FS3019 `4x12`"});
  CHECK(problems("generations:\n- id: v6e\n  machineTypes:\n  - name: ct6e-standard-4t\n    cubes: "
                 "true\n") == Lines{"4:5 FS3205 ct6e-standard-4t `cubes: true` `dimensions: 2`"});
  CHECK(problems("generations:\n- id: v6e\n  minimums:\n  - {mode: standard, version: latest}\n") ==
        Lines{"4:5 FS3204 `version: latest` 1.33.0-gke.1712000"});
  CHECK(problems("models:\n- name: spot\n  supports:\n  - generations: [v99]\n") ==
        Lines{"4:5 FS3206 `v99`"});
  CHECK(problems("ports:\n- {number: 1, use: x, when: always, evidence: {sources: [NOBODY]}}\n") ==
        Lines{"2:3 FS3206 `NOBODY`"});
  CHECK(problems("ports:\n- {number: 70000, use: x, when: always}\n") ==
        Lines{"2:3 FS3204 `number: 70000` 1 65535"});
  CHECK(problems("sources:\n- {id: A, title: a, date: b}\n- {id: A, title: a, date: b}\n") ==
        Lines{"1:1 FS3019 `A`"});
  CHECK(problems(std::string(invented).replace(std::string(invented).find("tpu-v9-slice"), 12,
                                               "tpu-v6e-slice")) ==
        Lines{"17:9 FS3022 `tpu-v6e-slice` v6e"});
  // Lowering a limit makes built-in shapes wrong, which have no place of their own.
  CHECK(problems("\ngenerations:\n- id: v6e\n  maxChips: 200\n") ==
        Lines{"2:1 FS3020 `16x16` ct6e-standard-4t"});
}
