// A part of a file as one language: a document of a YAML stream, a code block of a page, a script,
// a here-document. It knows where in the file each of its bytes comes from: findings are made on
// the excerpt and moved to the file at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/completeness.hpp"
#include "diag/diag.hpp"

namespace flexslice::extract {

enum class Language : std::uint8_t { yaml, shell, hcl };

struct Excerpt {
  // From `begin` in the excerpt up to the next segment, bytes are those of the file from `host`
  // on, or, where template marks were, as many. Or they stand for `replaced` others of it.
  struct Segment {
    std::size_t begin = 0;
    std::size_t host = 0;
    std::size_t replaced = 0;
  };

  Language language = Language::yaml;
  std::string text;
  std::vector<Segment> segments;  // ascending; the first begins at 0
  Span mark = {};  // in the file, the first that a template program fills in; empty: none
  bool has_template_lines = false;  // which may leave out members, or add others
  bool is_embedded = false;         // in a page or script, where what cannot be read is no mistake
  bool is_sent = false;             // kubectl gets it from a here-document
  bool has_whole_objects = false;   // beside it in a page, so that it is meant to be one
  Completeness completeness = {};   // `expanded`: a shell expands `$` and backslashes in it
  std::vector<Span> unfilled = {};  // of the file: what only that shell knows
  bool own_shell = false;           // variables of the scripts above it are not known in it
  std::string name_space = {};      // in which kubectl creates its objects, if the command says so

  // Variables that its own shell has from the beginning, and nothing where the value is not known.
  std::vector<std::pair<std::string, std::optional<std::string>>> environment = {};
  bool has_open_environment = false;     // what ran before may have set any variable
  std::vector<std::size_t> shells = {};  // where another shell begins, which has no variables

  // The byte of the file that the byte at `offset` is, or, for the end of the text, the one after
  // the last.
  std::size_t host(std::size_t offset) const;
  // The byte of the file after the one at `offset`.
  std::size_t host_end(std::size_t offset) const;
  const Segment* segment_at(std::size_t offset) const;  // null before the first
  std::size_t end_of(const Segment& segment) const;     // of one of `segments`
};

// Adds bytes that are in the file from `host` on, or, of an excerpt, those from `begin` to `end`.
void append_bytes(Excerpt& to, std::string_view bytes, std::size_t host);
void append_bytes(Excerpt& to, const Excerpt& from, std::size_t begin, std::size_t end);
// Adds bytes, or none, that stand for others, which are in the file from `host` on.
void append_in_place(Excerpt& to, std::string_view bytes, std::size_t host, std::size_t replaced);

// The part of an excerpt from `begin` to `end`, as an excerpt of the same file.
Excerpt part(const Excerpt& whole, std::size_t begin, std::size_t end);

// The place in the file, which is source `file`, of a place in the excerpt.
Span in_file(Span span, const Excerpt& from, std::uint32_t file);

// Moves the finding from the excerpt `from`, which is source `index`, to the file, which is source
// `file`. Fixes that would leave their line of the file, or that touch bytes that a shell filled
// in, are dropped, all of a finding or none.
void move_to_file(diag::Diagnostic& finding, const Excerpt& from, std::uint32_t index,
                  std::uint32_t file);

}  // namespace flexslice::extract
