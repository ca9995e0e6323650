#include "extract/substitution.hpp"

#include <string_view>

#include "extract/parameters.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

void substitute_in(yaml::Node& scalar, const std::map<std::string, std::string>& values,
                   Substitution& done) {
  const std::string text = scalar.text;
  std::string result;
  for (size_t at = 0; at < text.size();) {
    const size_t dollar = std::min(text.find("${", at), text.size());
    result += text.substr(at, dollar - at);
    at = dollar;
    if (at == text.size()) break;
    if (result.ends_with('$')) {  // `$${NAME}` becomes `${NAME}`
      result += '{';
      at += 2;
      continue;
    }
    const Parameter parameter = parameter_at(text, at);
    const bool has_default = parameter.for_empty && parameter.change != '?';
    if (parameter.name.empty() || !parameter.subscript.empty() ||
        (parameter.change != '\0' && !has_default) ||
        parameter.fallback.find('$') != std::string_view::npos) {
      done.is_open = true;
      return;
    }
    const auto value = values.find(std::string(parameter.name));
    if (value != values.end()) done.used.emplace(parameter.name);
    if (value != values.end() && !value->second.empty()) {
      result += value->second;
    } else if (parameter.change != '\0') {
      result += parameter.fallback;
    } else if (value == values.end()) {
      done.lost.emplace(parameter.name);
    }
    at += parameter.length;
    if (parameter.length == text.size()) scalar.quoted = false;
  }
  scalar.text = std::move(result);
}

}  // namespace

Substitution substitute(yaml::Node& tree, const std::map<std::string, std::string>& values) {
  Substitution done;
  const auto visit = [&](auto& self, yaml::Node& node) -> void {
    if (node.kind == yaml::Kind::scalar) substitute_in(node, values, done);
    for (yaml::Node& item : node.items) self(self, item);
    for (yaml::Member& member : node.members) {
      self(self, member.key);
      self(self, member.value);
    }
  };
  visit(visit, tree);
  return done;
}

}  // namespace flexslice::extract
