// The words of all diagnostics, in one file of their own.
#include <algorithm>

#include "diag/diag.hpp"

namespace flexslice::diag {

namespace {

struct RowText {
  Code code;
  std::string_view name, message, explanation;
};

constexpr RowText row_texts[] = {
#define FS_TEXT(name, message, explanation) {Code::name, #name, message, explanation},
#include "diag/texts.def"
#undef FS_TEXT
};

constexpr bool fits(const RowText& text, const Row& row) {
  return text.code == row.code && std::ranges::count(text.message, '{') == row.values;
}
static_assert(std::ranges::equal(row_texts, rows, fits));
static_assert(std::ranges::none_of(row_texts, [](const RowText& text) {
  return text.message.find("{}") != std::string_view::npos;  // `explain` shows the names
}));

const RowText& text_of_row(const Row& row) {
  return *std::ranges::find(row_texts, row.code, &RowText::code);
}

}  // namespace

std::string_view Row::name() const { return text_of_row(*this).name; }
std::string_view Row::message() const { return text_of_row(*this).message; }
std::string_view Row::explanation() const { return text_of_row(*this).explanation; }

}  // namespace flexslice::diag
