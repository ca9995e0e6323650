// The desk holds one open text: findings as `check` or `lint` has them, the words of `explain` at a
// place, values that are valid there, and its parts. Offsets are bytes of the text.
// No rule is here.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/template/template.hpp"
#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "diag/policy.hpp"
#include "driver/lint_file.hpp"
#include "extract/excerpt.hpp"

namespace flexslice::lsp {

struct Settings {
  const catalog::Catalog& catalog;
  const templates::Set& templates;
  std::vector<Source> defaults, sets;
  diag::Policy policy;
  lint::RuleOptions rules;
};

struct OpenFile {
  std::string_view name;  // says what the text is, unless it is a spec
  std::string_view text;
};

// In order of place, in source 0, which is the text.
std::vector<diag::Diagnostic> findings(const Settings& settings, const OpenFile& named);

// The text with all fixes, as `--fix` leaves it. `found`: the findings of the text.
std::string fixed(const Settings& settings, const OpenFile& named,
                  std::span<const diag::Diagnostic> found);

struct Hover {
  std::string text;                // as `explain` prints it
  std::size_t begin = 0, end = 0;  // of the word that it is about
};
std::optional<Hover> hover(const Settings& settings, const OpenFile& named, std::size_t offset,
                           std::span<const diag::Diagnostic> found);

struct Completion {
  std::string label;
  std::string text;  // takes the place of the word
  std::string type;  // of a field, in words
  std::string about;
  bool is_field = false;
};
struct Completions {
  std::vector<Completion> items;   // the likeliest first
  std::size_t begin = 0, end = 0;  // of the word
};
Completions completions(const Settings& settings, const OpenFile& named, std::size_t offset);

struct Symbol {
  std::string name, detail;
  bool is_command = false, is_object = false;
  std::size_t begin = 0, name_end = 0, end = 0;  // it begins with its name
  std::vector<Symbol> inner;
};
std::vector<Symbol> symbols(const OpenFile& named);

// Objects of YAML and scripts in the text. Each spec of a stream is one.
struct Contents {
  bool are_specs = false;
  std::vector<extract::Excerpt> all;
};
Contents contents_of(const OpenFile& named);

}  // namespace flexslice::lsp
