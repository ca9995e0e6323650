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
  // The same of variables of Terraform: `-var nodes=4`, `TF_VAR_nodes`.
  void add_variables_of_terraform(std::string_view text);
  // The same of the environment that such a program has of a script, a makefile or a workflow.
  void add_exported(std::string_view path, std::string_view text);
  // The same of a script: its environment, and its arguments if the text has some.
  void add_call_of(std::string_view script, std::string_view path, std::string_view text);
  // Keeps the name of a script that sets variables of the steps of a workflow after it.
  void add_writer(std::string_view path, std::string_view text);

  bool contains(std::string_view name) const { return is_any_ || names_.contains(name); }
  bool empty() const { return !is_any_ && names_.empty() && writers_.empty(); }
  const std::set<std::string, std::less<>>& names() const { return names_; }
  bool is_any() const { return is_any_; }  // nobody knows which
  const std::set<std::string, std::less<>>& writers() const { return writers_; }
  // They are named by `-var-file`, here without folders; empty: not known.
  const std::set<std::string, std::less<>>& var_files() const { return var_files_; }

 private:
  void add_names_set_in(std::string_view line);
  void add_environment_of(std::string_view path, std::string_view text);

  std::set<std::string, std::less<>> names_;
  std::set<std::string, std::less<>> var_files_;
  std::set<std::string, std::less<>> writers_;
  bool is_any_ = false;
};

}  // namespace flexslice::extract
