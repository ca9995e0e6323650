// Variables of makefiles, justfiles and the like that command lines in other files set.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace flexslice::extract {

// By its name: a makefile, or YAML or JSON of another program.
bool has_given_variables(std::string_view path);

class GivenNames {
 public:
  // Adds the names that lines of a script, page or workflow give to a program that reads variables
  // of such a file: `make pool NODES=4`.
  void add(std::string_view text);
  void add(const GivenNames& others);

  bool contains(std::string_view name) const { return is_any_ || names_.contains(name); }
  bool empty() const { return !is_any_ && names_.empty(); }
  const std::set<std::string, std::less<>>& names() const { return names_; }
  bool is_any() const { return is_any_; }  // nobody knows which

 private:
  std::set<std::string, std::less<>> names_;
  bool is_any_ = false;
};

}  // namespace flexslice::extract
