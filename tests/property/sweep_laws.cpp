// Points of a sweep: their names are valid and unique, and stay when a value is added at the end; a
// matrix of one point is that spec.
#include <fmt/core.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "base/text.hpp"
#include "compiled.hpp"
#include "schema/pattern.hpp"

namespace flexslice::law {
namespace {

constexpr std::string_view spec = R"(apiVersion: flexslice/v1
name: {}
labels: {{flexslice-sweep: tune}}
cluster: {{name: c, location: us-east5}}
tpu: {{type: v6e, topology: {}}}
provisioning: {{zones: [us-east5-b], nodePool: shared, maxNodes: 9}}
workload: {{image: busybox, env: {{LR: "{}"}}}}
{})";

std::string tune(std::string_view name, std::string_view topology, std::string_view rate,
                 std::string_view more) {
  return fmt::format(fmt::runtime(spec), name, topology, rate, more);
}

std::vector<Compiled> points_of(std::string text, const std::vector<Emit>& emit) {
  Sources sources;
  sources.add({"spec.yaml", std::move(text), 1});
  std::vector<Compiled> all =
      compile_all({sources, 0, {}, {}}, facts(), built_in_templates(), {.emit = emit});
  for (const diag::Diagnostic& finding : take_findings(all)) FAIL(finding.message);
  return all;
}

// Values that look alike in a name, or cannot be in one.
const std::vector<std::string> odd = {
    "0.1",  "0-1", "0_1", "",    "-",    ".",    "1",
    "2",    "3",   "é",   "A",   "a",    "a-b",  "b",
    "a--b", "--",  "x1",  "4-x", "lr-1", "tune", std::string(60, 'y'),
    "z\\n"};

std::string list_of(std::size_t size) {
  std::string list;
  for (std::size_t i = 0; i < size; ++i)
    list += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", odd[i]);
  return list;
}

std::map<std::string, std::string> names(std::string_view name, std::size_t rates,
                                         std::size_t batches) {
  const std::string matrix =
      fmt::format("matrix: {{vary: {{workload.env.LR: [{}], \"workload.env.BATCH\": [{}]}}}}\n",
                  list_of(rates), list_of(batches));
  std::map<std::string, std::string> by_values;
  std::set<std::string> all;
  for (const Compiled& point : points_of(tune(name, "2x2", "", matrix), {})) {
    if (point.values.empty()) continue;
    INFO(point.values << " is " << point.name);
    CHECK(schema::matches(schema::Pattern::workload_name, point.name));
    CHECK(point.name.size() <= std::max<std::size_t>(35, name.size() + 10));
    CHECK(all.insert(point.name).second);
    by_values[point.values] = point.name;
  }
  CHECK(by_values.size() == rates * batches);
  return by_values;
}

TEST_CASE("names of points are valid, unique, and stay when a value is added", "[property]") {
  for (std::string_view name : {"t", "tune", "a-name-of-thirty-two-characters-"}) {
    const std::string whole = std::string(name) + (name.ends_with('-') ? "x" : "");
    auto before = names(whole, 1, 1);
    for (std::size_t size = 4; size <= odd.size(); size += 9) {
      for (const auto& [rates, batches] : {std::pair(size, size - 1), std::pair(size, size)}) {
        auto after = names(whole, rates, batches);
        for (const auto& [values, kept] : before) CHECK(after[values] == kept);
        before = std::move(after);
      }
    }
  }
}

TEST_CASE("a matrix of one point is that spec", "[property]") {
  const std::vector<Emit> emit = {Emit::manifests};
  for (std::string_view topology : {"1x1", "2x2", "4x4"}) {
    const std::string max = topology == "4x4" ? "4" : "9";
    const auto with = [&](std::string text) {
      text.replace(text.find("maxNodes: 9") + 10, 1, max);
      return text;
    };
    const auto sweep = points_of(
        with(tune(
            "tune", "1x1", "0",
            fmt::format("matrix: {{vary: {{workload.env.LR: [\"0.1\"], tpu.topology: [{}]}}}}\n",
                        topology))),
        emit);
    REQUIRE(sweep.size() == 2);
    const Case alone = compile(with(tune(sweep[0].name, topology, "0.1", "")));
    CHECK(alone.findings().empty());
    CHECK(sweep[0].artifacts.at(0).text == alone.text(Emit::manifests));
  }
}

TEST_CASE("steps of several documents are united in an order that suits each", "[property]") {
  const auto step = [](std::string_view title) {
    yaml::Value value;
    value["title"] = yaml::Value::string(title);
    return value;
  };
  const auto list = [&](std::initializer_list<std::string_view> titles) {
    yaml::Value value = yaml::Value::sequence();
    for (std::string_view title : titles) value.push(step(title));
    return value;
  };
  yaml::Value all = list({"log in", "job a", "pool x", "look"});
  yaml::unite(all, list({"log in", "job b", "pool x", "look"}));
  yaml::unite(all, list({"log in", "job c", "pool y", "look", "policy"}));
  std::vector<std::string> titles;
  for (const yaml::Value& each : all.items) titles.emplace_back(each.text_at({"title"}));
  CHECK(titles == std::vector<std::string>{"log in", "job a", "job b", "pool x", "job c", "pool y",
                                           "look", "policy"});
}

}  // namespace
}  // namespace flexslice::law
