#include "../catch.hpp"
#include "extract/marks.hpp"
#include "extract/originals.hpp"

namespace flexslice::extract {
namespace {

struct Blanked {
  Excerpt excerpt;
  std::string marked;
};

Blanked blanked(std::string_view text, Language language = Language::yaml) {
  Excerpt excerpt{language, std::string(text), {{0, 0}}};
  blank_marks(excerpt);
  std::string marked = with_marks(excerpt, text);
  return {std::move(excerpt), std::move(marked)};
}

// Of a text that is read as it stands.
std::string restored(std::string_view text) {
  const auto [excerpt, marked] = blanked(text);
  std::string read = excerpt.text;
  restore_marks(read, {0, 0, text.size()}, excerpt, marked);
  return read;
}

std::string said(std::string_view text, std::string message, Span where = {}) {
  const auto [excerpt, marked] = blanked(text);
  diag::Diagnostic finding{
      diag::Code::Placeholder, diag::Level::error, where, std::move(message), {}, {}, {}};
  restore_marks(finding, excerpt, text);
  return finding.message;
}

TEST_CASE("each mark comes back as it is in the file") {
  for (const char* text :
       {"a: {b: ${C}, d: \"${E}\"}", "a: {FOO}\nb: \"{BAR}\"", "a: [{B}XY, ${C}${D}]",
        "a: {{ b }}-{{ c }}X", "a: $XXXX {FOO} $XXXX", "a: <b: c>", "${A}: [$XX, {B}]",
        "a: {% if b %}1{% else %}2{% endif %}c"}) {
    CAPTURE(text);
    CHECK(restored(text) == text);
  }
  // In the value of YAML the rest of the mark would be a blank.
  CHECK(restored("a: {{ b\n  c }}") == "a: {{ b c }}\n      ");
}

TEST_CASE("marks in square brackets are lists again") {
  const auto [excerpt, marked] = blanked("a: [ALL]\nb: {FOO}");
  CHECK(with_bracketed_marks(excerpt, marked) == "a: [ALL]\nb: $XXXX");
}

TEST_CASE("what is said names the mark") {
  CHECK(said("a: {FOO}", "`$XXXX` is wrong") == "`{FOO}` is wrong");
  CHECK(said("a: {FOO}\nb: {BAR}", "`$XXXX`", {0, 12, 17}) == "`{BAR}`");
  CHECK(said("a: {FOO}\nb: {BAR}", "`$XXXX`") == "`{{ … }}`");
  CHECK(said("a: {FOO}\nb: $XXXX", "`$XXXX`", {0, 12, 17}) == "`$XXXX`");
  CHECK(said("a: b", "`$XXXX`") == "`$XXXX`");
}

}  // namespace
}  // namespace flexslice::extract
