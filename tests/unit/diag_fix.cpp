#include "../catch.hpp"
#include "diag/fix.hpp"

namespace flexslice::diag {
namespace {

Diagnostic finding(std::vector<Edit> fixes) {
  return {Code::DuplicateKey, Level::error, {}, "m", {}, {}, std::move(fixes)};
}

Fixed fixed(std::string_view text, std::vector<Diagnostic> findings) {
  return apply_fixes(text, 0, findings);
}

}  // namespace

TEST_CASE("fixes leave every other byte as it is") {
  const Fixed result = fixed("a: 1 \t# c\r\n\xff: 2\n\nc",
                             {finding({{{0, 14, 15}, "two"}}), finding({{{0, 0, 1}, "key"}})});
  CHECK(result.text == "key: 1 \t# c\r\n\xff: two\n\nc");
  CHECK(result.applied == 2);
  CHECK(result.skipped == 0);
  CHECK(fixed("same", {}).text == "same");
  CHECK(fixed("same", {finding({})}).applied == 0);
}

TEST_CASE("insertion, deletion, both ends") {
  CHECK(fixed("abc", {finding({{{0, 0, 0}, "<"}}), finding({{{0, 3, 3}, ">"}}),
                      finding({{{0, 1, 2}, ""}})})
            .text == "<ac>");
  CHECK(fixed("abc", {finding({{{0, 0, 3}, ""}})}).text.empty());
  CHECK(fixed("", {finding({{{0, 0, 0}, "new"}})}).text == "new");
  // Neighbours do not overlap.
  CHECK(fixed("abcd", {finding({{{0, 0, 2}, "x"}}), finding({{{0, 2, 4}, "y"}})}).text == "xy");
  CHECK(fixed("abcd", {finding({{{0, 0, 2}, "x"}}), finding({{{0, 2, 2}, "-"}})}).text == "x-cd");
}

TEST_CASE("of two that overlap the first in the text is applied") {
  const Fixed result = fixed("abcdef", {finding({{{0, 2, 5}, "Y"}}), finding({{{0, 1, 3}, "X"}})});
  CHECK(result.text == "aXdef");
  CHECK(result.applied == 1);
  CHECK(result.skipped == 1);
  CHECK(fixed("abc", {finding({{{0, 1, 1}, "x"}}), finding({{{0, 1, 1}, "y"}})}).text == "axbc");
  CHECK(fixed("abcdef", {finding({{{0, 1, 5}, "X"}}), finding({{{0, 2, 3}, "Y"}}),
                         finding({{{0, 4, 4}, "Z"}})})
            .text == "aXf");
}

TEST_CASE("the same edit twice is one edit") {
  const Fixed result = fixed("abc", {finding({{{0, 1, 2}, ""}}), finding({{{0, 1, 2}, ""}})});
  CHECK(result.text == "ac");
  CHECK(result.applied == 2);
}

TEST_CASE("the edits of one finding belong together") {
  const Fixed swapped = fixed("a b", {finding({{{0, 2, 3}, "a"}, {{0, 0, 1}, "b"}})});
  CHECK(swapped.text == "b a");
  CHECK(swapped.applied == 1);
  const Fixed half =
      fixed("abcdef", {finding({{{0, 0, 2}, "X"}}), finding({{{0, 1, 3}, "Y"}, {{0, 5, 6}, "Y"}})});
  CHECK(half.text == "Xcdef");
  CHECK(half.skipped == 1);
  const Fixed crossed = fixed("abcdef", {finding({{{0, 0, 1}, "1"}, {{0, 4, 6}, "1"}}),
                                         finding({{{0, 2, 3}, "2"}, {{0, 5, 6}, "2"}})});
  CHECK(crossed.text == "1bcd1");
}

TEST_CASE("edits that are not of this text are left alone") {
  for (const Span where : {Span{1, 0, 1}, Span{0, 2, 1}, Span{0, 2, 4}, Span{0, 4, 4}}) {
    const Fixed result =
        fixed("abc", {finding({{where, "x"}}), finding({{{0, 0, 1}, "y"}, {where, "x"}})});
    CHECK(result.text == "abc");
    CHECK(result.applied + result.skipped == 0);
  }
  CHECK(fixed("abc", {finding({{{0, 0, 2}, "x"}, {{0, 1, 3}, "y"}})}).text == "abc");
}

TEST_CASE("many fixes at once") {
  std::string text, expected;
  std::vector<Diagnostic> findings;
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    text += "ab";
    expected += "x-b";
    findings.insert(
        findings.begin() + (i % 2 != 0 ? 0 : static_cast<std::ptrdiff_t>(findings.size())),
        finding({{{0, 2 * i, 2 * i + 1}, "x-"}}));
  }
  CHECK(fixed(text, findings).text == expected);
}

}  // namespace flexslice::diag
