#include "../catch.hpp"
#include "base/text.hpp"

namespace flexslice::text {
namespace {

using namespace std::string_view_literals;

TEST_CASE("split keeps empty parts") {
  CHECK(split("a,b,,c", ',') == std::vector<std::string_view>{"a", "b", "", "c"});
  CHECK(split("", ',') == std::vector<std::string_view>{""});
  CHECK(split(",", ',') == std::vector<std::string_view>{"", ""});
}

TEST_CASE("trim, join, lower, count") {
  CHECK(trim(" \t a b \r\n") == "a b");
  CHECK(trim(" \n").empty());
  CHECK(trim("").empty());
  CHECK(join(std::vector<std::string>{"a", "b"}, ", ") == "a, b");
  CHECK(join(std::vector<std::string_view>{}, ", ").empty());
  CHECK(lower("AbÄ-Z") == "abÄ-z");
  CHECK(count(1, "host") == "1 host");
  CHECK(count(4, "host") == "4 hosts");
  CHECK(count(0, "host") == "0 hosts");
}

TEST_CASE("whole_number takes plain decimal numbers only") {
  CHECK(whole_number("0") == 0);
  CHECK(whole_number("007") == 7);
  CHECK(whole_number("9223372036854775807") == INT64_MAX);
  for (const std::string_view bad :
       {"", "-1", "+1", " 1", "1 ", "1.0", "0x1", "9223372036854775808", "1e3"}) {
    CAPTURE(bad);
    CHECK_FALSE(whole_number(bad));
  }
}

TEST_CASE("nearest finds what was meant") {
  const std::vector<std::string_view> fields = {"topology", "type", "machineType", "slices"};
  CHECK(nearest("topolgy", fields) == "topology");
  CHECK(nearest("TOPOLOGY", fields) == "topology");
  CHECK(nearest("tpye", fields) == "type");
  CHECK(nearest("machine", fields) == "machineType");
  CHECK_FALSE(nearest("zebra", fields));
  CHECK_FALSE(nearest("", fields));
  CHECK_FALSE(nearest("type", {}));
}

}  // namespace
}  // namespace flexslice::text
