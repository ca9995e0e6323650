// Expressions of Terraform name things that the module must declare.
#pragma once

#include <string>
#include <vector>

#include "base/source.hpp"
#include "extract/terraform.hpp"
#include "yaml/node.hpp"

namespace flexslice::extract {

struct UndeclaredName {
  Span where;                       // of the text that has the expression
  std::string name;                 // `var.zone`, `google_container_cluster.main`
  std::vector<std::string> others;  // of its sort that are declared
};
// Adds `var.a`, `local.b`, `module.c`, `google_d.e` and `data.google_f.g` of a document.
void add_declared(const yaml::Node& document, Module::Names& declared);
// `terraform validate` refuses each (internal/terraform, "Reference to undeclared …"). Nothing is
// known of a module with a file that cannot be read. Names of resources are judged for `google_`.
std::vector<UndeclaredName> undeclared_names(const yaml::Node& document, const Module* module);

}  // namespace flexslice::extract
