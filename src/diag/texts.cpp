// The words of all diagnostics, in one file of their own.
#include <algorithm>

#include "diag/diag.hpp"

namespace flexslice::diag {

namespace {

struct RowText {
  Code code;
  std::string_view name, message, explanation;
};

constexpr RowText words[] = {
#define FS_TEXT(name, message, explanation) {Code::name, #name, message, explanation},
#include "diag/texts.def"
#undef FS_TEXT
};

constexpr bool fits(const RowText& text, const Row& row) {
  return text.code == row.code && std::ranges::count(text.message, '{') == row.values;
}
static_assert(std::ranges::equal(words, rows, fits));
static_assert(std::ranges::none_of(words, [](const RowText& text) {
  return text.message.find("{}") != std::string_view::npos;  // `explain` shows the names
}));

const RowText& words_of(const Row& row) {
  return *std::ranges::find(words, row.code, &RowText::code);
}

}  // namespace

std::string_view Row::name() const { return words_of(*this).name; }
std::string_view Row::message() const { return words_of(*this).message; }
std::string_view Row::explanation() const { return words_of(*this).explanation; }

}  // namespace flexslice::diag
