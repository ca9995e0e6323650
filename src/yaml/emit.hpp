// Writes YAML and JSON. Whatever is written reads back as the same tree, by readers of YAML 1.1
// (kubectl) and of YAML 1.2.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "yaml/value.hpp"

namespace flexslice::yaml {

struct Style {
  bool comments = true;
  int width = 80;  // a comment that would pass it goes on the line above
};

// One document, without its `---`, ending with a line break. Lists are indented below their key (as
// yamllint's default wants), empty collections are `[]` and `{}`, strings are plain wherever both
// YAML versions read them back as the same string, multi-line strings are literal blocks whenever
// that keeps every byte, the rest is double-quoted.
std::string emit(const Value& value, const Style& style);
void emit(const Value& value, const Style& style, std::string& out);
// Documents, each behind `---`.
void emit_documents(std::span<const Value> values, const Style& style, std::string& out);

// Text for a comment. A comment ends with its line, so what some reader takes for a line break, or
// does not take at all, is a blank.
std::string one_line(std::string_view text);

// A string as one YAML scalar on one line: plain or double-quoted.
void emit_scalar(std::string_view text, std::string& out);

// Indented by two, no comments, ending with a line break. Control characters, and the few others
// that YAML cannot hold as they are, are escaped, so that the result is YAML as well; other text
// stays as it is. Infinities and not-a-number become strings.
std::string emit_json(const Value& value);
// A string between double quotes, with the escapes that both JSON and YAML know.
void emit_json_string(std::string_view text, std::string& out);

}  // namespace flexslice::yaml
