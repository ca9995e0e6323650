#include "../catch.hpp"
#include "base/utf8.hpp"

namespace flexslice::utf8 {
namespace {

using namespace std::literals;

TEST_CASE("point_at is the inverse of encoding") {
  CHECK(point_at("a", 0).value == U'a');
  CHECK(point_at("xé", 1).value == U'é');
  CHECK(point_at("→", 0).value == U'→');
  CHECK(point_at("😀", 0).value == U'😀');
  CHECK(point_at("\xF4\x8F\xBF\xBF", 0).value == 0x10FFFF);
  CHECK(point_at("😀x", 0).bytes == "😀");
}

TEST_CASE("point_at accepts exactly the well-formed sequences") {
  for (const std::string_view good : {"a", "é", "→", "😀"}) CHECK(point_at(good, 0).valid);
  // A continuation byte alone, overlong forms, a surrogate, beyond U+10FFFF, cut short.
  for (const std::string_view bad :
       {"\x80"sv, "\xC0\x80"sv, "\xC1\xBF"sv, "\xE0\x9F\xBF"sv, "\xF0\x8F\xBF\xBF"sv,
        "\xED\xA0\x80"sv, "\xF4\x90\x80\x80"sv, "\xF8\x88\x80\x80\x80"sv, "\xFF"sv, "\xC3"sv,
        "\xE2\x86"sv, "\xF0\x9F\x98"sv, "\xC3z"sv}) {
    const Point point = point_at(bad, 0);
    CHECK_FALSE(point.valid);
    CHECK(point.value == 0xFFFD);
    CHECK(point.bytes == bad.substr(0, 1));
  }
}

TEST_CASE("points are all bytes of a text in order") {
  const std::string_view text = "aé\xFF\xE2\x86😀\0→"sv;
  std::string together;
  std::u32string values;
  for (const Point& point : Points(text)) {
    together += point.bytes;
    values += point.value;
  }
  CHECK(together == text);
  CHECK(values == U"aé\uFFFD\uFFFD\uFFFD😀\0→"s);
  CHECK(Points("").begin() == Points("").end());
}

}  // namespace
}  // namespace flexslice::utf8
