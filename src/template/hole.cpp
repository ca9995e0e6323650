#include "template/hole.hpp"

namespace flexslice::templates {

std::vector<Piece> pieces_of(std::string_view scalar) {
  std::vector<Piece> pieces;
  while (!scalar.empty()) {
    const std::size_t begin = scalar.find("${");
    const std::size_t end = begin == std::string_view::npos ? begin : scalar.find('}', begin);
    if (end == std::string_view::npos) {
      pieces.push_back({false, scalar});
      break;
    }
    if (begin > 0) pieces.push_back({false, scalar.substr(0, begin)});
    pieces.push_back({true, scalar.substr(begin + 2, end - begin - 2)});
    scalar.remove_prefix(end + 1);
  }
  return pieces;
}

std::optional<Loop> loop_of(std::string_view text) {
  const std::size_t in = text.find(" in ");
  if (in == std::string_view::npos || in == 0 || in + 4 >= text.size()) return std::nullopt;
  return Loop{text.substr(0, in), text.substr(in + 4)};
}

}  // namespace flexslice::templates
