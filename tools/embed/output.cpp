#include "output.hpp"

#include <fmt/core.h>

#include <fstream>
#include <sstream>

namespace flexslice::embed {

std::string literal(std::string_view bytes) {
  std::string text = "\"";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (c == '\n') {
      text += i + 1 < bytes.size() ? "\\n\"\n     \"" : "\\n";
    } else if (c == '"' || c == '\\' || c == '?') {
      text += {'\\', c};
    } else if (c >= ' ' && c <= '~') {
      text += c;
    } else {
      // Three digits always, so that a digit after it is not taken in.
      text += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  return text + '"';
}

bool write_if_changed(const std::string& path, std::string_view text) {
  std::ostringstream old;
  old << std::ifstream(path, std::ios::binary).rdbuf();
  if (old.str() == text) return true;
  std::ofstream out(path, std::ios::binary);
  out << text;
  return static_cast<bool>(out.flush());
}

}  // namespace flexslice::embed
