// What a spec means: derived numbers and names, versions, core counts, and the findings across
// fields, with their arithmetic.
#include <fmt/core.h>

#include <memory>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "base/text.hpp"
#include "gist.hpp"
#include "plan/build.hpp"
#include "rules/rules.hpp"
#include "schema/decode.hpp"
#include "spec/spec_fields.hpp"
#include "yaml/parse.hpp"

namespace flexslice::plan {
namespace {

using Lines = std::vector<std::string>;

const catalog::Catalog& built_in() {
  static const catalog::Catalog catalog = catalog::built_in();
  return catalog;
}

struct Resolved {
  explicit Resolved(const std::string& text) {
    sources.add({"spec.yaml", text, 1});
    diag::Sink sink;
    auto node = yaml::parse(sources, 0, sink);
    REQUIRE(node);
    const auto claims = schema::decode<spec::Claims>(*node, sink);
    const resolve::Facts known = resolve::look_up(claims, built_in());
    rules::judge(known, sink);
    if (const auto whole = complete(known, true, sink)) plan = build(*whole, "spec.yaml");
    for (const diag::Diagnostic& each : sink.take()) {
      std::string line = fmt::format("{} {}", diag::code_text(each.code), each.message);
      for (const std::string& note : each.notes) line += " [" + note + "]";
      for (const std::string& help : each.helps) line += " (" + help + ")";
      lines.push_back(test::gist(line));
    }
  }

  Sources sources;
  std::optional<Plan> plan;
  Lines lines;
};

// A spec in parts that the tests replace.
struct Parts {
  std::string name = "train";
  std::string cluster = "{name: c1, location: us-east5}";
  std::string tpu = "{type: v6e, topology: 4x4}";
  std::string provisioning = "{model: on-demand, zones: [us-east5-b]}";
  std::string workload = "{image: busybox}";

  std::string text() const {
    return "apiVersion: flexslice/v1\nname: " + name + "\ncluster: " + cluster + "\ntpu: " + tpu +
           "\nprovisioning: " + provisioning + "\nworkload: " + workload + "\n";
  }
};

Lines findings(const Parts& parts) { return Resolved(parts.text()).lines; }
Plan plan_of(const Parts& parts) {
  Resolved resolved(parts.text());
  INFO(text::join(resolved.lines, "\n"));
  REQUIRE(resolved.plan);
  return std::move(*resolved.plan);
}

TEST_CASE("a size at the bound is not doubtful yet") {
  Parts parts{.cluster = "{name: c1, location: us-central2}",
              .provisioning = "{model: on-demand, zones: [us-central2-b]}"};
  parts.tpu = "{type: v4, topology: 12x16x16}";
  CHECK(findings(parts) == Lines{});
  parts.tpu = "{type: v4, topology: 16x16x16}";
  CHECK(findings(parts) == Lines{"FS3010 v4 4096 v4 3072"});
}

TEST_CASE("hosts, pools and names are derived") {
  const Plan plan = plan_of({});
  CHECK((plan.tpu.hosts == 4 && plan.tpu.slices == 1 &&
         plan.tpu.machine->name == "ct6e-standard-4t"));
  CHECK(plan.cluster.region == "us-east5");
  REQUIRE(plan.pools.size() == 1);
  CHECK((plan.pools[0].name == "train-pool" && plan.pools[0].nodes == 4));
  CHECK(plan.pools[0].tpu_topology == "4x4");
  CHECK((plan.workload.kind.value == "job" && plan.workload.service == "train"));
  CHECK(plan.workload.host_names == Lines{"train-0", "train-3"});
}

TEST_CASE("several slices are pools of their own and one JobSet") {
  const Plan plan = plan_of({.tpu = "{type: v6e, topology: 4x4, slices: 3}"});
  REQUIRE(plan.pools.size() == 3);
  CHECK((plan.pools[0].name == "train-pool-0" && plan.pools[2].name == "train-pool-2"));
  CHECK((plan.workload.kind.value == "jobset" && plan.workload.service.empty()));
  CHECK(plan.workload.host_names == Lines{"train-slice-0-0", "train-slice-2-3"});
}

TEST_CASE("several single hosts are independent workers of one Job, on one pool") {
  const auto workers = [](std::string_view provisioning) {
    return plan_of({.tpu = "{type: v6e, topology: 2x2, slices: 5}",
                    .provisioning = std::string(provisioning)});
  };
  const Plan plan = workers("{zones: [us-east5-b]}");
  CHECK((plan.workload.kind.value == "job" && plan.workload.completions.value == 5));
  CHECK((plan.workload.completion_mode == "Indexed" && plan.workload.service.empty()));
  CHECK((plan.workload.host_names.empty() && plan.workload.backoff_limit.value == std::nullopt));
  REQUIRE(plan.pools.size() == 1);
  CHECK((plan.pools[0].name == "train-pool" && plan.pools[0].nodes == 5));
  CHECK((plan.tpu.total_hosts == 5 && plan.tpu.total_chips == 20 && plan.tpu.devices == 4));
  // Of each zone.
  CHECK(workers("{zones: [us-east5-a, us-east5-b]}").pools[0].nodes == 3);
  CHECK(workers("{zones: [us-east5-a, us-east5-b], maxNodes: 4}").pools[0].nodes == 4);
  CHECK(workers("{zones: [us-east5-a, us-east5-b], model: flex-start-queued, queue: q}")
            .pools[0]
            .nodes == 5);
}

TEST_CASE("one host has neither Service nor shape flags") {
  const Plan plan = plan_of({.tpu = "{type: v6e, topology: 2x2}",
                             .provisioning = "{zones: [us-east5-b, us-east5-a], maxNodes: 3}"});
  CHECK((plan.tpu.hosts == 1 && plan.workload.service.empty() && plan.workload.host_names.empty()));
  CHECK((plan.pools[0].nodes == 3 && plan.pools[0].tpu_topology.empty()));
  CHECK(plan.provisioning.model == "flex-start");
}

TEST_CASE("the cluster's own zone is the zone of the nodes") {
  const Plan plan =
      plan_of({.cluster = "{name: c1, location: us-east5-b}", .provisioning = "{model: spot}"});
  CHECK(plan.provisioning.zones.value == Lines{"us-east5-b"});
  CHECK(plan.cluster.region == "us-east5");
}

TEST_CASE("a cluster in a region without gcloud's default machines is given one that exists") {
  Parts parts{.provisioning = "{model: on-demand, zones: [us-central2-b]}"};
  parts.tpu = "{type: v4, topology: 2x2x2}";
  for (const char* location : {"us-central2", "us-central2-b"}) {
    parts.cluster = fmt::format("{{name: c1, location: {}, create: true}}", location);
    CHECK(plan_of(parts).cluster.machine_type.value == "n2-standard-2");
  }
  parts.cluster = "{name: c1, location: us-central2}";
  CHECK(plan_of(parts).cluster.machine_type.value.empty());
  CHECK(plan_of({.cluster = "{name: c1, location: us-east5, create: true}"})
            .cluster.machine_type.value.empty());
}

TEST_CASE("an accelerator label names the generation and the machine types that have it") {
  CHECK(plan_of({.tpu = "{type: tpu-v6e-slice, topology: 4x4}"}).tpu.generation == "v6e");
  const std::string v3 = "{name: c1, location: us-central1}";
  const std::string zone = "{model: on-demand, zones: [us-central1-a]}";
  CHECK(
      plan_of({.cluster = v3, .tpu = "{type: tpu-v3-device, topology: 2x2}", .provisioning = zone})
          .tpu.machine->name == "ct3-hightpu-4t");
  CHECK(
      findings({.cluster = v3, .tpu = "{type: tpu-v3-device, topology: 4x4}", .provisioning = zone})
          .size() == 1);
}

TEST_CASE("reservations in parts") {
  const auto reservation = [](const std::string& path) {
    return plan_of({.provisioning =
                        "{model: reservation, zones: [us-east5-b], reservation: " + path + "}"})
        .provisioning.reservation.value();
  };
  CHECK((reservation("r1").name == "r1" && reservation("r1").project.empty() &&
         reservation("r1").block.empty()));
  const Reservation shared =
      reservation("projects/p1/reservations/r1/reservationBlocks/b1/reservationSubBlocks/s1");
  CHECK((shared.name == "r1" && shared.project == "p1" && shared.block == "b1" &&
         shared.sub_block == "s1"));
  CHECK(shared.path == "projects/p1/reservations/r1/reservationBlocks/b1/reservationSubBlocks/s1");
  CHECK(reservation("r1/reservationBlocks/b1").block == "b1");
}

TEST_CASE(
    "selectors of one's own are labels of the nodes, unless their domain is Google's or "
    "Kubernetes' own") {
  const auto labels = [](const std::string& selectors) {
    return plan_of({.workload = "{image: x, nodeSelector: " + selectors + "}"})
        .provisioning.node_labels;
  };
  CHECK(labels("{b: \"2\", a: \"1\", example.com/x: y}") == "a=1,b=2,example.com/x=y");
  CHECK(labels("{topology.kubernetes.io/zone: us-east5-b, kubernetes.io/arch: amd64, "
               "cloud.google.com/gke-x: y, x.k8s.io/a: b}")
            .empty());
  CHECK(labels("{notgoogle.com/a: b, mykubernetes.io/c: d}") ==
        "mykubernetes.io/c=d,notgoogle.com/a=b");
}

// Versions are compared by their numbers, not as text.
TEST_CASE("a stated version that is too old for what is used") {
  const auto with = [](const std::string& version, const std::string& model = "flex-start") {
    return findings({.cluster = "{name: c1, location: us-east5, version: " + version + "}",
                     .provisioning = "{model: " + model + ", zones: [us-east5-b]}"});
  };
  CHECK(with("1.33.0-gke.1712000") == Lines{});
  CHECK(with("1.33.0-gke.1712001") == Lines{});
  CHECK(with("1.33.1-gke.1") == Lines{});
  CHECK(with("1.34.0-gke.1000") == Lines{});
  CHECK(with("\"1.34\"") == Lines{});
  CHECK(with("1.33.0-gke.900000") ==
        Lines{"FS3014 v6e 1.33.0-gke.1712000 `cluster.version` 1.33.0-gke.900000 2025-12"});
  CHECK(with("1.33.0-gke.900000", "spot") == Lines{});
  CHECK(with("1.9.9-gke.99999999", "spot").size() == 1);
  CHECK(with("\"1.33\"").size() == 1);
}

TEST_CASE("two needs that are not met are one finding") {
  const Lines lines = findings({.cluster = "{name: c1, location: us-east5, version: 1.20.0-gke.1}",
                                .tpu = "{type: v6e, topology: 4x4, slices: 2}",
                                .provisioning = "{zones: [us-east5-b]}"});
  REQUIRE(lines.size() == 1);
  CHECK(lines[0].starts_with("FS3014 v6e 1.33.0-gke.1712000"));
  CHECK(lines[0].find(" 1.27.4-gke.900") != std::string::npos);
}

// v5p-8 is 4 chips, v6e-8 is 8.
TEST_CASE("names that count cores or chips") {
  const auto type = [](const std::string& name) {
    return findings({.tpu = "{type: " + name + ", topology: 4x4}"});
  };
  CHECK(type("v5p-8") == Lines{"FS3015 `v5p-8` 8 2 4 2x2x1 4 1 `type: v5p` `topology: 2x2x1`"});
  REQUIRE(type("v6e-8").size() == 1);
  CHECK(type("v6e-8")[0].starts_with("FS3015 `v6e-8` `v6e-8` 8"));
  CHECK(type("v6e-8")[0].find("2x4") != std::string::npos);
  CHECK(type("v5litepod-16")[0].ends_with(" `type: v5e` `topology: 4x4`"));
  CHECK(type("v4-32")[0].ends_with(" `type: v4` `topology: 2x2x4`"));
  CHECK(type("tpu7x-16")[0].starts_with("FS3015 `tpu7x-16` 16 2 8"));
  CHECK(type("v5p-7")[0].starts_with("FS3015"));
  CHECK(type("v5p-x")[0].starts_with("FS3001"));
  CHECK(findings({.tpu = "{type: v6e, topology: v6e-16}"})[0].starts_with("FS3015 `v6e-16`"));
}

TEST_CASE("numbers that contradict the derived ones show the sum") {
  CHECK(findings({.provisioning = "{zones: [us-east5-b], maxNodes: 2}"}) ==
        Lines{"FS4001 2 4 4x4 16 16 4 ct6e-standard-4t 4 0 4 `maxNodes`"});
  CHECK(findings({.provisioning = "{zones: [us-east5-b], maxNodes: 4}"}) == Lines{});
}

TEST_CASE("names against their limits, part by part") {
  const std::string thirty_five(35, 'n');
  CHECK(findings({.name = thirty_five}) == Lines{});
  CHECK(findings({.name = thirty_five + "n"}) ==
        Lines{"FS4005 `" + thirty_five + "n-pool` 41 40 36 `-pool` 5 41 1 `" + thirty_five + "n`"});
  CHECK(findings({.name = thirty_five, .tpu = "{type: v6e, topology: 4x4, slices: 2}"})[0].find(
            " 35 `-pool` 5 2 42") != std::string::npos);
  const std::string pool = ", nodePool: short, zones: [us-east5-b]}";
  CHECK(findings({.name = std::string(61, 'n'), .provisioning = "{model: spot" + pool}) == Lines{});
  CHECK(findings({.name = std::string(62, 'n'), .provisioning = "{model: spot" + pool})[0].find(
            " 62 2 64") != std::string::npos);
}

TEST_CASE("lifetimes have bounds, and a deadline is held against them") {
  const auto lives = [](const std::string& duration) {
    return findings({.provisioning = "{zones: [us-east5-b], maxRunDuration: " + duration + "}"});
  };
  CHECK(lives("10m") == Lines{});
  CHECK(lives("7d") == Lines{});
  CHECK(lives("599s") == Lines{"FS4009 599s 10m 7d"});
  CHECK(lives("6d24h1s")[0].starts_with("FS4009"));
  const Lines late = findings({.provisioning = "{zones: [us-east5-b], maxRunDuration: 2h}",
                               .workload = "{image: x, activeDeadline: 3h}"});
  CHECK(late == Lines{"FS4143 `activeDeadline` 3h 6h 2h 8h `provisioning.maxRunDuration` 6h"});
  CHECK(findings({.provisioning = "{model: spot, zones: [us-east5-b], maxRunDuration: 2h}"})[0]
            .starts_with("FS4010"));
}

TEST_CASE("values that were reported are not reported again") {
  CHECK(findings({.cluster = "{name: c1, location: nowhere}"}).size() == 1);
  CHECK(findings({.cluster = "{name: C1, location: us-east5, mode: manual}"}).size() == 2);
  CHECK(findings({.tpu = "{type: v9, topology: 3x3}"}).size() == 1);
  CHECK(findings({.tpu = "{type: v6e, topology: 3x3, slices: 2}"}).size() == 1);
  CHECK(findings({.provisioning =
                      "{model: magic, zones: [us-east5-b], reservation: r, maxRunDuration: 1s}"})
            .size() == 1);
  CHECK(findings({.name = "Bad_Name", .tpu = "{type: v6e, topology: 4x4, slices: 2}"}).size() == 1);
}

TEST_CASE("what is missing is said, each thing by itself") {
  CHECK(findings({.cluster = "{}"}).size() == 1);
  const auto on_autopilot = [](const std::string& more) {
    return findings({.cluster = "{mode: autopilot" + more + "}",
                     .provisioning = "{}",
                     .workload = "{image: busybox, resources: {ephemeral-storage: 1Gi}}"});
  };
  CHECK(on_autopilot("") == Lines{});
  CHECK(on_autopilot(", create: true").size() == 1);
  CHECK(on_autopilot(", name: a1").size() == 1);
}

TEST_CASE("what compile only passes on to pools is one word each") {
  CHECK(!built_in().pool_flags.empty());
  for (const catalog::PoolFlag& row : built_in().pool_flags) {
    INFO(row.field);
    const schema::Field* field = schema::TableOf<spec::Provisioning>::table.find(row.field);
    REQUIRE(field != nullptr);
    const schema::Category category = field->type->category;
    CHECK((category == schema::Category::text || category == schema::Category::integer ||
           category == schema::Category::flag));
  }
}

}  // namespace
}  // namespace flexslice::plan
