// Names of a file of which one has two letters in the other order, as fingers swap them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <unordered_map>

#include "diag/diag.hpp"
#include "rules/references.hpp"
#include "spec/claims.hpp"
#include "yaml/node.hpp"

namespace flexslice::rules {

class NamesOfFile {
 public:
  // All keys and values but the words of programs.
  void add(const yaml::Node& object);
  void add(const spec::Text& name);
  // Reports a name that the file has once, but for names of objects: what refers to them is judged
  // with all files of the run.
  void judge(std::span<const MadeObject> objects, diag::Sink& sink) const;

 private:
  struct NamePlace {
    Span first;
    std::size_t count = 0;
  };
  std::unordered_map<std::string, NamePlace> names_;
};

}  // namespace flexslice::rules
