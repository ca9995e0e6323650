// A word of a command, or the value in it, as a claim.
#pragma once

#include <cstddef>
#include <string_view>

#include "extract/shell.hpp"
#include "schema/placeholder.hpp"
#include "spec/claims.hpp"

namespace flexslice::view {

// `skip`: bytes of the word before the text, which is a value.
inline spec::Text claim_of_word(const extract::Word& word, std::string_view text,
                                std::size_t skip = 0) {
  spec::Text claim;
  claim.value = text;
  claim.where.span = word.where;
  // The span is of the value alone, without the quotes around the word or the value.
  const auto length = word.where.end - word.where.begin;
  if (length == word.text.size()) {
    claim.where.span.begin += static_cast<std::uint32_t>(skip);
  } else if (length == word.text.size() + 2) {
    claim.where.span.begin += static_cast<std::uint32_t>(skip) + 1;
    claim.where.span.end -= 1;
  }
  claim.where.given = true;
  claim.where.placeholder = word.unknown || schema::is_placeholder(text);
  return claim;
}

}  // namespace flexslice::view
