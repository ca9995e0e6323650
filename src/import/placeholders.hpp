// Placeholders of the input: the compiler refuses them, so a trial runs with values that stand for
// them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "yaml/value.hpp"

namespace flexslice::imports {

class Placeholders {
 public:
  // Each placeholder becomes a name that is valid wherever a name is. Free text, such as commands,
  // stays.
  void fill(yaml::Value& value, std::string_view key = {});
  // Also fills what must be a zone or a region in a spec.
  void fill_spec(yaml::Value& spec);
  // Puts the placeholders back.
  void restore(yaml::Value& value) const;
  std::string restored(std::string text) const;
  std::string filled(std::string_view text);
  // Says whether fill_spec wrote the text for a placeholder that no name can stand for.
  bool stands_in(std::string_view text) const { return stand_ins_.contains(text); }
  // The placeholders that have a name in their place.
  std::vector<std::string_view> all() const;

  static bool is_in(std::string_view text);
  // Says whether the value of the field is free text, in which `$X` is no placeholder.
  static bool is_free(std::string_view key);

 private:
  void fill_place(yaml::Value* value, std::string_view with);

  std::map<std::string, std::string, std::less<>> names_;  // by what stands for them
  std::set<std::string, std::less<>> stand_ins_;
};

}  // namespace flexslice::imports
