// The requests of a pod's containers must fit on a node: CPU, memory and the boot disk.
#include <fmt/core.h>

#include "base/quantity.hpp"
#include "resolve/requests.hpp"
#include "rules/object_rules.hpp"
#include "schema/placeholder.hpp"

namespace flexslice::rules {

namespace {

using yaml::Value;

constexpr std::string_view disk = "ephemeral-storage";

// Tenths where the exact amount is long, rounded down.
std::string readable(const Quantity& quantity, bool round_up = false) {
  constexpr std::size_t longest = 6;
  const std::string exact = quantity.text();
  const bool largest = quantity.nano == Quantity::max;  // tenths would not be those of the text
  if (exact.size() <= longest || largest) return exact;
  const bool bytes = quantity.nano >= Quantity::gibi;
  const Quantity::Nano tenth = (bytes ? Quantity::gibi : Quantity::unit) / 10;
  const auto tenths =
      static_cast<std::int64_t>((quantity.nano + (round_up ? tenth - 1 : 0)) / tenth);
  return fmt::format("{}.{}{}", tenths / 10, tenths % 10, bytes ? "Gi" : "");
}

// As much of what is left as a person would write, in whole units; empty: nothing is left.
std::string requestable(const Quantity& left, std::string_view resource) {
  constexpr Quantity::Nano mebi = Quantity::gibi >> 10, milli = Quantity::unit / 1000;
  const auto whole = [&](Quantity::Nano step) {
    return left.nano < step ? 0 : static_cast<std::int64_t>(left.nano / step);
  };
  if (resource != "cpu") {
    if (whole(Quantity::gibi) > 0) return fmt::format("{}Gi", whole(Quantity::gibi));
    return whole(mebi) > 0 ? fmt::format("{}Mi", whole(mebi)) : "";
  }
  if (whole(Quantity::unit) == 0) return whole(milli) > 0 ? fmt::format("{}m", whole(milli)) : "";
  const std::int64_t tenths = whole(Quantity::unit / 10);
  return tenths % 10 == 0 ? fmt::format("{}", tenths / 10)
                          : fmt::format("{}.{}", tenths / 10, tenths % 10);
}

// The size of the boot disk that leaves pods so much; 0: none does.
std::int64_t fitting_disk(const NodeResource& node, const Quantity& wanted) {
  constexpr std::int64_t step = 10;  // Gi
  const auto most = parse_quantity(node.maximum).value_or(Quantity{}).whole_gibibytes();
  for (std::int64_t size = step; size <= most; size += step) {
    if (allocatable(node, {size * Quantity::gibi, Quantity::Suffix::binary}) >= wanted) return size;
  }
  return 0;
}

bool has_resources(const Node& patch) {
  return patch.find("resources") != nullptr || any_of(patch.items, has_resources) ||
         any_of(patch.members,
                [](const yaml::Member& member) { return has_resources(member.value); });
}

// After such a patch, the rules do not know what the containers request.
bool patches_requests(const spec::Claims& claims) {
  return any_of(claims.patches.items,
                [](const auto& patch) { return has_resources(patch.body().value); });
}

// A finding points at the places of the amounts that the containers of a pod request.
class PlacedRequests {
 public:
  explicit PlacedRequests(const PodTree& pod) : spec_(pod.spec) {
    for (std::string_view list : {"containers", "initContainers"}) {
      const bool own = list == "containers" && !pod.field.empty();
      for (const Node& container : items(pod.spec, list)) {
        for (std::string_view kind : {"requests", "limits"}) {
          const Node* amounts = container.at({"resources", kind});
          if (amounts == nullptr) continue;
          for (const auto& [key, amount] : amounts->members)
            places_.push_back({key.text, &container, own, amount.span, amount.text});
        }
      }
    }
  }

  resolve::Requests all() const { return resolve::pod_requests(spec_); }

  Span place(std::string_view resource) const {
    const auto* place =
        find_where(places_, [&](const auto& each) { return each.resource == resource; });
    return place == nullptr ? Span{} : place->span;
  }

  // An amount as somebody wrote it, where one is the whole of it.
  std::string shown(std::string_view resource, const Quantity& total) const {
    const auto* place = find_where(places_, [&](const RequestPlace& each) {
      return each.resource == resource && parse_quantity(each.text) == total;
    });
    return place == nullptr ? readable(total) : std::string(place->text);
  }

  // These containers have to request less, so that the pod has no more than `left` of the resource.
  struct Share {
    Span where;
    Quantity most;                // for each of its containers
    Quantity others;              // what runs with it requests
    std::int64_t containers = 1;  // that have this amount
    std::string_view name;        // of a container that is not the workload's
  };
  // The first containers of one claim of which it is enough that they request less. Without any,
  // nothing is known to be left.
  std::optional<Share> share(std::string_view resource, const Quantity& total,
                             const Quantity& left) const {
    for (const auto& step : resolve::container_starts(spec_)) {
      Quantity together;
      for (const Node* container : step) together += amount_of(*container, resource);
      if (together != total) continue;
      for (const Node* container : step) {
        const RequestPlace* place = place_of(*container, resource);
        if (place == nullptr) continue;
        const std::int64_t containers = std::ranges::count_if(step, [&](const Node* other) {
          const RequestPlace* same = place_of(*other, resource);
          return same != nullptr && same->span == place->span;
        });
        const Quantity amount = amount_of(*container, resource) * containers;
        Quantity rest{left.nano - (total.nano - amount.nano), left.suffix};
        if (rest.nano <= 0) continue;
        rest.nano /= containers;
        return Share{place->span,
                     rest,
                     {total.nano - amount.nano, total.suffix},
                     containers,
                     place->own ? std::string_view() : container->text_at({"name"})};
      }
      return std::nullopt;
    }
    return std::nullopt;
  }

  // `train` 64Gi + `logs` 1Gi = 65Gi; empty where there is nothing to add up.
  std::string sum(std::string_view resource, const Quantity& total) const {
    const auto steps = resolve::container_starts(spec_);
    for (const auto& step : steps) {
      std::vector<std::string> terms;
      Quantity together;
      for (const Node* container : step) {
        const resolve::Requests requests = resolve::container_requests(*container);
        const auto amount = requests.find(resource);
        if (amount == requests.end()) continue;
        together += amount->second;
        terms.push_back(
            fmt::format("`{}` {}", container->text_at({"name"}), readable(amount->second)));
      }
      if (together != total) continue;
      const std::string all = text::join(terms, " + ");
      if (&step != &steps.front())
        return fmt::format("while init container `{}` runs: {} = {}",
                           step.back()->text_at({"name"}), all, readable(total));
      return terms.size() == 1 ? "" : fmt::format("{} = {}", all, readable(total));
    }
    return {};
  }

 private:
  struct RequestPlace {
    std::string_view resource;
    const Node* container;
    bool own;  // the workload's
    Span span;
    std::string_view text;
  };

  const RequestPlace* place_of(const Node& container, std::string_view resource) const {
    return find_where(places_, [&](const RequestPlace& each) {
      return each.container == &container && each.resource == resource;
    });
  }

  static Quantity amount_of(const Node& container, std::string_view resource) {
    const resolve::Requests requests = resolve::container_requests(container);
    const auto amount = requests.find(resource);
    return amount == requests.end() ? Quantity{} : amount->second;
  }

  const Node& spec_;
  std::vector<RequestPlace> places_;
};

// A node has this capacity of a resource, and `owner` is what it belongs to.
struct Room {
  Quantity capacity;
  std::string_view owner;
  Confidence confidence = Confidence::high;
};

bool is_disk_size(std::string_view size, const NodeResource& node) {
  const auto wanted = parse_quantity(size), least = parse_quantity(node.minimum),
             most = parse_quantity(node.maximum);
  return wanted && wanted->nano % Quantity::gibi == 0 && (!least || *wanted >= *least) &&
         (!most || *wanted <= *most);
}

// The disk of a node that nothing is known about is the largest.
std::optional<Room> disk_of(const Facts& facts, const NodeResource& node, bool of_file) {
  if (of_file) return Room{*parse_quantity(node.maximum), "the largest boot disk"};
  const Text& size = facts.claims.provisioning.disk_size;
  const std::string_view capacity = size.usable() ? std::string_view(size.value) : node.capacity;
  // The default is that of pools which flexslice creates.
  const bool known = size.usable() || facts.creates_pools;
  if (!known || facts.autopilot() || size.where.bad || !is_disk_size(capacity, node))
    return std::nullopt;
  return Room{*parse_quantity(capacity), "the boot disk",
              size.usable() ? Confidence::high : node.evidence.confidence};
}

// The largest of several machine types counts.
std::optional<Room> machine_room(std::span<const MachineType* const> machines, bool cpu) {
  const auto has = [&](const MachineType* machine) {
    return cpu ? machine->vcpus : machine->memory_gib;
  };
  const auto machine = std::ranges::max_element(machines, {}, has);
  if (std::ranges::any_of(machines, [&](const auto* each) { return has(each) == 0; }) ||
      machine == machines.end())
    return std::nullopt;
  const Quantity capacity =
      cpu ? Quantity{has(*machine) * Quantity::unit}
          : Quantity{has(*machine) * Quantity::gibi, Quantity::Suffix::binary};
  return Room{capacity, (*machine)->name, (*machine)->evidence.confidence};
}

std::optional<Room> room_of(const PodTree& pod, const NodeResource& node) {
  return node.resource == disk ? disk_of(pod.facts, node, pod.field.empty())
                               : machine_room(pod.nodes, node.resource == "cpu");
}

// Checkpoints of the spec may fill so much of each node.
Quantity kept_for_checkpoints(const PodTree& pod, std::string_view resource) {
  const Text& memory = pod.facts.claims.workload.checkpoints.memory;
  if (resource != "memory" || !memory.usable()) return {};
  return parse_quantity(memory.value).value_or(Quantity{});
}

void report_checkpoints(Span where, std::string_view field, std::string_view size, const Room& room,
                        const NodeResource& node, Sink& sink) {
  sink.report<Code::VolumeTooLarge>(where, field, size,
                                    fmt::format("{} leaves pods {} of memory", room.owner,
                                                readable(allocatable(node, room.capacity))))
      .help("lower it: checkpoints and pods share the memory");
}

void judge_checkpoint_memory(const PodTree& pod, Sink& sink) {
  const Text& memory = pod.facts.claims.workload.checkpoints.memory;
  const Quantity kept = kept_for_checkpoints(pod, "memory");
  const NodeResource* node =
      named(pod.facts.catalog.node_resources, &NodeResource::resource, "memory");
  if (kept.nano == 0 || node == nullptr || !pod.on_tpus) return;
  const auto room = room_of(pod, *node);
  if (!room || kept <= allocatable(*node, room->capacity)) return;
  report_checkpoints(memory.where.span, "checkpoints.memory", memory.value, *room, *node, sink);
}

void judge_requests(const PodTree& pod, Sink& sink) {
  if (!says_all(pod.completeness) || !pod.on_tpus) return;
  const PlacedRequests requests(pod);
  for (const auto& [resource, requested] : requests.all()) {
    const NodeResource* node =
        named(pod.facts.catalog.node_resources, &NodeResource::resource, resource);
    const auto room = node == nullptr ? std::nullopt : room_of(pod, *node);
    if (!room) {
      if (node != nullptr && node->resource != "cpu")
        judge_most_bytes(sink, requests.place(resource), requests.shown(resource, requested));
      continue;
    }
    const Quantity of_pods = allocatable(*node, room->capacity),
                   kept = kept_for_checkpoints(pod, resource);
    const Quantity left{of_pods.nano - kept.nano, of_pods.suffix};
    if (requested <= left || kept > of_pods) continue;
    const auto share = requests.share(resource, requested, left);
    const Span where = share ? share->where : requests.place(resource);
    const bool above_all = requested > room->capacity;
    const std::string capacity = readable(room->capacity);
    const std::string amount = requests.shown(resource, requested);
    Diagnostic& finding =
        above_all ? sink.report<Code::PodTooLarge>(where, amount, resource, room->owner, capacity)
                  : sink.report<Code::PodAboveAllocatable>(where, amount, resource, room->owner,
                                                           readable(left), capacity);
    finding.judged(above_all ? room->confidence : node->evidence.confidence);
    if (const std::string sum = requests.sum(resource, requested); !sum.empty()) finding.note(sum);
    const Quantity reserved{room->capacity.nano - of_pods.nano, of_pods.suffix};
    finding.note("GKE reserves {} of it: {} - {} = {}", readable(reserved, true), capacity,
                 readable(reserved, true), readable(of_pods));
    if (kept.nano > 0)
      finding.note("checkpoints may fill {} of it: {} - {} = {}", readable(kept), readable(of_pods),
                   readable(kept), readable(left));
    note_source(finding, node->evidence);
    const std::int64_t size = resource == disk ? fitting_disk(*node, requested) : 0;
    const std::string most = share ? requestable(share->most, resource) : "";
    if (size > 0 && !pod.field.empty()) {
      finding.help("write `provisioning.diskSize: {}Gi`, or request less", size);
    } else if (most.empty()) {
      finding.help("request less: all containers together at most {}", requestable(left, resource));
    } else if (share->containers > 1) {
      finding.help("request at most {} for each of the {} containers", most, share->containers);
    } else if (!share->name.empty()) {
      finding.help("request at most {} for `{}`", most, share->name);
    } else if (share->others.nano > 0) {
      finding.help("request at most {}: the other containers have {}", most,
                   readable(share->others));
    } else {
      finding.help("request at most {}", most);
    }
  }
}

bool mounts(const Node& container, const Node& volume) {
  const Node* name = volume.find("name");
  return name != nullptr && may_have(container, "volumeMounts", "name", name->text);
}

// The limits of these containers together; nothing where one has none.
std::optional<Quantity> limit_of(std::span<const Node* const> containers,
                                 std::string_view resource) {
  Quantity sum;
  for (const Node* container : containers) {
    const Node* amount = container->at({"resources", "limits", resource});
    const auto quantity = is_literal(amount) ? parse_quantity(amount->text) : std::nullopt;
    if (!quantity) return std::nullopt;
    sum += *quantity;
  }
  return containers.empty() ? std::nullopt : std::optional(sum);
}

// A volume counts as memory or as disk of the containers that write to it. One that a sidecar has
// may be the sidecar's, whose limits are its own.
void judge_volume(const PodTree& pod, const Node& volume, const Node& limit,
                  std::string_view resource, Sink& sink) {
  const bool on_disk = resource == disk;
  const auto size = parse_quantity(limit.text);
  const NodeResource* node =
      named(pod.facts.catalog.node_resources, &NodeResource::resource, resource);
  if (!size || node == nullptr || size->nano / Quantity::unit > most_bytes) return;
  const auto report = [&](std::string but) -> Diagnostic& {
    return sink.report<Code::VolumeTooLarge>(limit, "sizeLimit", limit.text, but);
  };
  std::vector<const Node*> with_volume;
  Quantity others;
  bool is_shared = false;
  for (const Node& container : items(pod.spec, "containers")) {
    if (mounts(container, volume)) with_volume.push_back(&container);
  }
  for (const Node& container : items(pod.spec, "initContainers")) {
    is_shared |= mounts(container, volume);
    const Node* only[] = {&container};
    others += limit_of(only, resource).value_or(Quantity{});
  }
  if (auto most = is_shared ? std::nullopt : limit_of(with_volume, resource)) {
    if (on_disk) *most += others;
    // Less is reported by judge_bytes.
    if (*size > *most && most->nano / Quantity::unit >= least_bytes)
      report(on_disk ? fmt::format("the pod may use {} of disk", readable(*most))
                     : fmt::format("the container may use {} of memory", readable(*most)))
          .help("raise `{}`, or lower `sizeLimit`", resource);
    return;
  }
  const auto room = room_of(pod, *node);
  if (!room || *size <= room->capacity) return;
  const std::int64_t fitting = on_disk && !pod.field.empty() ? fitting_disk(*node, *size) : 0;
  report(fmt::format("{} has {}{}", room->owner, readable(room->capacity),
                     on_disk ? "" : " of memory"))
      .help(fitting > 0
                ? fmt::format("write `provisioning.diskSize: {}Gi`, or lower `sizeLimit`", fitting)
                : "lower `sizeLimit`");
}

void judge_volume_sizes(const PodTree& pod, Sink& sink) {
  if (!says_all(pod.completeness) || !pod.on_tpus) return;
  for (const Node& volume : items(pod.spec, "volumes")) {
    const Node *limit = volume.at({"emptyDir", "sizeLimit"}),
               *medium = volume.at({"emptyDir", "medium"});
    if (!is_literal(limit)) continue;
    const bool in_memory = medium != nullptr && medium->text == "Memory";
    judge_volume(pod, volume, *limit, in_memory ? "memory" : disk, sink);
  }
}

void judge_default_disk(const Facts& facts, Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  const schema::Where& storage = workload.resources.ephemeral_storage.where;
  if (!workload.image.usable() || storage.given || storage.bad || workload.resources.where.bad ||
      patches_requests(facts.claims))
    return;
  for (const DefaultRequest& request : facts.catalog.default_requests) {
    if (request.resource != disk || request.mode != facts.mode) continue;
    Diagnostic& finding = sink.report<Code::DefaultEphemeralStorage>(
        workload.resources.where.given ? workload.resources.where.span : workload.image.where.span,
        request.quantity);
    note_evidence(finding, request.evidence);
    finding.help("request what the container writes, for example `ephemeral-storage: 20Gi`");
  }
}

void judge_disk_size(const Facts& facts, Sink& sink) {
  const Text& size = facts.claims.provisioning.disk_size;
  const NodeResource* node = named(facts.catalog.node_resources, &NodeResource::resource, disk);
  if (!size.usable() || facts.autopilot() || node == nullptr || is_disk_size(size.value, *node))
    return;
  Diagnostic& finding =
      sink.report<Code::DiskSize>(size, size.value)
          .note("it must be a whole number of Gi, from {} to {}", node->minimum, node->maximum);
  const auto wanted = parse_quantity(size.value), most = parse_quantity(node->maximum);
  if (wanted && most && *wanted > *most) return;
  const auto number =
      text::whole_number(size.value.substr(0, size.value.find_first_not_of("0123456789")));
  if (number && is_disk_size(fmt::format("{}Gi", *number), *node))
    finding.help("did you mean `{}Gi`?", *number);
}

void judge_disk_type(const Facts& facts, Sink& sink) {
  const Text& type = facts.claims.provisioning.disk_type;
  if (!type.usable() || facts.machine == nullptr) return;
  judge_boot_disk_type(type, "provisioning.diskType", *facts.machine, facts.by_class(), sink);
}

}  // namespace

void judge_boot_disk_type(const Text& type, std::string_view field, const MachineType& machine,
                          bool by_class, Sink& sink) {
  const auto& types = machine.boot_disk_types;
  if (types.empty() || contains(types, type.value) || schema::is_placeholder(type.value)) return;
  Diagnostic& finding = sink.report<Code::UnknownChoice>(type, field, type.value);
  finding.note("{} takes {} alone", machine.name, text::join(types, " or "))
      .help("write {}", types[0]);
  // Pools of the autoscaler refuse it; of others only one source knows.
  if (!by_class && types[0].starts_with("pd-") && type.value.starts_with("hyperdisk-"))
    finding.level = diag::Level::warning;
  note_source(finding, machine.evidence);
}

Quantity allocatable(const NodeResource& node, const Quantity& capacity) {
  constexpr int all = 10'000;  // basis points
  const auto amount = [](std::string_view text) {
    return parse_quantity(text).value_or(Quantity{}).nano;
  };
  Quantity left = capacity;
  left.nano -= amount(node.reserved);
  Quantity::Nano end = capacity.nano;
  for (std::size_t i = node.shares.size(); i-- > 0;) {
    const ReservedShare& share = node.shares[i];
    const Quantity::Nano begin = std::min(amount(share.above), end);
    left.nano -= (end - begin) * share.basis_points / all;
    end = begin;
  }
  return left;
}

void judge_checkpoint_configuration(const Node& object, const Catalog& catalog, Sink& sink) {
  const Node *size = object.at({"spec", "inMemoryVolumeSize"}),
             *type = object.at({"spec", "nodeSelector", resolve::accelerator_label});
  const NodeResource* node =
      named(catalog.node_resources, &NodeResource::resource, std::string_view("memory"));
  if (!is_literal(size) || !is_literal(type) || node == nullptr) return;
  std::vector<const MachineType*> machines;
  for (const Generation& generation : catalog.generations) {
    for (const MachineType& machine : generation.machine_types) {
      if (machine.accelerator == type->text) machines.push_back(&machine);
    }
  }
  const auto kept = parse_quantity(size->text);
  const auto room = machine_room(machines, false);
  if (kept && room && *kept > allocatable(*node, room->capacity))
    report_checkpoints(size->span, "inMemoryVolumeSize", size->text, *room, *node, sink);
}

Rules resource_rules() {
  static constexpr Rule rules[] = {judge_default_disk, judge_disk_size, judge_disk_type};
  return rules;
}

PodRules pod_resource_rules() {
  static constexpr PodRule rules[] = {judge_requests, judge_volume_sizes, judge_checkpoint_memory};
  return rules;
}

}  // namespace flexslice::rules
