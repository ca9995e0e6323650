#include "extract/blueprint.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "diag/diag.hpp"
#include "extract/blueprint_judge.hpp"
#include "extract/terraform.hpp"
#include "extract/toolkit_modules.hpp"
#include "yaml/embedded.hpp"
#include "yaml/made.hpp"
#include "yaml/parse.hpp"

namespace flexslice::extract {

using yaml::Kind;
using yaml::Node;
using yaml::View;

namespace {

// A variable that needs more of them is taken for one that needs itself.
constexpr int most_variables_in_a_row = 16;

// No slice has as many, and the product of two such numbers is one.
constexpr std::int64_t most_chips = 1000000;

std::optional<Node> tree_of_text(std::string name, std::string text) {
  Sources sources;
  const std::uint32_t index = sources.add({std::move(name), std::move(text), 1});
  diag::Sink sink;
  return yaml::parse(sources, index, sink, {.merge_keys = true, .last_wins = true});
}

View module_kind(const Node* source) {
  return source == nullptr ? View() : kind_of_module(source->text);
}

// The names of Terraform's variables that a module has, as far as they are known here.
std::set<std::string> arguments_of(View kind) {
  std::set<std::string> names;
  for (const View row : kind.find("arguments"))
    names.insert(std::string(row.key().substr(0, row.key().find('.'))));
  if (const View named = kind.find("named")) names.insert(std::string(named.find("by").text()));
  if (const View located = kind.find("located")) {
    for (const View each : located) names.insert(std::string(each.text()));
  }
  return names;
}

const Node* find_path(const Node& node, std::string_view path) {
  const Node* found = &node;
  for (std::string_view key : text::split(path, '.')) {
    found = found->find(key);
    if (found == nullptr) return nullptr;
  }
  return found;
}

Node* writable_member(Node& node, std::string_view key) {
  for (yaml::Member& member : node.members) {
    if (member.key.text == key) return &member.value;
  }
  return nullptr;
}

void set_path(Node& node, std::string_view path, Node value, Span where) {
  const std::size_t dot = path.find('.');
  const std::string key(path.substr(0, dot));
  Node* inner = writable_member(node, key);
  if (dot == path.npos) {
    if (inner == nullptr) node.members.push_back({yaml::string_at(key, where), std::move(value)});
    return;
  }
  if (inner == nullptr) {
    node.members.push_back({yaml::string_at(key, where), yaml::mapping_at(where)});
    inner = &node.members.back().value;
  }
  if (inner->kind == Kind::mapping) set_path(*inner, path.substr(dot + 1), std::move(value), where);
}

// Returns zero for what is no topology.
std::int64_t chips_of_shape(std::string_view topology) {
  std::int64_t chips = 1;
  for (std::string_view side : text::split(topology, 'x')) {
    const std::int64_t length = text::whole_number(side).value_or(0);
    if (length > most_chips || chips > most_chips) return 0;
    chips *= length;
  }
  return chips;
}

// Groups of modules tell it, where its name is missing.
bool is_blueprint(const Node& document) {
  const Node* groups = document.find("deployment_groups");
  if (groups == nullptr || document.find("apiVersion") != nullptr) return false;
  const auto has_modules = [](const Node& group) { return group.find("modules") != nullptr; };
  return document.find("blueprint_name") != nullptr || any_of(groups->items, has_modules);
}

class BlueprintReader {
 public:
  BlueprintReader(const Node& document, std::string_view path, const ReadBeside& beside,
                  const std::vector<BlueprintCall>& calls)
      : document_(document) {
    if (const Node* vars = document.find("vars")) vars_ = *vars;
    if (!calls.empty()) {
      set_by_calls(calls);
    } else if (beside) {
      set_by_deployment(path, beside);
    }
  }

  Blueprint read(bool is_compiled) && {
    collect_modules();
    result_.is_compiled = is_compiled;
    if (!is_compiled) judge_form();
    const auto is_kind_judged = [](const Node* each) {
      return bool(module_kind(each->find("source")));
    };
    in_judged_ = any_of(modules_, is_kind_judged);
    Node variables = yaml::mapping_at(vars_.span);
    for (const yaml::Member& member : vars_.members) {
      Node body = yaml::mapping_at(member.value.span);
      if (member.value.kind != Kind::null)
        body.members.push_back(
            {yaml::string_at("default", member.key.span), filled_in(member.value)});
      variables.members.push_back({member.key, std::move(body)});
    }
    Node modules = yaml::mapping_at(document_.span);
    for (const Node* module : modules_) {
      in_judged_ = is_kind_judged(module);
      judge_source(*module);
      Node body = body_of(*module);
      uses(*module, body);
      count_nodes(module_kind(module->find("source")), body);
      if (const Node* id = module->find("id")) modules.members.push_back({*id, std::move(body)});
    }
    result_.terraform = yaml::mapping_at(document_.span);
    result_.terraform.members.push_back({yaml::string_at("variable", {}), std::move(variables)});
    result_.terraform.members.push_back({yaml::string_at("module", {}), std::move(modules)});
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

  void refuse(Span where, std::string says, std::string name = {},
              std::vector<std::string> names = {}) {
    result_.refused.push_back({where, std::move(says), std::move(name), std::move(names)});
  }

  // A later release may have other keys, but hardly one that is like one of these.
  void judge_keys(const Node& mapping, std::string_view what, std::string_view known) {
    std::vector<std::string> keys;
    const std::vector<std::string_view> words = text::split(toolkit().find(known).text(), ' ');
    for (std::string_view each : words) keys.emplace_back(each);
    for (const yaml::Member& member : mapping.members) {
      const std::string& key = member.key.text;
      if (!contains(keys, key) && text::nearest(key, words))
        refuse(member.key.span, fmt::format("a {} has no key `{}`", what, key), key, keys);
    }
  }

  void judge_kind(const Node& mapping, std::string_view key, Kind kind) {
    const Node* value = mapping.find(key);
    if (value != nullptr && value->kind != kind && value->kind != Kind::null)
      refuse(value->span,
             fmt::format("`{}` is not a {}", key, kind == Kind::mapping ? "mapping" : "list"));
  }

  void judge_form() {
    const Node& groups = *document_.find("deployment_groups");
    judge_keys(document_, "blueprint", "blueprintKeys");
    judge_kind(document_, "vars", Kind::mapping);
    if (document_.find("blueprint_name") == nullptr)
      refuse(document_.members.front().key.span, "it has no `blueprint_name`");
    for (const Node& group : groups.items) {
      judge_keys(group, "group", "groupKeys");
      if (group.kind == Kind::mapping && group.find("group") == nullptr)
        refuse(group.members.front().key.span, "a group has no name, `group`");
      judge_kind(group, "modules", Kind::sequence);
    }
    std::set<std::string> seen;
    for (const Node* module : modules_) {
      if (module->kind == Kind::scalar) refuse(module->span, "a module is not a mapping");
      if (module->kind != Kind::mapping || module->members.empty()) continue;
      judge_kind(*module, "use", Kind::sequence);
      judge_kind(*module, "settings", Kind::mapping);
      judge_keys(*module, "module", "moduleKeys");
      const Span first = module->members.front().key.span;
      const Node* id = module->find("id");
      if (id == nullptr) refuse(first, "a module has no `id`");
      if (id != nullptr && !seen.insert(id->text).second)
        refuse(id->span, fmt::format("two modules have the id `{}`", id->text));
      if (module->find("source") == nullptr) refuse(first, "a module has no `source`");
    }
    for (RefusedEntry& each : judge_modules(document_, vars_, given_))
      result_.refused.push_back(std::move(each));
    judge_deployment_name();
  }

  void judge_deployment_name() {
    const auto vars = std::ranges::find(document_.members, "vars", yaml::key_text);
    // Another file sets the variables of a blueprint without a project.
    if (vars_.find("deployment_name") != nullptr || vars_.find("project_id") == nullptr) return;
    in_judged_ = true;
    lose(vars == document_.members.end() ? document_.members.front().key.span : vars->key.span,
         LostReference::To::variable, "deployment_name", {});
  }

  void set_by_deployment(std::string_view path, const ReadBeside& beside) {
    const std::string_view name = path.substr(path.rfind('/') + 1);
    const std::string stem(name.substr(0, name.rfind('.')));
    constexpr std::string_view ending = "-blueprint";
    const std::string plain(std::string_view(stem).ends_with(ending)
                                ? std::string_view(stem).substr(0, stem.size() - ending.size())
                                : std::string_view(stem));
    for (const std::string& each :
         {stem + "-deployment.yaml", plain + "-deployment.yaml", std::string("deployment.yaml")}) {
      const std::optional<std::string> text = each == name ? std::nullopt : beside(each);
      const std::optional<Node> tree = text ? tree_of_text(each, *text) : std::nullopt;
      const Node* set =
          tree && tree->find("blueprint_name") == nullptr ? tree->find("vars") : nullptr;
      if (set == nullptr) continue;
      for (const yaml::Member& member : set->members) set_variable(member.key.text, member.value);
      return;
    }
  }

  void set_variable(const std::string& name, Node value) {
    if (value.kind == Kind::null) return;
    const auto own = std::ranges::find(vars_.members, name, yaml::key_text);
    const Span where =
        own == vars_.members.end() ? document_.members.front().key.span : own->key.span;
    place(value, where);
    if (own == vars_.members.end()) {
      vars_.members.push_back({yaml::string_at(name, where), std::move(value)});
    } else {
      own->value = std::move(value);
    }
  }

  // A deployment file, and then the command line.
  static Node variables_of(const BlueprintCall& call) {
    Node vars = yaml::mapping_at();
    const auto tree = call.deployment.empty() ? std::nullopt : tree_of_text("", call.deployment);
    const Node* set = tree ? tree->find("vars") : nullptr;
    if (set != nullptr) vars = *set;
    for (const auto& [name, value] : call.variables)
      yaml::member_at(vars, name) = yaml::plain_at(value);
    return vars;
  }

  // A variable to which two calls give other values is open.
  void set_by_calls(const std::vector<BlueprintCall>& calls) {
    const Node open = yaml::string_at(open_value);
    std::vector<Node> sets;
    std::set<std::string> names;
    for (const BlueprintCall& call : calls) {
      given_.is_open |= call.is_open;
      given_.skips_validators |= call.skips_validators;
      sets.push_back(variables_of(call));
      for (const yaml::Member& member : sets.back().members) names.insert(member.key.text);
    }
    for (const std::string& name : names) {
      const Node* own = vars_.find(name);
      const auto value_in = [&](const Node& set) {
        const Node* value = set.find(name);
        return value == nullptr || value->kind == Kind::null ? own : value;
      };
      const Node* first = value_in(sets.front());
      const bool is_same = std::ranges::all_of(sets, [&](const Node& set) {
        const Node* value = value_in(set);
        return value == first ||
               (value != nullptr && first != nullptr && value->kind == Kind::scalar &&
                first->kind == Kind::scalar && value->text == first->text);
      });
      if (first != own || !is_same) set_variable(name, is_same ? *first : open);
    }
    if (!given_.is_open) return;
    for (yaml::Member& member : vars_.members) set_variable(member.key.text, open);
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
    Node body = yaml::mapping_at(module.span);
    const Node* source = module.find("source");
    if (source != nullptr)
      body.members.push_back({yaml::string_at("source", source->span), *source});
    const Node* settings = module.find("settings");
    if (settings != nullptr) {
      for (const yaml::Member& member : settings->members)
        body.members.push_back({member.key, filled_in(member.value)});
    }
    const View kind = module_kind(source);
    if (!kind) return body;
    const Node* id = module.find("id");
    const View injected = kind.find("injected");
    if (injected && id != nullptr && body.find(injected.text()) == nullptr)
      body.members.push_back({yaml::string_at(injected.text(), id->span), *id});
    for (const std::string& name : arguments_of(kind)) {
      const Node* value = vars_.find(name);
      if (value == nullptr || body.find(name) != nullptr) continue;
      body.members.push_back({yaml::string_at(name, id == nullptr ? source->span : id->span),
                              yaml::string_at("${var." + name + "}", value->span)});
    }
    if (const View located = kind.find("located")) move(located, body);
    return body;
  }

  // An argument that takes the place of another one.
  static void move(View located, Node& body) {
    const std::string_view by = located.find("by").text();
    const Node* chosen = body.find(by);
    const bool moves = chosen != nullptr && chosen->text == located.find("is").text();
    for (const View each : located) {
      Node* to = writable_member(body, each.key());
      const Node* from = body.find(each.text());
      if (moves && to != nullptr && from != nullptr) *to = Node(*from);
    }
    std::erase_if(body.members, [&](const yaml::Member& member) {
      const auto is_it = [&](View each) { return each.text() == member.key.text; };
      return any_of(located, is_it);
    });
  }

  void judge_source(const Node& module) {
    const Node* source = module.find("source");
    if (source == nullptr ||
        (!source->text.starts_with("modules/") && !source->text.starts_with("community/")))
      return;
    const std::vector<std::string_view> paths = toolkit_paths();
    if (!contains(paths, path_of_module(source->text)))
      lose(source->span, LostReference::To::source, source->text, {paths.begin(), paths.end()});
  }

  // A module has arguments of those that it uses, unless it sets them.
  void uses(const Node& module, Node& body) {
    const Node* list = module.find("use");
    if (list == nullptr) return;
    const std::set<std::string> names = arguments_of(module_kind(module.find("source")));
    for (const Node& each : list->items) {
      if (!contains(ids_, each.text)) lose(each.span, LostReference::To::module, each.text, ids_);
      const auto used = std::ranges::find_if(modules_, [&](const Node* other) {
        const Node* id = other->find("id");
        return id != nullptr && id->text == each.text;
      });
      const View gives =
          used == modules_.end() ? View() : module_kind((*used)->find("source")).find("gives");
      if (!gives) continue;
      const Node given = body_of(**used);
      const Node own = body;
      for (const View row : gives) {
        const std::string_view first = row.key().substr(0, row.key().find('.'));
        const Node* value = find_path(given, row.text());
        if (value == nullptr || value->kind == Kind::null || !names.contains(std::string(first)) ||
            own.find(first) != nullptr)
          continue;
        Node copy = *value;
        place(copy, each.span);
        set_path(body, row.key(), std::move(copy), each.span);
      }
    }
  }

  // The text of a value; empty: it is not known.
  std::string known_text(const Node* value) const {
    if (value == nullptr || value->kind != Kind::scalar) return {};
    constexpr std::string_view begin = "${var.";
    const std::string_view text = value->text;
    const bool is_variable = text.starts_with(begin) && text.ends_with('}');
    const Node* variable =
        is_variable ? vars_.find(text.substr(begin.size(), text.size() - begin.size() - 1)) : value;
    const bool is_known = variable != nullptr && variable->kind == Kind::scalar &&
                          variable->text.find('$') == std::string::npos;
    return is_known ? variable->text : std::string();
  }

  // Slices have a fixed number of nodes where the blueprint says no other.
  void count_nodes(View kind, Node& body) const {
    const View counted = kind ? kind.find("counted") : View();
    if (!counted || body.find(counted.find("sets").text()) != nullptr) return;
    const Node* scaled = body.find(counted.find("unless").text());
    if (scaled != nullptr && known_text(scaled) != "false") return;
    const Node* shape = find_path(body, counted.find("topology").text());
    const std::string machine = known_text(body.find(counted.find("machine").text()));
    const std::string topology = known_text(shape);
    const std::string_view size = std::string_view(machine).substr(machine.rfind('-') + 1);
    const auto chips_of_host =
        size.ends_with('t') ? text::whole_number(size.substr(0, size.size() - 1)) : std::nullopt;
    const std::int64_t chips = chips_of_shape(topology);
    if (!chips_of_host || *chips_of_host == 0 || chips % *chips_of_host != 0 || chips == 0) return;
    set_path(body, counted.find("sets").text(),
             yaml::plain_at(std::to_string(chips / *chips_of_host), shape->span), shape->span);
  }

  void lose(Span where, LostReference::To to, std::string name, std::vector<std::string> others) {
    const auto is_same = [&](const LostReference& each) {
      // One variable is enough to report a circle.
      return each.to == to &&
             (to == LostReference::To::itself || (each.where == where && each.name == name));
    };
    if (!any_of(result_.lost, is_same))
      result_.lost.push_back({where, to, std::move(name), std::move(others), in_judged_});
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
    if (text.starts_with("((") && text.ends_with("))")) {
      look_up_variables(text, "var.", node.span);
      return fmt::format("${{{}}}", text::trim(text.substr(2, text.size() - 4)));
    }
    std::string out;
    std::size_t from = 0;
    for (std::size_t at; (at = text.find("$(", from)) != text.npos;) {
      const bool is_escaped = at > from && text[at - 1] == '\\';
      const std::size_t end = closing(text, at);
      if (end == text.npos) {
        if (!is_escaped) refuse(node.span, "`$(` has no closing parenthesis");
        break;
      }
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

  // The parenthesis that closes the one of `$(` at `from`.
  static std::size_t closing(std::string_view text, std::size_t from) {
    int depth = 0;
    for (std::size_t at = from + 1; at < text.size(); ++at) {
      if (text[at] == '(') ++depth;
      if (text[at] == ')' && --depth == 0) return at;
    }
    return text.npos;
  }

  // An expression may name several.
  void look_up_variables(std::string_view text, std::string_view begin, Span where) {
    for (const std::string& name : names_after(text, begin)) {
      if (vars_.find(name) == nullptr) lose_variable(name, where);
    }
  }

  void lose_variable(const std::string& name, Span where) {
    if (given_.is_open) return;
    std::vector<std::string> names;
    for (const yaml::Member& member : vars_.members) names.push_back(member.key.text);
    lose(where, LostReference::To::variable, name, std::move(names));
  }

  std::string reference(std::string_view path, Span where, bool is_whole, int steps) {
    if (const auto other = opposite(path, steps); !other.empty()) return other;
    const std::size_t dot = path.find('.');
    const std::string_view first = path.substr(0, dot);
    const auto is_in_name = [](char c) {
      return ascii::is_letter_or_digit(c) || std::string_view("_-.[]").find(c) != std::string::npos;
    };
    const bool is_expression = !std::ranges::all_of(path, is_in_name);
    if (dot == path.npos || is_expression) {
      look_up_variables(path, "vars.", where);
      return fmt::format("${{{}}}", path);
    }
    if (first != "vars") {
      if (!contains(ids_, first)) lose(where, LostReference::To::module, std::string(first), ids_);
      return fmt::format("${{module.{}}}", path);
    }
    const std::string name(path.substr(5, path.find_first_of(".[", 5) - 5));
    if (name.empty()) {
      refuse(where, "`$(vars.)` names no variable");
      return {};
    }
    const Node* value = vars_.find(name);
    if (value == nullptr) {
      lose_variable(name, where);
    } else if (steps == most_variables_in_a_row) {
      lose(where, LostReference::To::itself, name, {});
    } else if (value->kind == Kind::scalar && path.size() == 5 + name.size()) {
      // Read even where only its name is written, so that a circle is found.
      const std::string text = in_terraform_syntax(*value, steps + 1);
      if (!is_whole && text.find("${") == text.npos) return text;
    }
    return fmt::format("${{var.{}}}", path.substr(5));
  }

  // `!vars.x` of a variable that is true or false. Empty: not known.
  std::string opposite(std::string_view path, int steps) {
    constexpr std::string_view negated = "!vars.";
    if (!path.starts_with(negated) || steps == most_variables_in_a_row) return {};
    const Node* value = vars_.find(path.substr(negated.size()));
    const std::string text =
        value == nullptr ? std::string() : in_terraform_syntax(*value, steps + 1);
    return text == "true" ? "false" : text == "false" ? "true" : "";
  }

  const Node& document_;
  bool in_judged_ = false;
  BlueprintCall given_;  // what any of its calls may do
  Node vars_;
  std::vector<const Node*> modules_;
  std::vector<std::string> ids_;
  Blueprint result_;
};

}  // namespace

std::optional<Blueprint> read_blueprint(const Node& document, std::string_view path,
                                        const ReadBeside& beside,
                                        const std::vector<BlueprintCall>& calls) {
  if (auto config = read_cluster_config(document)) {
    Blueprint made = BlueprintReader(config->blueprint, path, beside, calls).read(true);
    made.refused = std::move(config->refused);
    return made;
  }
  if (!is_blueprint(document)) return std::nullopt;
  return BlueprintReader(document, path, beside, calls).read(false);
}

}  // namespace flexslice::extract
