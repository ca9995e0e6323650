// A file of the user holds documents of Kubernetes YAML or JSON, shell, or Terraform. Scripts and
// pages hold the first two. The text alone decides, nothing is opened.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "extract/excerpt.hpp"
#include "extract/given_names.hpp"
#include "extract/shell.hpp"

namespace flexslice::extract {

struct Module;

enum class FileType : std::uint8_t { yaml, page, script, makefile, terraform, justfile };

// By the end of the name, without template endings (`job.yaml.tftpl` is YAML); of a name that says
// nothing, by the text's first lines.
FileType file_type(std::string_view name, std::string_view text);
// Returns false if neither the name nor the text says that it is of such a type.
bool is_known_type(std::string_view name, std::string_view text);

// In the order of the file. YAML streams are cut at their markers. Bytes that read as a placeholder
// (schema/placeholder.hpp) stand for template marks. A comment `<!-- flexslice: … -->` of a page
// is the first line, `# flexslice: …`, of each excerpt of the next block. YAML in here-documents
// of a script is an excerpt after it, as the shell expands it (read_shell); scripts in fields of
// YAML are too (workflow_steps, field_scripts), and the cells of a notebook are those of a page.
// `beside`: files that a script reads settings from, or nothing. `given`: variables that calls in
// other files set. `module`: that a file of Terraform is in, or null.
std::vector<Excerpt> excerpts(std::string_view text, FileType type, const ReadBeside& beside = {},
                              const GivenNames& given = {}, const Module* module = nullptr);

}  // namespace flexslice::extract
