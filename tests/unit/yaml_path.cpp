// Places in trees: found and printed in the same way for nodes and values.
#include "catch.hpp"
#include "yaml/path.hpp"
#include "yaml/value.hpp"

namespace flexslice::yaml {
namespace {

Value tree() {
  Value tree = Value::mapping();
  tree["list"].push(Value::string("a"));
  tree["list"].push(Value::string("b"));
  tree["labels"]["1"] = Value::string("c");
  return tree;
}

TEST_CASE("A path leads to members by their keys and to items by their index") {
  const Value spec = tree();
  CHECK(follow(spec, Path{}) == &spec);
  CHECK(follow(spec, Path{"list", "1"})->text == "b");
  CHECK(follow(spec, Path{"labels", "1"})->text == "c");
}

TEST_CASE("A path that leads nowhere gives null") {
  const Value spec = tree();
  for (const Path& path : {Path{"none"}, Path{"list", "2"}, Path{"list", "a"}, Path{"labels", "2"},
                           Path{"list", "0", "a"}})
    CHECK(follow(spec, path) == nullptr);
}

TEST_CASE("A path prints indices and keys with dots in brackets") {
  CHECK(path_text(Path{"list", "1", "name"}) == "list[1].name");
  CHECK(path_text(Path{"labels", "example.com/zone"}) == "labels[example.com/zone]");
}

}  // namespace
}  // namespace flexslice::yaml
