#include "../catch.hpp"
#include "extract/excerpt.hpp"

namespace flexslice::extract {
namespace {

// `ab\ncd\n` of a page in which each line begins with `> `.
Excerpt quoted() { return {Language::yaml, "ab\ncd\n", {{0, 2}, {3, 7}}}; }

diag::Diagnostic finding(Span where) {
  return {diag::rows[0].code, diag::rows[0].level, where, "", {}, {}, {}};
}

TEST_CASE("bytes of an excerpt are at their places in the file") {
  const Excerpt excerpt = quoted();
  CHECK(excerpt.host(0) == 2);
  CHECK(excerpt.host(2) == 4);
  CHECK(excerpt.host(3) == 7);
  CHECK(excerpt.host(6) == 10);
}

TEST_CASE("a part of an excerpt has the places of the whole") {
  const Excerpt second = part(quoted(), 3, 6);
  CHECK(second.text == "cd\n");
  CHECK(second.host(0) == 7);
  const Excerpt across = part(quoted(), 1, 4);
  CHECK(across.text == "b\nc");
  CHECK(across.host(0) == 3);
  CHECK(across.host(2) == 7);
  CHECK(part(quoted(), 3, 3).host(0) == 7);
}

TEST_CASE("what is added in a row is one segment") {
  Excerpt excerpt;
  append_bytes(excerpt, "ab", 5);
  append_bytes(excerpt, "c", 7);
  append_bytes(excerpt, "d", 9);
  CHECK(excerpt.text == "abcd");
  CHECK(excerpt.segments.size() == 2);
  CHECK(excerpt.host(3) == 9);
}

TEST_CASE("a finding is moved with its related places") {
  diag::Diagnostic moved = finding({3, 0, 3});
  moved.also(Span(3, 4, 5), "here").also(Span(1, 4, 5), "elsewhere");
  move_to_file(moved, quoted(), 3, 0);
  CHECK(moved.where == Span(0, 2, 5));
  CHECK(moved.related[0].where == Span(0, 8, 9));
  CHECK(moved.related[1].where == Span(1, 4, 5));
}

// `a: x2y\n` of a file with `a: ${N}2$E\\$y\n`, where N is x and E is empty.
Excerpt expanded() {
  Excerpt excerpt;
  excerpt.completeness = Completeness::expanded;
  append_bytes(excerpt, "a: ", 10);
  append_in_place(excerpt, "x", 13, 4);
  append_bytes(excerpt, "2", 17);
  append_in_place(excerpt, "", 18, 2);
  append_in_place(excerpt, "$", 20, 2);
  append_bytes(excerpt, "y\n", 22);
  return excerpt;
}

TEST_CASE("bytes that stand for others have the place of all of those") {
  const Excerpt excerpt = expanded();
  CHECK(excerpt.text == "a: x2$y\n");
  CHECK(excerpt.host(3) == 13);
  CHECK(excerpt.host(4) == 17);
  CHECK(excerpt.host(6) == 22);
  CHECK(excerpt.host(8) == 24);
  CHECK(in_file({1, 3, 4}, excerpt, 0) == Span(0, 13, 17));
  CHECK(in_file({1, 3, 7}, excerpt, 0) == Span(0, 13, 23));
  CHECK(in_file({1, 4, 6}, excerpt, 0) == Span(0, 17, 22));
  CHECK(part(excerpt, 0, 4).host(4) == 17);
  const Excerpt again = part(excerpt, 1, 8);
  CHECK(again.text == ": x2$y\n");
  CHECK(in_file({1, 2, 6}, again, 0) == Span(0, 13, 23));
}

TEST_CASE("fixes do not touch bytes that a shell filled in") {
  const auto is_kept = [](const Excerpt& excerpt, diag::Edit edit) {
    diag::Diagnostic moved = finding({3, 0, 1});
    moved.fix(edit.where, edit.text);
    move_to_file(moved, excerpt, 3, 0);
    return !moved.fixes.empty();
  };
  for (const Excerpt& excerpt : {expanded(), part(expanded(), 0, 8)}) {
    CHECK(is_kept(excerpt, {{3, 0, 1}, "b"}));
    CHECK(is_kept(excerpt, {{3, 7, 7}, "z"}));
    CHECK_FALSE(is_kept(excerpt, {{3, 0, 1}, "$b"}));
    CHECK_FALSE(is_kept(excerpt, {{3, 0, 1}, "\\b"}));
    CHECK_FALSE(is_kept(excerpt, {{3, 3, 4}, "y"}));
    CHECK_FALSE(is_kept(excerpt, {{3, 4, 5}, "3"}));
    CHECK_FALSE(is_kept(excerpt, {{3, 5, 5}, "3"}));
    CHECK_FALSE(is_kept(excerpt, {{3, 6, 7}, "z"}));
  }
  CHECK(is_kept(quoted(), {{3, 0, 1}, "$b"}));
}

TEST_CASE("fixes stay within a line of the file") {
  diag::Diagnostic good = finding({3, 0, 1});
  good.fix({3, 3, 5}, "x").fix({3, 2, 2}, "y");
  move_to_file(good, quoted(), 3, 0);
  REQUIRE(good.fixes.size() == 2);
  CHECK(good.fixes[0].where == Span(0, 7, 9));
  CHECK(good.fixes[1].where == Span(0, 4, 4));

  for (const diag::Edit& bad :
       {diag::Edit{{3, 1, 4}, "x"}, diag::Edit{{3, 0, 3}, ""}, diag::Edit{{3, 0, 1}, "x\ny"}}) {
    diag::Diagnostic mixed = finding({3, 0, 1});
    mixed.fix({3, 3, 5}, "x").fix(bad.where, bad.text);
    move_to_file(mixed, quoted(), 3, 0);
    CHECK(mixed.fixes.empty());
  }
}

}  // namespace
}  // namespace flexslice::extract
