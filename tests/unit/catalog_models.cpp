#include <string>
#include <vector>

#include "../catch.hpp"
#include "catalog/catalog.hpp"

using namespace flexslice::catalog;

namespace {

const Catalog& facts() {
  static const Catalog catalog = built_in();
  return catalog;
}

// y: supported, ?: doubtful, n: not supported, or not known.
std::string matrix(std::string_view model) {
  std::string row;
  for (const char* id : {"v3", "v4", "v5e", "v5p", "v6e", "tpu7x"}) {
    const Support* support = find_support(*find_model(facts(), model), id);
    REQUIRE(support != nullptr);
    row += !support->supported ? 'n' : support->evidence.confidence == Confidence::low ? '?' : 'y';
  }
  return row;
}

std::string_view since(std::string_view model, std::string_view generation) {
  return find_support(*find_model(facts(), model), generation)->since;
}

std::string_view minimum(List<Minimum> minimums, std::string_view mode) {
  const Minimum* found = find_minimum(minimums, flexslice::FromWord{mode});
  return found == nullptr ? std::string_view() : found->version;
}

}  // namespace

TEST_CASE("which generations have which model", "[catalog]") {
  CHECK(facts().models.size() == 5);
  CHECK(matrix("flex-start") == "nnyyyy");
  CHECK(matrix("flex-start-queued") == "nnyyyy");
  CHECK(matrix("spot") == "yyyyyy");
  CHECK(matrix("on-demand") == "yyyyyy");
  CHECK(matrix("reservation") == "?yyyyy");
  CHECK(find_support(*find_model(facts(), "flex-start"), "v4")->evidence.confidence ==
        Confidence::high);
  const Evidence& queued = find_support(*find_model(facts(), "flex-start-queued"), "v6e")->evidence;
  CHECK(queued.confidence == Confidence::medium);
  CHECK(std::string_view(queued.note).find("rejected TPUs") != std::string_view::npos);
}

TEST_CASE("which generations need to be on an allowlist", "[catalog]") {
  const auto access = [](std::string_view model, std::string_view generation) {
    return find_support(*find_model(facts(), model), generation)->access;
  };
  for (const char* model : {"flex-start", "flex-start-queued", "spot"}) {
    INFO(model);
    CHECK(access(model, "tpu7x") == Access::allowlist);
    CHECK_FALSE(access(model, "v6e").has_value());
  }
  for (const char* model : {"on-demand", "reservation"})
    CHECK_FALSE(access(model, "tpu7x").has_value());
}

TEST_CASE("what the models are like", "[catalog]") {
  const Model& flex_start = *find_model(facts(), "flex-start");
  CHECK(flex_start.nodes == FirstNodes::none);
  CHECK(flex_start.quota == QuotaKind::preemptible);
  CHECK(flex_start.min_run_seconds == 600);
  CHECK(flex_start.max_run_seconds == 604800);
  CHECK(flex_start.default_run_seconds == 604800);
  CHECK(flex_start.flex_start);
  CHECK(flex_start.takes_run_duration);
  for (const char* name : {"spot", "on-demand", "reservation"}) {
    INFO(name);
    const Model& model = *find_model(facts(), name);
    CHECK_FALSE(model.takes_run_duration);
    CHECK(model.min_run_seconds == 30);
    CHECK(model.max_run_seconds == std::int64_t{120} * 24 * 3600);
    CHECK(model.default_run_seconds == 0);
  }
  CHECK(find_model(facts(), "flex-start-queued")->max_run_seconds == 604800);
  CHECK(find_model(facts(), "reservation")->takes_reservation);
  CHECK(find_model(facts(), "on-demand")->nodes == FirstNodes::all);
  CHECK(find_model(facts(), "flexstart") == nullptr);
}

TEST_CASE("minimum versions", "[catalog]") {
  CHECK(since("flex-start", "v5e") == "1.33.0-gke.1712000");
  CHECK(since("flex-start", "v5p") == "1.33.0-gke.1712000");
  CHECK(since("flex-start", "v6e") == "1.33.0-gke.1712000");
  CHECK(since("flex-start", "tpu7x") == "1.34.0-gke.2201000");
  const auto generation = [](const char* id) { return find_generation(facts(), id)->minimums; };
  CHECK(minimum(generation("v6e"), "standard") == "1.31.2-gke.1115000");
  CHECK(minimum(generation("tpu7x"), "standard") == "1.34.0-gke.2201000");
  CHECK(minimum(generation("tpu7x"), "autopilot") == "1.34.1-gke.3084001");
  for (const char* id : {"v3", "v4", "v5e", "v5p"})
    CHECK(find_minimum(generation(id), MinimumMode::standard)->evidence.confidence ==
          Confidence::low);
  const std::vector<std::pair<const char*, std::string_view>> auto_created = {
      {"v3", "1.31.0"},  {"v4", "1.29.0"},  {"v5e", "1.29.0"},
      {"v5p", "1.29.0"}, {"v6e", "1.32.0"}, {"tpu7x", "1.34.1-gke.2541000"}};
  for (const auto& [id, version] : auto_created)
    CHECK(minimum(generation(id), "auto-created") == version);
  const auto feature = [](const char* name) { return find_feature(facts(), name)->minimums; };
  CHECK(minimum(feature("multislice"), "standard") == "1.27.4-gke.900");
  CHECK(minimum(feature("multislice"), "autopilot") == "1.29.2-gke.1521000");
  CHECK(minimum(feature("autopilot"), "autopilot") == "1.32.3-gke.1927000");
  CHECK(minimum(feature("autopilot"), "standard").empty());
  CHECK(minimum(feature("calendar-reservation"), "standard") == "1.28.3-gke.1098000");
  CHECK(minimum(feature("calendar-reservation"), "autopilot") == "1.30.3-gke.1451000");
  CHECK(minimum(feature("accelerator-network-profile"), "standard") == "1.34.1-gke.1829001");
  CHECK(minimum(feature("compute-class-tpu"), "standard") == "1.31.2-gke.1518000");
}

TEST_CASE("ports", "[catalog]") {
  REQUIRE(facts().ports.size() == 5);
  CHECK((facts().ports[0].number == 8471 && facts().ports[0].when == PortUse::always &&
         facts().ports[0].per == PortOwner::container));
  CHECK((facts().ports[1].number == 8431 && facts().ports[1].when == PortUse::always &&
         facts().ports[1].per == PortOwner::chip));
  CHECK((facts().ports[2].number == 8080 && facts().ports[2].when == PortUse::multislice));
  CHECK((facts().ports[3].number == 8482 && facts().ports[3].when == PortUse::jax));
  CHECK((facts().ports[4].number == 8476 && facts().ports[4].when == PortUse::jax));
}

TEST_CASE("what GKE requests by default", "[catalog]") {
  REQUIRE(facts().default_requests.size() == 1);
  const DefaultRequest& request = facts().default_requests[0];
  CHECK((request.resource == "ephemeral-storage" && request.mode == ClusterMode::autopilot &&
         request.quantity == "1Gi"));
}

// From the release notes of gcloud and the command definitions of each version.
TEST_CASE("flags that came after the profile's gcloud", "[catalog]") {
  struct Flag {
    const char* command;
    const char* name;
    const char* before;
    const char* since;
  };
  const char* pool = "container node-pools create";
  const char* policy = "compute resource-policies create workload-policy";
  for (const Flag& flag : {Flag{pool, "--autoscaled-rollout-policy", "542.0.0", "543.0.0"},
                           Flag{pool, "--node-drain-grace-period-seconds", "550.0.0", "551.0.0"},
                           Flag{pool, "--consolidation-delay", "558.0.0", "559.0.0"},
                           Flag{pool, "--accelerator-network-profile", "562.0.0", "563.0.0"},
                           Flag{pool, "--subnetwork", "565.0.0", "566.0.0"},
                           Flag{policy, "--accelerator-topology-mode", "566.0.0", "567.0.0"}}) {
    INFO(flag.name);
    CHECK_FALSE(gcloud_knows(facts(), flag.command, flag.name));
    CHECK_FALSE(gcloud_knows(facts(), flag.command, flag.name, flag.before));
    CHECK(gcloud_knows(facts(), flag.command, flag.name, flag.since));
    CHECK(gcloud_knows(facts(), flag.command, flag.name, "588.0.0"));
  }
  CHECK(find_later_flag(facts(), pool, "--reservation-affinity=any-reservation-then-fail")->since ==
        "575.0.0");
  CHECK(facts().gcloud.newest == "588.0.0");
}

TEST_CASE("flags that gcloud knows", "[catalog]") {
  const char* create = "container node-pools create";
  for (const char* flag : {"--flex-start",
                           "--enable-autoscaling",
                           "--num-nodes",
                           "--min-nodes",
                           "--max-nodes",
                           "--reservation-affinity",
                           "--reservation",
                           "--no-enable-autorepair",
                           "--location-policy",
                           "--tpu-topology",
                           "--placement-policy",
                           "--max-run-duration",
                           "--machine-type",
                           "--node-locations",
                           "--cluster",
                           "--location",
                           "--spot",
                           "--enable-queued-provisioning",
                           "--node-labels",
                           "--labels",
                           "--project",
                           "--quiet",
                           "--format"}) {
    INFO(flag);
    CHECK(gcloud_knows(facts(), create, flag));
  }
  for (const char* flag : {"--accelerator-network-profile", "--node-drain-grace-period-seconds",
                           "--flex", "", "--flex-start --spot"}) {
    INFO(flag);
    CHECK_FALSE(gcloud_knows(facts(), create, flag));
  }
  CHECK_FALSE(gcloud_knows(facts(), "container clusters create", "--flex-start"));
  CHECK_FALSE(gcloud_knows(facts(), "container clusters create-auto", "--num-nodes"));
  CHECK_FALSE(gcloud_knows(facts(), "container node-pools destroy", "--cluster"));
  CHECK(gcloud_knows(facts(), "compute resource-policies create workload-policy",
                     "--accelerator-topology"));
  CHECK_FALSE(gcloud_knows(facts(), "compute resource-policies create workload-policy",
                           "--accelerator-topology-mode"));
  CHECK(find_later_flag(facts(), create, "--accelerator-network-profile") != nullptr);
  CHECK(find_later_flag(facts(), create, "--flex-start") == nullptr);
  CHECK(gcloud_knows(facts(), create, "--flex-start", "530.0.0"));
  CHECK_FALSE(gcloud_knows(facts(), create, "--flex-start", "400.0.0"));
}
