// What an object has of a spec knows where the spec says it.
#include <fmt/core.h>

#include <fstream>
#include <iterator>
#include <set>

#include "../catch.hpp"
#include "compiled.hpp"
#include "yaml/parse.hpp"

namespace flexslice::law {
namespace {

void add_places(const yaml::Value& value, std::set<Span>& places) {
  if (value.origin != Span{}) places.insert(value.origin);
  for (const yaml::Value& item : value.items) add_places(item, places);
  for (const auto& [key, member] : value.members) add_places(member, places);
}

// The paths of the scalars that no object has from their place.
void add_lost(const yaml::Node& node, const std::string& path, const std::set<Span>& places,
              std::set<std::string>& lost) {
  if (node.kind == yaml::Kind::scalar && !places.contains(node.span)) lost.insert(path);
  for (const yaml::Node& item : node.items) add_lost(item, path + "[]", places, lost);
  for (const yaml::Member& member : node.members)
    add_lost(member.value, path + "." + member.key.text, places, lost);
}

std::set<std::string> lost_of(const std::string& example) {
  const std::string path = std::string(FLEXSLICE_SOURCE_DIR) + "/examples/" + example;
  std::ifstream file(path + "/spec.yaml");
  Sources sources;
  sources.add({"spec.yaml", {std::istreambuf_iterator<char>(file), {}}, 1});
  const Compiled compiled = flexslice::compile({sources, 0, {}, {}}, facts(), built_in_templates(),
                                               {.emit = {}, .objects = true});
  INFO(example);
  REQUIRE(compiled.ok);
  std::set<Span> places;
  for (const yaml::Value& object : compiled.objects) add_places(object, places);
  diag::Sink unused;
  std::set<std::string> lost;
  add_lost(*yaml::parse(sources, 0, unused)->find("workload"), "workload", places, lost);
  return lost;
}

using Paths = std::set<std::string>;

// What others are derived of is in none: the kind, a flag that is false, and what becomes a word or
// a product.
TEST_CASE("what an object has of the workload knows its place") {
  const std::string kind = "workload.kind";
  CHECK(lost_of("everything") == Paths{kind, "workload.hostNetwork"});
  CHECK(lost_of("serve-with-router") == Paths{kind, "workload.leader.tpu"});
  CHECK(lost_of("ray-fine-tune") == Paths{kind, "workload.script"});
  CHECK(lost_of("nightly") == Paths{});
  CHECK(lost_of("pathways") ==
        Paths{kind, "workload.pathways.elasticSlices", "workload.pathways.gcsLocation",
              "workload.pathways.maxSliceRestarts", "workload.pathways.version"});
  CHECK(lost_of("autoscaling") == Paths{kind, "workload.autoscaling.max",
                                        "workload.autoscaling.metric", "workload.autoscaling.min",
                                        "workload.autoscaling.target"});
}

}  // namespace
}  // namespace flexslice::law
