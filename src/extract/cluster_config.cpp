#include "extract/cluster_config.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "yaml/embedded.hpp"
#include "yaml/made.hpp"

namespace flexslice::extract {

using yaml::Kind;
using yaml::Node;
using yaml::View;

namespace {

std::string table_text(View value) { return value ? std::string(value.text()) : std::string(); }

std::vector<std::string> listed_names(std::string_view words) {
  std::vector<std::string> names;
  for (std::string_view each : text::split(words, ' ')) names.emplace_back(each);
  return names;
}

void set_member(Node& mapping, std::string_view key, Node value) {
  const Span where = value.span;
  mapping.members.push_back({yaml::string_at(key, where), std::move(value)});
}

// A value of the catalog, at the place that chose it. `own` are variables of one pool.
Node catalog_value(View value, Span where, const Node& own) {
  if (value.is_scalar()) {
    std::string text(value.text());
    for (const yaml::Member& variable : own.members) {
      if (text == fmt::format("$(vars.{})", variable.key.text)) return variable.value;
      if (text == fmt::format("$(!vars.{})", variable.key.text))
        return yaml::string_at(variable.value.text == "true" ? "false" : "true",
                               variable.value.span);
    }
    return yaml::string_at(text, where);
  }
  const bool is_list = value.is_sequence();
  Node made = is_list ? yaml::list_at(where) : yaml::mapping_at(where);
  for (const View each : value) {
    if (is_list) {
      made.items.push_back(catalog_value(each, where, own));
    } else {
      set_member(made, each.key(), catalog_value(each, where, own));
    }
  }
  return made;
}

constexpr std::array scaling_settings{"autoscaling_total_min_nodes", "autoscaling_total_max_nodes",
                                      "autoscaling_min_node_count", "autoscaling_max_node_count",
                                      "initial_node_count"};

class ClusterConfigReader {
 public:
  explicit ClusterConfigReader(const Node& document)
      : document_(document), base_(base_of(*document.find("config_base"))) {}

  ClusterConfig read() && {
    judge_sections();
    const Node& base = base_;
    if (base.kind == Kind::mapping) refuse(base.span, "`config_base` needs a `type`");
    const View known = toolkit().find("bases").find(base.text);
    if (!known && !is_open(base.text)) {
      std::vector<std::string> names;
      for (const View each : toolkit().find("bases")) names.emplace_back(each.key());
      refuse(base.span, fmt::format("`config_base` is none of {}", text::join(names, ", ")),
             base.text, names);
    }
    if (const Node* vars = document_.find("vars")) vars_ = *vars;
    if (vars_.kind != Kind::mapping) vars_ = yaml::mapping_at(base.span);
    Node of_cluster = settings_of_base(known);
    add_variables(known ? known.find("vars") : View(), base.span);
    modules_ = yaml::list_at(base.span);
    if (const View cluster = known ? known.find("cluster") : View())
      modules_.items.push_back(
          module(table_text(cluster.find("id")), cluster, base.span, {}, std::move(of_cluster)));
    read_pools(base.text);
    judge_named("features", "feature");
    judge_named("overlays", "overlay");
    Node& blueprint = result_.blueprint;
    blueprint = yaml::mapping_at(document_.span);
    set_member(blueprint, "blueprint_name", yaml::string_at("cluster", base.span));
    set_member(blueprint, "vars", std::move(vars_));
    Node group = yaml::mapping_at(base.span), groups = yaml::list_at(base.span);
    set_member(group, "modules", std::move(modules_));
    groups.items.push_back(std::move(group));
    set_member(blueprint, "deployment_groups", std::move(groups));
    return std::move(result_);
  }

 private:
  // `config_base: gke`, or a mapping of `type` and `settings`. Without the type it is empty.
  static const Node& base_of(const Node& stated) {
    const Node* type = stated.find("type");
    return type == nullptr ? stated : *type;
  }

  // Variables of the base are set, and the rest is the cluster's.
  Node settings_of_base(View base) {
    Node rest = yaml::mapping_at(base_.span);
    const Node* settings = document_.find("config_base")->find("settings");
    if (settings == nullptr || !base) return rest;
    const auto variables = listed_names(table_text(base.find("variables")));
    for (const yaml::Member& member : settings->members) {
      if (contains(variables, member.key.text)) {
        yaml::member_at(vars_, member.key.text, member.key.span) = member.value;
      } else {
        rest.members.push_back(member);
      }
    }
    return rest;
  }

  static bool is_open(std::string_view text) { return text.empty() || text.find('$') != text.npos; }

  void refuse(Span where, std::string says, std::string name = {},
              std::vector<std::string> names = {}) {
    result_.refused.push_back({where, std::move(says), std::move(name), std::move(names)});
  }

  void judge_sections() {
    const std::vector<std::string> sections = listed_names(table_text(toolkit().find("sections")));
    for (const yaml::Member& member : document_.members) {
      if (!contains(sections, member.key.text))
        refuse(member.key.span, fmt::format("it has no section `{}`", member.key.text),
               member.key.text, sections);
    }
  }

  void add_variables(View defaults, Span where) {
    for (const View each : defaults) {
      const Node* own = vars_.find(each.key());
      if (own == nullptr) set_member(vars_, each.key(), yaml::string_at(each.text(), where));
    }
  }

  void judge_entry(const Node& entry, std::string_view section, std::string_view what,
                   std::set<std::string>& seen) {
    const auto keys = listed_names(table_text(toolkit().find("keys").find(section)));
    for (const yaml::Member& member : entry.members) {
      if (!contains(keys, member.key.text))
        refuse(member.key.span, fmt::format("a {} has no key `{}`", what, member.key.text),
               member.key.text, keys);
    }
    const Node* name = entry.find("name");
    if (name == nullptr || name->text.empty()) {
      refuse(entry.span, fmt::format("a {} needs a `name`", what));
    } else if (!is_open(name->text) && !seen.insert(name->text).second) {
      refuse(name->span, fmt::format("two have the name `{}`", name->text));
    }
  }

  void judge_named(std::string_view section, std::string_view what) {
    const Node* list = document_.find(section);
    if (list == nullptr) return;
    std::set<std::string> seen;
    const View base = toolkit().find("bases").find(base_.text);
    const auto roles = listed_names(base ? table_text(base.find("roles")) : std::string());
    const std::vector<std::string> known = listed_names(table_text(toolkit().find(section)));
    for (const Node& entry : list->items) {
      judge_entry(entry, section, what, seen);
      const Node* type = entry.find("type");
      if (type == nullptr) type = entry.find("name");
      // A later catalog may have others.
      if (type != nullptr && !is_open(type->text) && !contains(known, type->text) &&
          text::nearest(type->text, std::vector<std::string_view>(known.begin(), known.end())))
        refuse(type->span, fmt::format("there is no {} `{}`", what, type->text), type->text, known);
      const Node* attached = entry.find("attach_to");
      if (attached == nullptr) continue;
      for (const Node& pool : attached->items) {
        if (!is_open(pool.text) && !contains(pools_, pool.text) && !contains(roles, pool.text))
          refuse(pool.span, fmt::format("there is no pool `{}`", pool.text), pool.text, pools_);
      }
    }
  }

  void read_pools(std::string_view base) {
    const Node* list = document_.find("compute_archetypes");
    if (list == nullptr || list->items.empty()) {
      refuse(list == nullptr ? document_.find("config_base")->span : list->span,
             "`compute_archetypes` has no pool");
      return;
    }
    std::set<std::string> seen;
    std::string used;  // the archetype of the pools with accelerators
    for (const Node& pool : list->items) {
      judge_entry(pool, "compute_archetypes", "pool", seen);
      const Node *name = pool.find("name"), *machine = pool.find("machine_type");
      if (name != nullptr) pools_.push_back(name->text);
      if (name != nullptr &&
          contains(listed_names(table_text(toolkit().find("reservedNames"))), name->text))
        refuse(name->span, fmt::format("no pool may have the name `{}`", name->text));
      if (machine == nullptr) {
        refuse(pool.span, "a pool needs a `machine_type`");
        continue;
      }
      if (is_open(machine->text)) continue;
      const View archetype = archetype_of(machine->text);
      if (!archetype) {
        for (const std::string& each : listed_names(table_text(toolkit().find("accelerators")))) {
          if (!machine->text.starts_with(each)) continue;
          refuse(machine->span, fmt::format("no archetype has `{}`", machine->text));
          break;
        }
        continue;
      }
      if (!base.empty() && !contains(listed_names(table_text(archetype.find("bases"))), base) &&
          toolkit().find("bases").find(base))
        refuse(machine->span, fmt::format("`{}` is not for {}", machine->text, base));
      if (!used.empty() && used != archetype.key()) {
        refuse(machine->span,
               fmt::format("a cluster has accelerators of one kind, and has {}", used));
      } else if (archetype.find("settings") && base == "gke") {
        add_pool(pool, named_machine(*machine, archetype), archetype);
      }
      used = archetype.key();
    }
  }

  static View archetype_of(std::string_view machine) {
    for (const View each : toolkit().find("archetypes")) {
      if (machine == each.key() || machine.starts_with(table_text(each.find("machines"))))
        return each;
    }
    return {};
  }

  // A pool may name the archetype.
  static Node named_machine(const Node& machine, View archetype) {
    return machine.text == archetype.key()
               ? yaml::string_at(table_text(archetype.find("machine")), machine.span)
               : machine;
  }

  void add_pool(const Node& pool, const Node& machine, View archetype) {
    add_variables(archetype.find("vars"), machine.span);
    const Node* said = pool.find("settings");
    Node own = yaml::mapping_at(machine.span), settings = yaml::mapping_at(machine.span);
    if (said != nullptr) {
      // Settings are those of the module, or variables of the archetype.
      for (const yaml::Member& member : said->members)
        (archetype.find("vars").find(member.key.text) ? own : settings).members.push_back(member);
    }
    const Node* name = pool.find("name");
    if (name != nullptr && settings.find("name") == nullptr) {
      Node called = *name;
      std::replace(called.text.begin(), called.text.end(), '_', '-');
      set_member(settings, "name", std::move(called));
    }
    settings.members.push_back({yaml::string_at("machine_type", machine.span), machine});
    Node made = module((name == nullptr ? std::string("pool") : name->text) + "_pool", archetype,
                       machine.span, own, std::move(settings));
    if (name != nullptr) made.members.front().value.span = name->span;
    provision(yaml::member_at(made, "settings"));
    Node use = yaml::list_at(machine.span);
    use.items.push_back(yaml::string_at("cluster", machine.span));
    set_member(made, "use", std::move(use));
    modules_.items.push_back(std::move(made));
  }

  bool is_on(const Node& settings, std::string_view key) const {
    const Node* value = settings.find(key);
    if (value == nullptr) return false;
    constexpr std::string_view begin = "$(vars.";
    const std::string_view text = value->text;
    if (!text.starts_with(begin) || !text.ends_with(")")) return text == "true";
    const Node* variable = vars_.find(text.substr(begin.size(), text.size() - begin.size() - 1));
    return variable != nullptr && variable->text == "true";
  }

  // Nodes that come and go are not repaired, and have no fixed number.
  void provision(Node& settings) const {
    const bool is_flexible = is_on(settings, "enable_flex_start");
    if (is_flexible) {
      Node& repair = yaml::member_at(settings, "auto_repair");
      repair = yaml::string_at("false", repair.span);
    }
    const Node* count = settings.find("static_node_count");
    const auto is_given = [&](const char* key) {
      const Node* value = settings.find(key);
      return value != nullptr && value->kind != Kind::null;
    };
    const bool is_scaled = any_of(scaling_settings, is_given);
    if (count != nullptr &&
        (count->kind == Kind::null || is_flexible ||
         is_on(settings, "enable_queued_provisioning") || (is_scaled && is_open(count->text))))
      std::erase_if(settings.members, [](const yaml::Member& member) {
        return member.key.text == "static_node_count";
      });
  }

  // Settings of the pool come before the catalog's.
  Node module(std::string id, View kind, Span where, const Node& own, Node settings = {}) const {
    if (settings.kind != Kind::mapping) settings = yaml::mapping_at(where);
    for (const View each : kind.find("settings")) {
      if (settings.find(each.key()) == nullptr)
        set_member(settings, each.key(), catalog_value(each, where, own));
    }
    Node made = yaml::mapping_at(where);
    set_member(made, "id", yaml::string_at(id, where));
    set_member(made, "source", yaml::string_at(table_text(kind.find("source")), where));
    set_member(made, "settings", std::move(settings));
    return made;
  }

  const Node& document_;
  const Node& base_;
  Node vars_, modules_;
  std::vector<std::string> pools_;
  ClusterConfig result_;
};

}  // namespace

View toolkit() { return embedded::root_of(embedded::kubernetes, "extract/toolkit.yaml"); }

std::optional<ClusterConfig> read_cluster_config(const Node& document) {
  const Node* base = document.find("config_base");
  if (base == nullptr || document.find("apiVersion") != nullptr ||
      (base->kind != Kind::scalar && base->kind != Kind::mapping))
    return std::nullopt;
  // Other programs have such a key, too.
  if (document.find("compute_archetypes") == nullptr && document.find("vars") == nullptr)
    return std::nullopt;
  return ClusterConfigReader(document).read();
}

}  // namespace flexslice::extract
