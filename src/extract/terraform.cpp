#include "extract/terraform.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/arguments.hpp"
#include "extract/hcl.hpp"
#include "extract/hcl_value.hpp"
#include "extract/terraform_references.hpp"
#include "extract/toolkit_modules.hpp"
#include "yaml/blocks.hpp"
#include "yaml/embedded.hpp"
#include "yaml/made.hpp"
#include "yaml/parse.hpp"

namespace flexslice::extract {

using yaml::Kind;
using yaml::Node;
using yaml::View;

namespace {

// A value that is another one's name leads there; more of them in a row may be a circle.
constexpr int most_references = 8;
constexpr std::size_t most_instances = 16;

// More pools of one module are a mistake.
constexpr std::int64_t most_copies = 1024;

// Arguments that say nothing of what is created.
constexpr std::string_view meta_arguments[] = {
    "//",       "lifecycle",           "depends_on", "provider",
    "timeouts", "deletion_protection", "name",       "ip_allocation_policy"};
constexpr std::string_view arguments_of_modules[] = {"source", "version", "project_id", "providers",
                                                     "deployment_name"};

constexpr std::string_view arguments_of_calls[] = {"source", "version",  "providers", "count",
                                                   "use",    "for_each", "depends_on"};

View resource_types() { return embedded::root_of(embedded::kubernetes, "extract/terraform.yaml"); }

void for_resources(const Node& document, View type, const auto& visit) {
  const Node* resources = document.find("resource");
  if (resources == nullptr) return;
  for_blocks(*resources, [&](const Node& by_type) {
    for_members(by_type.find(type.find("resource").text()), visit);
  });
}

using Values = Module::Values;
constexpr std::string_view account_resource = "google_service_account";

void add_values(const std::string& prefix, const Node& block, Values& values) {
  for (const yaml::Member& member : block.members) values[prefix + member.key.text] = &member.value;
}

void add_values_of(const Node& document, Values& values) {
  for_members(document.find("variable"), [&](const Node& key, const Node& body) {
    if (const Node* value = body.find("default")) values["var." + key.text] = value;
  });
  if (const Node* locals = document.find("locals"))
    for_blocks(*locals, [&](const Node& block) { add_values("local.", block, values); });
  for (const View type : resource_types()) {
    for_resources(document, type, [&](const Node& key, const Node& body) {
      if (body.find("count") == nullptr && body.find("for_each") == nullptr)
        add_values(fmt::format("{}.{}.", type.find("resource").text(), key.text), body, values);
    });
  }
  for_members(document.find("resource"), [&](const Node& type, const Node& named) {
    if (type.text != account_resource) return;
    for_blocks(named, [&](const Node& accounts) {
      for (const auto& [key, body] : accounts.members)
        for_blocks(body, [&, &key = key](const Node& block) {
          add_values(fmt::format("{}.{}.", account_resource, key.text), block, values);
        });
    });
  });
}

bool is_kind_of_module(View kind, std::string_view source) {
  const View modules = kind.find("modules");
  return modules &&
         any_of(modules, [&](View part) { return source.find(part.text()) != source.npos; });
}

bool is_expression(std::string_view text) {
  return text.find("${") != text.npos || text.find("%{") != text.npos;
}

class TerraformReader {
 public:
  TerraformReader(const Node& document, const Module* module)
      : document_(document), module_(module) {}

  TerraformResources read() {
    const Node* modules = document_.find("module");
    if (document_.find("resource") == nullptr && modules == nullptr) return {};
    add_values_of(document_, own_);
    for (const View type : resource_types())
      for_resources(document_, type,
                    [&](const Node& key, const Node& body) { add_resource(type, key, body); });
    if (modules == nullptr) return std::move(result_);
    for_blocks(*modules, [&](const Node& block) {
      for (const yaml::Member& member : block.members) {
        bool is_read = false;
        for_blocks(member.value,
                   [&](const Node& body) { is_read |= add_module(member.key, body); });
        if (!is_read) result_.others.push_back(&member);
      }
    });
    return std::move(result_);
  }

 private:
  // Returns false if it is not known what the module creates.
  bool add_module(const Node& key, const Node& body) {
    const Node* source = body.find("source");
    if (source == nullptr) return false;
    judge_variables(key, body, source->text);
    for (const View kind : resource_types()) {
      if (!is_kind_of_module(kind, source->text)) continue;
      const View list = kind.find("list");
      if (!list) {
        add(kind, key, body);
        return true;
      }
      if (is_off(body)) return true;
      const Node* pools = body.find(list.text());
      if (pools == nullptr) continue;
      for_blocks_of(*pools, [&](const Node& pool) { add_pool(kind, body, pool); });
      return true;
    }
    return false;
  }

  // The module has its pools scaled, unless they say otherwise.
  void add_pool(View kind, const Node& module, const Node& said) {
    const Node* autoscaling = said.find("autoscaling");
    const std::string_view scaled =
        autoscaling == nullptr ? "true" : std::string_view(meant_by(*autoscaling).text);
    Node pool = said;
    const View ignored = kind.find(scaled == "false" ? "fixed" : "scaled");
    std::erase_if(pool.members, [&](const yaml::Member& member) {
      return any_of(ignored, [&](View each) { return each.text() == member.key.text; });
    });
    const Node* name = said.find("name");
    add(kind, name == nullptr ? said : *name, pool);
    words_ = &result_.commands.back().words;
    block_ = &result_.commands.back().block;
    if (autoscaling == nullptr) word("--enable-autoscaling", said.span);
    const Node* regional = module.find("regional");
    for (const View row : kind.find("shared")) {
      const Node* value_of_all = module.find(row.key());
      if (value_of_all == nullptr || has_flag(row.text()) ||
          (row.key() == "region" && regional != nullptr && regional->text != "true"))
        continue;
      word(row.text(), value_of_all->span);
      value(*value_of_all);
    }
  }

  bool has_flag(std::string_view flag) const {
    return std::ranges::find(*words_, flag, &Word::text) != words_->end();
  }

  // Terraform makes none of it, unless somebody switches it on.
  bool is_off(const Node& body) {
    const Node* count = body.find("count");
    const Node* keys = body.find("for_each");
    const Node* all = keys == nullptr ? nullptr : &meant_by(*keys);
    const bool is_none =
        (count != nullptr && meant_by(*count).text == "0") ||
        (all != nullptr && (all->kind == Kind::sequence || all->kind == Kind::mapping) &&
         all->items.empty() && all->members.empty());
    if (is_none)
      result_.unread.push_back(
          here(std::ranges::find(body.members, count != nullptr ? "count" : "for_each",
                                 [](const auto& each) { return each.key.text; })
                   ->key.span));
    return is_none;
  }

  // The bodies of files that override the resource, in their order.
  std::span<const Node* const> overrides_of(View kind, const Node& key) const {
    if (module_ == nullptr) return {};
    const auto found =
        module_->overridden.find(fmt::format("{}.{}", kind.find("resource").text(), key.text));
    return found == module_->overridden.end() ? std::span<const Node* const>() : found->second;
  }

  // An argument or block of an override takes the place of all of its name.
  static Node overridden(const Node& body, std::span<const Node* const> overrides) {
    Node merged = body;
    for (const Node* each : overrides) {
      for (const yaml::Member& member : each->members) {
        std::erase_if(merged.members,
                      [&](const yaml::Member& old) { return old.key.text == member.key.text; });
        merged.members.push_back(member);
      }
    }
    return merged;
  }

  void add_resource(View kind, const Node& key, const Node& body) {
    const auto overrides = overrides_of(kind, key);
    // It is the override itself, which says a part.
    if (any_of(overrides, [&](const Node* each) {
          return each->span.begin == body.span.begin && each->span.end == body.span.end;
        }))
      return;
    if (overrides.empty()) return add(kind, key, body);
    const Span outer = std::exchange(leads_there_, key.span);
    add(kind, key, overridden(body, overrides));
    leads_there_ = outer;
  }

  void add(View kind, const Node& key, const Node& body) {
    is_module_ = bool(kind.find("modules"));
    if (is_off(body)) return;
    if (each_.empty() && add_each(kind, key, body)) return;
    const Node* autopilot = body.find("enable_autopilot");
    const View auto_command = kind.find("autopilot");
    const bool is_auto = auto_command && autopilot != nullptr && autopilot->text == "true";
    const View checks = kind.find("checks");
    const std::string_view creates = (checks    ? checks
                                      : is_auto ? auto_command
                                                : kind.find("command"))
                                         .text();
    Command command;
    command.where = here(key.span);
    words_ = &command.words;
    block_ = &command.block;
    block_->type = kind.find("resource").text();
    for (const View help : kind.find("helps")) block_->helps.emplace_back(help.key(), help.text());
    not_judged_ = kind.find("notJudged");
    owned_ = kind.find("owned");
    if (!checks) word("gcloud", key.span);
    for (std::string_view each : text::split(creates, ' ')) word(each, key.span);
    const Node* name = body.find("name");
    const View named = kind.find("named");
    if (name == nullptr && named &&
        !any_of(named.find("unless"), [&](View each) { return body.find(each.text()) != nullptr; }))
      name = body.find(named.find("by").text());
    if (name == nullptr) name = joined_name(kind.find("joined"), key, body);
    const std::size_t name_at = words_->size();
    if (checks) {
      // The command takes no name.
    } else if (name == nullptr) {
      word("${name}", key.span).unknown = true;
    } else {
      value(*name);
    }
    arguments(body, {}, kind.find("arguments"));
    add_autoscaling(kind.find("autoscaled"), body);
    if (is_module_) word(by_module, key.span).unknown = true;
    for (const View row : kind.find("refuses")) refuse(key, body, row, kind.find("defaults"));
    // Without a number the provider asks for none.
    if (!is_module_ && creates == create_pool && body.find("node_count") == nullptr &&
        body.find("initial_node_count") == nullptr)
      word("--num-nodes=0", key.span);
    if (name != nullptr) add_copies(kind, body, command, name_at);
    result_.commands.push_back(std::move(command));
  }

  // The name that the module joins of arguments. Null: it has none, or one that is not known.
  const Node* joined_name(View parts, const Node& key, const Node& body) {
    std::vector<std::string> words;
    for (const View part : parts) {
      const Node* said = body.find(part.text());
      const Node* meant = said == nullptr ? nullptr : &meant_by(*said);
      if (meant == nullptr || meant->kind != Kind::scalar || is_expression(meant->text))
        return nullptr;
      words.push_back(text::lower(meant->text));
      std::erase_if(words.back(), [](char c) { return !ascii::is_letter_or_digit(c) && c != '-'; });
    }
    if (words.empty()) return nullptr;
    return &calculated_.emplace_back(yaml::string_at(text::join(words, "-"), key.span));
  }

  // The module scales a pool without a fixed number of nodes.
  void add_autoscaling(View scaled, const Node& body) {
    const auto given = [&](View name) -> const Node* {
      const Node* value = body.find(name.text());
      return value == nullptr || meant_by(*value).kind == Kind::null ? nullptr : value;
    };
    const Node* most = scaled ? given(scaled.find("by")) : nullptr;
    if (most != nullptr && given(scaled.find("unless")) == nullptr)
      word("--enable-autoscaling", most->span);
  }

  // One command for each key of `for_each`, if they are known and the arguments follow them.
  bool add_each(View kind, const Node& key, const Node& body) {
    const Node *keys = body.find("for_each"), *number = body.find("count");
    if (keys == nullptr) return number != nullptr && add_counted(kind, key, body, *number);
    bool follows = false;
    yaml::for_scalars(body, [&](const Node& scalar) {
      follows |= scalar.text.find("each.") != std::string::npos;
    });
    const Node& all = meant_by(*keys);
    const std::size_t count = all.items.size() + all.members.size();
    if (!follows || count == 0 || count > most_instances) return false;
    const auto add_one = [&](const Node& name, const Node& value) {
      each_ = {{"each.key", &name}, {"each.value", &value}};
      add(kind, key, body);
      each_.clear();
    };
    for (const Node& item : all.items) add_one(item, item);
    for (const yaml::Member& member : all.members) add_one(member.key, member.value);
    return true;
  }

  // One command for each index of `count`, if the number is known and the arguments follow it.
  bool add_counted(View kind, const Node& key, const Node& body, const Node& number) {
    bool follows = false;
    yaml::for_scalars(body, [&](const Node& scalar) {
      follows |= scalar.text.find("count.index") != std::string::npos;
    });
    const auto count = text::whole_number(meant_by(number).text);
    if (!follows || !count || *count < 1 || *count > static_cast<std::int64_t>(most_instances))
      return false;
    for (std::int64_t i = 0; i < *count; ++i) {
      const Node& index = calculated_.emplace_back(yaml::string_at(std::to_string(i), number.span));
      each_ = {{"count.index", &index}};
      add(kind, key, body);
      each_.clear();
    }
    return true;
  }

  // Pools of one module, which numbers their names.
  void add_copies(View kind, const Node& body, Command& command, std::size_t name_at) {
    std::int64_t copies = 1;
    for (const View each : kind.find("copies")) {
      const Node* said = body.find(each.text());
      if (said == nullptr) continue;
      copies = std::max(copies, text::whole_number(meant_by(*said).text).value_or(1));
    }
    const std::string name = command.words[name_at].text;
    if (copies == 1 || copies > most_copies || command.words[name_at].unknown) return;
    command.words[name_at].text = name + "-0";
    for (std::int64_t i = 1; i < copies; ++i) {
      result_.copies.push_back(command);
      result_.copies.back().words[name_at].text = fmt::format("{}-{}", name, i);
    }
  }

  void refuse(const Node& key, const Node& body, View row, View defaults) {
    Span where = key.span;
    bool is_missing = false;
    for (const View condition : row.find("if")) {
      const Node* found = &body;
      for (std::string_view part : text::split(condition.key(), '.')) {
        const Node* outer = &meant_by(*found);
        if (outer->kind == Kind::sequence && outer->items.size() != 1) return;
        if (outer->kind == Kind::sequence) outer = &outer->items.front();
        found = outer->find(part);
        if (found == nullptr && (is_expression(outer->text) || outer->find("dynamic"))) return;
        if (found == nullptr) break;
      }
      if (found != nullptr && where == key.span) where = here(found->span);
      is_missing |= condition.text() == "missing";
      const View otherwise = defaults ? defaults.find(condition.key()) : View();
      if (!is_met(found, condition.text(), otherwise ? otherwise.text() : std::string_view()))
        return;
    }
    result_.refused.push_back(
        {where, is_module_ ? key.text : fmt::format("{} {}", block_->type, key.text),
         std::string(row.find("says").text()), std::string(row.find("help").text()), !is_module_,
         bool(row.find("rolls")), is_missing});
  }

  // A later release may have an argument that is not like a variable. A module of a blueprint is of
  // the release that reads it.
  void judge_variables(const Node& key, const Node& body, std::string_view source) {
    if (!is_of_toolkit(source)) return;
    const ToolkitModule module = toolkit_module(path_of_module(source));
    if (module.takes.empty()) return;
    std::vector<std::string_view> names(std::begin(arguments_of_calls),
                                        std::end(arguments_of_calls));
    for (const ModuleInput& each : module.takes) names.push_back(each.name);
    for (const yaml::Member& member : body.members) {
      const std::string& name = member.key.text;
      if (contains(names, name)) continue;
      const View path = argument_with(kind_of_module(source).find("arguments"), "." + name);
      const auto meant = like(name, names);
      std::string help = path    ? fmt::format("write it as `{}`", path.key())
                         : meant ? fmt::format("did you mean `{}`?", *meant)
                                 : std::string();
      if (help.empty() && !is_embedded_module(source)) continue;
      const bool is_likely = help.empty();
      if (is_likely) help = "remove it, or use a later release of gcluster that has it";
      result_.refused.push_back({here(member.key.span), key.text,
                                 fmt::format("it has no argument `{}`", name), std::move(help)});
      result_.refused.back().is_likely = is_likely;
    }
  }

  // A name that is misspelt, written without `_`, or cut off.
  static std::optional<std::string_view> like(std::string_view name,
                                              const std::vector<std::string_view>& names) {
    constexpr std::size_t shortest = 6;
    const auto bare = [](std::string_view text) {
      std::string letters(text);
      std::erase(letters, '_');
      return letters;
    };
    if (const auto near = text::nearest(name, names)) return near;
    const auto* longer = find_where(names, [&](std::string_view each) {
      return name.size() >= shortest && bare(each).starts_with(bare(name));
    });
    return longer == nullptr ? std::nullopt : std::optional(*longer);
  }

  // Another module may have the same path.
  static bool is_of_toolkit(std::string_view source) {
    return is_embedded_module(source) || source.find("-toolkit") != source.npos ||
           source.find("embedded/modules/") != source.npos;
  }

  static View argument_with(View rows, std::string_view ending) {
    for (const View row : rows) {
      if (row.key().ends_with(ending)) return row;
    }
    return {};
  }

  // `1.35.2-gke.1` is 35.
  static std::int64_t minor_of(std::string_view version) {
    const auto parts = text::split(version, '.');
    return parts.size() < 2 ? 0 : text::whole_number(parts[1]).value_or(0);
  }

  // A value that is not known does not meet the condition.
  bool is_met(const Node* said, std::string_view wanted, std::string_view by_default) const {
    const Node* node = said == nullptr ? nullptr : &meant_by(*said);
    if (node != nullptr && is_expression(node->text)) return false;
    const bool is_set = node != nullptr && node->kind != Kind::null;
    const std::string_view value = is_set ? std::string_view(node->text) : by_default;
    if (wanted == "set") return is_set;
    if (wanted == "missing") return !is_set;
    if (wanted.starts_with('!'))
      return !value.empty() && !contains(text::split(wanted.substr(1), '|'), value);
    if (wanted.starts_with('#'))
      return value.size() >
             static_cast<std::size_t>(text::whole_number(wanted.substr(1)).value_or(0));
    if (wanted == "<0") return value.starts_with('-');
    if (wanted.starts_with(">=")) return minor_of(value) >= minor_of(wanted.substr(2));
    if (!wanted.starts_with('>')) return value == wanted;
    const std::int64_t limit = text::whole_number(wanted.substr(1)).value_or(0);
    if (is_set && node->kind == Kind::sequence) return std::ssize(node->items) > limit;
    return text::whole_number(value).value_or(0) > limit;
  }

  void arguments(const Node& body, const std::string& prefix, View rows) {
    for (const auto& [key, said] : body.members) {
      if (prefix.empty() &&
          (contains(meta_arguments, key.text) ||
           (is_module_ && contains(arguments_of_modules, key.text) && !rows.find(key.text))))
        continue;
      const std::string path = prefix + key.text;
      const Node& given = meant_by(said);
      if (given.kind == Kind::null) continue;
      const View row = rows.find(path);
      const View meaning = row && !row.is_scalar() ? row.find(given.text) : View();
      if (meaning) means(path, meaning.text(), key, said);
      const auto is_inner = [&](View each) { return each.key().starts_with(path + "."); };
      if (row && row.is_scalar()) {
        // An empty flag: it is read elsewhere.
        if (given.kind == Kind::scalar && (given.text.empty() || row.text().empty())) continue;
        if (row.text() == "--node-taints") {
          taints(key, said);
        } else {
          word(row.text(), key.span);
          value(said);
        }
        add_owner(path, body);
        block_->arguments.push_back({path, std::string(row.text())});
        if (words_->back().unknown) leave_open(path, words_->back().text);
      } else if (key.text == "dynamic" || (row && is_expression(given.text))) {
        // Nobody knows the flags that the plan makes of it.
        word(key.text == "dynamic" ? "${dynamic}" : given.text, key.span).unknown = true;
        leave_open(given.members.empty() ? path : prefix + given.members.front().key.text,
                   given.text);
      } else if (any_of(rows, is_inner)) {
        for_blocks_of(said, [&](const Node& block) { arguments(block, path + ".", rows); });
      } else if (!meaning && !is_owner(prefix, key.text)) {
        result_.unread.push_back(here(key.span));
      }
    }
  }

  // The project of a reservation, which gcloud takes in the same word.
  void add_owner(const std::string& path, const Node& block) {
    const View owner = owned_ ? owned_.find(path) : View();
    const Node* said = owner ? block.find(owner.text()) : nullptr;
    if (said == nullptr || meant_by(*said).kind == Kind::null) return;
    Word& name = words_->back();
    name.text = fmt::format("projects/{}/reservations/{}", resolved(*said, name), name.text);
  }

  bool is_owner(const std::string& prefix, std::string_view name) const {
    return owned_ && any_of(owned_, [&](View each) {
             return each.text() == name && each.key().starts_with(prefix);
           });
  }

  void leave_open(const std::string& argument, std::string_view text) {
    const auto is_it = [&](View each) { return each.text() == argument; };
    if (not_judged_ && any_of(not_judged_, is_it)) return;
    block_->open.push_back(argument);
    const auto is_name = [](char c) {
      return ascii::is_letter_or_digit(c) || c == '_' || c == '-';
    };
    for (std::string_view kind : {"var.", "local."}) {
      for (std::size_t at = 0; (at = text.find(kind, at)) != text.npos;) {
        const std::size_t end = text::find_if(text, at + kind.size(), std::not_fn(is_name));
        std::string name(text.substr(at, end - at));
        const bool begins_a_name = at == 0 || (!is_name(text[at - 1]) && text[at - 1] != '.');
        at += kind.size();
        if (begins_a_name && find_value(name) == nullptr && !contains(block_->names, name))
          block_->names.push_back(std::move(name));
      }
    }
  }

  // A flag, or none, that is written for one value of the argument.
  void means(const std::string& path, std::string_view flag, const Node& key, const Node& given) {
    if (flag.empty()) return;
    const std::size_t equals = std::min(flag.find('='), flag.size());
    const std::string_view name = flag.substr(0, equals);
    block_->arguments.push_back({path, std::string(name)});
    const auto same = std::ranges::find(*words_, name, &Word::text);
    if (same != words_->end()) {
      // Add-ons are arguments of their own, and one flag of gcloud.
      if (equals < flag.size() && std::next(same) != words_->end())
        std::next(same)->text += "," + std::string(flag.substr(equals + 1));
      return;
    }
    word(name, key.span);
    if (equals < flag.size()) word(flag.substr(equals + 1), given.span);
  }

  // Every place in a command is made here or by `here`: the nodes may be of other files.
  Word& word(std::string_view text, Span where) {
    Word made{std::string(text), here(where)};
    if (made.where != where) made.set_at = where;
    return words_->emplace_back(std::move(made));
  }

  // The place, or that in the document whose value leads there.
  Span here(Span where) const { return Module::has(where) ? leads_there_ : where; }

  // Visits the blocks that are meant, each where `said` is if another file has them.
  void for_blocks_of(const Node& said, const auto& visit) {
    const Span outer = std::exchange(leads_there_, here(said.span));
    for_blocks(meant_by(said), visit);
    leads_there_ = outer;
  }

  void value(const Node& said) {
    Word& added = word({}, said.span);
    const Node& node = meant_by(said);
    if (&node != &said) added.set_at = node.span;
    std::vector<std::string> parts;
    if (node.kind == Kind::scalar) parts.push_back(resolved(node, added));
    for (const Node& item : node.items) {
      parts.push_back(resolved(item, added));
      added.parts.push_back(item.span);
    }
    for (const yaml::Member& member : node.members) {
      parts.push_back(resolved(member.key, added) + "=" + resolved(member.value, added));
      added.parts.push_back(member.key.span);
    }
    if (&node != &said || Module::has(said.span)) added.parts.clear();
    added.text = text::join(parts, ",");
  }

  // Each taint is a block, and all of them are one flag of gcloud: `KEY=VALUE:EFFECT,…`. A row of
  // `refuses` reports other effects.
  void taints(const Node& key, const Node& said) {
    constexpr std::pair<std::string_view, std::string_view> effects[] = {
        {"NO_SCHEDULE", "NoSchedule"},
        {"PREFER_NO_SCHEDULE", "PreferNoSchedule"},
        {"NO_EXECUTE", "NoExecute"}};
    auto flag = std::ranges::find(*words_, "--node-taints", &Word::text);
    if (flag == words_->end()) {
      word("--node-taints", key.span);
      word({}, said.span);
      flag = std::prev(words_->end(), 2);
    }
    Word& added = *std::next(flag);
    const std::size_t before = added.text.size();
    for_blocks(meant_by(said), [&](const Node& block) {
      const auto part = [&](std::string_view name) {
        const Node* own = block.find(name);
        added.unknown |= own == nullptr;
        return own == nullptr ? std::string() : resolved(*own, added);
      };
      const std::string said_effect = part("effect");
      const auto* effect =
          find_where(effects, [&](const auto& each) { return each.first == said_effect; });
      added.unknown |= effect == nullptr;
      if (!added.text.empty()) added.text += ",";
      added.text += fmt::format("{}={}:{}", part("key"), part("value"),
                                effect == nullptr ? said_effect : effect->second);
    });
    added.unknown |= added.text.size() == before;
  }

  // Values that are set come first, then those of overrides and the document's own: a folder of
  // examples has many of one name.
  const Node* find_value(std::string_view path) const {
    static const Module alone;
    const Module& module = module_ == nullptr ? alone : *module_;
    for (const Values* values : {&each_, &module.set, &module.overriding, &own_, &module.values}) {
      if (const auto found = values->find(path); found != values->end()) return found->second;
    }
    return nullptr;
  }

  // `var.pool.topology` may be in the value of `var.pool`.
  const Node* named(std::string_view path) const {
    if (const Node* value = find_value(path)) return value;
    const std::size_t dot = path.rfind('.');
    if (dot == path.npos) return nullptr;
    if (path.starts_with(account_resource) && (path.ends_with(".name") || path.ends_with(".email")))
      return email_of(path.substr(0, dot));
    const Node* outer = named(path.substr(0, dot));
    return outer == nullptr ? nullptr : outer->find(path.substr(dot + 1));
  }

  // The account of Google that the resource makes; null: its project is the provider's.
  const Node* email_of(std::string_view resource) const {
    std::vector<std::string> parts;
    for (const char* argument : {"account_id", "project"}) {
      const Node* said = find_value(fmt::format("{}.{}", resource, argument));
      const Node* value = said == nullptr ? nullptr : &meant_by(*said);
      if (value == nullptr || value->kind != Kind::scalar || value->text.empty() ||
          is_expression(value->text))
        return nullptr;
      parts.push_back(value->text);
    }
    const std::string email = fmt::format("{}@{}.iam.gserviceaccount.com", parts[0], parts[1]);
    const Node& id = *find_value(fmt::format("{}.account_id", resource));
    return &calculated_.emplace_back(yaml::string_at(email, id.span));
  }

  // Follows `${NAME}` to its value if the document has it, and calculates other expressions; else
  // returns the node itself.
  const Node& meant_by(const Node& said) const {
    const Node* node = &said;
    for (int i = 0; i < most_references; ++i) {
      const std::string_view text = node->text;
      if (!text.starts_with("${") || text.find('}') + 1 != text.size()) break;
      const Node* found = named(text.substr(2, text.size() - 3));
      if (found == nullptr) break;
      node = found;
    }
    if (node->kind != Kind::scalar || !is_expression(node->text)) return *node;
    auto value = calculate_hcl(*node, [this](std::string_view name) { return named(name); });
    return value ? calculated_.emplace_back(std::move(*value)) : *node;
  }

  const std::string& resolved(const Node& said, Word& word) const {
    const Node& node = meant_by(said);
    if (node.kind != Kind::scalar) word.unknown = true;
    word.unknown |= is_expression(node.text);
    return node.kind == Kind::scalar ? node.text : said.text;
  }

  const Node& document_;
  const Module* module_;
  Values own_;
  Values each_;  // of the instance that is read
  std::vector<Word>* words_ = nullptr;
  ResourceBlock* block_ = nullptr;
  View not_judged_;
  View owned_;
  Span leads_there_;  // to the nodes of other files that are read
  bool is_module_ = false;
  mutable std::deque<Node> calculated_;
  TerraformResources result_;
};

std::string_view flag_name(std::string_view flag) { return flag.substr(0, flag.find('=')); }

// As a configuration has it: a number, `true`, or a string.
std::string with_value(std::string_view path, std::string_view value) {
  return value == "false" || text::whole_number(value) ? fmt::format("{} = {}", path, value)
                                                       : fmt::format("{} = \"{}\"", path, value);
}

// The argument for `--flag` or `--flag=value`; other words as they are.
std::string argument_for(std::string_view word, View rows, const ResourceBlock& block) {
  const std::string_view name = flag_name(word);
  std::string_view path;
  for (const ResourceBlock::Argument& each : block.arguments) {
    if (each.flag == name) path = each.path;
  }
  for (const View row : rows) {
    if (row.is_scalar()) {
      if (row.text() != name) continue;
      if (path.empty()) path = row.key();
      continue;
    }
    for (const View meaning : row) {
      if (flag_name(meaning.text()) != name) continue;
      const bool is_plain = meaning.key().empty() || meaning.key() == "true";
      if (meaning.text() == word)
        return is_plain ? std::string(row.key()) : with_value(row.key(), meaning.key());
      if (path.empty()) path = row.key();
    }
  }
  if (path.empty()) return std::string(word);
  return name == word ? std::string(path) : with_value(path, word.substr(name.size() + 1));
}

// Returns the resource for a command between backquotes, with its type and its arguments, if there
// is one.
std::optional<std::string> resource_for(std::string_view code) {
  if (code.starts_with("gcloud ")) code.remove_prefix(7);
  for (const View type : resource_types()) {
    for (std::string_view key : {"autopilot", "command"}) {
      const View command = type.find(key);
      if (!command || !(std::string(code) + " ").starts_with(std::string(command.text()) + " "))
        continue;
      std::string words(type.find("resource").text());
      std::vector<std::string> arguments;
      for (std::string_view word : text::split(code.substr(command.text().size()), ' ')) {
        if (word.starts_with("--")) {
          arguments.push_back(argument_for(word, type.find("arguments"), {}));
        } else if (!word.empty()) {
          words += fmt::format(" {}", word);
        }
      }
      if (!arguments.empty()) words += fmt::format("`: `{}", text::join(arguments, "`, `"));
      return words;
    }
  }
  return std::nullopt;
}

}  // namespace

View kind_of_module(std::string_view source) {
  for (const View kind : resource_types()) {
    if (is_kind_of_module(kind, source)) return kind;
  }
  return {};
}

TerraformResources read_terraform(const Node& document, const Module* module) {
  return TerraformReader(document, module).read();
}

std::string in_terraform(std::string_view text, const ResourceBlock& block) {
  if (block.type.empty()) return std::string(text);
  View rows;
  for (const View type : resource_types()) {
    if (type.find("resource").text() == block.type) rows = type.find("arguments");
  }
  // A resource of another program is described by its command.
  if (!rows) return std::string(text);
  bool is_code = false;
  std::vector<std::string> parts;
  for (std::string_view part : text::split(text, '`')) {
    const auto resource = is_code ? resource_for(part) : std::nullopt;
    std::vector<std::string> words;
    for (std::string_view word : text::split(part, ' '))
      words.push_back(word.starts_with("--") ? argument_for(word, rows, block) : std::string(word));
    parts.push_back(resource ? *resource : text::join(words, " "));
    is_code = !is_code;
  }
  return text::join(parts, "`");
}

ModuleRole module_role(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  std::string_view ending = name;
  if (ending.ends_with(".json")) ending.remove_suffix(5);
  if (ending.ends_with(".tf")) return ModuleRole::code;
  if (!ending.ends_with(".tfvars")) return ModuleRole::none;
  return ending == "terraform.tfvars"       ? ModuleRole::values
         : ending.ends_with(".auto.tfvars") ? ModuleRole::auto_values
                                            : ModuleRole::named_values;
}

bool is_override(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  if (name.ends_with(".json")) name.remove_suffix(5);
  return name == "override.tf" || name.ends_with("_override.tf");
}

bool may_create_nodes(std::string_view text) {
  return text.find("google_container_node_pool") != text.npos || text.find("module") != text.npos;
}

namespace {

void move_to_source(Node& node, std::uint32_t source) {
  node.span.source = source;
  for (Node& item : node.items) move_to_source(item, source);
  for (yaml::Member& member : node.members) {
    move_to_source(member.key, source);
    move_to_source(member.value, source);
  }
}

// The value of a variable that somebody sets who is not known, or several set to others.
const Node& value_of_others() {
  static const Node node = yaml::string_at("${others}");
  return node;
}

void add_overridden(const Node& document, decltype(Module::overridden)& overridden) {
  for (const View type : resource_types()) {
    for_resources(document, type, [&](const Node& key, const Node& body) {
      overridden[fmt::format("{}.{}", type.find("resource").text(), key.text)].push_back(&body);
    });
  }
}

const Node& add_file(Source file, Module& module) {
  Node& tree = module.trees[module.files.size()];
  const std::uint32_t index = module.files.add(std::move(file));
  if (module.files[index].name.ends_with(".json")) {
    diag::Sink ignored;
    if (auto read = yaml::parse(module.files, index, ignored)) tree = std::move(*read);
    move_to_source(tree, Module::first_source + index);
  } else {
    auto read = read_hcl(module.files[index].text, Module::first_source + index);
    if (auto* found = std::get_if<Node>(&read)) tree = std::move(*found);
  }
  return tree;
}

// Names in a caller's expressions are the caller's.
void add_values_of_call(const Node& caller, std::string_view call, Values& values) {
  for_members(caller.find("module"), [&](const Node& key, const Node& body) {
    if (key.text != call) return;
    for (const yaml::Member& argument : body.members) {
      bool is_literal = true;
      yaml::for_scalars(argument.value,
                        [&](const Node& scalar) { is_literal &= !is_expression(scalar.text); });
      if (is_literal) values.insert_or_assign("var." + argument.key.text, &argument.value);
    }
  });
}

}  // namespace

Module read_module(std::vector<Source> files, const GivenVariables& given) {
  std::ranges::sort(files, {}, [](const Source& file) {
    return std::tuple(module_role(file.name), std::string_view(file.name));
  });
  Module module;
  Values named;
  module.trees.resize(files.size() + 1);
  for (Source& file : files) {
    const Node& tree = add_file(std::move(file), module);
    const std::uint32_t index = module.files.size() - 1;
    if (module_role(module.files[index].name) == ModuleRole::code) {
      add_values_of(tree, module.values);
      add_declared(tree, module.declared);
      module.is_read &= tree.kind != Kind::null;
      if (is_override(module.files[index].name)) {
        add_overridden(tree, module.overridden);
        add_values_of(tree, module.overriding);
      }
    } else if (module_role(module.files[index].name) == ModuleRole::named_values) {
      // Each of several named files is for a run of its own.
      for (const yaml::Member& member : tree.members) {
        const auto [entry, is_new] = named.try_emplace("var." + member.key.text, &member.value);
        if (!is_new && entry->second->text != member.value.text) entry->second = &value_of_others();
      }
    } else {
      add_values("var.", tree, module.set);
    }
  }
  for (const std::string& name : given.names)
    module.set.insert_or_assign("var." + name, &value_of_others());
  for (const std::string& name : module.declared) {
    if (given.is_any && name.starts_with("var.")) module.set[name] = &value_of_others();
  }
  if (given.caller) add_values_of_call(add_file(*given.caller, module), given.call, module.set);
  for (const auto& [name, value] : named) module.set.insert_or_assign(name, value);
  return module;
}

}  // namespace flexslice::extract
