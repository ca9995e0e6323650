#include "../catch.hpp"
#include "yaml/frozen.hpp"
#include "yaml/node.hpp"
#include "yaml/value.hpp"

namespace flexslice::yaml {
namespace {

Node scalar(std::string_view text, bool quoted = false) {
  Node node;
  node.kind = Kind::scalar;
  node.text = text;
  node.quoted = quoted;
  return node;
}

TEST_CASE("type_of follows the core schema of YAML 1.2") {
  const auto all = [](ScalarType type, std::initializer_list<std::string_view> texts) {
    for (const std::string_view text : texts) {
      CAPTURE(text);
      CHECK(type_of(text) == type);
    }
  };
  all(ScalarType::null, {"", "~", "null", "Null", "NULL"});
  all(ScalarType::boolean, {"true", "True", "TRUE", "false", "False", "FALSE"});
  all(ScalarType::integer, {"0", "12", "-3", "+4", "0777", "0o17", "0x1F", "0xff"});
  all(ScalarType::floating, {"1.5", ".5", "1.", "-1e3", "1E-3", "+.5e+10", ".inf", "-.INF", "+.Inf",
                             ".nan", ".NaN", "12e03"});
  all(ScalarType::string,
      {"yes", "on",    "Off",        "y", "nULL", "tRUE", "1_000",    "0b1", "0o8", "0xg", "1:30",
       "4x4", "3600s", "1.2.3",      ".", "-",    "+",    "..",       "e3",  "1e",  "1e+", "-.nan",
       "0x",  "0o",    "2001-01-01", "=", "<<",   "-c",   "nullable", "+0x1"});
}

TEST_CASE("quoted scalars are strings, missing ones are null") {
  CHECK(type_of(scalar("12")) == ScalarType::integer);
  CHECK(type_of(scalar("12", true)) == ScalarType::string);
  CHECK(type_of(Node{}) == ScalarType::null);
}

// As `kubectl annotate --local` of 1.32 took each of them for the value of a label.
TEST_CASE("kubectl_type_of follows kubectl") {
  const auto all = [](ScalarType type, std::initializer_list<std::string_view> texts) {
    for (const std::string_view text : texts) {
      CAPTURE(text);
      CHECK(kubectl_type_of(scalar(text)) == type);
      CHECK(kubectl_type_of(scalar(text, true)) == ScalarType::string);
    }
  };
  all(ScalarType::boolean, {"yes", "Yes", "YES", "no", "No", "NO", "on", "On", "ON", "off", "OFF",
                            "y", "Y", "n", "N", "true", "False"});
  all(ScalarType::integer,
      {"1_000", "+1_000", "1__0", "1_", "0_7", "0777", "08", "0o17", "0o1_7", "0O7", "-0o7", "0x1F",
       "0X1F", "-0x1F", "+0x1", "0x_1", "0b11", "0B1", "-0b1"});
  all(ScalarType::floating, {"1_000.5", "0.5_5", "1e3_0", "1.", ".5", "-.5", "1E3", "1e+3"});
  all(ScalarType::string,
      {"yEs", "tRue", "_1", "1:30",  "190:20:30", "0o8",   "0b2",        "0x",
       "1e",  "e3",   ".",  "+.",    "=",         "1,000", "2001-12-14", "Infinity",
       "inf", "NaN",  "1d", "0x1p3", "4x4",       "yes-1", "nope"});
  CHECK(kubectl_type_of(Node{}) == ScalarType::null);
}

TEST_CASE("read_old_scalar writes what kubectl reads") {
  const auto read = [](std::string text, bool quoted = false) {
    Node node = scalar(std::move(text), quoted);
    read_old_scalar(node);
    return node.text;
  };
  for (const char* yes : {"yes", "Y", "on", "ON", "true", "True"}) CHECK(read(yes) == "true");
  for (const char* no : {"no", "N", "off", "Off", "FALSE"}) CHECK(read(no) == "false");
  CHECK(read("yes", true) == "yes");
  CHECK(read("0x1F") == "31");
  CHECK(read("-0x1F") == "-31");
  CHECK(read("0b11") == "3");
  CHECK(read("0o400") == "256");
  CHECK(read("0_400") == "256");
  CHECK(read("08") == "8");
  CHECK(read("2_5") == "25");
  CHECK(read("+20") == "20");
  CHECK(read("+010") == "8");
  CHECK(read("20.0") == "20");
  CHECK(read("2e1") == "20");
  CHECK(read("200e-1") == "20");
  CHECK(read(".5e1") == "5");
  CHECK(read("-0") == "0");
  for (const char* same : {"0.5", "1:30", "_1", "100000000000000000000", "1e30", ".inf", "a", "0x"})
    CHECK(read(same) == same);
}

TEST_CASE("describe names what was written") {
  Node list;
  list.kind = Kind::sequence;
  Node mapping;
  mapping.kind = Kind::mapping;
  CHECK(describe(list) == "a list");
  CHECK(describe(mapping) == "a mapping");
  CHECK(describe(Node{}) == "nothing");
  CHECK(describe(scalar("3")) == "the number 3");
  CHECK(describe(scalar("1.5")) == "the number 1.5");
  CHECK(describe(scalar("true")) == "the boolean true");
  CHECK(describe(scalar("yes"), ScalarType::boolean) == "the boolean yes");
  CHECK(describe(scalar("x")) == "the string \"x\"");
  CHECK(describe(scalar("3", true)) == "the string \"3\"");
  CHECK(describe(scalar("a\nb\x01", true)) == "the string \"a\\nb?\"");
  CHECK(describe(scalar(std::string(60, 'a'))) == "the string \"" + std::string(40, 'a') + "…\"");
}

TEST_CASE("to_value writes numbers so that every reader takes the same number") {
  const auto number = [](std::string_view text) {
    const Value value = to_value(scalar(text));
    CHECK(value.kind == Value::Kind::number);
    return value.text;
  };
  CHECK(number("12") == "12");
  CHECK(number("+12") == "12");
  CHECK(number("-012") == "-12");
  CHECK(number("-0") == "0");
  CHECK(number("0777") == "777");
  CHECK(number("0o17") == "15");
  CHECK(number("0x1F") == "31");
  CHECK(number("123456789012345678901234567890") == "123456789012345678901234567890");
  CHECK(number("1e3") == "1.0e+3");
  CHECK(number("-.5E-07") == "-0.5e-07");
  CHECK(number("1.") == "1.0");
  CHECK(number("+.Inf") == ".inf");
  CHECK(number("-.inf") == "-.inf");
  CHECK(number(".NaN") == ".nan");
  CHECK(to_value(scalar("0xfffffffffffffffff")).kind == Value::Kind::string);
  CHECK(to_value(scalar("True")).text == "true");
  CHECK(to_value(scalar("12", true)).kind == Value::Kind::string);
}

TEST_CASE("Value grows by key, in order") {
  Value value;
  value["b"] = Value::number(1);
  value["a"]["deep"] = Value::boolean(true);
  value["b"] = Value::string("again");
  REQUIRE(value.members.size() == 2);
  CHECK(value.members[0].key == "b");
  CHECK(value.find("b")->text == "again");
  CHECK(value.find("none") == nullptr);
  value.erase("b");
  CHECK(value.members.size() == 1);
  CHECK(value["list"].push(Value::string("x")).text == "x");
  CHECK(value["list"].is_sequence());
}

TEST_CASE("is_empty and comparison") {
  CHECK(Value{}.is_empty());
  CHECK(Value::boolean(false).is_empty());
  CHECK(Value::string("").is_empty());
  CHECK(Value::sequence().is_empty());
  CHECK(Value::mapping().is_empty());
  CHECK_FALSE(Value::number(0).is_empty());
  CHECK_FALSE(Value::strings({""}).is_empty());
  Value commented = Value::string("x");
  commented.comment = "why";
  CHECK(commented == Value::string("x"));
  CHECK_FALSE(Value::string("1") == Value::number(1));
}

TEST_CASE("an empty view may be asked like any other") {
  const View none;
  CHECK_FALSE(none);
  CHECK_FALSE(none.find("a"));
  CHECK_FALSE(none.find("a").find("b"));
  CHECK(none.text().empty());
  CHECK(none.key().empty());
  CHECK_FALSE(none.is_mapping());
  CHECK(none.is_empty());
  CHECK(none.begin() == none.end());
}

}  // namespace
}  // namespace flexslice::yaml
