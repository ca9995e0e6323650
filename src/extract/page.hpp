// Code blocks of pages in Markdown. page.cpp is the only file that includes libcmark.
#pragma once

#include <string>
#include <vector>

#include "extract/excerpt.hpp"

namespace flexslice::extract {

struct Block {
  Excerpt lines;         // without what lists, quotes and indentation put in front of them
  std::string language;  // as the page has it, in small letters; often empty
  Excerpt comment;       // `# flexslice: allow …` of the `<!-- … -->` above it, or empty
};

// In the order of the page; also those in indented code, which other kinds of Markdown nest so.
std::vector<Block> code_blocks(const Excerpt& page);

}  // namespace flexslice::extract
