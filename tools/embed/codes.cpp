// Build tool: turns the table of diagnostics into the two lists that src/diag includes.
//   flexslice-codes diagnostics.yaml codes.inl texts.inl
// flexslice-embed reports its own errors as diagnostics, so this must be a program that needs none.
// Every file is compiled with codes.inl, but only src/diag/texts.cpp with texts.inl.
#include <fmt/core.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <iostream>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include "output.hpp"

namespace {

using namespace flexslice;

struct Lists {
  std::string codes, texts, merged;
};

[[noreturn]] void refuse(const YAML::Mark& mark, std::string_view why) {
  throw std::runtime_error(fmt::format("{}:{}: {}", mark.line + 1, mark.column + 1, why));
}

// The names of the values must be there, because `explain` shows them.
std::ptrdiff_t count_values(const YAML::Node& message) {
  const std::string& text = message.Scalar();
  for (std::size_t open = text.find_first_of("{}"); open != text.npos;) {
    const std::size_t close = text.find_first_of("{}", open + 1);
    if (text[open] == '}' || close == text.npos || text[close] == '{' || close == open + 1)
      refuse(message.Mark(), "each value of a message is a name in braces");
    open = text.find_first_of("{}", close + 1);
  }
  return std::ranges::count(text, '{');
}

bool is_code(std::string_view text) {
  return text.size() == 6 && text.starts_with("FS") &&
         text.find_first_not_of("0123456789", 2) == text.npos;
}

Lists lists(const YAML::Node& table) {
  Lists out;
  std::string last;
  std::set<std::string> names;
  for (const auto& member : table) {
    const YAML::Node &key = member.first, &row = member.second;
    const std::string& code = key.Scalar();
    if (!is_code(code)) refuse(key.Mark(), "a row is called `FS` and four digits");
    if (code <= last) refuse(key.Mark(), fmt::format("{} is after {}", code, last));
    last = code;
    // Another row says today what this one said.
    if (row["now"] && row.size() == 1) {
      const std::string& now = row["now"].Scalar();
      if (!table[now] || table[now]["now"])
        refuse(row["now"].Mark(), now + " is no row of its own");
      out.merged += fmt::format("FS_MERGED({}, {})\n", code.substr(2), now.substr(2));
      continue;
    }
    for (const char* cell : {"name", "level", "message", "explanation"}) {
      if (!row[cell] || !row[cell].IsScalar() || row[cell].Scalar().empty())
        refuse(key.Mark(), fmt::format("{} has no {}", code, cell));
    }
    const bool of_run = row["of"] && row["of"].Scalar() == "run";
    if (row.size() != (of_run ? 5U : 4U))
      refuse(key.Mark(), fmt::format("{} has something else", code));
    const std::string &name = row["name"].Scalar(), &level = row["level"].Scalar();
    if (!names.insert(name).second) refuse(row["name"].Mark(), name + " is another row's name");
    if (level != "error" && level != "soft" && level != "warning" && level != "note")
      refuse(row["level"].Mark(), "a level is error, soft, warning or note");
    out.codes += fmt::format("FS_CODE({}, {}, {}, {}, {})\n", name, code.substr(2), level,
                             count_values(row["message"]), of_run);
    out.texts +=
        fmt::format("FS_TEXT({}, {},\n        {})\n", name, embed::literal(row["message"].Scalar()),
                    embed::literal(row["explanation"].Scalar()));
  }
  if (!out.merged.empty()) out.codes += "#ifdef FS_MERGED\n" + out.merged + "#endif\n";
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: flexslice-codes diagnostics.yaml codes.inl texts.inl\n";
    return 2;
  }
  try {
    const Lists out = lists(YAML::LoadFile(argv[1]));
    if (embed::write_if_changed(argv[2], out.codes) && embed::write_if_changed(argv[3], out.texts))
      return 0;
    std::cerr << argv[2] << ": cannot be written\n";
  } catch (const YAML::Exception& error) {
    std::cerr << fmt::format("{}:{}:{}: {}\n", argv[1], error.mark.line + 1, error.mark.column + 1,
                             error.msg);
  } catch (const std::exception& error) {
    std::cerr << argv[1] << ':' << error.what() << '\n';
  }
  return 1;
}
