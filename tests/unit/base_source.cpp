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
  CHECK(b.line_text == "a: é😀 b");
  CHECK(b.offset_in_line == 10);

  const Position blank = sources.position({index, 13, 13});
  CHECK(blank.line == 11);
  CHECK(blank.column == 1);
  CHECK(blank.line_text.empty());

  const Position last = sources.position({index, 14, 18});
  CHECK(last.line == 12);
  CHECK(last.line_text == "last");
  CHECK(sources.end_position({index, 14, 18}).column == 5);
}

TEST_CASE("position at the end of a text, and of an empty text") {
  Sources sources;
  const std::uint32_t with_break = sources.add({"a", "x\n"});
  CHECK(sources.position({with_break, 2, 2}).line == 2);
  CHECK(sources.position({with_break, 2, 2}).column == 1);
  CHECK(sources.position({with_break, 99, 99}).line == 2);
  const std::uint32_t empty = sources.add({"b", ""});
  CHECK(sources.position({empty, 0, 0}).line == 1);
  CHECK(sources.position({empty, 0, 0}).line_text.empty());
}

TEST_CASE("ill-formed bytes count as one column each") {
  Sources sources;
  const std::uint32_t index = sources.add({"a", "\xFF\xFFx"});
  CHECK(sources.position({index, 2, 3}).column == 3);
}

}  // namespace
}  // namespace flexslice
