#include "../catch.hpp"
#include "../property/compiled.hpp"
#include "resolve/requests.hpp"

namespace flexslice::resolve {
namespace {

// `cpu 1500m, memory 2Gi`.
std::string text(const Requests& requests) {
  std::string all;
  for (const auto& [name, quantity] : requests)
    all += (all.empty() ? "" : ", ") + name + " " + quantity.text();
  return all;
}

std::string of(std::string_view pod) { return text(pod_requests(law::documents(pod).at(0))); }

TEST_CASE("containers count together, and a limit without a request is a request") {
  CHECK(of("containers:\n"
           "  - {resources: {requests: {cpu: 500m, memory: 1Gi}}}\n"
           "  - {resources: {limits: {cpu: 2, memory: 512Mi}, requests: {cpu: 1}}}\n"
           "  - {image: i}\n") == "cpu 1500m, memory 1536Mi");
  CHECK(of("containers: []\n").empty());
}

TEST_CASE("resources come in one order, the usual ones first") {
  CHECK(of("containers:\n"
           "  - {resources: {limits: {b.example/x: 1, google.com/tpu: 4, a.example/x: 1, "
           "ephemeral-storage: 1Gi, cpu: 1}}}\n") ==
        "cpu 1, ephemeral-storage 1Gi, google.com/tpu 4, a.example/x 1, b.example/x 1");
}

// As in Kubernetes' description of sidecars: what init containers take at one time, or what runs
// afterwards, whichever is more.
TEST_CASE("an init container counts where it takes more than what runs afterwards") {
  constexpr std::string_view containers =
      "containers:\n  - {resources: {requests: {cpu: 2, memory: 4Gi}}}\ninitContainers:\n";
  const auto with = [&](std::string_view init) {
    return of(std::string(containers) + std::string(init));
  };
  CHECK(with("  - {resources: {requests: {cpu: 1, memory: 1Gi}}}\n") == "cpu 2, memory 4Gi");
  CHECK(with("  - {resources: {requests: {cpu: 3, memory: 1Gi}}}\n") == "cpu 3, memory 4Gi");
  // One after the other: they do not add up.
  CHECK(with("  - {resources: {requests: {cpu: 3}}}\n  - {resources: {limits: {cpu: 4}}}\n") ==
        "cpu 4, memory 4Gi");
  CHECK(with("  - {resources: {requests: {ephemeral-storage: 10Gi}}}\n") ==
        "cpu 2, memory 4Gi, ephemeral-storage 10Gi");
}

TEST_CASE("a sidecar counts beside the containers, and beside the init containers after it") {
  constexpr std::string_view containers =
      "containers:\n  - {resources: {requests: {cpu: 2}}}\ninitContainers:\n";
  constexpr std::string_view sidecar =
      "  - {restartPolicy: Always, resources: {requests: {cpu: 1}}}\n";
  constexpr std::string_view init = "  - {resources: {requests: {cpu: 4}}}\n";
  const auto with = [&](std::initializer_list<std::string_view> list) {
    std::string pod(containers);
    for (std::string_view each : list) pod += each;
    return of(pod);
  };
  CHECK(with({sidecar}) == "cpu 3");
  CHECK(with({sidecar, sidecar}) == "cpu 4");
  CHECK(with({init, sidecar}) == "cpu 4");
  CHECK(with({sidecar, init}) == "cpu 5");
  CHECK(with({sidecar, init, sidecar}) == "cpu 5");
  CHECK(with({sidecar, sidecar, sidecar, init}) == "cpu 7");
}

}  // namespace
}  // namespace flexslice::resolve
