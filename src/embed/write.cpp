#include "embed/write.hpp"

#include <fmt/core.h>

#include <array>
#include <map>

#include "base/text.hpp"

namespace flexslice::embed {

namespace {

// Three octal digits always, so that a digit behind it is not taken in.
std::string octal(unsigned char byte) {
  std::string digits = "\\000";
  digits[1] = static_cast<char>('0' + (byte >> 6));
  digits[2] = static_cast<char>('0' + (byte >> 3 & 7));
  digits[3] = static_cast<char>('0' + (byte & 7));
  return digits;
}

std::string view(std::string_view bytes) {
  if (bytes.empty()) return "{}";
  return fmt::format("{{{}, {}}}", literal(bytes), bytes.size());
}

// All texts of all tables, each once.
class Pool {
 public:
  // `{}` or `{BEGIN, SIZE}`.
  std::string place(std::string_view bytes) {
    if (bytes.empty()) return "{}";
    const auto [known, added] = places_.try_emplace(std::string(bytes), size_);
    if (added) {
      size_ += bytes.size();
      literals_ += "\n    " + literal(bytes);
    }
    return fmt::format("{{{}, {}}}", known->second, bytes.size());
  }
  std::string definition() const {
    return fmt::format("\nconstexpr char texts[] ={};\n", size_ == 0 ? " \"\"" : literals_);
  }

 private:
  std::map<std::string, std::size_t> places_;
  std::size_t size_ = 0;
  std::string literals_;
};

std::string row(const yaml::Cell& cell, std::string_view texts, Pool& pool) {
  constexpr std::array kinds{"null", "scalar", "sequence", "mapping"};
  const std::string key = pool.place(texts.substr(cell.key.begin, cell.key.size));
  const std::string text = pool.place(texts.substr(cell.text.begin, cell.text.size));
  return fmt::format("    {{Kind::{}, {}, {}, {}, {}, {}}},\n",
                     kinds[static_cast<std::size_t>(cell.kind)], cell.quoted ? "true" : "false",
                     key, text, cell.size, "{}");
}

}  // namespace

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
      text += octal(static_cast<unsigned char>(c));
    }
  }
  return text + '"';
}

std::string cpp_source(std::string_view span, const std::vector<NamedTable>& tables) {
  std::string source =
      "// Made by flexslice-embed; do not edit.\n"
      "#include \"embed/embedded.hpp\"\n\n"
      "namespace flexslice::embedded {\n\nnamespace {\n\nusing yaml::Cell;\nusing yaml::Kind;\n";
  std::string files;
  Pool pool;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    source += fmt::format("\n// {}\nconstexpr Cell cells_{}[] = {{\n", tables[i].name, i);
    for (const yaml::Cell& cell : tables[i].cells) source += row(cell, tables[i].texts, pool);
    source += "};\n";
    files += fmt::format("    {{{}, cells_{}, texts}},\n", view(tables[i].name), i);
  }
  source += pool.definition();
  source += fmt::format(
      "\nconstexpr File files[] = {{\n{}}};\n\n}}  // namespace\n\nconst std::span<const File> "
      "{}{{files}};\n\n",
      files, span);
  return source + "}  // namespace flexslice::embedded\n";
}

}  // namespace flexslice::embed
