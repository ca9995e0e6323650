// What templates become: holes, `$when`, `$each`, `$merge`, `$value`, lists in lists, and what is
// dropped.
#include <memory>
#include <optional>
#include <string>

#include "../catch.hpp"
#include "backend/template/template.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"

namespace flexslice::templates {
namespace {

using yaml::Value;

yaml::Node parsed(const std::string& text) {
  Sources sources;
  sources.add({"template", text, 1});
  diag::Sink sink;
  auto node = yaml::parse(sources, 0, sink);
  REQUIRE(node);
  REQUIRE(sink.errors() == 0);
  return std::move(*node);
}

Set with(const std::string& name, const std::string& text) {
  Set set;
  set.override_with(name, parsed(text));
  return set;
}

const std::string plan = R"(
name: train
cluster: {name: c1, create: false, autopilot: true, project: ""}
tpu: {hosts: 4, request: "4", ratio: 1.5, none: ~}
labels: {team: a, "true": "1"}
empty: {map: {}, list: []}
zones: [a, b]
pools: [{name: p0, flags: [--x, --y]}, {name: p1, flags: []}, {name: p2, size: 7}]
list: [1, [2, 3], {k: v}]
)";

// The template as YAML, or `(dropped)`.
std::string expanded(const std::string& text, bool comments = false) {
  Value document = yaml::to_value(parsed(plan));
  document["tpu"]["hosts"].comment = "16 / 4";
  const Value value = expand(with("test/it", text), "test/it", Scope{{}, schema::ref(document)});
  return value.kind != Value::Kind::null ? yaml::emit(value, {.comments = comments}) : "(dropped)";
}

TEST_CASE("a hole that is all of a scalar has the value with its type") {
  CHECK(expanded("a: ${tpu.hosts}\nb: ${tpu.request}\nc: ${cluster.create}\nd: ${name}\n") ==
        "a: 4\nb: \"4\"\nc: false\nd: train\n");
  CHECK(expanded("a: \"${tpu.hosts}\"\n") == "a: 4\n");
  CHECK(expanded("a: ${labels}\nb: ${zones}\n") ==
        "a:\n  team: a\n  \"true\": \"1\"\nb:\n  - a\n  - b\n");
}

TEST_CASE("a hole in text gives text") {
  CHECK(expanded("a: --max-nodes=${tpu.hosts}\n") == "a: --max-nodes=4\n");
  CHECK(expanded("a: \"${tpu.hosts}${tpu.request}\"\n") == "a: \"44\"\n");
  CHECK(expanded("a: ${name}-${cluster.name}-x\n") == "a: train-c1-x\n");
  CHECK(expanded("a: $(date) $HOME ${ $\n") == "a: $(date) $HOME ${ $\n");
  CHECK(expanded("a: \"x${cluster.project}y\"\n") == "a: xy\n");
}

TEST_CASE("what has no value is dropped") {
  CHECK(expanded("a: ${nothing}\nb: 1\n") == "b: 1\n");
  CHECK(expanded("a: --x=${tpu.nothing}\nb: 1\n") == "b: 1\n");
  CHECK(expanded("a: ${tpu.none}\nb: ${name.below}\nc: ${tpu.hosts.below}\nd: 1\n") == "d: 1\n");
  CHECK(expanded("- ${nothing}\n- x\n- --flag=${nothing}\n") == "- x\n");
  CHECK(expanded("a: ${empty.map}\nb: ${empty.list}\nc: 1\n") == "c: 1\n");
  CHECK(expanded("a: ${cluster.project}\n") == "a: \"\"\n");
}

TEST_CASE("a collection that lost all its parts is dropped, one that had none stays") {
  CHECK(expanded("a: {b: {c: {d: \"${nothing}\"}}}\ne: 1\n") == "e: 1\n");
  CHECK(expanded("a: [[\"${nothing}\"]]\ne: 1\n") == "e: 1\n");
  CHECK(expanded("a: {}\nb: []\n") == "a: {}\nb: []\n");
  CHECK(expanded("a: {b: \"${nothing}\"}\n") == "(dropped)");
  CHECK(expanded("a: {$when: cluster.autopilot, b: \"${nothing}\"}\n") == "a: {}\n");
  CHECK(expanded("- {$when: cluster.create, b: 1}\n") == "(dropped)");
}

TEST_CASE("a condition holds for what is there and neither false nor empty") {
  const auto holds = [](const std::string& path) {
    return expanded("a: {$when: \"" + path + "\", b: 1}\nc: 2\n") == "a:\n  b: 1\nc: 2\n";
  };
  for (const char* path : {"cluster.autopilot", "name", "tpu.hosts", "labels", "zones",
                           "!cluster.create", "!nothing", "!empty.map"}) {
    CAPTURE(path);
    CHECK(holds(path));
  }
  for (const char* path : {"cluster.create", "!name", "nothing", "tpu.none", "empty.map",
                           "empty.list", "cluster.project", "!tpu.hosts"}) {
    CAPTURE(path);
    CHECK_FALSE(holds(path));
  }
}

TEST_CASE("each element gives an item") {
  CHECK(expanded("- $each: pool in pools\n  name: ${pool.name}\n  size: ${pool.size}\n") ==
        "- name: p0\n- name: p1\n- name: p2\n  size: 7\n");
  CHECK(expanded("a:\n  - first\n  - $each: pool in pools\n    $when: pool.size\n    k: "
                 "${pool.name}\n  - last\n") == "a:\n  - first\n  - k: p2\n  - last\n");
  CHECK(expanded("a:\n  - $each: x in nothing\n    b: ${x}\nc: 1\n") == "c: 1\n");
  CHECK(expanded("- $each: zone in zones\n  z: ${zone}\n  k: ${name}\n") ==
        "- z: a\n  k: train\n- z: b\n  k: train\n");
}

TEST_CASE("each element gives a member") {
  CHECK(
      expanded(
          "a: {$each: pool in pools, $key: \"x-${pool.name}\", size: \"${pool.size}\", k: 1}\n") ==
      "a:\n  x-p0:\n    k: 1\n  x-p1:\n    k: 1\n  x-p2:\n    size: 7\n    k: 1\n");
  CHECK(expanded("a: {$each: pool in pools, $key: \"${pool.name}\", $merge: labels}\n") ==
        "a:\n  p0:\n    team: a\n    \"true\": \"1\"\n  p1:\n    team: a\n    \"true\": \"1\"\n  "
        "p2:\n"
        "    team: a\n    \"true\": \"1\"\n");
  CHECK(expanded("a: {$each: x in nothing, $key: \"${x}\", b: 1}\nc: 1\n") == "c: 1\n");
}

TEST_CASE("a name is bound to one value") {
  CHECK(expanded("a: {$with: tpu in cluster, $value: [\"${tpu.name}\"]}\n") == "a:\n  - c1\n");
  CHECK(expanded("a: {$with: c in cluster, $value: {b: \"${c.name}\", d: \"${name}\"}}\n") ==
        "a:\n  b: c1\n  d: train\n");
  CHECK(expanded("a: {$with: x in nothing, $value: 1}\nb: 2\n") == "b: 2\n");
}

TEST_CASE("an inner name hides an outer one") {
  CHECK(expanded("- $each: name in zones\n  k: ${name}\n") == "- k: a\n- k: b\n");
  CHECK(expanded("- $each: pool in pools\n  flags:\n    - $each: flag in pool.flags\n      f: "
                 "${flag}\n      p: ${pool.name}\n") ==
        "- flags:\n    - f: --x\n      p: p0\n    - f: --y\n      p: p0\n");
}

TEST_CASE("a list in a list is spliced") {
  CHECK(expanded("- a\n- ${zones}\n- b\n") == "- a\n- a\n- b\n- b\n");
  CHECK(expanded("- ${list}\n") == "- 1\n- - 2\n  - 3\n- k: v\n");
  CHECK(expanded("- ${empty.list}\n- x\n") == "- x\n");
  CHECK(expanded("- [a, b]\n- [\"${nothing}\"]\n- c\n") == "- a\n- b\n- c\n");
}

TEST_CASE("merged members stand where they are merged, and each key once") {
  CHECK(expanded("a: 1\n$merge: labels\nb: 2\n") == "a: 1\nteam: a\n\"true\": \"1\"\nb: 2\n");
  CHECK(expanded("$merge: [labels, nothing, cluster]\n") ==
        "team: a\n\"true\": \"1\"\nname: c1\ncreate: false\nautopilot: true\nproject: \"\"\n");
  CHECK(expanded("x: {$merge: nothing}\nz: 1\n") == "z: 1\n");
  // Of a key that comes twice the later value counts, at the place of the first.
  CHECK(expanded("$merge: labels\nteam: mine\n") == "team: mine\n\"true\": \"1\"\n");
  CHECK(expanded("team: mine\n$merge: labels\n") == "team: a\n\"true\": \"1\"\n");
  CHECK(expanded("$merge: labels\nteam: ${nothing}\n") == "team: a\n\"true\": \"1\"\n");
}

TEST_CASE("a value in place of a mapping") {
  CHECK(expanded("a: {$when: cluster.autopilot, $value: \"yes\"}\nb: {$when: cluster.create, "
                 "$value: x}\n") == "a: \"yes\"\n");
  CHECK(expanded("- {$when: name, $value: \"--name=${name}\"}\n- {$when: nothing, $value: x}\n") ==
        "- --name=train\n");
}

TEST_CASE("literal scalars have the type that YAML 1.2 gives them") {
  CHECK(
      expanded("a: true\nb: False\nc: \"true\"\nd: -1\ne: 0x10\nf: 007\ng: 1.5\nh: 1e3\ni: yes\nj: "
               "+3\n") ==
      "a: true\nb: false\nc: \"true\"\nd: -1\ne: 16\nf: 7\ng: 1.5\nh: 1.0e+3\ni: \"yes\"\nj: 3\n");
  CHECK(expanded("a: True\nb: FALSE\nc: 99999999999999999999\nd:\ne: x\n") ==
        "a: true\nb: false\nc: 99999999999999999999\nd: null\ne: x\n");
}

TEST_CASE("a value's text is never read again") {
  Value document;
  document["evil"] = Value::string("${name}\n$when: x\n- $(id)");
  document["name"] = Value::string("n");
  const Value value = expand(with("test/it", "a: ${evil}\nb: x${evil}\n"), "test/it",
                             Scope{{}, schema::ref(document)});
  REQUIRE(value.is_mapping());
  CHECK(value.find("a")->text == "${name}\n$when: x\n- $(id)");
  CHECK(value.find("b")->text == "x${name}\n$when: x\n- $(id)");
}

TEST_CASE("a comment comes along the first time") {
  CHECK(expanded("a: ${tpu.hosts}\nb: ${tpu.hosts}\n", true) == "a: 4  # 16 / 4\nb: 4\n");
  CHECK(expanded("a: --n=${tpu.hosts}\n", true) == "a: --n=4  # 16 / 4\n");
  CHECK(expanded("a: {$value: 1, $comment: why}\n", true) == "a: 1  # why\n");
}

TEST_CASE("another template is expanded where it is named") {
  Set set =
      with("test/it", "run: ${test/argv}\nrest:\n  - first\n  - ${test/argv}\n$merge: test/more\n");
  set.override_with("test/argv", parsed("[a, \"--n=${tpu.hosts}\", \"${?nothing}\"]"));
  set.override_with("test/more", parsed("{more: 1}"));
  const Value document = yaml::to_value(parsed(plan));
  CHECK(yaml::emit(expand(set, "test/it", Scope{{}, schema::ref(document)}), {}) ==
        "run:\n  - a\n  - --n=4\nrest:\n  - first\n  - a\n  - --n=4\nmore: 1\n");
  set.override_with("test/it", parsed("- {$each: word in test/argv, is: \"${word}\"}"));
  CHECK(yaml::emit(expand(set, "test/it", Scope{{}, schema::ref(document)}), {}) ==
        "- is: a\n- is: --n=4\n");
}

TEST_CASE("paths are looked up from the innermost name outwards") {
  const Value document = yaml::to_value(parsed(plan));
  const Value pool = yaml::to_value(parsed("{name: inner}"));
  const Scope root{{}, schema::ref(document)};
  const Scope inner{"pool", schema::ref(pool), &root};
  const auto text_at = [&](std::string_view path) {
    const schema::Ref found = find(inner, path);
    return found ? static_cast<const Value*>(found.value)->text : std::string("(none)");
  };
  CHECK(text_at("pool.name") == "inner");
  CHECK(text_at("name") == "train");
  CHECK(find(inner, "pool").value == &pool);
  CHECK(text_at("tpu.hosts") == "4");
  CHECK(text_at("pool.name.more") == "(none)");
  CHECK(text_at("") == "(none)");
  CHECK(text_at("tpu.") == "(none)");
}

}  // namespace
}  // namespace flexslice::templates
