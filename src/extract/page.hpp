// Code blocks of pages in Markdown.
#pragma once

#include <string>
#include <vector>

#include "extract/excerpt.hpp"

namespace flexslice::extract {

struct Block {
  Excerpt lines;           // without what lists, quotes and indentation put in front of them
  std::string language;    // as the page has it, in small letters; often empty
  bool is_in_tab = false;  // one of several that a reader chooses from
  Excerpt comment;         // `# flexslice: allow …` of the `<!-- … -->` above it, or empty
};

// In the order of the page. A fence may be indented, as in lists and in the tabs of other kinds of
// Markdown, and its block ends with the fence that closes it.
std::vector<Block> code_blocks(const Excerpt& page);

}  // namespace flexslice::extract
