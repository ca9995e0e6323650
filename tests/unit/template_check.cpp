// What is found in templates before they are used, and the set of them.
#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "../catch.hpp"
#include "backend/template/template.hpp"
#include "base/text.hpp"
#include "gist.hpp"
#include "plan/plan.hpp"
#include "yaml/parse.hpp"

namespace flexslice::templates {
namespace {

using Lines = std::vector<std::string>;

// Each finding as `line:column FS9302 message (help)`.
Lines findings(const std::string& text) {
  Sources sources;
  sources.add({"template", text, 1});
  diag::Sink sink;
  const auto node = yaml::parse(sources, 0, sink);
  REQUIRE(node);
  Set set;
  set.override_with("test/it", *node);
  check(set, "test/it", Scope{{}, schema::type_of<plan::Plan>()}, sink);
  Lines lines;
  for (const diag::Diagnostic& each : sink.take()) {
    const Position at = sources.position(each.where);
    std::string line =
        fmt::format("{}:{} {} {}", at.line, at.column, diag::code_text(each.code), each.message);
    for (const std::string& help : each.helps) line += " (" + help + ")";
    lines.push_back(test::gist(line));
  }
  return lines;
}

TEST_CASE("known paths are fine") {
  CHECK(findings("a: ${name}\nb: x${tpu.hosts}y${?cluster.name}\nc: ${cluster}\n") == Lines{});
  CHECK(findings("a: {$when: cluster.name, b: 1}\nc: {$when: \"!name\", d: 1}\n$merge: [cluster, "
                 "labels.all]\n") == Lines{});
  CHECK(findings("a: ${?workload.securityContext.anything.below}\nb: $(x) ${\n") == Lines{});
}

TEST_CASE("unknown paths are found wherever they are") {
  CHECK(findings("a: ${nam}\n") == Lines{"1:4 FS9302 `nam` `name`"});
  CHECK(findings("a:\n  - --n=${tpu.host}\n") == Lines{"2:5 FS9302 `tpu.host` `tpu.hosts`"});
  CHECK(findings("a: {$when: \"!zzz\", b: 1}\n") == Lines{"1:12 FS9302 `zzz`"});
  CHECK(findings("$merge: qqq\n") == Lines{"1:9 FS9302 `qqq`"});
  CHECK(findings("$merge: [name, qqq]\n") == Lines{"1:16 FS9302 `qqq`"});
  CHECK(findings("a: {$value: \"${qqq}\"}\n") == Lines{"1:13 FS9302 `qqq`"});
  CHECK(findings("a: ${}\n") == Lines{"1:4 FS9302 ``"});
  CHECK(findings("- $each: p in zzz\n  a: ${p.x}\n") == Lines{"1:10 FS9302 `zzz`"});
  CHECK(findings("a: ${name.below}\n") == Lines{"1:4 FS9302 `name.below`"});
  CHECK(findings("a: ${test/other}\n") == Lines{"1:4 FS9302 `test/other`"});
}

TEST_CASE("elements of lists have known paths, too") {
  CHECK(findings("- $each: p in pools\n  a: ${p.nodes}\n  b: ${?p.tpuTopology}\n") == Lines{});
  CHECK(findings("- $each: p in pools\n  a: ${?p.tpuToplogy}\n") ==
        Lines{"2:6 FS9302 `p.tpuToplogy` `p.tpuTopology`"});
  CHECK(findings("- $each: v in workload.volumes\n  a: ${v.nmae}\n") ==
        Lines{"2:6 FS9302 `v.nmae` `v.name`"});
}

TEST_CASE("a value that may be absent is marked, or is behind a condition") {
  const auto complaint = [](const std::string& what, const std::string& path) {
    return "FS9301 `" + what + "` `${?" + path + "}` `$when: " + what + "`";
  };
  CHECK(findings("a: ${cluster.project}\n") ==
        Lines{"1:4 " + complaint("cluster.project", "cluster.project")});
  CHECK(findings("a: --x=${cluster.project}\n").size() == 1);
  CHECK(findings("a: ${provisioning.reservation.name}\n") ==
        Lines{"1:4 " + complaint("provisioning.reservation", "provisioning.reservation.name")});
  CHECK(findings("$when: provisioning.reservation\na: ${provisioning.reservation.name}\n") ==
        Lines{});
  CHECK(findings("a: {$when: cluster.project, b: [{c: \"${cluster.project}\"}]}\n") == Lines{});
  CHECK(findings("a: {$when: \"!cluster.project\", b: \"${cluster.project}\"}\n").size() == 1);
  CHECK(findings("a: ${labels}\n") == Lines{"1:4 " + complaint("labels", "labels")});
}

TEST_CASE("a template within itself ends, also after a name that does not exist") {
  const Lines found = findings("a: ${test/none}\nb: ${test/it}\n");
  REQUIRE_FALSE(found.empty());
  CHECK(std::count_if(found.begin(), found.end(), [](const auto& each) {
          return each.find("FS9301 `test/it`") != std::string::npos;
        }) == 1);
}

TEST_CASE("a bound name is known in its item only") {
  CHECK(findings("- $each: p in pools\n  a: ${p.name}\n  b: [{c: \"${p}\"}]\n  $when: p.nodes\n") ==
        Lines{});
  CHECK(
      findings(
          "- $each: p in pools\n  a:\n    - $each: q in policies\n      b: ${p.name}${q.name}\n") ==
      Lines{});
  CHECK(findings("- $each: p in pools\n  a: 1\n- ${p.name}\n").size() == 1);
}

TEST_CASE("keys of templates' own") {
  CHECK(findings("a: {$if: name}\n").size() == 1);
  CHECK(findings("a: {$if: name}\n")[0].starts_with(
      "1:10 FS9301 `$if` `$when` `$each` `$key` `$with`"));
  for (const char* loop : {"x", "x in", "in pools", "x of pools", "''"}) {
    CAPTURE(loop);
    CHECK(findings(std::string("- $each: ") + loop + "\n  a: 1\n") ==
          Lines{"1:10 FS9301 `$each` `NAME in PATH`"});
  }
  CHECK(findings("a: {$with: w in workload, $value: \"${w.image}\"}\n") == Lines{});
  CHECK(findings("a: {$with: w in workload, $value: \"${w.none}\"}\n").size() == 1);
  CHECK(findings("a: {$with: workload, $value: 1}\n").size() == 1);
  CHECK(findings("a: {$with: w in workload, b: 1}\n").size() == 1);
  CHECK(findings("a: {$each: p in pools, $key: \"${p.name}\", b: \"${p.name}\"}\n") == Lines{});
  CHECK(findings("a: {$each: p in pools, $key: \"${p.none}\", b: 1}\n").size() == 1);
  CHECK(findings("a: {$key: \"${name}\", b: 1}\n").size() == 1);
}

yaml::Node node(const std::string& text) {
  yaml::Node made;
  made.kind = yaml::Kind::scalar;
  made.text = text;
  return made;
}

TEST_CASE("a set has the built-in templates under what was put on top") {
  Set set;
  CHECK(set.find("kubernetes/job"));
  CHECK(set.find("gcloud/list-pool"));
  CHECK_FALSE(set.find("kubernetes/job.yaml"));
  CHECK_FALSE(set.find("gcloud/none"));
  const std::size_t built_in = set.names("gcloud/").size();
  CHECK(built_in >= 5);
  set.override_with("gcloud/list-pool", node("first"));
  set.override_with("gcloud/list-pool", node("second"));
  set.override_with("gcloud/lease", node("lease"));
  CHECK(set.find("gcloud/list-pool").text() == "second");
  CHECK(set.find("gcloud/lease").text() == "lease");
  const auto names = set.names("gcloud/");
  CHECK(names.size() == built_in + 1);
  CHECK(std::is_sorted(names.begin(), names.end()));
}

}  // namespace
}  // namespace flexslice::templates
