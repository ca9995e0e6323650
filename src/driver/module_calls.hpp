// Finds the values that other modules and command lines give variables of modules of Terraform.
// Pure.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.hpp"
#include "extract/given_names.hpp"
#include "extract/terraform.hpp"

namespace flexslice::lint {

// Knows files of Terraform, OpenTofu and Terragrunt by their names.
bool may_call_modules(std::string_view path);

// Adds the variables that command lines set. `files`: those of values that they may name.
void add_given_by_commands(const extract::GivenNames& commands, std::span<const Source> files,
                           extract::GivenVariables& given);

class ModuleCalls {
 public:
  void add(const Source& file);

  // Returns the variables of the module of the folder. Names of folders and files have one base.
  extract::GivenVariables given(std::string_view folder) const;

 private:
  struct ModuleCall {
    Source file;
    std::string name;
    std::set<std::string> arguments;
    bool is_one = true;  // it is made once, as its file says it
  };
  std::map<std::string, std::vector<ModuleCall>, std::less<>>
      calls_;                                      // by the folder that is called
  std::set<std::string, std::less<>> overridden_;  // folders whose calls may say something else
};

}  // namespace flexslice::lint
