#include "../catch.hpp"
#include "yaml/emit.hpp"

namespace flexslice::yaml {
namespace {

using namespace std::string_view_literals;

std::string scalar(std::string_view text) {
  std::string out;
  emit_scalar(text, out);
  return out;
}

Value commented(Value value, std::string comment) {
  value.comment = std::move(comment);
  return value;
}

TEST_CASE("common strings stay plain") {
  for (const std::string_view text : {"3600s",
                                      "us-docker.pkg.dev/a/b:latest",
                                      "4x4",
                                      "2x2x1",
                                      "-c",
                                      "--flag=x",
                                      "$(X)",
                                      "${X}",
                                      "a=b",
                                      "a b",
                                      "x:y",
                                      "a#b",
                                      "1.33.2",
                                      "1.33.2-gke.1240000",
                                      "10.0.0.1",
                                      "10.0.0.0/8",
                                      "v1",
                                      "flexslice/v1",
                                      "tpu-v6e-slice",
                                      "50%",
                                      "it's",
                                      "a, b",
                                      "a[0]",
                                      "/bin/sh",
                                      "naïve",
                                      "日本語",
                                      "😀",
                                      "nullable",
                                      "True.",
                                      "0123abc",
                                      "12e4567x",
                                      "a@b",
                                      "x~",
                                      "..",
                                      "<a>",
                                      "<<a"}) {
    CAPTURE(text);
    CHECK(scalar(text) == text);
  }
}

TEST_CASE("what some reader takes for something else is quoted") {
  for (const std::string_view text : {"",
                                      " ",
                                      "~",
                                      "null",
                                      "NULL",
                                      "y",
                                      "N",
                                      "yes",
                                      "No",
                                      "ON",
                                      "off",
                                      "true",
                                      "False",
                                      "tRUE",
                                      "=",
                                      "<<",
                                      "0",
                                      "-1",
                                      "+1",
                                      "007",
                                      "0o17",
                                      "0x1F",
                                      "0b1",
                                      "1_000",
                                      "1,000",
                                      "1.5",
                                      ".5",
                                      "1.",
                                      ".",
                                      "1e3",
                                      "e3",
                                      "1E+3",
                                      ".inf",
                                      "-.INF",
                                      ".nan",
                                      "inf",
                                      "NaN",
                                      "1:30",
                                      "190:20:30",
                                      "8080:80",
                                      "2001-12-14",
                                      "2001-1-1",
                                      "2001-12-14T21:59:43Z",
                                      "2001-12-14 21:59",
                                      "- x",
                                      "-",
                                      "? x",
                                      "?",
                                      ":",
                                      ":x",
                                      "x:",
                                      "x: y",
                                      "x #y",
                                      "#x",
                                      ",x",
                                      "[x",
                                      "]",
                                      "{x",
                                      "}",
                                      "&x",
                                      "*x",
                                      "!x",
                                      "|",
                                      ">",
                                      "%x",
                                      "@x",
                                      "`x",
                                      "'x'",
                                      " x",
                                      "x ",
                                      "---",
                                      "--- x",
                                      "...",
                                      "... x"}) {
    CAPTURE(text);
    CHECK(scalar(text) == "\"" + std::string(text) + "\"");
  }
}

TEST_CASE("escapes are few and those of JSON") {
  CHECK(scalar("a\"b\\c ") == R"("a\"b\\c ")");
  CHECK(scalar("\"x") == R"("\"x")");
  CHECK(scalar("a\tb") == R"("a\tb")");
  CHECK(scalar("a\nb") == R"("a\nb")");
  CHECK(scalar("a\r\n") == R"("a\r\n")");
  CHECK(scalar("\0\x1b\x7f"sv) == R"("\u0000\u001b\u007f")");
  CHECK(scalar("é\xC2\x85") == "\"é\\u0085\"");
  CHECK(scalar("\xE2\x80\xA8 \xEF\xBB\xBF \xE2\x80\xAE 😀\xE2\x80\xAC") ==
        "\"\\u2028 \\ufeff \\u202e 😀\\u202c\"");
}

TEST_CASE("collections are blocks, lists below their key") {
  Value value;
  value["apiVersion"] = Value::string("v1");
  value["metadata"]["labels"] = Value::mapping();
  value["args"] = Value::strings({"-c", "3600s", "yes"});
  value["none"] = Value{};
  value["replicas"] = Value::number(4);
  value["on"] = Value::boolean(true);
  Value& ports = value["ports"];
  Value& port = ports.push(Value::mapping());
  port["containerPort"] = Value::number(8471);
  port["more"]["deep"] = Value::strings({"x"});
  ports.push(Value::strings({"a", "b"}));
  ports.push(Value::sequence());
  CHECK(emit(value, {}) == R"(apiVersion: v1
metadata:
  labels: {}
args:
  - -c
  - 3600s
  - "yes"
none: null
replicas: 4
"on": true
ports:
  - containerPort: 8471
    more:
      deep:
        - x
  - - a
    - b
  - []
)");
}

TEST_CASE("roots of all kinds") {
  CHECK(emit(Value{}, {}) == "null\n");
  CHECK(emit(Value::string("x"), {}) == "x\n");
  CHECK(emit(Value::string("x\ny\n"), {}) == "|\n  x\n  y\n");
  CHECK(emit(Value::mapping(), {}) == "{}\n");
  CHECK(emit(Value::strings({"a"}), {}) == "- a\n");
}

TEST_CASE("strings of several lines are literal blocks when every byte survives") {
  const auto block = [](std::string_view text) {
    Value value;
    value["s"] = Value::string(text);
    return emit(value, {});
  };
  CHECK(block("#!/bin/bash\nset -e\n\n  cd x\n") == "s: |\n  #!/bin/bash\n  set -e\n\n    cd x\n");
  CHECK(block("x\ny") == "s: |-\n  x\n  y\n");
  CHECK(block("x\n\n") == "s: |+\n  x\n\n");
  CHECK(block(" x\ny\n") == "s: |2\n   x\n  y\n");
  CHECK(block("\n\tx\ny") == "s: |2-\n\n  \tx\n  y\n");
  CHECK(block("\nx\n") == "s: |\n\n  x\n");
  CHECK(block("x\n \ny\n") == "s: |\n  x\n   \n  y\n");
  CHECK(block("x\r\ny\n") == "s: \"x\\r\\ny\\n\"\n");
  CHECK(block("x\n\x01") == "s: \"x\\n\\u0001\"\n");
  CHECK(block("x\n  ") == "s: \"x\\n  \"\n");
  CHECK(block("\n") == "s: \"\\n\"\n");
  CHECK(block("\n \n\t") == "s: \"\\n \\n\\t\"\n");
}

TEST_CASE("the indentation indicator counts from the parent") {
  Value value;
  value["list"].push(Value::mapping())["s"] = Value::string(" x\ny");
  value["list"].push(Value::string(" x\ny"));
  CHECK(emit(value, {}) == "list:\n  - s: |2-\n       x\n      y\n  - |2-\n     x\n    y\n");
}

TEST_CASE("comments stand at the end of the line, or above it when it would be too long") {
  Value value;
  value["hosts"] = commented(Value::number(4), "16 chips / 4 per VM");
  value["s"] = commented(Value::string("x\ny\n"), "script");
  value["map"] = commented(Value::mapping(), "empty");
  value["map2"]["a"] = Value::number(1);
  value["map2"].comment = "members below";
  value["list"] = commented(Value::strings({"x"}), "items below");
  value["list"].items[0].comment = "why x";
  Value& item = value["list"].push(commented(Value::mapping(), "the second"));
  item["a"] = commented(Value::number(1), "one");
  item["b"] = commented(Value::number(2), std::string(70, 'w'));
  CHECK(emit(value, {}) == R"(hosts: 4  # 16 chips / 4 per VM
s: |  # script
  x
  y
map: {}  # empty
map2:  # members below
  a: 1
list:  # items below
  - x  # why x
  # the second
  - a: 1  # one
    # wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww
    b: 2
)");
  const std::string plain = emit(value, {.comments = false});
  CHECK(plain.find('#') == std::string::npos);
}

TEST_CASE("a comment fits when the line has exactly the width") {
  Value value;
  value["key"] = commented(Value::string("é"), "ééé");  // `key: é  # ééé` has 13 columns
  CHECK(emit(value, {.width = 13}) == "key: é  # ééé\n");
  CHECK(emit(value, {.width = 12}) == "# ééé\nkey: é\n");
}

TEST_CASE("a comment above goes above the whole line of nested dashes") {
  Value value;
  Value inner = Value::mapping();
  inner["k"] = commented(Value::string("v"), "long");
  value["l"].push(Value::sequence()).push(inner);
  CHECK(emit(value, {.width = 5}) == "l:\n  # long\n  - - k: v\n");
}

TEST_CASE("a comment cannot leave its line") {
  Value value;
  value["a"] = commented(Value::number(1), "x\ny: 2\r\xE2\x80\xA8\x01");
  CHECK(emit(value, {}) == "a: 1  # x y: 2   \n");
  const Value root = commented(Value::strings({"a"}), "root");
  CHECK(emit(root, {}) == "# root\n- a\n");
}

TEST_CASE("keys are quoted like strings, and very long ones are explicit") {
  Value value;
  value["no"] = Value::number(1);
  value["a: b"] = Value::number(2);
  value["x\ny"] = Value::number(3);
  CHECK(emit(value, {}) == "\"no\": 1\n\"a: b\": 2\n\"x\\ny\": 3\n");
  const std::string key(1100, 'k');
  Value nested;
  nested["m"][key]["a"] = Value::number(1);
  CHECK(emit(nested, {}) == "m:\n  ? " + key + "\n  :\n    a: 1\n");
}

TEST_CASE("JSON") {
  Value value;
  value["s"] = Value::string("é\"\\\n\t\x01\x7f");
  value["n"] = Value::number(-3);
  value["b"] = commented(Value::boolean(false), "not printed");
  value["nothing"] = Value{};
  value["l"] = Value::strings({"x"});
  value["l"].push(Value::sequence());
  value["m"] = Value::mapping();
  CHECK(emit_json(value) == R"({
  "s": "é\"\\\n\t\u0001\u007f",
  "n": -3,
  "b": false,
  "nothing": null,
  "l": [
    "x",
    []
  ],
  "m": {}
}
)");
  CHECK(emit_json(Value::string("x")) == "\"x\"\n");
}

}  // namespace
}  // namespace flexslice::yaml
