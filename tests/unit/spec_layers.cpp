// Layers: `--defaults` underneath a spec, `--set` on top of it, every value with the place where it
// was written.
#include <fmt/core.h>

#include <string>
#include <vector>

#include "../catch.hpp"
#include "base/text.hpp"
#include "driver/driver.hpp"
#include "gist.hpp"
#include "spec/document.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"

namespace flexslice::spec {
namespace {

using Lines = std::vector<std::string>;

struct Files {
  Sources sources;
  diag::Sink sink;

  yaml::Node parse(const std::string& name, const std::string& text) {
    auto node = yaml::parse(sources, sources.add({name, text, 1}), sink);
    REQUIRE(node);
    return std::move(*node);
  }
  std::optional<yaml::Node> set(const std::string& text) {
    return set_value(sources, sources.add({"--set", text, 1}), sink);
  }
  std::string place(const yaml::Node* node) const {
    REQUIRE(node != nullptr);
    const Position at = sources.position(node->span);
    return fmt::format("{}:{}:{} {}", sources[node->span.source].name, at.line, at.column,
                       sources.text(node->span));
  }
  Lines messages() {
    Lines lines;
    for (const auto& each : sink.take())
      lines.push_back(test::gist(diag::code_text(each.code) + " " + each.message));
    return lines;
  }
};

std::string json(const yaml::Node& node) { return yaml::emit(yaml::to_value(node), {}); }

TEST_CASE("null takes away what the layer beneath has, and only that") {
  Files files;
  const yaml::Node made = overlay(files.parse("base", "a: {x: 1, y: 2}\nb: 3\nc: 4\n"),
                                  files.parse("over", "a: {x: null, z: null}\nb: ~\nc:\n"));
  CHECK(json(made) == "a:\n  \"y\": 2\n  z: null\nc: null\n");
  const auto set = files.set("a.y=null");
  REQUIRE(set);
  CHECK(json(overlay(made, *set)) == "a:\n  z: null\nc: null\n");
}

TEST_CASE("mappings merge, everything else is replaced") {
  Files files;
  const yaml::Node made =
      overlay(files.parse("base", "a: {x: 1, y: {p: 1, q: 2}}\nb: [1, 2]\nc: text\nd: 1\n"),
              files.parse("over", "a: {y: {q: 3}, z: 4}\nb: [3]\nc: {now: mapping}\ne: 5\n"));
  CHECK(json(made) ==
        "a:\n  x: 1\n  \"y\":\n    p: 1\n    q: 3\n  z: 4\nb:\n  - 3\nc:\n  now: mapping\nd: 1\ne: "
        "5\n");
  CHECK(files.place(made.find("a")->find("x")) == "base:1:8 1");
  CHECK(files.place(made.find("a")->find("y")->find("q")) == "over:1:12 3");
  CHECK(files.place(made.find("d")) == "base:4:4 1");
  CHECK(files.place(made.find("e")) == "over:4:4 5");
}

TEST_CASE("a key has the place of the layer that its value comes from") {
  Files files;
  const yaml::Node made =
      overlay(files.parse("base", "a: 1\nb: 2\n"), files.parse("over", "# c\n\nb: 3\n"));
  CHECK(files.place(&made.members[0].key) == "base:1:1 a");
  CHECK(files.place(&made.members[1].key) == "over:3:1 b");
}

TEST_CASE("--set makes a tree with one value, read as YAML") {
  Files files;
  const auto tree = files.set("tpu.topology=4x4");
  REQUIRE(tree);
  CHECK(json(*tree) == "tpu:\n  topology: 4x4\n");
  CHECK(files.place(tree->find("tpu")->find("topology")) == "--set:1:14 4x4");
  CHECK(json(*files.set("name=x")) == "name: x\n");
  CHECK(json(*files.set("a.b=[1, {c: \"d\"}]")) == "a:\n  b:\n    - 1\n    - c: d\n");
  CHECK(json(*files.set("a=x=y")) == "a: x=y\n");
  CHECK(json(*files.set("a=")) == "a: null\n");
  CHECK(json(*files.set("a=\"\"")) == "a: \"\"\n");
  CHECK(json(*files.set("a=true")) == "a: true\n");
  CHECK(files.sink.errors() == 0);
}

TEST_CASE("--set takes paths as messages print them") {
  const auto set = [](const char* spec, const char* text) {
    Files files;
    yaml::Node base = files.parse("base", spec);
    return json(overlay(std::move(base), *files.set(text)));
  };
  CHECK(set("a: [1, 2]\n", "a[1]=x") == "a:\n  - 1\n  - x\n");
  CHECK(set("a: [1, 2]\n", "a[2]=x") == "a:\n  - 1\n  - 2\n  - x\n");
  CHECK(set("a: [{b: 1, c: 2}]\n", "a[0].b=x") == "a:\n  - b: x\n    c: 2\n");
  CHECK(set("a: [[1], [2]]\n", "a[1][0]=x") == "a:\n  - - 1\n  - - x\n");
  CHECK(set("a: {b.c/d: 1}\n", "a[b.c/d]=x") == "a:\n  b.c/d: x\n");
  CHECK(set("a: {\"0\": 1}\n", "a.0=x") == "a:\n  \"0\": x\n");
  // What is not there, and what is no path, is an unknown field for decode.
  CHECK(set("a: [1]\n", "a[3]=x") == "a:\n  \"[3]\": x\n");
  CHECK(set("a: {b: 1}\n", "a[0]=x") == "a:\n  b: 1\n  \"[0]\": x\n");
  CHECK(set("a: {}\n", "a..b=x") == "a:\n  \"\":\n    b: x\n");
  CHECK(set("a: {}\n", "a.=x") == "a:\n  \"\": x\n");
  CHECK(set("a: {}\n", "a[=x") == "a:\n  \"[\": x\n");
  CHECK(set("a: {}\n", "[[=x") == "a: {}\n\"[\":\n  \"[\": x\n");
}

TEST_CASE("--set of another form is an error") {
  for (const char* text : {"name", "=x", "", "a={", "a: b", "a=[1", "a={b: 1, b: 2}"}) {
    CAPTURE(text);
    Files files;
    CHECK_FALSE(files.set(text));
    const Lines messages = files.messages();
    REQUIRE(messages.size() == 1);
    CHECK(messages[0] == fmt::format("FS2020 `--set {}`", text));
  }
}

// What the whole compiler makes of layers: `source:line:column code`.
Lines findings(const std::string& spec, const Lines& defaults, const Lines& sets) {
  Sources sources;
  Input input{sources, 0, {}, {}};
  for (const std::string& text : defaults)
    input.defaults.push_back(sources.add({"defaults", text, 1}));
  input.spec = sources.add({"spec", spec, 1});
  for (const std::string& text : sets) input.sets.push_back(sources.add({"--set", text, 1}));
  const Compiled compiled = compile(input, catalog::built_in(), {}, {});
  Lines lines;
  for (const auto& each : compiled.diagnostics) {
    const Position at = sources.position(each.where);
    lines.push_back(fmt::format("{}:{}:{} {}", sources[each.where.source].name, at.line, at.column,
                                diag::code_text(each.code)));
  }
  return lines;
}

constexpr const char* house =
    "apiVersion: flexslice/v1\ncluster: {name: c1, location: us-east5}\nprovisioning: {model: "
    "on-demand, zones: [us-east5-b]}\n";
constexpr const char* own =
    "name: n\ntpu: {type: v6e, topology: 4x4}\nworkload: {image: busybox}\n";

TEST_CASE("layers are compiled as one spec, and findings name the layer") {
  CHECK(findings(own, {house}, {}) == Lines{});
  CHECK(findings(own, {house}, {"tpu.topology=4x5"}) == Lines{"--set:1:14 FS3002"});
  CHECK(findings(own, {house, "provisioning: {zones: [us-west4-a]}\n"}, {}) ==
        Lines{"defaults:1:24 FS4002"});
  CHECK(findings(own, {house}, {"tpu.topology=4x5", "tpu.topology=8x8"}) == Lines{});
  CHECK(findings(own, {house}, {"tpu.slices=0"}) == Lines{"--set:1:12 FS2008"});
  CHECK(findings(own, {house}, {"tpu.slides=2"}) == Lines{"--set:1:1 FS2001"});
  CHECK(findings(own, {"apiVersion: flexslice/v1\n"}, {}).size() == 1);
  CHECK(findings("# nothing\n", {house, own}, {}) == Lines{"spec:1:1 FS2003"});
}

// What is missing is missing in the spec, not in the layer beneath it.
TEST_CASE("missing fields are said to be missing in the spec") {
  CHECK(findings("name: n\nworkload: {image: busybox}\n", {house}, {}) == Lines{"spec:1:1 FS2002"});
  CHECK(findings("# c\ntpu: {type: v6e, topology: 4x4}\nworkload: {image: busybox}\n", {house},
                 {}) == Lines{"spec:2:1 FS2002"});
}

}  // namespace
}  // namespace flexslice::spec
