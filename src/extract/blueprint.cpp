#include "extract/blueprint.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "diag/diag.hpp"
#include "yaml/embedded.hpp"
#include "yaml/parse.hpp"

namespace flexslice::extract {

using yaml::Kind;
using yaml::Node;
using yaml::View;

namespace {

// A variable that needs more of them is taken for one that needs itself.
constexpr int most_variables_in_a_row = 16;

Node quoted_at(std::string text, Span where) {
  Node made;
  made.kind = Kind::scalar;
  made.quoted = true;
  made.span = where;
  made.text = std::move(text);
  return made;
}

Node mapping_at(Span where) {
  Node made;
  made.kind = Kind::mapping;
  made.span = where;
  return made;
}

std::optional<Node> tree_of_text(std::string name, std::string text) {
  Sources sources;
  const std::uint32_t index = sources.add({std::move(name), std::move(text), 1});
  diag::Sink sink;
  return yaml::parse(sources, index, sink, {.merge_keys = true, .last_wins = true});
}

// The names of Terraform's variables that a module has, as far as they are known here.
std::set<std::string> arguments_of(std::string_view source) {
  for (const View type : embedded::root_of(embedded::kubernetes, "extract/terraform.yaml")) {
    const View modules = type.find("modules");
    const auto is_it = [&](View part) { return source.find(part.text()) != source.npos; };
    if (!modules || !any_of(modules, is_it)) continue;
    std::set<std::string> names;
    for (const View row : type.find("arguments"))
      names.insert(std::string(row.key().substr(0, row.key().find('.'))));
    if (const View named = type.find("named")) names.insert(std::string(named.find("by").text()));
    return names;
  }
  return {};
}

class BlueprintReader {
 public:
  BlueprintReader(const Node& document, std::string_view path, const ReadBeside& beside)
      : document_(document) {
    if (const Node* vars = document.find("vars")) vars_ = *vars;
    if (beside) set_by_deployment(path, beside);
  }

  Blueprint read() && {
    collect_modules();
    Node variables = mapping_at(vars_.span);
    for (const yaml::Member& member : vars_.members) {
      Node body = mapping_at(member.value.span);
      if (member.value.kind != Kind::null)
        body.members.push_back({quoted_at("default", member.key.span), filled_in(member.value)});
      variables.members.push_back({member.key, std::move(body)});
    }
    Node modules = mapping_at(document_.span);
    for (const Node* module : modules_) {
      if (const Node* id = module->find("id")) modules.members.push_back({*id, body_of(*module)});
      uses(*module);
    }
    result_.terraform = mapping_at(document_.span);
    result_.terraform.members.push_back({quoted_at("variable", {}), std::move(variables)});
    result_.terraform.members.push_back({quoted_at("module", {}), std::move(modules)});
    return std::move(result_);
  }

 private:
  void collect_modules() {
    const Node* groups = document_.find("deployment_groups");
    if (groups == nullptr) return;
    for (const Node& group : groups->items) {
      const Node* list = group.find("modules");
      if (list == nullptr) continue;
      for (const Node& module : list->items) {
        modules_.push_back(&module);
        if (const Node* id = module.find("id")) ids_.push_back(id->text);
      }
    }
  }

  void set_by_deployment(std::string_view path, const ReadBeside& beside) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const std::string stem(name.substr(0, name.rfind('.')));
    for (const std::string& each : {stem + "-deployment.yaml", std::string("deployment.yaml")}) {
      const std::optional<std::string> text = each == name ? std::nullopt : beside(each);
      const std::optional<Node> tree = text ? tree_of_text(each, *text) : std::nullopt;
      const Node* set =
          tree && tree->find("blueprint_name") == nullptr ? tree->find("vars") : nullptr;
      if (set == nullptr) continue;
      for (const yaml::Member& member : set->members) {
        if (member.value.kind == Kind::null) continue;
        const auto own = std::ranges::find(vars_.members, member.key.text,
                                           [](const yaml::Member& has) { return has.key.text; });
        const Span where =
            own == vars_.members.end() ? document_.find("blueprint_name")->span : own->key.span;
        Node value = member.value;
        place(value, where);
        if (own == vars_.members.end()) {
          vars_.members.push_back({quoted_at(member.key.text, where), std::move(value)});
        } else {
          own->value = std::move(value);
        }
      }
      return;
    }
  }

  static void place(Node& node, Span where) {
    node.span = where;
    for (Node& item : node.items) place(item, where);
    for (yaml::Member& member : node.members) {
      place(member.key, where);
      place(member.value, where);
    }
  }

  // A module has the deployment's variables of the names of its own, unless it sets them.
  Node body_of(const Node& module) {
    Node body = mapping_at(module.span);
    const Node* source = module.find("source");
    if (source != nullptr) body.members.push_back({quoted_at("source", source->span), *source});
    const Node* settings = module.find("settings");
    if (settings != nullptr) {
      for (const yaml::Member& member : settings->members)
        body.members.push_back({member.key, filled_in(member.value)});
    }
    if (source == nullptr) return body;
    const Node* id = module.find("id");
    for (const std::string& name : arguments_of(source->text)) {
      const Node* value = vars_.find(name);
      if (value == nullptr || body.find(name) != nullptr) continue;
      body.members.push_back({quoted_at(name, id == nullptr ? source->span : id->span),
                              quoted_at("${var." + name + "}", value->span)});
    }
    return body;
  }

  void uses(const Node& module) {
    const Node* list = module.find("use");
    if (list == nullptr) return;
    for (const Node& each : list->items) {
      if (!contains(ids_, each.text)) lose(each.span, LostReference::To::module, each.text, ids_);
    }
  }

  void lose(Span where, LostReference::To to, std::string name, std::vector<std::string> others) {
    const auto is_same = [&](const LostReference& each) {
      // One variable is enough to report a circle.
      return each.to == to &&
             (to == LostReference::To::itself || (each.where == where && each.name == name));
    };
    if (!any_of(result_.lost, is_same))
      result_.lost.push_back({where, to, std::move(name), std::move(others)});
  }

  Node filled_in(Node node) {
    if (node.kind == Kind::scalar) node.text = in_terraform_syntax(node);
    for (Node& item : node.items) item = filled_in(std::move(item));
    for (yaml::Member& member : node.members) member.value = filled_in(std::move(member.value));
    return node;
  }

  // `$(vars.x)` alone is a reference; within a text it is replaced where its value is known.
  std::string in_terraform_syntax(const Node& node, int steps = 0) {
    const std::string_view text = node.text;
    if (text.starts_with("((") && text.ends_with("))"))
      return fmt::format("${{{}}}", text::trim(text.substr(2, text.size() - 4)));
    std::string out;
    std::size_t from = 0;
    for (std::size_t at; (at = text.find("$(", from)) != text.npos;) {
      const bool is_escaped = at > from && text[at - 1] == '\\';
      const std::size_t end = text.find(')', at);
      if (end == text.npos) break;
      if (is_escaped) {
        out += text.substr(from, at - 1 - from);
        out += "$(";
        from = at + 2;
        continue;
      }
      out += text.substr(from, at - from);
      out += reference(text.substr(at + 2, end - at - 2), node.span,
                       at == 0 && end + 1 == text.size(), steps);
      from = end + 1;
    }
    return out + std::string(text.substr(from));
  }

  std::string reference(std::string_view path, Span where, bool is_whole, int steps) {
    const std::size_t dot = path.find('.');
    const std::string_view first = path.substr(0, dot);
    const auto is_in_name = [](char c) {
      return ascii::is_letter_or_digit(c) || std::string_view("_-.[]").find(c) != std::string::npos;
    };
    const bool is_expression = !std::ranges::all_of(path, is_in_name);
    if (dot == path.npos || is_expression) return fmt::format("${{{}}}", path);
    if (first != "vars") {
      if (!contains(ids_, first)) lose(where, LostReference::To::module, std::string(first), ids_);
      return fmt::format("${{module.{}}}", path);
    }
    const std::string name(path.substr(5, path.find_first_of(".[", 5) - 5));
    const Node* value = vars_.find(name);
    if (value == nullptr) {
      std::vector<std::string> names;
      for (const yaml::Member& member : vars_.members) names.push_back(member.key.text);
      lose(where, LostReference::To::variable, name, std::move(names));
    } else if (steps == most_variables_in_a_row) {
      lose(where, LostReference::To::itself, name, {});
    } else if (value->kind == Kind::scalar && path.size() == 5 + name.size()) {
      // Read even where only its name is written, so that a circle is found.
      const std::string text = in_terraform_syntax(*value, steps + 1);
      if (!is_whole && text.find("${") == text.npos) return text;
    }
    return fmt::format("${{var.{}}}", path.substr(5));
  }

  const Node& document_;
  Node vars_;
  std::vector<const Node*> modules_;
  std::vector<std::string> ids_;
  Blueprint result_;
};

}  // namespace

std::optional<Blueprint> read_blueprint(const Node& document, std::string_view path,
                                        const ReadBeside& beside) {
  if (document.find("blueprint_name") == nullptr || document.find("deployment_groups") == nullptr)
    return std::nullopt;
  return BlueprintReader(document, path, beside).read();
}

}  // namespace flexslice::extract
