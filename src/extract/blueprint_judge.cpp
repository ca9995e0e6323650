#include "extract/blueprint_judge.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/cluster_config.hpp"
#include "extract/toolkit_modules.hpp"

namespace flexslice::extract {

using yaml::Kind;
using yaml::Node;

namespace {

// These have a value, or a use, in each blueprint.
constexpr std::string_view own_variables[] = {"labels", "deployment_name", "project_id", "region",
                                              "zone"};
constexpr std::size_t longest_label = 63;

std::vector<std::string> owned(const std::vector<std::string_view>& names) {
  return {names.begin(), names.end()};
}

class ModuleJudge {
 public:
  ModuleJudge(const Node& document, const Node& vars, const BlueprintCall& given)
      : document_(document), vars_(vars), given_(given) {
    const bool is_other_release = document.find("toolkit_modules_url") != nullptr;
    std::size_t group = 0;
    for (const Node& each : document.find("deployment_groups")->items) {
      if (const Node* list = each.find("modules")) {
        for (const Node& module : list->items) add(module, group, is_other_release);
      }
      ++group;
    }
  }

  std::vector<RefusedEntry> read() && {
    judge_names();
    judge_labels();
    judge_validators();
    judge_values();
    judge_groups();
    for (const UsedModule& module : modules_) {
      const std::set<std::string_view> given = judge_use(module);
      judge_needs(module, given);
      judge_settings(module);
      judge_outputs(module);
      judge_references(module);
    }
    judge_variables();
    return std::move(result_);
  }

 private:
  struct UsedModule {
    const Node* node;
    const Node* settings;  // null: it has none
    std::string id;
    std::size_t group;
    ToolkitModule kind;

    bool is_known() const { return !kind.takes.empty(); }
    Span place() const {
      const Node* own = node->find("id");
      return own == nullptr ? node->span : own->span;
    }
    bool sets(std::string_view name) const {
      return settings != nullptr && settings->find(name) != nullptr;
    }
  };

  void add(const Node& module, std::size_t group, bool is_other_release) {
    const Node *source = module.find("source"), *id = module.find("id");
    const bool is_table =
        source != nullptr && !is_other_release && is_embedded_module(source->text);
    modules_.push_back({&module, module.find("settings"), id == nullptr ? "" : id->text, group,
                        is_table ? toolkit_module(path_of_module(source->text)) : ToolkitModule()});
  }

  const UsedModule* module_of(std::string_view id) const {
    return find_where(modules_, [&](const UsedModule& each) { return each.id == id; });
  }

  RefusedEntry& refuse(Span where, std::string says) {
    return result_.emplace_back(RefusedEntry{where, std::move(says), {}, {}});
  }

  // Another release may have the name, unless it is like one of these.
  void refuse_name(Span where, std::string says, const std::string& name,
                   const std::vector<std::string_view>& names) {
    RefusedEntry& entry = refuse(where, std::move(says));
    entry.is_likely = !text::nearest(name, names);
    entry.name = name;
    entry.names = owned(names);
  }

  // Each module needs a project; without one, another file says the rest of the blueprint.
  bool is_whole() const { return vars_.find("project_id") != nullptr; }

  // `validation_level` does not count: the command line has a level of its own.
  bool validates(std::string_view name) const {
    if (given_.skips_validators || !is_whole()) return false;
    const Node* list = document_.find("validators");
    return list == nullptr || !any_of(list->items, [&](const Node& each) {
             return each.text_at({"validator"}) == name && each.text_at({"skip"}) == "true";
           });
  }

  void judge_label(const Node* value, std::string_view what) {
    if (value == nullptr || value->kind != Kind::scalar || known(*value) == nullptr) return;
    if (value->text.size() > longest_label || !std::ranges::all_of(value->text, is_in_label))
      refuse(value->span, fmt::format("`{}` has small letters, digits, `-` and `_`, and at most {} "
                                      "characters",
                                      what, longest_label));
  }

  void judge_names() {
    judge_label(document_.find("blueprint_name"), "blueprint_name");
    judge_label(vars_.find("deployment_name"), "deployment_name");
    const Node* level = document_.find("validation_level");
    if (level != nullptr && level->kind == Kind::scalar && !text::whole_number(level->text))
      refuse(level->span, "`validation_level` is not a number");
  }

  static bool is_in_label(char c) {
    return static_cast<unsigned char>(c) >= 0x80 || (ascii::is_word(c) && !ascii::is_upper(c)) ||
           c == '-';
  }

  // Labels of all resources: strings, as Google Cloud takes them.
  void judge_labels() {
    const Node* labels = document_.at({"vars", "labels"});
    if (labels == nullptr || labels->kind == Kind::null || is_expression(labels->text)) return;
    if (labels->kind != Kind::mapping) {
      refuse(labels->span, "`labels` is a mapping of strings");
      return;
    }
    for (const yaml::Member& label : labels->members) {
      const Node& value = label.value;
      const bool is_text =
          value.kind == Kind::scalar && (value.quoted || !is_number_or_switch(value));
      const std::string& name = label.key.text;
      if (name.empty() || name.size() > longest_label || !std::ranges::all_of(name, is_in_label) ||
          ascii::is_digit(name[0]) || name[0] == '_' || name[0] == '-')
        refuse(label.key.span, fmt::format("label `{}` has small letters, digits, `-` and `_`, and "
                                           "begins with a letter",
                                           name));
      if (!is_text && value.kind != Kind::null)
        refuse(value.span, fmt::format("the value of label `{}` is a string", name)).help =
            "put it into quotes";
      else if (!is_expression(value.text))
        judge_label(&value, name);
    }
  }

  static bool is_number_or_switch(const Node& value) {
    return value.text == "true" || value.text == "false" ||
           text::whole_number(value.text).has_value();
  }

  void judge_validators() {
    const Node* list = document_.find("validators");
    if (list == nullptr) return;
    const auto names = text::split(toolkit().find("validators").text(), ' ');
    for (const Node& each : list->items) {
      const Node* name = each.find("validator");
      if (name != nullptr && name->kind == Kind::scalar && !contains(names, name->text))
        refuse_name(name->span, fmt::format("there is no validator `{}`", name->text), name->text,
                    names);
    }
  }

  // Variables are there before modules give anything.
  void judge_values() {
    const Node* own = document_.find("vars");
    if (own == nullptr) return;
    yaml::for_scalars(*own, [&](const Node& scalar) {
      if (!is_expression(scalar.text)) return;
      for (const UsedModule& module : modules_) {
        if (!module.id.empty() && !names_after(scalar.text, module.id + ".").empty())
          refuse(scalar.span, fmt::format("a variable has no output of module `{}`", module.id));
      }
    });
  }

  static bool is_group_name(std::string_view name) {
    return !name.empty() && ascii::is_word(name.front()) && ascii::is_word(name.back()) &&
           std::ranges::all_of(name, [](char c) { return ascii::is_word(c) || c == '-'; });
  }

  void judge_kinds(const Node& modules) {
    std::string_view first;
    for (const Node& module : modules.items) {
      const Node* kind = module.find("kind");
      std::string_view word = kind == nullptr ? "terraform" : std::string_view(kind->text);
      if (kind != nullptr && kind->kind == Kind::scalar && word != "terraform" &&
          word != "packer") {
        refuse(kind->span, "`kind` is terraform or packer").help = "remove it";
        return;
      }
      if (first.empty()) first = word;
      if (word != first) {
        refuse(kind == nullptr ? module.span : kind->span,
               "a group has modules of Terraform or one of Packer, not both");
        return;
      }
    }
  }

  void judge_groups() {
    std::set<std::string> seen;
    for (const Node& group : document_.find("deployment_groups")->items) {
      const Node *name = group.find("group"), *list = group.find("modules");
      if (name != nullptr && !seen.insert(name->text).second)
        refuse(name->span, fmt::format("two groups have the name `{}`", name->text));
      const bool is_list = list != nullptr && list->kind == Kind::sequence;
      if (name != nullptr && name->kind == Kind::scalar && !is_group_name(name->text))
        refuse(name->span,
               "the name of a group has letters, digits, `_` and `-`, and no `-` at its "
               "ends");
      if (is_list) judge_kinds(*list);
      if (group.kind == Kind::mapping && !group.members.empty() &&
          (list == nullptr || list->kind == Kind::null || (is_list && list->items.empty())))
        refuse(name == nullptr ? group.span : name->span, "a group needs a module");
    }
  }

  // A module may use those of its group and of the groups before it.
  void judge_order(const UsedModule& module, const UsedModule& used, Span where) {
    if (used.group > module.group)
      refuse(where, fmt::format("module `{}` is in a later group", used.id));
  }

  // Returns the inputs that other modules give.
  std::set<std::string_view> judge_use(const UsedModule& module) {
    std::set<std::string_view> given;
    const Node* list = module.node->find("use");
    if (list == nullptr) return given;
    for (const Node& each : list->items) {
      const UsedModule* used = module_of(each.text);
      if (used == nullptr) continue;
      judge_order(module, *used, each.span);
      if (!used->is_known() || !module.is_known()) continue;
      bool gives = false;
      for (std::string_view output : used->kind.gives) {
        const ModuleInput* input = module.kind.input(output);
        if (input == nullptr || output == "labels" || module.sets(output)) continue;
        gives |= given.insert(output).second || input->type == ModuleInput::Type::list;
      }
      if (!gives && validates("test_module_not_used"))
        refuse(each.span, fmt::format("module `{}` gets nothing of `{}` that it does not have",
                                      module.id, used->id))
            .is_likely = true;
    }
    return given;
  }

  bool uses_unknown(const UsedModule& module) const {
    const Node* list = module.node->find("use");
    return list != nullptr && any_of(list->items, [&](const Node& each) {
             const UsedModule* used = module_of(each.text);
             return used == nullptr || !used->is_known();
           });
  }

  // A deployment file may set a variable of the name.
  void judge_needs(const UsedModule& module, const std::set<std::string_view>& given) {
    if (given_.is_open || !is_whole() || uses_unknown(module)) return;
    std::vector<std::string> lacking;
    std::set<std::string> givers;
    for (const ModuleInput& input : module.kind.takes) {
      if (!input.is_required || input.name == "labels" || contains(own_variables, input.name) ||
          module.sets(input.name) || given.contains(input.name) ||
          vars_.find(input.name) != nullptr)
        continue;
      lacking.push_back(fmt::format("`{}`", input.name));
      for (const UsedModule& other : modules_) {
        if (contains(other.kind.gives, input.name) && &other != &module &&
            other.node->find("source")->text != module.node->find("source")->text)
          givers.insert(fmt::format("`{}`", other.id));
      }
    }
    if (lacking.empty()) return;
    RefusedEntry& entry = refuse(
        module.place(), fmt::format("module `{}` has no {}", module.id, text::join(lacking, ", ")));
    entry.is_likely = true;
    if (!givers.empty())
      entry.help = fmt::format(
          "`use` {}", text::join(std::vector<std::string>(givers.begin(), givers.end()), " or "));
  }

  // The value, or that of the variable that it names. Null: it is not known.
  const Node* known(const Node& value) const {
    constexpr std::string_view begin = "$(vars.";
    const std::string_view text = value.text;
    const Node* meant = &value;
    if (value.kind == Kind::scalar && text.starts_with(begin) && text.ends_with(')'))
      meant = vars_.find(text.substr(begin.size(), text.size() - begin.size() - 1));
    if (meant == nullptr || meant->kind == Kind::null) return nullptr;
    const bool is_expression =
        meant->text.find('$') != std::string::npos || meant->text.starts_with("((");
    return is_expression ? nullptr : meant;
  }

  static std::string_view lacks_type(const Node& value, ModuleInput::Type type) {
    using Type = ModuleInput::Type;
    const bool is_scalar = value.kind == Kind::scalar;
    constexpr std::string_view booleans[] = {"true", "false", "1", "0"};
    if (type == Type::list && value.kind != Kind::sequence) return "a list";
    if (type == Type::mapping && value.kind != Kind::mapping) return "a mapping";
    if (type == Type::text && !is_scalar) return "a string";
    if (type == Type::boolean && (!is_scalar || !contains(booleans, text::lower(value.text))))
      return "true or false";
    if (type == Type::number && (!is_scalar || std::ranges::none_of(value.text, ascii::is_digit)))
      return "a number";
    return {};
  }

  void judge_settings(const UsedModule& module) {
    if (module.settings == nullptr) return;
    for (const yaml::Member& setting : module.settings->members) {
      const ModuleInput* input = module.kind.input(setting.key.text);
      const Node* value = input == nullptr ? nullptr : known(setting.value);
      const std::string_view type = value == nullptr ? "" : lacks_type(*value, input->type);
      if (!type.empty())
        refuse(setting.value.span,
               fmt::format("`{}` of `{}` must be {}", input->name, module.id, type));
    }
  }

  void judge_output(const UsedModule& module, const std::string& name, Span where) {
    if (module.is_known() && !contains(module.kind.gives, std::string_view(name)))
      refuse_name(where, fmt::format("module `{}` has no output `{}`", module.id, name), name,
                  module.kind.gives);
  }

  void judge_outputs(const UsedModule& module) {
    const Node* list = module.node->find("outputs");
    if (list == nullptr) return;
    for (const Node& each : list->items) {
      const Node* name = each.kind == Kind::mapping ? each.find("name") : &each;
      if (name != nullptr && name->kind == Kind::scalar)
        judge_output(module, name->text, name->span);
    }
  }

  static bool is_expression(std::string_view text) {
    return text.find("$(") != text.npos || text.starts_with("((");
  }

  void judge_references(const UsedModule& module) {
    if (module.settings == nullptr) return;
    yaml::for_scalars(*module.settings, [&](const Node& scalar) {
      if (!is_expression(scalar.text)) return;
      for (const UsedModule& other : modules_) {
        if (other.id.empty()) continue;
        for (const std::string& name : names_after(scalar.text, other.id + ".")) {
          judge_order(module, other, scalar.span);
          judge_output(other, name, scalar.span);
        }
      }
    });
  }

  // A module gets the variables that are called like its inputs.
  void judge_variables() {
    const Node* own = document_.find("vars");
    if (own == nullptr || !validates("test_deployment_variable_not_used") ||
        any_of(modules_, [](const UsedModule& module) { return !module.is_known(); }))
      return;
    std::set<std::string> used(std::begin(own_variables), std::end(own_variables));
    yaml::for_scalars(document_, [&](const Node& scalar) {
      for (std::string_view begin : {"vars.", "var."}) {
        for (std::string& name : names_after(scalar.text, begin)) used.insert(std::move(name));
      }
    });
    for (const UsedModule& module : modules_) {
      for (const ModuleInput& input : module.kind.takes) {
        if (!module.sets(input.name)) used.emplace(input.name);
      }
    }
    for (const yaml::Member& variable : own->members) {
      if (!used.contains(variable.key.text))
        refuse(variable.key.span, fmt::format("nothing uses the variable `{}`", variable.key.text))
            .is_likely = true;
    }
  }

  const Node& document_;
  const Node& vars_;
  const BlueprintCall& given_;
  std::vector<UsedModule> modules_;
  std::vector<RefusedEntry> result_;
};

}  // namespace

std::vector<std::string> names_after(std::string_view text, std::string_view begin) {
  std::vector<std::string> names;
  // `"./manifests.yaml"` is a file.
  const auto is_in_id = [](char c) {
    return ascii::is_word(c) || std::string_view("-/\"").find(c) != std::string_view::npos;
  };
  for (std::size_t at = 0; (at = text.find(begin, at)) != text.npos;) {
    const bool is_part =
        at > 0 && (is_in_id(text[at - 1]) ||
                   (text[at - 1] == '.' && !text.substr(0, at).ends_with("module.")));
    at += begin.size();
    const std::size_t end = text::find_if(text, at, std::not_fn(ascii::is_word));
    if (!is_part && end > at) names.emplace_back(text.substr(at, end - at));
  }
  return names;
}

std::vector<RefusedEntry> judge_modules(const Node& document, const Node& vars,
                                        const BlueprintCall& given) {
  return ModuleJudge(document, vars, given).read();
}

}  // namespace flexslice::extract
