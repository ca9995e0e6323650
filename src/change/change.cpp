#include "change/change.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/credentials.hpp"
#include "base/lists.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "spec/kinds.hpp"
#include "yaml/emit.hpp"

namespace flexslice::change {

using catalog::ChangeResult;
using yaml::Value;

namespace {

constexpr std::string_view node_pool = "node pool";

struct PathDifference {
  std::string path;
  const Value* before;
  const Value* after;
};

void walk(const Value* before, const Value* after, const std::string& path, bool indices,
          std::vector<PathDifference>& out) {
  if (before != nullptr && after != nullptr && *before == *after) return;
  const auto is = [&](bool (Value::*kind)() const) {
    return before != nullptr && after != nullptr && (before->*kind)() && (after->*kind)();
  };
  const auto below = [&](std::string_view key) {
    return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
  };
  if (is(&Value::is_mapping)) {
    const std::size_t size = out.size();
    for (const auto& [key, value] : before->members)
      walk(&value, after->find(key), below(key), indices, out);
    for (const auto& [key, value] : after->members) {
      if (before->find(key) == nullptr) walk(nullptr, &value, below(key), indices, out);
    }
    // Only the order of the members differs.
    if (out.size() == size) return;
  } else if (is(&Value::is_sequence)) {
    for (std::size_t i = 0; i < std::max(before->items.size(), after->items.size()); ++i) {
      const auto at = [&](const Value& list) {
        return i < list.items.size() ? &list.items[i] : nullptr;
      };
      walk(at(*before), at(*after), indices ? fmt::format("{}[{}]", path, i) : path, indices, out);
    }
  } else {
    out.push_back({path, before, after});
  }
}

std::vector<PathDifference> path_differences(const Value& before, const Value& after,
                                             bool indices) {
  std::vector<PathDifference> out;
  walk(&before, &after, {}, indices, out);
  return out;
}

// A mapping with these members of another, where it has them.
void take_members(Value& to, const Value* from, std::initializer_list<std::string_view> keys) {
  for (std::string_view key : keys) {
    const Value* value = from == nullptr ? nullptr : from->find(key);
    if (value != nullptr && to.find(key) == nullptr) to.add(key, *value);
  }
}

std::string_view scalar_of(const Value* value) {
  return value == nullptr ? std::string_view() : std::string_view(value->text);
}

// Returns whether the old value is a number that is larger than the new one.
bool is_lowered(const PathDifference& difference) {
  const auto number = [](const Value* value) {
    return value == nullptr ? std::nullopt : text::whole_number(value->text);
  };
  const auto old_number = number(difference.before), new_number = number(difference.after);
  return old_number && new_number && *new_number < *old_number;
}

// Returns whether a list of the old one has an item that the new list lacks.
bool loses_item(std::string_view list, const Value& before, const Value& after) {
  const Value *old_list = before.find(list), *new_list = after.find(list);
  return old_list != nullptr && new_list != nullptr && !new_list->items.empty() &&
         any_of(old_list->items,
                [&](const Value& item) { return !contains(new_list->items, item); });
}

// Conditions of what something is must hold on both sides, so that the way back is judged alike.
bool holds(std::string_view condition, const Value& before, const Value& after,
           const PathDifference& difference) {
  if (condition == "lowered") return is_lowered(difference);
  if (condition == "zoneGoes") return loses_item("zones", before, after);
  // An autoscaler removes only nodes that no pod needs.
  if (condition == "fixed") return after.text_at({"autoscale"}) != "true";
  const auto both = [&](const auto& is) { return is(before) && is(after); };
  if (condition == "suspended")
    return both([](const Value& object) { return object.text_at({"spec", "suspend"}) == "true"; });
  if (condition == "elastic")
    return both([](const Value& job) {
      const std::string_view pods = job.text_at({"spec", "completions"});
      return job.text_at({"spec", "completionMode"}) == "Indexed" && !pods.empty() &&
             pods == job.text_at({"spec", "parallelism"});
    });
  if (condition == "singleHost")
    return both([](const Value& pool) { return pool.text_at({"multiHost"}) != "true"; });
  if (condition == "queued")
    return both([](const Value& object) {
      return !object.text_at({"metadata", "labels", "kueue.x-k8s.io/queue-name"}).empty();
    });
  if (condition == "grows") {
    const auto size = [](const Value& claim) {
      return parse_quantity(claim.text_at({"spec", "resources", "requests", "storage"}));
    };
    const auto old_size = size(before), new_size = size(after);
    return old_size && new_size && *old_size < *new_size;
  }
  // An autoscaler takes over.
  if (condition == "unscaled")
    return before.at({"spec", "replicas"}) != nullptr && after.at({"spec", "replicas"}) == nullptr;
  if (condition == "topology")
    return both([](const Value& flavor) {
      return !flavor.text_at({"spec", "topologyName"}).empty();
    });
  if (condition == "hostname")
    return both([](const Value& topology) {
      const Value* levels = topology.at({"spec", "levels"});
      return levels != nullptr && !levels->items.empty() &&
             levels->items.back().text_at({"nodeLabel"}) == "kubernetes.io/hostname";
    });
  return condition.empty();
}

// Returns whether both sides state a release of Kueue that is `least` or a later one.
bool has_kueue(std::string_view least, const ComparedResource& before,
               const ComparedResource& after) {
  const auto minimum = catalog::parse_version(least);
  if (!minimum) return true;
  for (const ComparedResource* side : {&before, &after}) {
    const auto stated = catalog::parse_version(side->kueue);
    if (!stated || *stated < *minimum) return false;
  }
  return true;
}

bool row_covers(std::string_view row, std::string_view path) {
  return path.starts_with(row) && (path.size() == row.size() || path[row.size()] == '.');
}

// A change of one field does this.
struct EffectOfField {
  ChangeResult result;
  std::string_view why;
};

// By the row of the longest field, the first of those; nothing: no row has it.
std::optional<EffectOfField> effect_of(const catalog::Catalog& catalog,
                                       const ComparedResource& before,
                                       const ComparedResource& after,
                                       const PathDifference& difference) {
  const std::string_view path = difference.path;
  const auto* passed = before.kind == node_pool
                           ? catalog::named(catalog.pool_flags, &catalog::PoolFlag::field, path)
                           : nullptr;
  if (passed != nullptr) return EffectOfField{passed->result, passed->why};
  const catalog::Change* best = nullptr;
  std::size_t length = 0;
  for (const catalog::Change& row : catalog.changes) {
    const bool any = row.resource == "*" && before.value.find("apiVersion") != nullptr;
    if (row.resource != before.kind && !any) continue;
    if (!has_kueue(row.kueue, before, after)) continue;
    const bool is_met = std::ranges::all_of(text::split(row.when, ' '), [&](std::string_view word) {
      return holds(word, before.value, after.value, difference);
    });
    if (!is_met) continue;
    for (std::string_view field : row.fields) {
      if (field.size() <= length || !row_covers(field, path)) continue;
      best = &row;
      length = field.size();
    }
  }
  if (best == nullptr) return {};
  return EffectOfField{best->result, best->why};
}

ResourceChange compare_resource(const ComparedResource& before, const ComparedResource& after,
                                const catalog::Catalog& catalog, ChangeResult& of_pods) {
  ResourceChange line{Sign::same, before.kind, before.name, "no change", {}};
  std::vector<std::string> reasons;
  ChangeResult worst = ChangeResult::in_place;
  for (const PathDifference& difference : path_differences(before.value, after.value, false)) {
    if (!contains(line.fields, difference.path)) line.fields.push_back(difference.path);
    const auto effect = effect_of(catalog, before, after, difference);
    const Sign sign = !effect                                    ? Sign::unknown
                      : effect->result == ChangeResult::recreate ? Sign::recreate
                                                                 : Sign::update;
    if (sign == Sign::update) of_pods = std::max(of_pods, effect->result);
    if (sign == Sign::update) worst = std::max(worst, effect->result);
    if (effect && effect->result == ChangeResult::fewer && !contains(line.ends, effect->why))
      line.ends.emplace_back(effect->why);
    if (sign > line.sign) reasons.clear();
    line.sign = std::max(line.sign, sign);
    if (sign != line.sign) continue;
    const std::string reason(effect ? effect->why : "not in the table of changes");
    if (!contains(reasons, reason)) reasons.push_back(reason);
  }
  if (line.sign == Sign::same) return line;
  const std::string_view action = line.sign == Sign::recreate       ? "recreate"
                                  : line.sign == Sign::unknown      ? "unknown"
                                  : worst == ChangeResult::stop     ? "update, its pods stop"
                                  : worst == ChangeResult::rollout  ? "replace its pods or nodes"
                                  : worst == ChangeResult::fewer    ? "update, some pods end"
                                  : worst == ChangeResult::new_only ? "update, for new pods only"
                                                                    : "update in place";
  line.text = fmt::format("{}: {}", action, text::join(reasons, "; "));
  return line;
}

// `a=b`, `[a, b]`.
std::string in_line(const Value& value, bool is_inner) {
  std::vector<std::string> parts;
  for (const auto& [key, member] : value.members)
    parts.push_back(fmt::format("{}={}", yaml::one_line(key), in_line(member, true)));
  for (const Value& item : value.items) parts.push_back(in_line(item, true));
  if (value.is_sequence()) return fmt::format("[{}]", text::join(parts, ", "));
  if (!value.is_mapping()) return value.text.empty() ? "\"\"" : yaml::one_line(value.text);
  const std::string members = text::join(parts, " ");
  return is_inner || parts.empty() ? fmt::format("{{{}}}", members) : members;
}

constexpr std::size_t longest_shown = 60;

std::string shown_value(const Value* value) {
  if (value == nullptr) return "(none)";
  std::string text = masked(in_line(*value, false));
  return text.size() > longest_shown ? "…" : text;
}

// Finds the parts by which two texts differ, each with a few characters around it.
std::pair<std::string, std::string> parts_that_differ(std::string_view one,
                                                      std::string_view other) {
  constexpr std::size_t around = 12;
  const std::size_t shorter = std::min(one.size(), other.size());
  std::size_t same = 0, same_end = 0;
  while (same < shorter && one[same] == other[same]) ++same;
  while (same_end < shorter - same &&
         one[one.size() - 1 - same_end] == other[other.size() - 1 - same_end])
    ++same_end;
  const auto part = [&](std::string_view text) {
    const auto is_inside = [&](std::size_t at) {  // of a character of several bytes
      return (static_cast<unsigned char>(text[at]) & 0xc0u) == 0x80u;
    };
    std::size_t begin = same - std::min(same, around),
                end = text.size() - same_end + std::min(same_end, around);
    while (begin > 0 && is_inside(begin)) --begin;
    while (end < text.size() && is_inside(end)) ++end;
    return fmt::format("{}{}{}", begin > 0 ? "…" : "", text.substr(begin, end - begin),
                       end < text.size() ? "…" : "");
  };
  return {part(one), part(other)};
}

// Two long words are shown by the parts by which they differ, if these are short.
std::string shown_change(const Value* before, const Value* after) {
  std::string from = shown_value(before), to = shown_value(after);
  if (before != nullptr && after != nullptr && before->is_string() && after->is_string() &&
      (from == "…" || to == "…")) {
    const std::string old_text = masked(before->text), new_text = masked(after->text);
    auto [old_part, new_part] = parts_that_differ(old_text, new_text);
    const bool is_line = (old_text + new_text).find('\n') == std::string::npos;
    if (is_line && std::max(old_part.size(), new_part.size()) <= longest_shown) {
      from = std::move(old_part);
      to = std::move(new_part);
    }
  }
  return fmt::format("{} → {}", from, to);
}

// Kinds whose objects can go while the pods run on.
constexpr std::string_view without_pods[] = {
    "Service",          "PodDisruptionBudget", "PodMonitoring", "HorizontalPodAutoscaler",
    "Gateway",          "HTTPRoute",           "InferencePool", "PersistentVolumeClaim",
    "PersistentVolume", "StorageClass",        "PodTemplate",   "CapacityBuffer"};

// The most that can be there, as the cost has it.
std::int64_t nodes(const ComparedSpec* side) {
  if (side == nullptr) return 0;
  const auto number = [&](std::initializer_list<std::string_view> path) {
    return text::whole_number(side->plan.text_at(path)).value_or(0);
  };
  return number({"provisioning", "quotaChips"}) /
         std::max<std::int64_t>(1, number({"tpu", "chipsPerHost"}));
}

// The nodes of a point are its sweep's, and Kueue objects have none.
Bill bill_of(const ComparedSpec* side) {
  if (side == nullptr || !side->plan.is_mapping() || side->plan.find("sweep") != nullptr) return {};
  const std::string_view hour = side->plan.text_at({"cost", "perHour"});
  return {nodes(side), catalog::parse_dollars(hour.substr(hour.starts_with('$') ? 1 : 0))};
}

std::string which_pods_end(const SpecChange& change) {
  std::vector<std::string> ends;
  for (const ResourceChange& line : change.lines) {
    for (const std::string& each : line.ends) {
      if (!contains(ends, each)) ends.push_back(each);
    }
  }
  return fmt::format(" go on, except that {}.", text::join(ends, ", and "));
}

void add_consequences(const ComparedSpec* before, const ComparedSpec* after, ChangeResult of_pods,
                      SpecChange& change) {
  const ComparedSpec& known = after == nullptr ? *before : *after;
  if (!known.plan.is_mapping()) return;
  const bool has_new_pool = std::ranges::any_of(change.lines, [](const ResourceChange& line) {
    return line.sign == Sign::create && line.kind == node_pool;
  });
  // migrate.sh deletes old pools when the replicas have moved to new ones.
  const bool moves = of_pods == ChangeResult::rollout && has_new_pool;
  std::vector<std::string> gone;  // pools, whose nodes take their pods along
  for (const ResourceChange& line : change.lines) {
    if (line.sign == Sign::remove && line.kind == node_pool && !moves) gone.push_back(line.name);
  }
  const auto any = [&](Sign sign) {
    return std::ranges::any_of(change.lines, [&](const ResourceChange& line) {
      const bool is_pool = sign == Sign::remove && line.kind == node_pool;
      return line.sign == sign && !is_pool && !contains(without_pods, line.kind);
    });
  };
  std::string pods = "Running pods";
  const bool keeps_pool = std::ranges::any_of(change.lines, [](const ResourceChange& line) {
    return line.kind == node_pool && line.sign != Sign::remove && line.sign != Sign::create;
  });
  const bool all_stop = any(Sign::recreate) || any(Sign::remove) || of_pods == ChangeResult::stop ||
                        (!gone.empty() && !keeps_pool);
  if (before != nullptr && !gone.empty() && !all_stop) {
    change.consequences.push_back(fmt::format("Pods on node pool{} {} stop.",
                                              gone.size() == 1 ? "" : "s", text::join(gone, ", ")));
    pods = "Other running pods";
  }
  if (before != nullptr && all_stop)
    change.consequences.push_back("Running pods stop.");
  else if (any(Sign::unknown))
    change.consequences.push_back("What happens to running pods is unknown.");
  else if (of_pods == ChangeResult::rollout)
    change.consequences.push_back(pods + " are replaced step by step.");
  else if (of_pods == ChangeResult::fewer)
    change.consequences.push_back(pods + which_pods_end(change));
  else if (before != nullptr)
    change.consequences.push_back(pods + " go on.");
  if (after == nullptr)
    change.consequences.push_back("All of it stays, and is billed, until cleanup.sh of " +
                                  change.name + " has run.");
  if (known.plan.find("sweep") != nullptr) return;  // the nodes are the sweep's
  const auto hour = [](const ComparedSpec* side) {
    if (side == nullptr) return std::string("$0.00");
    const std::string_view most = side->plan.text_at({"cost", "perHour"}),
                           least = side->plan.text_at({"cost", "leastPerHour"});
    return least.empty() ? std::string(most) : fmt::format("{} to {}", least, most);
  };
  change.consequences.push_back(fmt::format(
      "{} → {} nodes, at most {} → {} an hour (list prices{}{}).", nodes(before), nodes(after),
      hour(before), hour(after), known.plan.at({"cost", "region"}) == nullptr ? "" : ", ",
      known.plan.text_at({"cost", "region"})));
}

// Scripts neither change nor delete what another tool owns.
void name_owner(ResourceChange& line) {
  if (line.changes_owner && line.fields.size() == 1) {
    line.text = fmt::format("hand it over to {}: {}", word(line.owner),
                            line.text.substr(line.text.find(": ") + 2));
    return;
  }
  if (line.owner == spec::Owner::scripts || line.sign == Sign::same) return;
  const bool is_deletion = line.sign == Sign::remove;
  const bool by_kubectl = line.owner == spec::Owner::config_connector;
  const std::string command = is_deletion && by_kubectl ? std::string("kubectl delete")
                                                        : std::string(spec::command_of(line.owner));
  if (is_deletion || line.sign == Sign::create)
    line.text = fmt::format("{} it with {}", line.text, command);
  else
    line.text = fmt::format("change it with {}: {}", command, line.text);
}

// No script deletes a queue, which specs outside of the run may use.
std::string what_is_removed(const ComparedResource& old_one, bool is_shared) {
  const std::string_view kind = old_one.kind;
  if (is_shared) {
    const Value* space = old_one.value.at({"metadata", "namespace"});
    return fmt::format("leave it: when nothing uses it, run `kubectl delete {}/{}{}`",
                       text::lower(kind), old_one.value.text_at({"metadata", "name"}),
                       space == nullptr ? "" : " --namespace=" + space->text);
  }
  if (is_volume(kind)) return "leave it with its data: only `--delete-volumes` deletes it";
  return kind == "StorageClass" ? "leave it" : "delete";
}

// A volume is deleted when no claim is bound to it any more, and a claim when no pod mounts it.
void recreate_what_holds_volumes(const std::vector<ComparedResource>& before, SpecChange& change) {
  const auto recreate = [](ResourceChange& line, const ResourceChange& held) {
    if (line.sign > Sign::update) return;
    line.sign = Sign::recreate;
    line.fields.clear();
    line.text = fmt::format("recreate: {} {} cannot go while it is there", held.kind, held.name);
  };
  const auto is_new = [](std::string_view kind) {
    return [kind](const ResourceChange& line) {
      return line.kind == kind && line.sign == Sign::recreate;
    };
  };
  if (const ResourceChange* volume = find_where(change.lines, is_new("PersistentVolume"))) {
    for (ResourceChange& line : change.lines) {
      const bool is_bound = any_of(before, [&](const ComparedResource& each) {
        return each.kind == line.kind && each.name == line.name &&
               each.value.text_at({"spec", "volumeName"}) == volume->name;
      });
      if (is_bound) recreate(line, *volume);
    }
  }
  const ResourceChange* claim = find_where(change.lines, is_new("PersistentVolumeClaim"));
  if (claim == nullptr) return;
  for (ResourceChange& line : change.lines) {
    if (spec::find_object(line.kind) != nullptr) recreate(line, *claim);
  }
}

// A workload that ends does not survive its nodes, so it is replaced with them.
void recreate_what_its_nodes_take(SpecChange& change) {
  const ResourceChange* pool = find_where(change.lines, [](const ResourceChange& line) {
    return line.kind == node_pool && line.sign == Sign::recreate;
  });
  if (pool == nullptr) return;
  for (ResourceChange& line : change.lines) {
    const spec::WorkloadKind* kind = spec::find_object(line.kind);
    if (kind == nullptr || !kind->ends || line.sign > Sign::update) continue;
    line.sign = Sign::recreate;
    line.fields.clear();
    line.text = fmt::format("recreate: its node pool {} is recreated", pool->name);
  }
}

// A workload with places runs in one of them.
std::string workload_of(const std::string& key, const ComparedSpec& spec) {
  const bool has_places = spec.plan.find("place") != nullptr;
  return has_places ? spec.source + "\n" + spec.name.substr(0, spec.name.find('/')) : key;
}

SpecChange compare_one(const std::string& key, const ComparedSpec* before,
                       const ComparedSpec* after, const catalog::Catalog& catalog) {
  const ComparedSpec& known = after == nullptr ? *before : *after;
  SpecChange change{key, known.name, {}, {}, {}};
  const std::vector<ComparedResource> none;
  const auto& old_ones = before == nullptr ? none : before->resources;
  const auto& new_ones = after == nullptr ? none : after->resources;
  const auto find = [](const std::vector<ComparedResource>& all, const ComparedResource& one) {
    return find_where(all, [&](const ComparedResource& each) {
      return each.kind == one.kind && each.name == one.name &&
             scalar_of(each.value.find("apiVersion")) == scalar_of(one.value.find("apiVersion"));
    });
  };
  // An object of another version is the same one.
  const auto stays = [&](const ComparedResource& old_one) {
    return !known.plan.is_mapping() && !any_of(new_ones, [&](const ComparedResource& each) {
      return each.kind == old_one.kind && each.name == old_one.name;
    });
  };
  ChangeResult of_pods = ChangeResult::in_place;
  for (const ComparedResource& old_one : old_ones) {
    const ComparedResource* new_one = find(new_ones, old_one);
    change.lines.push_back(new_one == nullptr
                               ? ResourceChange{Sign::remove,
                                                old_one.kind,
                                                old_one.name,
                                                what_is_removed(old_one, stays(old_one)),
                                                {}}
                               : compare_resource(old_one, *new_one, catalog, of_pods));
    ResourceChange& line = change.lines.back();
    line.owner = new_one == nullptr ? old_one.owner : new_one->owner;
    line.changes_owner = new_one != nullptr && new_one->owner != old_one.owner;
  }
  for (const ComparedResource& new_one : new_ones) {
    if (find(old_ones, new_one) == nullptr)
      change.lines.push_back(
          {Sign::create, new_one.kind, new_one.name, "create", {}, new_one.owner});
  }
  recreate_what_holds_volumes(old_ones, change);
  recreate_what_its_nodes_take(change);
  std::ranges::for_each(change.lines, name_owner);
  if (before == nullptr || after == nullptr)
    change.causes.push_back(before == nullptr ? "new" : "gone");
  else
    for (const PathDifference& each : path_differences(before->spec, after->spec, true))
      change.causes.push_back(
          fmt::format("{}: {}", each.path, shown_change(each.before, each.after)));
  if (differs(change)) add_consequences(before, after, of_pods, change);
  change.before = bill_of(before);
  change.after = bill_of(after);
  change.workload = workload_of(key, known);
  return change;
}

constexpr std::string_view signs[] = {"=", "~", "?", "!", "-", "+"};

std::string_view sign_of(const ResourceChange& line) {
  return signs[static_cast<std::size_t>(line.sign)];
}

// The most expensive of the places counts for a workload.
void keep_most(Bill& most, const Bill& one) {
  if (!one.per_hour || (most.per_hour && *one.per_hour >= *most.per_hour)) most = one;
}

void add_bill(Bill& sum, const Bill& one) {
  sum.nodes += one.nodes;
  sum.per_hour =
      sum.per_hour && one.per_hour ? std::optional(*sum.per_hour + *one.per_hour) : std::nullopt;
}

constexpr std::string_view unknown_sum = "some prices are not known";

std::string sum_of(const std::vector<SpecChange>& changes) {
  std::map<std::string_view, std::pair<Bill, Bill>> workloads;
  for (const SpecChange& change : changes) {
    if (change.before.nodes == 0 && change.after.nodes == 0) continue;
    auto& [most_before, most_after] = workloads[change.workload];
    keep_most(most_before, change.before);
    keep_most(most_after, change.after);
  }
  const std::size_t count = workloads.size();
  if (count < 2) return {};
  Bill before, after;
  for (const auto& [workload, bills] : workloads) {
    add_bill(before, bills.first);
    add_bill(after, bills.second);
  }
  const std::string hours = before.per_hour && after.per_hour
                                ? fmt::format("at most {} → {} an hour (list prices)",
                                              catalog::dollars_text(*before.per_hour),
                                              catalog::dollars_text(*after.per_hour))
                                : std::string(unknown_sum);
  return fmt::format("All {} workloads: {} → {} nodes, {}.", count, before.nodes, after.nodes,
                     hours);
}

// A cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\`*_{}[]<>|#~").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

}  // namespace

std::string sum_text(const Side& side) {
  std::map<std::string, Bill> bills;
  for (const auto& [key, spec] : side) {
    const Bill bill = bill_of(&spec);
    if (bill.nodes == 0) continue;
    keep_most(bills[workload_of(key, spec)], bill);
  }
  if (bills.size() < 2) return {};
  Bill sum;
  for (const auto& [workload, bill] : bills) add_bill(sum, bill);
  return fmt::format("All {} workloads: {} nodes, {}.", bills.size(), sum.nodes,
                     sum.per_hour ? fmt::format("at most {} an hour (list prices)",
                                                catalog::dollars_text(*sum.per_hour))
                                  : std::string(unknown_sum));
}

bool is_volume(std::string_view kind) {
  return kind == "PersistentVolumeClaim" || kind == "PersistentVolume";
}

namespace {

// A LocalQueue has a namesake in each namespace of its ClusterQueue.
std::string name_among(
    const std::map<std::pair<std::string_view, std::string_view>, int>& namesakes,
    const Value& object) {
  const std::string_view name = object.text_at({"metadata", "name"}),
                         space = object.text_at({"metadata", "namespace"});
  const bool is_alone = namesakes.at({object.text_at({"kind"}), name}) == 1 || space.empty();
  return is_alone ? std::string(name) : fmt::format("{}/{}", space, name);
}

}  // namespace

std::string add_spec(Side& side, ComparedSpec compiled, const std::vector<Value>& objects) {
  const Value& plan = compiled.plan;
  const Value* cluster = plan.find("cluster");
  const Value* provisioning = plan.find("provisioning");
  const Value* tpu = plan.find("tpu");
  auto& resources = compiled.resources;
  const spec::Owner owner =
      find_word<spec::Owner>(plan.text_at({"provisioning", "owner"})).value_or(spec::Owner{});
  const auto add_cloud = [&](ComparedResource resource) {
    resource.owner = owner;
    resource.value.add("owner", Value::string(word(owner)));
    resources.push_back(std::move(resource));
  };
  // The pools of a point are its sweep's.
  const bool owns = plan.find("sweep") == nullptr;
  if (owns && plan.text_at({"cluster", "create"}) == "true") {
    ComparedResource made{"cluster", std::string(plan.text_at({"cluster", "name"})),
                          Value::mapping()};
    take_members(made.value, cluster,
                 {"version", "nodes", "addons", "workloadPool", "rayOperator", "gatewayApi",
                  "machineType", "autopilot"});
    add_cloud(std::move(made));
  }
  if (const Value* policies = owns ? plan.find("policies") : nullptr) {
    for (const Value& policy : policies->items)
      add_cloud({"workload policy", std::string(policy.text_at({"name"})), policy});
  }
  const Value* pools = owns ? plan.find("pools") : nullptr;
  if (pools != nullptr && provisioning->find("owner") != nullptr) {
    for (const Value& pool : pools->items) {
      ComparedResource made{std::string(node_pool), std::string(pool.text_at({"name"})), pool};
      take_members(made.value, tpu, {"machineType", "topology", "multiHost"});
      if (const Value* shape = provisioning->find("poolTopology")) {
        made.value["topology"] = *shape;
        made.value["multiHost"] = Value::boolean(true);
      }
      take_members(made.value, provisioning,
                   {"model", "zones", "maxRunSeconds", "reservation", "resourceLabels",
                    "nodeLabels", "autoscale", "minNodes"});
      if (const Value* passed = provisioning->find("passed")) {
        for (const auto& [field, value] : passed->members) {
          if (made.value.find(field) == nullptr) made.value.add(field, value);
        }
      }
      add_cloud(std::move(made));
    }
  }
  const std::string kueue(cluster == nullptr ? compiled.kueue : cluster->text_at({"kueue"}));
  std::map<std::pair<std::string_view, std::string_view>, int> namesakes;
  for (const Value& object : objects)
    ++namesakes[{object.text_at({"kind"}), object.text_at({"metadata", "name"})}];
  for (const Value& object : objects)
    resources.push_back({.kind = std::string(object.text_at({"kind"})),
                         .name = name_among(namesakes, object),
                         .value = object,
                         .kueue = kueue});
  std::string key =
      text::join(std::vector<std::string>{std::string(plan.text_at({"cluster", "project"})),
                                          std::string(plan.text_at({"cluster", "location"})),
                                          std::string(plan.text_at({"cluster", "name"})),
                                          std::string(plan.text_at({"namespace"})), compiled.name},
                 "\n");
  // Two places of a spec in one cluster.
  if (side.contains(key) && plan.find("place") != nullptr)
    key += fmt::format("\n{}", plan.text_at({"place"}));
  side.insert_or_assign(key, std::move(compiled));
  return key;
}

std::vector<SpecChange> compare(const Side& before, const Side& after,
                                const catalog::Catalog& catalog) {
  std::vector<SpecChange> changes;
  const auto find = [](const Side& side, const std::string& key) {
    const auto at = side.find(key);
    return at == side.end() ? nullptr : &at->second;
  };
  for (const auto& [key, compiled] : before)
    changes.push_back(compare_one(key, &compiled, find(after, key), catalog));
  for (const auto& [key, compiled] : after) {
    if (find(before, key) == nullptr)
      changes.push_back(compare_one(key, nullptr, &compiled, catalog));
  }
  return changes;
}

bool differs(const SpecChange& change) {
  return std::ranges::any_of(change.lines,
                             [](const ResourceChange& line) { return line.sign != Sign::same; });
}

std::string text(const std::vector<SpecChange>& changes, bool all) {
  std::string out;
  for (const SpecChange& change : changes) {
    if (!all && !differs(change)) continue;
    out += fmt::format("{}{}: {}\n", out.empty() ? "" : "\n", change.name,
                       !change.causes.empty() ? text::join(change.causes, ", ")
                       : differs(change)      ? "its objects change"
                                              : "no change");
    std::size_t width = 0;
    for (const ResourceChange& line : change.lines)
      width = std::max(width, line.kind.size() + line.name.size() + 1);
    for (const ResourceChange& line : change.lines) {
      if (all || line.sign != Sign::same)
        out += fmt::format(
            "  {} {:<{}}  {}{}\n", sign_of(line), line.kind + ' ' + line.name, width, line.text,
            line.fields.empty() ? "" : fmt::format(" ({})", text::join(line.fields, ", ")));
    }
    if (!change.consequences.empty()) out += text::join(change.consequences, " ") + '\n';
  }
  if (out.empty()) return "no differences\n";
  const std::string sum = sum_of(changes);
  return sum.empty() ? out : fmt::format("{}\n{}\n", out, sum);
}

std::string markdown(const std::vector<SpecChange>& changes, bool all) {
  std::string out;
  for (const SpecChange& change : changes) {
    if (!all && !differs(change)) continue;
    out += fmt::format("{}### {}\n\n", out.empty() ? "" : "\n", cell(change.name));
    for (const std::string& cause : change.causes) out += fmt::format("- {}\n", cell(cause));
    out += "\n| | resource | what happens | fields |\n|---|---|---|---|\n";
    for (const ResourceChange& line : change.lines) {
      if (all || line.sign != Sign::same)
        out += fmt::format("| {} | {} {} | {} | {} |\n", cell(sign_of(line)), cell(line.kind),
                           cell(line.name), cell(line.text), cell(text::join(line.fields, ", ")));
    }
    if (!change.consequences.empty())
      out += fmt::format("\n{}\n", cell(text::join(change.consequences, " ")));
  }
  if (out.empty()) return "No differences.\n";
  const std::string sum = sum_of(changes);
  return sum.empty() ? out : fmt::format("{}\n**{}**\n", out, cell(sum));
}

std::string json(const std::vector<SpecChange>& changes, bool all) {
  Value document = Value::mapping();
  document.add("apiVersion", Value::string("flexslice-diff/v1"));
  Value& list = document.add("changes", Value::sequence());
  for (const SpecChange& change : changes) {
    if (!all && !differs(change)) continue;
    Value& row = list.push(Value::mapping());
    row.add("name", Value::string(change.name));
    row.add("causes", Value::strings(change.causes));
    Value& lines = row.add("resources", Value::sequence());
    for (const ResourceChange& line : change.lines) {
      if (!all && line.sign == Sign::same) continue;
      Value& one = lines.push(Value::mapping());
      one.add("sign", Value::string(sign_of(line)));
      one.add("kind", Value::string(line.kind));
      one.add("name", Value::string(line.name));
      one.add("what", Value::string(line.text));
      one.add("fields", Value::strings(line.fields));
    }
    row.add("consequences", Value::strings(change.consequences));
  }
  return yaml::emit_json(document);
}

}  // namespace flexslice::change
