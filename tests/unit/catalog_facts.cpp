// The built-in facts, written down a second time from the sources and not from the data files.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "base/lists.hpp"
#include "catalog/catalog.hpp"

using namespace flexslice::catalog;

namespace {

const Catalog& facts() {
  static const Catalog catalog = built_in();
  return catalog;
}

struct ExpectedGeneration {
  const char* id;
  int dimensions;
  int cores;
  int devices;
  int hbm_gb;
  int max_chips;
  int doubtful_above;
  bool multislice;
  const char* placement;
  std::vector<std::string_view> machine_types;
};

const ExpectedGeneration expected_generations[] = {
    {"v3", 2, 2, 2, 32, 1024, 0, false, "topology", {"ct3-hightpu-4t", "ct3p-hightpu-4t"}},
    {"v4", 3, 2, 1, 32, 4096, 3072, true, "topology", {"ct4p-hightpu-4t"}},
    {"v5e",
     2,
     1,
     1,
     16,
     256,
     0,
     true,
     "topology",
     {"ct5lp-hightpu-1t", "ct5lp-hightpu-4t", "ct5lp-hightpu-8t"}},
    {"v5p", 3, 2, 1, 95, 6144, 0, true, "topology", {"ct5p-hightpu-4t"}},
    {"v6e",
     2,
     1,
     1,
     32,
     256,
     0,
     true,
     "topology",
     {"ct6e-standard-1t", "ct6e-standard-4t", "ct6e-standard-8t"}},
    {"tpu7x",
     3,
     2,
     2,
     192,
     9216,
     0,
     true,
     "policy",
     {"tpu7x-standard-4t", "tpu7x-standard-1t", "tpu7x-ultranet-4t"}},
};

struct ExpectedMachine {
  const char* name;
  const char* accelerator;
  int chips;
  int vcpus;
  int memory_gib;
  int numa_nodes;
  bool hyperdisk;
  const char* status;
};

const ExpectedMachine expected_machines[] = {
    {"ct3-hightpu-4t", "tpu-v3-device", 4, 96, 340, 0, false, "public"},
    {"ct3p-hightpu-4t", "tpu-v3-slice", 4, 48, 340, 0, false, "public"},
    {"ct4p-hightpu-4t", "tpu-v4-podslice", 4, 240, 407, 0, false, "public"},
    {"ct5lp-hightpu-1t", "tpu-v5-lite-podslice", 1, 24, 48, 0, false, "public"},
    {"ct5lp-hightpu-4t", "tpu-v5-lite-podslice", 4, 112, 192, 0, false, "public"},
    {"ct5lp-hightpu-8t", "tpu-v5-lite-podslice", 8, 224, 384, 0, false, "public"},
    {"ct5p-hightpu-4t", "tpu-v5p-slice", 4, 208, 448, 2, false, "public"},
    {"ct6e-standard-1t", "tpu-v6e-slice", 1, 44, 176, 1, true, "public"},
    {"ct6e-standard-4t", "tpu-v6e-slice", 4, 180, 720, 1, true, "public"},
    {"ct6e-standard-8t", "tpu-v6e-slice", 8, 360, 1440, 2, true, "public"},
    {"tpu7x-standard-4t", "tpu7x", 4, 224, 960, 2, true, "public"},
    {"tpu7x-standard-1t", "tpu7x", 1, 56, 248, 0, true, "doubtful"},
    {"tpu7x-ultranet-4t", "tpu7x", 4, 224, 992, 0, true, "doubtful"},
};

struct Row {
  const char* topology;
  int hosts;
};

const std::vector<Row> slices_2d = {{"2x2", 1},  {"2x4", 2},   {"4x4", 4},   {"4x8", 8},
                                    {"8x8", 16}, {"8x16", 32}, {"16x16", 64}};
const std::vector<Row> small_3d = {{"2x2x1", 1}, {"2x2x2", 2}, {"2x2x4", 4}, {"2x4x4", 8}};
const std::vector<Row> cubes = {
    {"4x4x4", 16},    {"4x4x8", 32},  {"4x8x8", 64},    {"8x8x8", 128},   {"8x8x16", 256},
    {"8x16x16", 512}, {"4x4x12", 48}, {"4x12x12", 144}, {"4x12x20", 240}, {"4x4x64", 256}};

const std::map<std::string_view, std::vector<Row>> expected_shapes = {
    {"ct3-hightpu-4t", {{"2x2", 1}}},
    {"ct3p-hightpu-4t",
     {{"4x4", 4},
      {"4x8", 8},
      {"8x8", 16},
      {"8x16", 32},
      {"16x16", 64},
      {"16x32", 128},
      {"32x32", 256}}},
    {"ct4p-hightpu-4t", small_3d},
    {"ct5lp-hightpu-1t", {{"1x1", 1}}},
    {"ct5lp-hightpu-4t", slices_2d},
    {"ct5lp-hightpu-8t", {{"2x4", 1}}},
    {"ct5p-hightpu-4t", small_3d},
    {"ct6e-standard-1t", {{"1x1", 1}}},
    {"ct6e-standard-4t", slices_2d},
    {"ct6e-standard-8t", {{"2x4", 1}}},
    {"tpu7x-standard-4t", small_3d},
    {"tpu7x-standard-1t", {{"1x1x1", 1}}},
    {"tpu7x-ultranet-4t", small_3d},
};

// Every piece of evidence in the catalog.
std::vector<const Evidence*> all_evidence() {
  std::vector<const Evidence*> all;
  for (const Generation& generation : facts().generations) {
    all.insert(all.end(), {&generation.evidence, &generation.limit_evidence});
    for (const Zone& zone : generation.zones) all.push_back(&zone.evidence);
    for (const Minimum& minimum : generation.minimums) all.push_back(&minimum.evidence);
    for (const MachineType& machine : generation.machine_types) {
      all.push_back(&machine.evidence);
      for (const Shape& shape : machine.shapes) all.push_back(&shape.evidence);
    }
  }
  for (const Model& model : facts().models) {
    all.push_back(&model.evidence);
    for (const Support& support : model.supports) all.push_back(&support.evidence);
  }
  for (const Feature& feature : facts().features) {
    for (const Minimum& minimum : feature.minimums) all.push_back(&minimum.evidence);
  }
  for (const Port& port : facts().ports) all.push_back(&port.evidence);
  for (const DefaultRequest& request : facts().default_requests) all.push_back(&request.evidence);
  for (const NodeLabel& label : facts().node_labels) all.push_back(&label.evidence);
  for (const Capability& each : facts().autopilot_capabilities) all.push_back(&each.evidence);
  for (const StorageClass& each : facts().storage_classes) all.push_back(&each.evidence);
  for (const Reserved& each : facts().class_selectors) all.push_back(&each.evidence);
  return all;
}

}  // namespace

TEST_CASE("generations", "[catalog]") {
  INFO("a generation has a row in expected_generations, by another source than the catalog");
  REQUIRE(facts().generations.size() == std::size(expected_generations));
  for (const ExpectedGeneration& expected : expected_generations) {
    INFO(expected.id);
    const Generation* generation = find_generation(facts(), expected.id);
    REQUIRE(generation != nullptr);
    CHECK(generation->dimensions == expected.dimensions);
    CHECK(generation->cores_per_chip == expected.cores);
    CHECK(generation->devices_per_chip == expected.devices);
    CHECK(generation->hbm_gb == expected.hbm_gb);
    CHECK(generation->max_chips == expected.max_chips);
    CHECK(generation->doubtful_above == expected.doubtful_above);
    CHECK(generation->multislice == expected.multislice);
    CHECK(flexslice::word(generation->placement) == expected.placement);
    std::vector<std::string_view> names;
    for (const MachineType& machine : generation->machine_types) names.push_back(machine.name);
    CHECK(names == expected.machine_types);
  }
}

TEST_CASE("machine types", "[catalog]") {
  for (const ExpectedMachine& expected : expected_machines) {
    INFO(expected.name);
    const Generation* generation = generation_of_machine_type(facts(), expected.name);
    REQUIRE(generation != nullptr);
    const MachineType* machine = find_machine_type(*generation, expected.name);
    REQUIRE(machine != nullptr);
    CHECK(machine->accelerator == expected.accelerator);
    CHECK(machine->chips == expected.chips);
    CHECK(machine->vcpus == expected.vcpus);
    CHECK(machine->memory_gib == expected.memory_gib);
    CHECK(machine->numa_nodes == expected.numa_nodes);
    CHECK(flexslice::contains(machine->boot_disk_types, "hyperdisk-balanced") ==
          expected.hyperdisk);
    CHECK(flexslice::word(machine->status) == expected.status);
    CHECK(machine->max_containers == (machine->name == "tpu7x-standard-4t" ? 2 : 1));
    CHECK(machine->refuses_topology_flag == (machine->chips == 1));
    CHECK(find_generation(facts(), expected.accelerator) == generation);
  }
}

TEST_CASE("shapes of each machine type, and their hosts", "[catalog]") {
  REQUIRE(expected_shapes.size() == std::size(expected_machines));
  for (const auto& [name, rows] : expected_shapes) {
    INFO(name);
    const Generation& generation = *generation_of_machine_type(facts(), name);
    const MachineType& machine = *find_machine_type(generation, name);
    REQUIRE(machine.shapes.size() == rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      INFO(rows[i].topology);
      CHECK(machine.shapes[i].topology.text() == rows[i].topology);
      CHECK(machine.shapes[i].topology.chips() == std::int64_t{rows[i].hosts} * machine.chips);
    }
    CHECK(machine.cubes == (generation.dimensions == 3 && machine.chips == 4));
    for (const Row& row : cubes) {
      const Topology cube = parse_topology(row.topology).value();
      CHECK((find_shape(generation, machine, cube) != nullptr) == machine.cubes);
      CHECK((cube.chips() == std::int64_t{row.hosts} * 4));
    }
  }
}

TEST_CASE("how sure the shapes are", "[catalog]") {
  const auto confidence = [](const char* machine_name, const char* topology) {
    const Generation& generation = *generation_of_machine_type(facts(), machine_name);
    return find_shape(generation, *find_machine_type(generation, machine_name),
                      *parse_topology(topology))
        ->confidence;
  };
  CHECK(confidence("ct6e-standard-4t", "4x4") == Confidence::high);
  CHECK(confidence("ct6e-standard-4t", "2x4") == Confidence::medium);
  CHECK(confidence("ct5lp-hightpu-4t", "2x4") == Confidence::medium);
  CHECK(confidence("ct6e-standard-8t", "2x4") == Confidence::high);
  CHECK(confidence("ct3-hightpu-4t", "2x2") == Confidence::high);
  CHECK(confidence("ct3p-hightpu-4t", "32x32") == Confidence::low);
  CHECK(confidence("tpu7x-standard-1t", "1x1x1") == Confidence::low);
  CHECK(confidence("tpu7x-standard-4t", "4x4x4") == Confidence::high);
}

TEST_CASE("every fact names sources that exist, unless it is of low confidence", "[catalog]") {
  for (const Evidence* evidence : all_evidence()) {
    INFO(citation(*evidence) << ' ' << std::string_view(evidence->note));
    if (evidence->confidence == Confidence::low) {
      CHECK_FALSE((evidence->note.empty() && evidence->sources.empty()));
    } else {
      CHECK_FALSE(evidence->sources.empty());
    }
    CHECK_FALSE(evidence->as_of.empty());
    for (std::string_view id : evidence->sources) CHECK(find_source(facts(), id) != nullptr);
  }
}

TEST_CASE("the built-in facts verify", "[catalog]") {
  flexslice::diag::Sink sink;
  verify(facts(), sink);
  for (const auto& found : sink.found()) FAIL_CHECK(found.message);
}

TEST_CASE(
    "every machine, generation and label that is a mistake does not exist, and what replaces it "
    "does",
    "[catalog]") {
  for (const Mistake& mistake : facts().mistakes) {
    INFO(std::string_view(mistake.name));
    CHECK(find_generation(facts(), mistake.name) == nullptr);
    CHECK(generation_of_machine_type(facts(), mistake.name) == nullptr);
    if (mistake.instead.empty()) continue;
    CHECK((find_generation(facts(), mistake.instead) != nullptr ||
           generation_of_machine_type(facts(), mistake.instead) != nullptr ||
           find_model(facts(), mistake.instead) != nullptr));
  }
  for (const char* name :
       {"Trillium", "IRONWOOD", "v5litepod", "tpu-v5e-slice", "tpu-v4-device",
        "tpu-v4-lite-podslice", "ct5p-hightpu-1t", "ct5p-hightpu-2t", "tpu-v5-lite-device",
        "ct5l-hightpu-8t", "v2", "v6", "v7", "7x", "v8", "tpu8i", "tpu8t", "8i", "8t"}) {
    INFO(name);
    CHECK(find_mistake(facts(), name) != nullptr);
  }
  CHECK(find_mistake(facts(), "Trillium")->instead == "v6e");
  CHECK(find_mistake(facts(), "v6e") == nullptr);
}

TEST_CASE("zones with flex-start", "[catalog]") {
  std::set<std::pair<std::string_view, std::string_view>> with, without;
  for (const Generation& generation : facts().generations) {
    for (const Zone& zone : generation.zones) {
      if (zone.flex_start == true) with.insert({generation.id, zone.name});
      if (zone.flex_start == false) without.insert({generation.id, zone.name});
    }
  }
  CHECK(with ==
        std::set<std::pair<std::string_view, std::string_view>>{{"v6e", "asia-northeast1-b"},
                                                                {"v6e", "us-east5-a"},
                                                                {"v6e", "us-east5-b"},
                                                                {"v6e", "us-south1-ai1b"},
                                                                {"v5e", "us-west4-a"},
                                                                {"v5p", "us-east5-a"},
                                                                {"tpu7x", "us-central1-c"}});
  CHECK(without ==
        std::set<std::pair<std::string_view, std::string_view>>{{"v3", "us-central1-a"},
                                                                {"v3", "us-central1-b"},
                                                                {"v3", "europe-west4-a"},
                                                                {"v4", "us-central2-b"}});
}

TEST_CASE("zones with reservations in calendar mode", "[catalog]") {
  std::map<std::string, std::string_view> found;
  for (const Generation& generation : facts().generations) {
    for (const Zone& zone : generation.zones) {
      if (zone.calendar_mode)
        found[std::string(generation.id) + ' ' + std::string(zone.name)] =
            flexslice::word(*zone.calendar_mode);
    }
  }
  CHECK(found == std::map<std::string, std::string_view>{{"v5e europe-west4-b", "batch"},
                                                         {"v5e us-south1-a", "serving"},
                                                         {"v5e us-west4-b", "batch"},
                                                         {"v5p us-east5-a", "any"},
                                                         {"v6e asia-northeast1-b", "any"},
                                                         {"v6e europe-west4-a", "any"},
                                                         {"v6e us-east5-a", "any"},
                                                         {"v6e us-east5-b", "any"},
                                                         {"tpu7x us-central1-c", "any"}});
}

TEST_CASE("zones that the newest page of regions added or dropped", "[catalog]") {
  const auto has = [](const char* id, const char* zone) {
    return find_zone(*find_generation(facts(), id), zone) != nullptr;
  };
  CHECK(has("v6e", "southamerica-west1-a"));
  CHECK(has("v6e", "us-central2-b"));
  CHECK_FALSE(has("v6e", "us-central1-ai1a"));
  CHECK(has("tpu7x", "us-central1-ai1a"));
}

TEST_CASE("variables of the device plugin are reserved", "[catalog]") {
  for (const char* name : {"TPU_SKIP_MDS_QUERY", "TPU_RUNTIME_METRICS_PORTS",
                           "VBAR_CONTROL_SERVICE_URL", "ENABLE_ICI_RESILIENCY", "HOST_BOUNDS",
                           "TPU_HOST_BOUNDS", "CHIPS_PER_HOST_BOUNDS", "TPU_VISIBLE_CHIPS"}) {
    INFO(name);
    const Reserved* reserved = find_reserved(facts().reserved_env, name);
    REQUIRE(reserved != nullptr);
    CHECK(flexslice::contains(reserved->evidence.sources, "PLUGIN"));
  }
}
