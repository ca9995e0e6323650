// Notebooks of Jupyter: the cells that hold commands, objects or pages.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "extract/excerpt.hpp"

namespace flexslice::extract {

struct NotebookCell {
  Excerpt text;
  // As a file would be called that holds the same: `.md`, `.sh`, or the name of `%%writefile`.
  std::string name;
};

bool is_notebook(std::string_view text);

// In the order of the notebook. Of a cell of Python, the lines after `!`.
std::vector<NotebookCell> notebook_cells(const Excerpt& notebook);

}  // namespace flexslice::extract
