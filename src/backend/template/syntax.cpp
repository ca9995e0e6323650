#include "backend/template/syntax.hpp"

namespace flexslice::templates {

Placeholder placeholder_of(std::string_view text) {
  const bool optional = text.starts_with('?');
  return {optional ? text.substr(1) : text, optional};
}

Condition condition_of(std::string_view text) {
  const bool negated = text.starts_with('!');
  return {negated ? text.substr(1) : text, negated};
}

std::optional<Piece> take_piece(std::string_view& rest) {
  if (rest.empty()) return std::nullopt;
  const std::size_t begin = rest.find("${");
  const std::size_t end = begin == std::string_view::npos ? begin : rest.find('}', begin);
  Piece piece{false, rest};
  if (end == std::string_view::npos) {
    rest = {};
  } else if (begin > 0) {
    piece.text = rest.substr(0, begin);
    rest.remove_prefix(begin);
  } else {
    piece = {true, rest.substr(2, end - 2)};
    rest.remove_prefix(end + 1);
  }
  return piece;
}

std::optional<Loop> loop_of(std::string_view text) {
  const std::size_t in = text.find(" in ");
  if (in == std::string_view::npos || in == 0 || in + 4 >= text.size()) return std::nullopt;
  return Loop{text.substr(0, in), placeholder_of(text.substr(in + 4))};
}

}  // namespace flexslice::templates
