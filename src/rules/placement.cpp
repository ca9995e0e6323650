// Finds the node pools of a run that can take its pods, as the scheduler decides: a table of
// predicates, the reasons of each, and then counts and the rules that keep a slice together.
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <set>

#include "base/quantity.hpp"
#include "base/slip.hpp"
#include "resolve/workload_names.hpp"
#include "rules/references.hpp"
#include "rules/world.hpp"
#include "spec/derived_keys.hpp"
#include "view/read_objects.hpp"

namespace flexslice::rules {

namespace {

enum class Fit : std::uint8_t { yes, no, open };

struct Place {
  const PodNodes& pods;
  const PoolNodes& pool;
  const World& world;
  const Catalog& catalog;
};

using Selector = schema::Entry<Text>;
constexpr std::string_view zone_label = "topology.kubernetes.io/zone";

const Selector* selector_where(const PodNodes& pods, const auto& is) {
  return find_where(pods.selectors.entries, is);
}

std::string label_text(const Selector& entry) {
  return fmt::format("{}: {}", entry.key.value, entry.value.value);
}

std::string pool_title(const PoolNodes& pool) {
  return pool.name.usable() ? fmt::format("node pool `{}`", pool.name.value) : "the node pool";
}

const std::string* label_of_nodes(const PoolNodes& pool, std::string_view key) {
  const auto* own = find_where(pool.labels, [&](const auto& each) { return each.first == key; });
  return own == nullptr ? nullptr : &own->second;
}

const Selector* class_of(const PodNodes& pods) {
  return selector_where(
      pods, [](const Selector& entry) { return entry.key.value == resolve::class_label; });
}

// A label that nodes of the pool have or lack for sure.
Fit has_label(const Place& place, const Selector& entry) {
  const auto& [pods, pool, world, catalog] = place;
  const std::string_view key = entry.key.value, value = entry.value.value;
  if (!entry.value.usable()) return Fit::open;
  if (const std::string* own = label_of_nodes(pool, key)) return *own == value ? Fit::yes : Fit::no;
  bool is_of_models = false;
  for (const Model& model : catalog.models) {
    if (named(model.node_selector, &Label::key, key) == nullptr) continue;
    // The pool has to give the nodes this one, which GKE may do too.
    if (named(model.node_labels, &Label::key, key) != nullptr) return Fit::open;
    is_of_models = true;
    if (contains(pool.models, &model)) return Fit::yes;
  }
  if (!pool.is_known()) return Fit::open;
  if (is_of_models) return Fit::no;
  if (pool.machine.empty()) return Fit::open;
  const std::string_view machine = pool.machine;
  if (key == resolve::machine_label) return machine == value ? Fit::yes : Fit::no;
  if (key == resolve::family_label)
    return machine.substr(0, machine.find('-')) == value ? Fit::yes : Fit::no;
  // Somebody else may label nodes, but not with a key that pools of the run have.
  const bool is_of_pools = any_of(
      world.pools, [&](const PoolNodes& each) { return label_of_nodes(each, key) != nullptr; });
  return is_of_pools && pool.labels_known ? Fit::no : Fit::open;
}

// Zones and shapes have predicates of their own.
bool is_judged_apart(std::string_view key) {
  constexpr std::string_view keys[] = {resolve::pool_label,
                                       resolve::accelerator_label,
                                       resolve::topology_label,
                                       resolve::class_label,
                                       zone_label,
                                       resolve::region_label};
  return contains(keys, key);
}

const Selector* wrong_label(const Place& place) {
  return selector_where(place.pods, [&](const Selector& entry) {
    return !is_judged_apart(entry.key.value) && has_label(place, entry) == Fit::no;
  });
}

Fit fits_labels(const Place& place) {
  if (wrong_label(place) != nullptr) return Fit::no;
  const bool is_open = any_of(place.pods.selectors.entries, [&](const Selector& entry) {
    return !is_judged_apart(entry.key.value) && has_label(place, entry) == Fit::open;
  });
  return is_open ? Fit::open : Fit::yes;
}

Diagnostic& report_label(const Place& place, Sink& sink) {
  const Selector& entry = *wrong_label(place);
  Diagnostic& finding = sink.report<Code::SelectorWithoutNodes>(entry.value, label_text(entry));
  const std::string* own = label_of_nodes(place.pool, entry.key.value);
  if (own != nullptr)
    finding.note("{} has `{}: {}`", pool_title(place.pool), entry.key.value, *own);
  else
    finding.note("{} is created without it", pool_title(place.pool));
  return finding.help("remove it, or create the pool so that its nodes have the label");
}

Fit fits_reservation(const Place& place) {
  const Text &wanted = place.pods.reservation, &own = place.pool.reservation;
  if (!wanted.usable()) return Fit::yes;
  const bool is_new = any_of(place.world.reservations, [&](const NewReservation& each) {
    return each.name.value == wanted.value;
  });
  if (!own.where.given && place.pool.has_none_reserved && place.pool.is_known()) return Fit::no;
  // Nodes that GKE makes itself may use it.
  if (!own.usable() || is_new) return Fit::open;
  return own.value == wanted.value ? Fit::yes : Fit::no;
}

Diagnostic& report_reservation(const Place& place, Sink& sink) {
  const Text &wanted = place.pods.reservation, &own = place.pool.reservation;
  return sink
      .report<Code::SelectorWithoutNodes>(
          wanted, fmt::format("cloud.google.com/reservation-name: {}", wanted.value))
      .note("{} uses {}", pool_title(place.pool),
            own.usable() ? fmt::format("reservation `{}`", own.value) : "no reservation");
}

Fit fits_shape(const Place& place) {
  const NodeShape shape = place.pool.shape();
  const NodeShape& wanted = place.pods.wanted;
  const bool on_tpus = wanted.generation != nullptr || wanted.topology || wanted.chips > 0;
  if (shape.generation == nullptr && on_tpus)
    return place.pool.is_known() && !place.pool.machine.empty() ? Fit::no : Fit::open;
  if (!shape.agrees(wanted)) return Fit::no;
  if (!on_tpus || shape.topology || !wanted.topology) return Fit::yes;
  // The policy of the pool may have it.
  const bool is_of_policy = any_of(place.world.policies, [&](const NewPolicy& policy) {
    return policy.name.usable() && policy.name.value == place.pool.policy.value &&
           policy.topology.usable() &&
           catalog::parse_topology(policy.topology.value) == wanted.topology;
  });
  return is_of_policy ? Fit::yes : Fit::open;
}

Diagnostic& report_shape(const Place& place, Sink& sink) {
  const auto& [pods, pool, world, catalog] = place;
  const std::string has = pool.shape().text();
  if (pods.pool.usable())
    return sink.report<Code::PoolContradictsPods>(
        pods.pool, pods.pool.value, has.empty() ? "no TPUs" : has, pods.wanted.text());
  // The place of what differs.
  const bool other_chips = !pool.shape().same_chips(pods.wanted);
  const bool other_topology =
      pods.topology.usable() && pool.shape().topology != pods.wanted.topology;
  const Span where = other_topology          ? pods.topology.where.span
                     : other_chips           ? pods.chips
                     : pods.type.where.given ? pods.type.where.span
                                             : pods.chips;
  return sink.report<Code::NoFittingPool>(where, pods.wanted.text());
}

Fit fits_type(const Place& place) {
  const MachineType* machine = place.pool.tpu_machine;
  const Text& type = place.pods.type;
  if (!type.usable() || machine == nullptr) return Fit::yes;
  // Another rule reports a type that does not exist, which nodes of another release may have.
  const catalog::Mistake* mistake = catalog::find_mistake(place.catalog, type.value);
  const bool is_type = any_of(place.catalog.generations, [&](const Generation& generation) {
    return named(generation.machine_types, &MachineType::accelerator, type.value) != nullptr;
  });
  if (!is_type && (mistake == nullptr || !mistake->exists)) return Fit::open;
  return machine->accelerator == type.value ? Fit::yes : Fit::no;
}

Diagnostic& report_type(const Place& place, Sink& sink) {
  const MachineType& machine = *place.pool.tpu_machine;
  return sink
      .report<Code::SelectorWithoutNodes>(
          place.pods.type, fmt::format("{}: {}", resolve::accelerator_label, place.pods.type.value))
      .note("nodes of {} have `{}: {}`", machine.name, resolve::accelerator_label,
            machine.accelerator)
      .help("write {}", machine.accelerator);
}

// Returns no zones if they are not known.
std::vector<std::string_view> node_zones(const PoolNodes& pool) {
  std::vector<std::string_view> zones;
  const auto& said = pool.claims.provisioning.zones;
  const Text& location = pool.claims.cluster.location;
  if (!said.where.given) {
    if (location.usable() && schema::matches(schema::Pattern::zone, location.value))
      zones.emplace_back(location.value);
    return zones;
  }
  if (!said.where.usable() || !std::ranges::all_of(said.items, &Text::usable)) return zones;
  for (const Text& zone : said.items) zones.emplace_back(zone.value);
  return zones;
}

Fit fits_zone(const Place& place) {
  const Text& zone = place.pods.zone;
  if (!zone.usable()) return Fit::yes;
  const auto zones = node_zones(place.pool);
  if (zones.empty()) return Fit::open;
  return contains(zones, zone.value) ? Fit::yes : Fit::no;
}

// The region of the nodes; empty: it is not known.
std::string_view node_region(const PoolNodes& pool) {
  const Text& location = pool.claims.cluster.location;
  const auto zones = node_zones(pool);
  if (!zones.empty()) return resolve::region_of(zones.front());
  const bool is_known =
      location.usable() && schema::matches(schema::Pattern::location, location.value);
  return is_known ? resolve::region_of(location.value) : std::string_view();
}

const Selector* selected_region(const PodNodes& pods) {
  return selector_where(
      pods, [](const Selector& entry) { return entry.key.value == resolve::region_label; });
}

Fit fits_region(const Place& place) {
  const Selector* wanted = selected_region(place.pods);
  if (wanted == nullptr || !wanted->value.usable()) return Fit::yes;
  const std::string_view region = node_region(place.pool);
  if (region.empty()) return Fit::open;
  return region == wanted->value.value ? Fit::yes : Fit::no;
}

Diagnostic& report_node_region(const Place& place, Sink& sink) {
  const Selector& wanted = *selected_region(place.pods);
  return sink.report<Code::SelectorWithoutNodes>(wanted.value, label_text(wanted))
      .note("the nodes are in {}", node_region(place.pool))
      .help("remove it, or create the pool in this region");
}

Diagnostic& report_zone(const Place& place, Sink& sink) {
  const Text& zone = place.pods.zone;
  return sink
      .report<Code::SelectorWithoutNodes>(zone, fmt::format("{}: {}", zone_label, zone.value))
      .note("the nodes are in {}", text::join(node_zones(place.pool), ", "))
      .help("remove it, or create the pool in this zone");
}

const view::TaintClaims* wrong_taint(const Place& place) {
  return find_where(place.pool.taints, [&](const view::TaintClaims& taint) {
    // GKE adds the toleration of the class that pods select.
    const bool is_of_class = taint.key == resolve::class_label;
    return taint.effect != "PreferNoSchedule" && taint.key != spec::tpu_resource && !is_of_class &&
           !view::tolerates(place.pods.tolerations, taint);
  });
}

Fit fits_taints(const Place& place) {
  const PodNodes& pods = place.pods;
  // The flavor of a queue adds tolerations.
  if (!pods.is_whole || pods.in_queue || pods.tolerates_all) return Fit::yes;
  return wrong_taint(place) == nullptr ? Fit::yes : Fit::no;
}

Diagnostic& report_taint(const Place& place, Sink& sink) {
  const view::TaintClaims& taint = *wrong_taint(place);
  const PodNodes& pods = place.pods;
  const Span where = pods.pool.where.given   ? pods.pool.where.span
                     : pods.type.where.given ? pods.type.where.span
                                             : pods.chips;
  return sink
      .report<Code::TaintOfPool>(where, pods.object,
                                 fmt::format("{}={}:{}", taint.key, taint.value, taint.effect),
                                 place.pool.name.value)
      .help("add `tolerations: [{{key: {}, operator: Equal, value: \"{}\", effect: {}}}]`",
            taint.key, taint.value, taint.effect);
}

// The name of an ordinary machine type gives the most that its nodes have: CPUs, and GiB for each
// of them.
struct Machine {
  std::int64_t cpus = 0, gib_per_cpu = 0;
};
std::optional<Machine> ordinary(std::string_view name) {
  constexpr std::pair<std::string_view, std::int64_t> classes[] = {
      {"standard", 4}, {"highmem", 8}, {"highcpu", 2}};
  const auto parts = text::split(name, '-');
  if (parts.size() != 3) return std::nullopt;
  const auto cpus = text::whole_number(parts[2]);
  for (const auto& [word, gib] : classes) {
    if (parts[1] == word && cpus && *cpus > 0) return Machine{*cpus, gib};
  }
  return std::nullopt;
}

struct AboveMachine {
  std::string resource, amount, capacity;
  bool is_disk = false;
};
std::optional<AboveMachine> above_disk(const Place& place) {
  constexpr std::string_view disk = "ephemeral-storage";
  const auto requested = place.pods.requests.find(disk);
  const auto* row = named(place.catalog.node_resources, &catalog::NodeResource::resource, disk);
  if (requested == place.pods.requests.end() || row == nullptr || !place.pool.boot_disk ||
      place.pool.tpu_machine == nullptr)
    return std::nullopt;
  const Quantity left = allocatable(*row, *place.pool.boot_disk);
  if (requested->second <= left) return std::nullopt;
  return AboveMachine{std::string(disk), requested->second.text(), left.text(), true};
}

std::optional<AboveMachine> above_machine(const Place& place) {
  if (auto above = above_disk(place)) return above;
  const auto machine =
      place.pool.tpu_machine == nullptr ? ordinary(place.pool.machine) : std::nullopt;
  if (!machine) return std::nullopt;
  for (const auto& [resource, amount] : place.pods.requests) {
    const Quantity has = resource == "cpu" ? Quantity{machine->cpus * Quantity::unit}
                         : resource == "memory"
                             ? Quantity{machine->cpus * machine->gib_per_cpu * Quantity::gibi,
                                        Quantity::Suffix::binary}
                             : amount;
    if (amount > has) return AboveMachine{resource, amount.text(), has.text()};
  }
  return std::nullopt;
}

Fit fits_machine(const Place& place) { return above_machine(place) ? Fit::no : Fit::yes; }

Diagnostic& report_machine(const Place& place, Sink& sink) {
  const auto above = above_machine(place);
  if (above->is_disk) {
    const std::string disk = place.pool.boot_disk->text();
    return sink
        .report<Code::PodAboveAllocatable>(place.pods.resources, above->amount, above->resource,
                                           "the boot disk", above->capacity, disk)
        .help("request less, or create the pool with a larger `--disk-size`");
  }
  return sink
      .report<Code::PodTooLarge>(place.pods.resources, above->amount, above->resource,
                                 place.pool.machine, above->capacity)
      .help("request less, or create the pool of a larger machine type");
}

// Pods without chips, such as those of a head, may be among what no request is made for.
bool waits_for_requests(const Place& place) {
  const auto& [pods, pool, world, catalog] = place;
  return pods.wanted.chips > 0 && pods.queue.usable() &&
         contains(world.request_queues, pods.queue.value);
}

// A pool with queued provisioning grows for ProvisioningRequests alone, and such requests get nodes
// of no other pool.
Fit fits_requests(const Place& place) {
  const auto& [pods, pool, world, catalog] = place;
  if (!pool.by_requests && waits_for_requests(place))
    return pool.is_known() && pool.name.usable() ? Fit::no : Fit::open;
  if (!pool.by_requests || pods.waiting.empty()) return Fit::yes;
  const bool is_shape = pods.pool.usable() || pool.shape().topology == pods.wanted.topology;
  return is_shape && pool.name.usable() ? Fit::no : Fit::open;
}

Diagnostic& report_requests(const Place& place, Sink& sink) {
  const PodNodes& pods = place.pods;
  if (waits_for_requests(place))
    return sink
        .report<Code::RequestsOfOtherPools>(pods.queue, pods.object, pods.queue.value,
                                            place.pool.name.value)
        .help("create the pool with `--enable-queued-provisioning`, or remove the check");
  return report_waiting(pods.pool.usable() ? pods.pool.where.span : pods.chips,
                        place.pool.name.value, pods.waiting, sink);
}

// In the order in which the nearest pool is looked for: it fails at the last of them.
struct Predicate {
  Fit (*check)(const Place& place);
  Diagnostic& (*report)(const Place& place, Sink& sink);
};
constexpr Predicate predicates[] = {
    {fits_shape, report_shape},        {fits_type, report_type},
    {fits_labels, report_label},       {fits_reservation, report_reservation},
    {fits_region, report_node_region}, {fits_zone, report_zone},
    {fits_taints, report_taint},       {fits_machine, report_machine},
    {fits_requests, report_requests},
};

struct PoolAnswer {
  const PoolNodes* pool;
  Fit fit = Fit::yes;
  std::size_t failed = std::size(predicates);  // the first

  bool fails(Fit (*check)(const Place& place)) const {
    return fit == Fit::no && predicates[failed].check == check;
  }
  bool may_be() const { return fit != Fit::no; }
};

class PlacementJudge {
 public:
  PlacementJudge(const World& world, Between between, const Catalog& catalog, Sink& sink)
      : world_(world), in_one_(between == Between::parts), catalog_(catalog), sink_(sink) {
    for (const PoolNodes& pool : world.pools) with_pools_.insert(pool.file);
    has_other_cluster_ = !world.pools.empty() && world.has_other_cluster();
  }

  void judge() {
    for (const PodNodes& pods : world_.pods) judge(pods);
    for (const PoolNodes& pool : world_.pools) judge_servers_of(pool);
    for (const Autoscaler& scaler : world_.autoscalers) judge_autoscaler(scaler);
  }

  void judge(const PodNodes& pods) {
    judge_class(pods);
    judge_quotas(pods);
    const std::size_t before = sink_.found().size();
    judge_pools(pods);
    if (!in_one_) return;
    // Pools of other files may take the pods.
    for (Diagnostic& finding : sink_.since(before)) {
      if (finding.code != Code::PoolsMayMix)
        finding.unless = {{std::string(diag::Elsewhere::nodes), full_name(pods)}};
    }
  }

  void judge_pools(const PodNodes& pods) {
    if (world_.pools.empty() || !is_of_this(pods) || may_be_elsewhere(pods)) return;
    judge_labels_without_chips(pods);
    // Node auto-provisioning makes a pool for pods that fit none.
    const bool gets_pool =
        any_of(world_.changed_pools, [](const ChangedPool& each) { return each.is_new; });
    if (gets_pool && !pods.pool.where.given) return;
    const std::vector<PoolAnswer> all = answers(pods);
    if (all.empty()) {
      judge_name(pods);
    } else if (any_of(all, [](const PoolAnswer& each) { return each.may_be(); })) {
      judge_count(pods, all);
      judge_mixing(pods, all);
      judge_most(pods, pods.most, pods.object + ", " + pods.part, in_one_);
      judge_metadata(pods, all);
      judge_wait_of_job(pods, all);
    } else {
      judge_never(pods, all);
    }
  }

  // The pods may be for the pools of the name that they select, or for all with TPUs.
  std::vector<PoolAnswer> answers(const PodNodes& pods) const {
    std::vector<PoolAnswer> all;
    // Nodes of a class are in pools that GKE makes, or in those that have its label.
    const Selector* chosen = class_of(pods);
    for (const PoolNodes& pool : world_.pools) {
      const std::string* own =
          chosen == nullptr ? nullptr : label_of_nodes(pool, resolve::class_label);
      if (chosen != nullptr && (own == nullptr || *own != chosen->value.value)) continue;
      const bool is_it = pods.pool.where.given
                             ? pods.pool.usable() && names(pods, pool)
                             : pool.has.generation != nullptr &&
                                   (pods.pools.empty() || !pool.name.usable() || names(pods, pool));
      if (is_it) all.push_back(answer(pods, pool));
    }
    return all;
  }

  // Returns whether a pool that is not of the run may be the one.
  bool names_others(const PodNodes& pods) const {
    return any_of(pods.pools, [&](const Text& name) {
      return !any_of(world_.pools, [&](const PoolNodes& pool) {
        return pool.name.usable() && pool.name.value == name.value;
      });
    });
  }

 private:
  static bool names(const PodNodes& pods, const PoolNodes& pool) {
    if (!pool.name.usable()) return false;
    return any_of(pods.pools, [&](const Text& each) { return each.value == pool.name.value; }) ||
           (pods.pool.usable() && pods.pool.value == pool.name.value);
  }

  // In a folder, each file has judged its own parts, and its pods are for its own pools.
  bool is_of_this(const PodNodes& pods) const {
    if (in_one_) return true;
    if (!pods.pool.usable()) return !pods.pool.where.given && !with_pools_.contains(pods.file);
    return !any_of(world_.pools, [&](const PoolNodes& pool) {
      return pool.file == pods.file && pool.name.usable() && pool.name.value == pods.pool.value;
    });
  }

  PoolAnswer answer(const PodNodes& pods, const PoolNodes& pool) const {
    PoolAnswer answer{&pool};
    for (std::size_t i = 0; i < std::size(predicates); ++i) {
      const Fit fit = predicates[i].check({pods, pool, world_, catalog_});
      if (fit == Fit::open) answer.fit = Fit::open;
      if (fit != Fit::no) continue;
      return {&pool, Fit::no, i};
    }
    return answer;
  }

  // Pods that select a pool by its name are for the cluster of that pool.
  bool may_be_elsewhere(const PodNodes& pods) const {
    return has_other_cluster_ &&
           !any_of(world_.pools, [&](const PoolNodes& pool) { return names(pods, pool); });
  }

  bool wants_tpus(const PodNodes& pods) const {
    return pods.wanted.generation != nullptr && pods.wanted.topology && pods.wanted.chips > 0;
  }

  // Pools that other pods of the run can use are for those.
  bool is_used(const PoolNodes& pool) const {
    return any_of(world_.pods, [&](const PodNodes& pods) {
      const bool names_it = pods.pool.usable()
                                ? pool.name.usable() && pods.pool.value == pool.name.value
                                : wants_tpus(pods);
      return names_it && answer(pods, pool).fit != Fit::no;
    });
  }

  // The pods are as many as the slice has hosts on the pool: their chips are the mistake.
  static void help_by_machine(const PodNodes& pods, const PoolNodes& pool, Diagnostic& finding) {
    const MachineType* machine = pool.tpu_machine;
    const std::optional<Topology>& shape = pods.wanted.topology;
    if (machine != nullptr && shape && pods.number && pods.wanted.chips != machine->chips &&
        pods.wanted.generation == pool.has.generation && pool.has.topology &&
        shape->text() == pool.has.topology->text() &&
        *pods.number * machine->chips == shape->chips())
      finding.help("write `google.com/tpu: {}`", machine->chips);
  }

  void judge_never(const PodNodes& pods, std::vector<PoolAnswer> all) {
    const bool is_named = pods.pool.usable();
    if (!is_named) {
      if (!wants_tpus(pods) && !(pods.type.usable() && pods.wanted.topology)) return;
      std::erase_if(all, [&](const PoolAnswer& each) {
        // Another pool of the shape may be elsewhere, where this one is used.
        const bool is_like = !each.fails(fits_shape) &&
                             (in_one_ || each.fails(fits_zone) || each.fails(fits_region));
        return !each.pool->is_known() || (!is_like && is_used(*each.pool)) ||
               (pods.wanted.generation != nullptr &&
                each.pool->has.generation != pods.wanted.generation);
      });
      if (all.empty()) return;
    }
    const PoolAnswer& nearest = *std::ranges::max_element(all, {}, &PoolAnswer::failed);
    // Nodes of other shapes may be made elsewhere for a flavor of Kueue.
    if (!in_one_ && pods.wanted.chips == 0 && nearest.fails(fits_shape)) return;
    const Place place{pods, *nearest.pool, world_, catalog_};
    Sink own;
    Diagnostic& made = predicates[nearest.failed].report(place, own);
    if (sink_.find(made.code, made.where) != nullptr) return;
    Diagnostic& finding = sink_.add(std::move(made));
    if (finding.code == Code::NoFittingPool) {
      finding.also(nearest.pool->where, fmt::format("this pool has {}", nearest.pool->has.text()));
      help_by_machine(pods, *nearest.pool, finding);
    } else {
      finding.also(nearest.pool->where, "the pool is created here");
    }
    // A page may show a pool beside pods of another, and a run is seldom all that there is.
    if (!in_one_ || !is_named) finding.level = diag::Level::warning;
  }

  // A name that no pool has, beside one that is nobody's and would fit.
  void judge_name(const PodNodes& pods) {
    if (!pods.pool.usable()) return;
    const PoolNodes* meant = nullptr;
    std::vector<std::string_view> names;
    for (const PoolNodes& pool : world_.pools) {
      if (!pool.name.usable()) return;
      names.push_back(pool.name.value);
      const bool is_near = text::distance(pool.name.value, pods.pool.value) < 3 &&
                           text::same_digits(pool.name.value, pods.pool.value);
      const bool is_of_tpus = wants_tpus(pods) && pool.has.generation != nullptr;
      // A slip of the name is one although other pods select the pool.
      if (is_named(pool) ? !text::is_slip_of_name(pods.pool.value, pool.name.value)
                         : !is_near && !is_of_tpus)
        continue;
      const Fit fit = answer(pods, pool).fit;
      if (fit == Fit::yes || (is_near && fit == Fit::open)) meant = &pool;
    }
    if (meant == nullptr) return;
    Diagnostic& finding =
        sink_.report<Code::QueueObjectMissing>(pods.pool, "node pool", pods.pool.value);
    finding.also(meant->where, fmt::format("node pool `{}` is created here{}", meant->name.value,
                                           is_named(*meant) ? "" : ", and nothing selects it"));
    diag::did_you_mean(finding, pods.pool.value, names);
  }

  // Pods without chips may be for any nodes, so only a value that is nearly that of a pool of the
  // run, and of none, is a slip.
  void judge_labels_without_chips(const PodNodes& pods) {
    if (pods.wanted.chips > 0 || pods.type.where.given || pods.pool.where.given) return;
    for (const Selector& entry : pods.selectors.entries) {
      if (!entry.value.usable() || resolve::is_set_by_gke(entry.key.value)) continue;
      const PoolNodes* meant = nullptr;
      bool is_open = false;
      for (const PoolNodes& pool : world_.pools) {
        const std::string* own = label_of_nodes(pool, entry.key.value);
        is_open |=
            !pool.is_known() || !pool.labels_known || (own != nullptr && *own == entry.value.value);
        if (own != nullptr && text::is_slip_of_name(entry.value.value, *own)) meant = &pool;
      }
      if (is_open || meant == nullptr) continue;
      const std::string* value = label_of_nodes(*meant, entry.key.value);
      sink_.report<Code::SelectorWithoutNodes>(entry.value, label_text(entry))
          .note("{} has `{}: {}`", pool_title(*meant), entry.key.value, *value)
          .help("did you mean `{}`?", *value)
          .also(meant->where, "the pool is created here")
          .level = diag::Level::warning;
    }
  }

  bool is_named(const PoolNodes& pool) const {
    return any_of(world_.pods, [&](const PodNodes& pods) { return names(pods, pool); });
  }

  // Each pod takes all chips of a node.
  static bool takes_nodes(const PodNodes& pods, const PoolNodes& pool) {
    return pods.wanted.chips > 0 && pods.wanted.chips == pool.has.chips;
  }

  void judge_count(const PodNodes& pods, std::span<const PoolAnswer> all) {
    if (!pods.is_whole || !wants_tpus(pods) || names_others(pods)) return;
    std::int64_t nodes = 0;
    const PoolNodes* first = nullptr;
    std::size_t pools = 0;
    for (const PoolAnswer& each : all) {
      if (each.fit == Fit::no) continue;
      const PoolNodes& pool = *each.pool;
      if (!pool.most_nodes || !pool.is_known() || !pool.name.usable() || !takes_nodes(pods, pool))
        return;
      nodes += *pool.most_nodes;
      if (first == nullptr) first = &pool;
      ++pools;
    }
    // Somebody may resize a pool by hand.
    if (first == nullptr || (nodes == 0 && !first->autoscaled)) return;
    const Span where = pods.count.where.given ? pods.count.where.span : pods.topology.where.span;
    if (pods.at_once > nodes) {
      // The leaders and the workers of a group are counted alike.
      if (sink_.find(Code::NodesContradictHosts, where) != nullptr ||
          sink_.find(Code::NodesBelowPods, where) != nullptr)
        return;
      const std::string have = pools == 1 ? pool_title(*first) + " has"
                                          : text::count(std::int64_t(pools), "node pool") + " have";
      Diagnostic& finding = sink_.report<Code::NodesBelowPods>(
          where, pods.object, text::count(pods.at_once, "node"), have, text::count(nodes, "node"));
      if (pods.slices > 1)
        finding.note("{} of {} = {}", text::count(pods.slices, "slice"),
                     text::count(pods.hosts, "host"), text::count(pods.at_once, "node"));
      finding.also(first->where, "the pool is created here");
    } else if (pods.surge > 0 &&
               pods.at_once + (pods.kind == "Deployment" ? 1 : pods.hosts) > nodes) {
      sink_
          .report<Code::RolloutWaits>(where, pods.object, text::count(pods.surge, "pod"),
                                      first->name.value)
          .note("the pool has {}, and {} are running", text::count(nodes, "node"),
                text::count(pods.at_once, "pod"))
          .help(pods.kind == "Deployment"
                    ? "write `strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, "
                      "maxUnavailable: 1}}`, or `strategy: {type: Recreate}`"
                    : "write `rollingUpdateConfiguration: {maxSurge: 0, maxUnavailable: 1}`")
          .also(first->where, "the pool is created here");
    }
  }

  // Servers run for good, so those of one file that select a pool by name need nodes for all of
  // them. Blocks of a page, and files, may be choices.
  void judge_servers_of(const PoolNodes& pool) {
    if (!pool.most_nodes || !pool.is_known() || !pool.name.usable()) return;
    constexpr std::string_view kinds[] = {"Deployment", "StatefulSet", "LeaderWorkerSet"};
    std::vector<const PodNodes*> all;  // of each object the largest part, which counts the others
    for (const PodNodes& pods : world_.pods) {
      if (!pods.pool.usable() || pods.pool.value != pool.name.value || !contains(kinds, pods.kind))
        continue;
      const PodNodes& first = all.empty() ? pods : *all.front();
      const bool is_beside =
          pods.file == first.file && pods.pool.where.span.source == first.pool.where.span.source;
      if (!is_beside || (pods.file == pool.file) != in_one_ || !pods.is_whole ||
          !takes_nodes(pods, pool) || pods.at_once > *pool.most_nodes ||
          answer(pods, pool).fit == Fit::no)
        return;
      const auto part = std::ranges::find(all, pods.object, &PodNodes::object);
      if (part == all.end())
        all.push_back(&pods);
      else if ((*part)->at_once < pods.at_once)
        *part = &pods;
    }
    std::int64_t needed = 0;
    std::vector<std::string_view> names;
    for (const PodNodes* pods : all) {
      needed += pods->at_once;
      names.push_back(pods->object);
    }
    if (all.size() < 2 || needed <= *pool.most_nodes) return;
    const PodNodes& last = *all.back();
    names.pop_back();
    sink_
        .report<Code::NodesBelowPods>(
            last.count.where.given ? last.count.where.span : last.pool.where.span,
            fmt::format("{} beside {}", last.object, text::join(names, " and ")),
            text::count(needed, "node"), pool_title(pool) + " has",
            text::count(*pool.most_nodes, "node"))
        .also(pool.where, "the pool is created here");
  }

  // Nodes without GKE's metadata server give pods the account of the node.
  void judge_metadata(const PodNodes& pods, std::span<const PoolAnswer> all) {
    const NewIdentity* identity = identity_of(pods, world_);
    if (identity == nullptr || !identity->account.usable()) return;
    const PoolNodes* wrong = nullptr;
    for (const PoolAnswer& each : all) {
      if (each.fit == Fit::no) continue;
      const Text& metadata = each.pool->metadata;
      if (metadata.value != "GCE_METADATA") return;
      wrong = each.pool;
    }
    if (wrong == nullptr ||
        sink_.find(Code::IdentityNotUsed, wrong->metadata.where.span) != nullptr)
      return;
    sink_
        .report<Code::IdentityNotUsed>(
            wrong->metadata, identity->name.value, identity->account.value,
            fmt::format("{} has `{}`", pool_title(*wrong), wrong->metadata.value))
        .help("write `GKE_METADATA`")
        .also(identity->account.where.span, "the account is here");
  }

  // A Job without a queue starts before its nodes are there, and its deadline runs from then on.
  void judge_wait_of_job(const PodNodes& pods, std::span<const PoolAnswer> all) {
    if (!pods.is_whole || pods.in_queue || pods.is_suspended || !pods.job_deadline.usable() ||
        names_others(pods) || !wants_tpus(pods))
      return;
    std::int64_t wait = INT64_MAX;
    const PoolNodes* pool = nullptr;
    for (const PoolAnswer& each : all) {
      if (each.fit == Fit::no) continue;
      pool = each.pool;
      wait = std::min(wait, pool->is_known() ? pool->wait_seconds : 0);
    }
    // A deadline of 0 is reported as that.
    const std::int64_t seconds = pods.job_deadline.value;
    if (pool == nullptr || seconds <= 0 || seconds >= wait) return;
    sink_
        .report<Code::DeadlineBeforeNodes>(pods.job_deadline, pods.job_deadline.where.label,
                                           std::to_string(seconds))
        .note("waiting for nodes can take {}", schema::duration_text(wait))
        .help("allow {} more than the workload runs", schema::duration_text(wait))
        .also(pool->where, "the pool is created here");
  }

  // Several pools that the scheduler does not tell apart.
  void judge_mixing(const PodNodes& pods, std::span<const PoolAnswer> all) {
    // Slices of a JobSet are reported whatever pools there are, and those of one Job are one.
    const bool is_other = pods.slices > 1 && pods.kind != "LeaderWorkerSet";
    if (!pods.is_whole || pods.kept_by || pods.hosts < 2 || is_other || !pods.topology.usable())
      return;
    std::vector<const PoolNodes*> alike;
    for (const PoolAnswer& each : all) {
      const PoolNodes& pool = *each.pool;
      if (each.fit != Fit::yes || pool.shape().topology != pods.wanted.topology) continue;
      if (!alike.empty() && alike[0]->cluster.value != pool.cluster.value) continue;
      // The blocks of a page may be choices.
      if (in_one_ && !alike.empty() && pool.block.type.empty() &&
          pool.where.source != alike[0]->where.source)
        continue;
      // A script creates one pool of a name, in one of its branches.
      const bool is_again = any_of(alike, [&](const PoolNodes* other) {
        return pool.name.usable() && other->name.usable() && pool.name.value == other->name.value;
      });
      if (!is_again) alike.push_back(&pool);
    }
    if (alike.size() < 2) return;
    sink_
        .report<Code::PoolsMayMix>(pods.topology, pods.hosts, pods.object,
                                   text::count(std::int64_t(alike.size()), "node pool"))
        .note("they have the same labels, and the chips of two pools are not connected")
        .help(pods.kind == "LeaderWorkerSet"
                  ? fmt::format("add the annotation `{}: {}` to the LeaderWorkerSet",
                                resolve::exclusive_group, resolve::pool_label)
                  : fmt::format("select `{}` too", resolve::pool_label))
        .also(alike[0]->where, "one is created here")
        .also(alike[1]->where, "and one here");
  }

  // Replicas that the pool has room for, each on a slice of its own; nothing: it is not known.
  static std::optional<std::int64_t> replicas_in(const PoolNodes& pool) {
    if (pool.hosts > 1) return 1;
    const bool has_shape = pool.has.topology && pool.tpu_machine != nullptr &&
                           pool.has.topology->chips() != pool.tpu_machine->chips;
    return has_shape ? std::nullopt : pool.most_nodes;
  }

  // Replicas to which the pods are scaled; `is_here`: all of it is in one file.
  void judge_most(const PodNodes& pods, const schema::Integer& most, std::string_view scaler,
                  bool is_here) {
    if (!most.usable() || (!pods.pool.usable() && !wants_tpus(pods)) || may_be_elsewhere(pods))
      return;
    std::vector<PoolAnswer> all = answers(pods);
    std::erase_if(all, [](const PoolAnswer& each) { return each.fit == Fit::no; });
    const auto is_near = [&](const PoolAnswer& each) { return each.pool->file == pods.file; };
    if (pods.pool.usable() && any_of(all, is_near)) std::erase_if(all, std::not_fn(is_near));
    std::int64_t room = 0;
    std::vector<std::string_view> names;
    for (const auto& [pool, fit, failed] : all) {
      const auto own = replicas_in(*pool);
      if (!own || !pool->is_known() || !pool->name.usable() || contains(names, pool->name.value))
        return;
      room += *own;
      names.emplace_back(pool->name.value);
    }
    is_here = is_here && std::ranges::all_of(all, is_near);
    if (names.empty() || most.value <= room || is_here != in_one_) return;
    sink_
        .report<Code::AutoscalerAbovePools>(most, scaler, most.value, text::join(names, ", "),
                                            text::count(room, "replica"))
        .help("write `{}: {}`, or let the pools grow to more", most.where.label, room)
        .also(all.front().pool->where, "the pool is created here");
  }

  // The pods that the autoscaler counts: those of its own file, or the only ones of the others.
  void judge_autoscaler(const Autoscaler& scaler) {
    const view::AutoscalerClaims& claims = scaler.claims;
    if (!claims.target_kind.usable() || !claims.target_name.usable()) return;
    const std::string target =
        fmt::format("{} `{}`", claims.target_kind.value, claims.target_name.value);
    const PodNodes* found = nullptr;
    for (const PodNodes& pods : world_.pods) {
      if (pods.object != target || pods.name_space.value != claims.name_space.value ||
          pods.wanted.chips == 0 || pods.part == "the leaders")
        continue;
      if (pods.file == scaler.file) {
        found = &pods;
        break;
      }
      if (found != nullptr) return;
      found = &pods;
    }
    if (found != nullptr)
      judge_most(*found, claims.most,
                 fmt::format("HorizontalPodAutoscaler `{}`", claims.name.value),
                 found->file == scaler.file);
  }

  // Adds up what the pods that must run together request of the resource.
  static std::optional<Quantity> amount_of(const PodNodes& pods, std::string_view resource,
                                           bool of_pod) {
    if (!of_pod && (resource == "pods" || resource == "count/pods"))
      return Quantity{pods.at_once * Quantity::unit};
    constexpr std::string_view start = "requests.";
    if (!of_pod && resource.starts_with(start))
      resource.remove_prefix(start.size());
    else if (!of_pod && contains(resource, '/'))
      return std::nullopt;  // a quota counts requests of an extended resource alone
    const auto own = pods.requests.find(resource);
    if (own == pods.requests.end()) return std::nullopt;
    return own->second * (of_pod ? 1 : pods.at_once);
  }

  // Limits of the namespace, in the file or the folder of the pods.
  void judge_quotas(const PodNodes& pods) {
    for (const NewQuota& quota : world_.quotas) {
      const Text &one = quota.name_space, &other = pods.name_space;
      if (!pods.is_whole || (quota.file == pods.file) != in_one_ || one.value != other.value ||
          one.usable() != other.usable() || (quota.is_of_endless && pods.has_deadline) ||
          (!quota.priorities.empty() && !contains(quota.priorities, pods.priority.value)))
        continue;
      for (const auto& [resource, amount] : quota.most) {
        const auto most = parse_quantity(amount.value);
        const auto needed = amount_of(pods, resource, quota.is_of_pod);
        if (!amount.usable() || !most || !needed || *needed <= *most) continue;
        Diagnostic& finding = sink_.report<Code::QuotaBelowPods>(
            amount, quota.title, amount.value, resource,
            quota.is_of_pod ? "each pod of " + pods.object : pods.object, needed->text());
        if (!quota.is_of_pod && pods.at_once > 1)
          finding.note("{} start together", text::count(pods.at_once, "pod"));
        finding.also(pods.chips, "the pods are here");
      }
    }
  }

  // A ComputeClass of the run, none of whose priorities has the nodes.
  void judge_class(const PodNodes& pods) {
    const Selector* chosen = class_of(pods);
    if (chosen == nullptr || !chosen->value.usable() || pods.wanted.chips == 0) return;
    std::vector<std::string> shapes;
    const NewClass* made = nullptr;
    for (const NewClass& each : world_.classes) {
      if (!each.name.usable() || each.name.value != chosen->value.value) continue;
      if (!in_one_ && each.file == pods.file) return;
      if (each.is_open || each.has.agrees(pods.wanted)) return;
      made = &each;
      shapes.push_back(each.has.text());
    }
    if (made == nullptr) return;
    sink_.report<Code::ClassWithoutNodes>(pods.chips, chosen->value.value, pods.wanted.text())
        .note("it has {}", text::join(shapes, "; "))
        .also(made->name.where.span, "the class is here");
  }

  const World& world_;
  bool in_one_;
  const Catalog& catalog_;
  Sink& sink_;
  bool has_other_cluster_ = false;
  std::set<std::uint32_t> with_pools_;  // files of the folder, whose pods they have judged
};

}  // namespace

Diagnostic& report_waiting(Span where, std::string_view pool, std::string_view object, Sink& sink) {
  return sink.report<Code::PoolWaitsForRequests>(where, pool, object)
      .note("it has queued provisioning: only ProvisioningRequests make it grow")
      .help(
          "add the label `{}` of a LocalQueue that requests nodes, or create the pool without "
          "queued provisioning",
          resolve::queue_label);
}

void judge_placement(const World& world, Between between, const Catalog& catalog, Sink& sink) {
  PlacementJudge(world, between, catalog, sink).judge();
}

PodPlaces places_of(const PodNodes& pods, const World& world, Between between,
                    const Catalog& catalog) {
  constexpr Code starts[] = {Code::PoolsMayMix, Code::RolloutWaits, Code::AutoscalerAbovePools,
                             Code::IdentityNotUsed};
  PodPlaces places;
  Sink own;
  PlacementJudge judge(world, between, catalog, own);
  judge.judge(pods);
  for (const PoolAnswer& each : judge.answers(pods)) {
    if (each.may_be()) places.pools.push_back(each.pool);
    places.is_known |= each.fit == Fit::yes && !each.pool->fault;
  }
  places.is_known &= !judge.names_others(pods);
  for (Diagnostic& finding : own.take()) {
    places.may_mix |= finding.code == Code::PoolsMayMix;
    if (!contains(starts, finding.code) && !places.never) places.never = std::move(finding);
  }
  return places;
}

}  // namespace flexslice::rules
