#include "cli/commands/in_place.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "base/lists.hpp"
#include "base/text.hpp"

namespace flexslice::cli {

using yaml::Value;

namespace {

using Words = std::vector<std::string>;

// A command that creates something, by its flags; a flag without a value has an empty one.
struct CreateCommand {
  explicit CreateCommand(const Value& step) {
    const Value* run = step.find("run");
    for (const Value& word : run == nullptr ? std::vector<Value>() : run->items) {
      const std::string& text = word.text;
      const std::size_t equals = text.find('=');
      if (!text.starts_with("--"))
        operands.push_back(text);
      else
        flags[text.substr(0, equals)] = equals == text.npos ? "" : text.substr(equals + 1);
    }
  }

  const std::string* flag(const std::string& name) const {
    const auto at = flags.find(name);
    return at == flags.end() ? nullptr : &at->second;
  }
  std::string value(const std::string& name) const {
    const std::string* found = flag(name);
    return found == nullptr ? "" : *found;
  }
  // The most nodes that the pool may have.
  std::int64_t nodes() const {
    const std::string* most = flag("--max-nodes");
    const std::string zones = value("--node-locations");
    return text::whole_number(most == nullptr ? value("--num-nodes") : *most).value_or(0) *
           (1 + std::ranges::count(zones, ','));
  }

  Words operands;
  std::map<std::string, std::string> flags;
};

std::map<std::string, std::string> label_pairs(const std::string& list) {
  std::map<std::string, std::string> pairs;
  for (std::string_view pair : text::split(list, ',')) {
    const std::size_t equals = pair.find('=');
    if (!pair.empty())
      pairs[std::string(pair.substr(0, equals))] =
          equals == pair.npos ? "" : std::string(pair.substr(equals + 1));
  }
  return pairs;
}

class Changes {
 public:
  Changes(const Value& before, const Value& after, const catalog::Catalog& catalog)
      : step_(after),
        before_(before),
        after_(after),
        is_pool_(contains(after_.operands, std::string("node-pools"))),
        catalog_(catalog) {
    for (const CreateCommand* side : {&before_, &after_}) {
      for (const auto& [flag, value] : side->flags) {
        const std::string *then = before_.flag(flag), *now = after_.flag(flag);
        if (then == nullptr || now == nullptr || *then != *now) changed_.insert(flag);
      }
    }
  }

  InPlace result() {
    if (is_pool_)
      change_pool();
    else
      change_cluster();
    result_.refused.assign(changed_.begin(), changed_.end());
    result_.shrinks = is_pool_ && after_.nodes() < before_.nodes();
    return std::move(result_);
  }

 private:
  const std::string& name() const { return after_.operands.back(); }

  bool take(std::initializer_list<const char*> flags) {
    bool any = false;
    for (const char* flag : flags) any = changed_.erase(flag) > 0 || any;
    return any;
  }

  // Adds the flags that say where it is.
  void locate(Words& words) const {
    const bool is_of_cluster = contains(words, std::string("clusters"));
    for (const std::string_view flag : {"--cluster", "--location", "--project"}) {
      if (is_of_cluster && flag == "--cluster") continue;  // its operand
      const bool is_named = std::ranges::any_of(
          words, [&](const std::string& word) { return word.starts_with(flag); });
      if (const std::string* value = after_.flag(std::string(flag)); value != nullptr && !is_named)
        words.push_back(fmt::format("{}={}", flag, *value));
    }
  }

  // `conditions` say what the pool is like when it is done; without any it is done each time.
  void add(std::string title, Words command, const Words& conditions) {
    Value inner = Value::mapping();
    if (!conditions.empty()) {
      Words words = conditions, fields;
      for (const std::string& each : conditions) fields.push_back(each.substr(0, each.find('=')));
      for (const char* word : {"--", "gcloud", "container", "node-pools", "describe"})
        words.emplace_back(word);
      words.push_back(name());
      locate(words);
      words.push_back(
          fmt::format("--format=csv[no-heading,separator=\"|\"]({})", text::join(fields, ",")));
      inner.add("differs", Value::strings(words));
    }
    locate(command);
    inner.add("run", Value::strings(command));
    Value outer = Value::mapping();
    outer.add("title", Value::string(std::move(title)));
    if (const Value* guard = step_.find("unless")) outer.add("own", *guard);
    outer.add("steps", Value::sequence()).push(std::move(inner));
    result_.steps.push_back(std::move(outer));
  }

  Words update(std::initializer_list<std::string> flags) const {
    Words words{"gcloud", "container", is_pool_ ? "node-pools" : "clusters", "update", name()};
    for (const std::string& flag : flags) {
      if (!flag.empty()) words.push_back(flag);
    }
    return words;
  }

  // Labels that are no longer wanted have to be gone, too.
  Words label_conditions(const std::string& flag, std::string_view field) const {
    auto wanted = label_pairs(before_.value(flag));
    for (auto& [key, value] : wanted) value = "none";
    for (const auto& [key, value] : label_pairs(after_.value(flag))) {
      if (!value.empty()) wanted[key] = value;
    }
    Words conditions;
    for (const auto& [key, value] : wanted) {
      if (key != "flexslice" && !key.starts_with("flexslice-"))
        conditions.push_back(fmt::format("{}.\"{}\"={}", field, key, value));
    }
    return conditions;
  }

  // Words for a title: GKE deletes the nodes of a zone that the pool leaves.
  std::string nodes_that_go() const {
    const std::string then = before_.value("--node-locations"),
                      now = after_.value("--node-locations");
    const auto kept = text::split(now, ',');
    Words gone;
    for (std::string_view zone : text::split(then, ',')) {
      if (!zone.empty() && !now.empty() && !contains(kept, zone)) gone.emplace_back(zone);
    }
    return gone.empty() ? ""
                        : fmt::format(": the nodes of {} go, with the pods on them",
                                      text::join(gone, " and "));
  }

  void change_pool() {
    const auto titled = [&](std::string_view what) {
      return fmt::format("Change {} of node pool {}", what, name());
    };
    // With zones first, a number of nodes is that of each zone.
    if (take({"--node-locations"}))
      add(titled("the zones") + nodes_that_go(),
          update({fmt::format("--node-locations={}", after_.value("--node-locations"))}),
          {fmt::format("locations={}", zones())});
    const bool scales = after_.flag("--enable-autoscaling") != nullptr;
    const bool stops_scaling = !scales && before_.flag("--enable-autoscaling") != nullptr;
    const bool resizes = take({"--num-nodes"});
    if (take({"--enable-autoscaling", "--min-nodes", "--max-nodes", "--location-policy"})) {
      const auto given = [&](const char* flag) {
        const std::string* value = after_.flag(flag);
        return value == nullptr ? std::string() : fmt::format("{}={}", flag, *value);
      };
      if (scales)
        add(titled("the autoscaling"),
            update({"--enable-autoscaling", given("--min-nodes"), given("--max-nodes"),
                    given("--location-policy")}),
            {"autoscaling.enabled=True", least("autoscaling.minNodeCount", "--min-nodes"),
             least("autoscaling.maxNodeCount", "--max-nodes")});
      else if (stops_scaling)
        add(titled("the autoscaling"), update({"--no-enable-autoscaling"}),
            {"autoscaling.enabled=False or none"});
    }
    // The autoscaler decides the number of nodes of an autoscaled pool.
    if ((resizes || stops_scaling) && !scales)
      add(titled("the size") +
              (after_.nodes() < before_.nodes() ? ": nodes go, with the pods on them" : ""),
          {"gcloud", "container", "clusters", "resize", after_.value("--cluster"),
           fmt::format("--node-pool={}", name()),
           fmt::format("--num-nodes={}", after_.value("--num-nodes")), "--quiet"},
          {least("initialNodeCount", "--num-nodes")});
    if (take({"--node-labels"}))
      add(titled("the node labels"),
          update({fmt::format("--node-labels={}", after_.value("--node-labels"))}),
          label_conditions("--node-labels", "config.labels"));
    if (take({"--labels"}))
      add(titled("the labels"), update({fmt::format("--labels={}", after_.value("--labels"))}),
          label_conditions("--labels", "config.resourceLabels"));
    for (const catalog::PoolFlag& row : catalog_.pool_flags) {
      const std::string flag(row.flag), *now = after_.flag(flag);
      if (row.result == catalog::ChangeResult::recreate || now == nullptr || !take({flag.c_str()}))
        continue;
      const std::string is =
          row.gigabytes ? now->substr(0, now->find_first_not_of("0123456789")) : *now;
      add(titled(row.title), update({fmt::format("{}={}", flag, *now)}),
          {fmt::format("{}={}", row.api, is)});
    }
    if (take({"--no-enable-autorepair"})) {
      const bool repairs = after_.flag("--no-enable-autorepair") == nullptr;
      add(titled("the repair"),
          update({repairs ? "--enable-autorepair" : "--no-enable-autorepair"}),
          {fmt::format("management.autoRepair={}", repairs ? "True" : "False or none")});
    }
  }

  void change_cluster() {
    const std::string title = fmt::format("Change cluster {}", name());
    if (after_.flag("--cluster-version") != nullptr && take({"--cluster-version"}))
      add(title,
          {"gcloud", "container", "clusters", "upgrade", name(), "--master",
           fmt::format("--cluster-version={}", after_.value("--cluster-version")), "--quiet"},
          {});
    if (take({"--num-nodes"}))
      add(title,
          {"gcloud", "container", "clusters", "resize", name(), "--node-pool=default-pool",
           fmt::format("--num-nodes={}", after_.value("--num-nodes")), "--quiet"},
          {});
    if (take({"--addons"})) {
      const std::string then = before_.value("--addons"), now = after_.value("--addons");
      const auto old_ones = text::split(then, ','), new_ones = text::split(now, ',');
      Words addons;
      for (std::string_view each : new_ones) {
        if (!each.empty() && !contains(old_ones, each))
          addons.push_back(fmt::format("{}=ENABLED", each));
      }
      for (std::string_view each : old_ones) {
        if (!each.empty() && !contains(new_ones, each))
          addons.push_back(fmt::format("{}=DISABLED", each));
      }
      add(title, update({fmt::format("--update-addons={}", text::join(addons, ","))}), {});
    }
    if (take({"--enable-ray-operator"}))
      add(title,
          update({after_.flag("--enable-ray-operator") != nullptr ? "--enable-ray-operator"
                                                                  : "--no-enable-ray-operator"}),
          {});
    if (take({"--gateway-api"}))
      add(title,
          update({after_.flag("--gateway-api") != nullptr ? "--gateway-api=standard"
                                                          : "--gateway-api=disabled"}),
          {});
    if (take({"--workload-pool"}))
      add(title,
          update({after_.flag("--workload-pool") != nullptr
                      ? fmt::format("--workload-pool={}", after_.value("--workload-pool"))
                      : "--disable-workload-identity"}),
          {});
  }

  // gcloud prints no zero.
  std::string least(std::string_view field, const std::string& flag) const {
    const std::string number = after_.value(flag);
    return fmt::format("{}={}{}", field, number, number == "0" ? " or none" : "");
  }
  std::string zones() const {
    std::string list = after_.value("--node-locations");
    std::replace(list.begin(), list.end(), ',', ';');
    return list;
  }

  const Value& step_;
  CreateCommand before_, after_;
  bool is_pool_;
  const catalog::Catalog& catalog_;
  std::set<std::string> changed_;
  InPlace result_;
};

}  // namespace

InPlace change_in_place(const Value& before, const Value& after, const catalog::Catalog& catalog) {
  return Changes(before, after, catalog).result();
}

}  // namespace flexslice::cli
