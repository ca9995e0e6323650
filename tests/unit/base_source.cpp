#include "../catch.hpp"
#include "base/source.hpp"

namespace flexslice {
namespace {

TEST_CASE("text is the bytes of a span, and never leaves the source") {
  Sources sources;
  const std::uint32_t index = sources.add({"a.yaml", "name: é\n"});
  CHECK(sources.text({index, 0, 4}) == "name");
  CHECK(sources.text({index, 6, 8}) == "é");
  CHECK(sources.text({index, 6, 99}) == "é\n");
  CHECK(sources.text({index, 50, 99}).empty());
  CHECK(sources.text({index, 4, 2}).empty());
}

TEST_CASE("position counts lines from the source's first and columns in code points") {
  Sources sources;
  sources.add({"other", "x"});
  const std::uint32_t index = sources.add({"s.yaml", "a: é😀 b\r\n\nlast", 10});
  const Position b = sources.position({index, 10, 11});
  CHECK(b.line == 10);
  CHECK(b.column == 7);

  const Position blank = sources.position({index, 13, 13});
  CHECK(blank.line == 11);
  CHECK(blank.column == 1);

  const Position last = sources.position({index, 14, 18});
  CHECK(last.line == 12);
  CHECK(last.column == 1);
  CHECK(sources.position({index, 18, 18}).column == 5);
}

TEST_CASE("position at the end of a text, and of an empty text") {
  Sources sources;
  const std::uint32_t with_break = sources.add({"a", "x\n"});
  CHECK(sources.position({with_break, 2, 2}).line == 2);
  CHECK(sources.position({with_break, 2, 2}).column == 1);
  CHECK(sources.position({with_break, 99, 99}).line == 2);
  const std::uint32_t empty = sources.add({"b", ""});
  CHECK(sources.position({empty, 0, 0}).line == 1);
}

TEST_CASE("ill-formed bytes count as one column each") {
  Sources sources;
  const std::uint32_t index = sources.add({"a", "\xFF\xFFx"});
  CHECK(sources.position({index, 2, 3}).column == 3);
}

TEST_CASE("an index gives the positions that counting from the start gives") {
  std::string text;
  unsigned state = 1;
  for (int i = 0; i < 30'000; ++i) {
    state = state * 1'103'515'245u + 12'345u;
    const unsigned choice = (state >> 16) % 40;
    text += choice == 0   ? "\n"
            : choice == 1 ? "é"
            : choice == 2 ? "\U0001F600"
            : choice == 3 ? "\xff"
            : choice == 4 ? "\r\n"
                          : "x";
  }
  const Source source{"a.yaml", text, 5};
  const LineIndex index(source);
  Position here{5, 1};
  for (std::size_t at = 0; at < text.size(); ++at) {
    if ((static_cast<unsigned char>(text[at]) & 0xC0u) == 0x80u) continue;
    REQUIRE(index.position(at) == here);
    here = text[at] == '\n' ? Position{here.line + 1, 1} : Position{here.line, here.column + 1};
  }
  CHECK(index.position(text.size()) == here);
  CHECK(index.position(text.size() + 9) == here);
}

}  // namespace
}  // namespace flexslice
