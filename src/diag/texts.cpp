// The words of all diagnostics, in one file of their own. The build makes texts.inl of
// diagnostics.yaml.
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
#include "diag/texts.inl"
#undef FS_TEXT
};

const RowText& text_of_row(const Row& row) {
  return *std::ranges::find(row_texts, row.code, &RowText::code);
}

}  // namespace

std::string_view Row::name() const { return text_of_row(*this).name; }
std::string_view Row::message() const { return text_of_row(*this).message; }
std::string_view Row::explanation() const { return text_of_row(*this).explanation; }

}  // namespace flexslice::diag
