// Lints a folder of texts again and again, each time with one change. Reads from stdin, and prints
// for each change the findings that the folder without it does not have:
//
//   folder             begins an empty folder
//   file NAME SIZE     adds a file; its text follows
//   change FILE BEGIN END SIZE   of the file with that number; what is put there follows
//
// A finding is a line: code, level, FILE:LINE, and FILE:LINE of each place that it names besides,
// with tabs between; a line with `.` ends the answer. What is said of the folder without a change
// follows its first change, and begins with `unchanged`.
#include <fmt/core.h>

#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "driver/lint_texts.hpp"

namespace flexslice {

namespace {

struct Finding {
  std::string text;  // without its line, to compare it with that of another text
  std::string places;
};

std::vector<Finding> findings_of(std::span<const Source> texts, const catalog::Catalog& catalog) {
  std::vector<Finding> all;
  lint::lint_texts(
      texts, catalog, {}, [&](const Sources& sources, std::vector<diag::Diagnostic> found) {
        const auto place = [&](Span where) {
          return fmt::format("{}:{}", sources[where.source].name, sources.position(where).line);
        };
        for (const diag::Diagnostic& each : found) {
          if (each.level == diag::Level::note) continue;
          std::string places =
              fmt::format("{}\t{}", diag::code_text(each.code),
                          each.level == diag::Level::warning ? "warning" : "error");
          places += "\t" + place(each.where);
          for (const diag::Related& related : each.related)
            places += "\t" + (related.file.empty()
                                  ? place(related.where)
                                  : fmt::format("{}:{}", related.file, related.position.line));
          all.push_back({fmt::format("{} {} {}", diag::code_text(each.code),
                                     sources[each.where.source].name, each.message),
                         std::move(places)});
        }
      });
  return all;
}

std::string read(std::size_t size) {
  std::string text(size, '\0');
  std::cin.get();  // the end of the line
  std::cin.read(text.data(), static_cast<std::streamsize>(size));
  return text;
}

}  // namespace

int lint_changes() {
  const catalog::Catalog catalog = catalog::built_in();
  std::vector<Source> texts;
  std::optional<std::map<std::string, int>> unchanged;
  std::string word;
  while (std::cin >> word) {
    if (word == "folder") {
      texts.clear();
      unchanged.reset();
    } else if (word == "file") {
      std::string name;
      std::size_t size = 0;
      std::cin >> name >> size;
      texts.push_back({name, read(size), 1});
    } else {
      std::size_t file = 0, begin = 0, end = 0, size = 0;
      std::cin >> file >> begin >> end >> size;
      const std::string instead = read(size);
      std::string out;
      if (!unchanged) {
        unchanged.emplace();
        for (const Finding& each : findings_of(texts, catalog)) {
          ++(*unchanged)[each.text];
          out += fmt::format("unchanged\t{}\n", each.places);
        }
      }
      const std::string whole = texts[file].text;
      texts[file].text.replace(begin, end - begin, instead);
      auto known = *unchanged;
      for (const Finding& each : findings_of(texts, catalog)) {
        if (known[each.text]-- <= 0) out += each.places + "\n";
      }
      texts[file].text = whole;
      std::cout << out << ".\n";
    }
  }
  return 0;
}

}  // namespace flexslice

int main() { return flexslice::lint_changes(); }
