#include "../catch.hpp"
#include "base/diff.hpp"
#include "base/text.hpp"

namespace flexslice {
namespace {

std::string diff(std::string_view old_text, std::string_view new_text) {
  return unified_diff(old_text, new_text, "old", "new");
}

std::string numbers(int first, int last) {
  std::string lines;
  for (int i = first; i <= last; ++i) lines += std::to_string(i) + "\n";
  return lines;
}

// The new text, made of the old one and a diff; `!` and the reason where the diff does not fit.
std::string patched(std::string_view old_text, std::string_view diff) {
  std::vector<std::string_view> old_lines;
  for (std::size_t size = 0; !old_text.empty(); old_text.remove_prefix(size)) {
    size = std::min(old_text.find('\n'), old_text.size() - 1) + 1;
    old_lines.push_back(old_text.substr(0, size));
  }
  std::string made;
  std::size_t next = 0;
  const std::vector<std::string_view> lines = text::split(diff, '\n');
  for (std::size_t i = 2; i + 1 < lines.size(); ++i) {
    if (lines[i].starts_with("@@ -")) {
      const std::string_view range = lines[i].substr(4, lines[i].find(' ', 4) - 4);
      const auto begin =
          static_cast<std::size_t>(*text::whole_number(range.substr(0, range.find(','))));
      const std::size_t until = range.ends_with(",0") ? begin : begin - 1;
      while (next < until) made += old_lines.at(next++);
      continue;
    }
    const bool ends = i + 1 < lines.size() && lines[i + 1].starts_with('\\');
    const std::string line = std::string(lines[i].substr(1)) + (ends ? "" : "\n");
    if (lines[i].starts_with('\\')) continue;
    if (!lines[i].starts_with('+') && (next >= old_lines.size() || old_lines[next++] != line))
      return "! " + line;
    if (!lines[i].starts_with('-')) made += line;
  }
  while (next < old_lines.size()) made += old_lines[next++];
  return made;
}

}  // namespace

TEST_CASE("equal texts have no diff") {
  CHECK(diff("", "").empty());
  CHECK(diff("a\n", "a\n").empty());
}

TEST_CASE("one change with three lines around it") {
  CHECK(diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n") ==
        "--- old\n"
        "+++ new\n"
        "@@ -2,7 +2,7 @@\n"
        " 2\n"
        " 3\n"
        " 4\n"
        "-5\n"
        "+five\n"
        " 6\n"
        " 7\n"
        " 8\n");
}

TEST_CASE("from nothing, to nothing, and at the ends") {
  CHECK(diff("", "a\nb\n") == "--- old\n+++ new\n@@ -0,0 +1,2 @@\n+a\n+b\n");
  CHECK(diff("a\n", "") == "--- old\n+++ new\n@@ -1 +0,0 @@\n-a\n");
  CHECK(diff("a\n", "b\na\n") == "--- old\n+++ new\n@@ -1 +1,2 @@\n+b\n a\n");
  CHECK(diff("a\n", "a\nb\n") == "--- old\n+++ new\n@@ -1 +1,2 @@\n a\n+b\n");
}

TEST_CASE("a last line without a line break") {
  CHECK(diff("a\nb", "a\nb\n") ==
        "--- old\n+++ new\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n");
  CHECK(diff("a", "b") ==
        "--- old\n+++ new\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end "
        "of file\n");
  CHECK(diff("a\nx", "b\nx") ==
        "--- old\n+++ new\n@@ -1,2 +1,2 @@\n-a\n+b\n x\n\\ No newline at end of file\n");
}

TEST_CASE("changes that are near share a hunk") {
  const std::string old_text = numbers(1, 20);
  CHECK(diff(old_text, "one\n" + numbers(2, 7) + "eight\n" + numbers(9, 20)) ==
        "--- old\n+++ new\n@@ -1,11 +1,11 @@\n-1\n+one\n 2\n 3\n 4\n 5\n 6\n 7\n-8\n+eight\n 9\n "
        "10\n 11\n");
  CHECK(diff(old_text, "one\n" + numbers(2, 8) + "nine\n" + numbers(10, 20)) ==
        "--- old\n+++ new\n@@ -1,4 +1,4 @@\n-1\n+one\n 2\n 3\n 4\n@@ -6,7 +6,7 @@\n 6\n 7\n "
        "8\n-9\n+nine\n 10\n 11\n 12\n");
}

TEST_CASE("the diff makes the new text of the old one") {
  unsigned state = 7;
  const auto random = [&](unsigned below) {
    state = state * 1'103'515'245u + 12'345u;
    return (state >> 16) % below;
  };
  for (int round = 0; round < 500; ++round) {
    std::string old_text, new_text;
    for (unsigned i = random(30); i > 0; --i) {
      const std::string line = std::string(1, static_cast<char>('a' + random(4))) + "\n";
      if (random(5) != 0) old_text += line;
      if (random(5) != 0) new_text += line;
    }
    if (random(3) == 0 && !old_text.empty()) old_text.pop_back();
    if (random(3) == 0 && !new_text.empty()) new_text.pop_back();
    if (old_text == new_text) continue;
    REQUIRE(patched(old_text, diff(old_text, new_text)) == new_text);
  }
}

TEST_CASE("large texts without anything in common are replaced whole") {
  const std::string old_text = numbers(1, 3000), new_text = numbers(10'000, 13'000);
  const std::string out = diff(old_text, new_text);
  CHECK(out.starts_with("--- old\n+++ new\n@@ -1,3000 +1,3001 @@\n-1\n-2\n"));
  CHECK(patched(old_text, out) == new_text);
}

}  // namespace flexslice
