// The Kueue objects of one file can contradict its workloads: names that nothing has, and queues
// that never admit them.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "base/quantity.hpp"
#include "rules/file_judge.hpp"
#include "rules/object_rules.hpp"
#include "rules/pod_rules.hpp"
#include "schema/placeholder.hpp"
#include "spec/derived_keys.hpp"
#include "view/read_objects.hpp"

namespace flexslice::rules {

bool may_share_namespace(const Text& one, const Text& other) {
  return !one.usable() || !other.usable() || one.value == other.value;
}

void FileJudge::judge_queues() {
  const Queues& queues = summary_.queues;
  for (const QueuedPods& pods : queued_) {
    const auto is_own = [&](const auto& queue) { return queue.name.value == pods.queue.value; };
    const auto* local = find_where(queues.local_queues, is_own);
    if (local != nullptr && std::ranges::none_of(queues.local_queues, [&](const auto& queue) {
          return is_own(queue) && may_share_namespace(queue.name_space, pods.name_space);
        })) {
      continue;
    }
    if (local == nullptr || std::ranges::count_if(queues.local_queues, is_own) > 1) {
      if (queues.local_queues.empty() && made_of_ == nullptr)
        summary_.queues.queued.push_back(pods);
      continue;
    }
    const auto* queue = find_where(queues.cluster_queues, [&](const auto& each) {
      return each.name.usable() && each.name.value == local->cluster_queue.value;
    });
    if (queue != nullptr) {
      judge_admission(pods, *queue);
      judge_request_sets(pods, queued_, *queue, queues, patches(), sink_);
    } else if (queues.cluster_queues.empty() && made_of_ == nullptr) {
      summary_.queues.queued.push_back(pods);
    }
  }
}

namespace {

// Returns the config by which the queue requests nodes of queued provisioning, or null.
const view::RequestConfigClaims* request_config(const view::ClusterQueueClaims& queue,
                                                const Queues& queues) {
  const view::RequestConfigClaims* config = nullptr;
  for (const view::AdmissionCheckClaims& check : queues.admission_checks) {
    if (!contains(queue.checks, check.name.value)) continue;
    config = find_where(queues.request_configs, [&](const auto& each) {
      return each.name.value == check.config.value &&
             each.provisioning_class.value == "queued-provisioning.gke.io";
    });
    if (config != nullptr) break;
  }
  return config;
}

}  // namespace

std::vector<std::string> request_queues(const Queues& queues) {
  std::set<std::string> waiting, others;
  for (const view::LocalQueueClaims& local : queues.local_queues) {
    const auto* queue = find_where(queues.cluster_queues, [&](const auto& each) {
      return each.name.usable() && each.name.value == local.cluster_queue.value;
    });
    // A check may be for some of the flavors alone.
    const bool waits =
        queue != nullptr && queue->flavors.size() == 1 && request_config(*queue, queues) != nullptr;
    (waits ? waiting : others).insert(local.name.value);
  }
  std::erase_if(waiting, [&](const std::string& name) { return others.contains(name); });
  return {waiting.begin(), waiting.end()};
}

// GKE takes requests of one pod set; Kueue puts those that request a managed resource into one.
void judge_request_sets(const QueuedPods& pods, std::span<const QueuedPods> of_file,
                        const view::ClusterQueueClaims& queue, const Queues& queues, Span otherwise,
                        Sink& sink) {
  const view::RequestConfigClaims* config = request_config(queue, queues);
  if (config == nullptr) return;
  const auto is_requested = [&](const QueuedPods& each) {
    const auto is_managed = [&](const auto& request) {
      return request.second.nano != 0 && contains(config->resources, request.first);
    };
    return each.part == pods.part && each.object == pods.object &&
           (config->resources.empty() || any_of(each.requests, is_managed));
  };
  const auto sets = std::ranges::count_if(of_file, is_requested);
  if (sets < 2 || !is_requested(pods)) return;
  const Span where = pods.queue.where.span == Span{} ? otherwise : pods.queue.where.span;
  if (sink.find(Code::SeveralPodSets, where) != nullptr) return;
  sink.report<Code::SeveralPodSets>(where, pods.object, sets)
      .help("add `managedResources: [{}]` to ProvisioningRequestConfig `{}`", spec::tpu_resource,
            config->name.value);
}

namespace {

// The most of the resource that pods get of the flavor, with what the queue borrows; nothing: it is
// not known.
std::optional<Quantity> most_of(const view::FlavorQuota& flavor, std::string_view resource,
                                const Text& own, bool may_borrow) {
  const auto amount = parse_quantity(own.value);
  if (!own.usable() || !amount || !may_borrow) return own.usable() ? amount : std::nullopt;
  const auto* limit =
      find_where(flavor.limits, [&](const auto& each) { return each.first == resource; });
  const auto more = limit == nullptr ? std::nullopt : parse_quantity(limit->second.value);
  if (!more || !limit->second.usable()) return std::nullopt;
  Quantity all = *amount;
  all += *more;
  return all;
}

// Kueue does not admit pods without chips that request more than all flavors of the queue have.
Admission excess(const QueuedPods& pods, std::span<const QueuedPods> of_file,
                 const view::ClusterQueueClaims& queue) {
  for (const auto& [resource, amount] : pods.requests) {
    Quantity quota;
    bool is_known = true;
    Span at;
    for (const view::FlavorQuota& flavor : queue.quotas) {
      for (const auto& [name, own] : flavor.amounts) {
        if (name != resource) continue;
        const auto read = most_of(flavor, name, own, queue.may_borrow);
        is_known = is_known && read;
        if (read) quota += *read;
        at = own.where.span;
      }
    }
    // Other pods of the object come to the same quota.
    Quantity all;
    for (const QueuedPods& other : of_file) {
      const auto own = other.requests.find(resource);
      if (other.part == pods.part && other.object == pods.object && own != other.requests.end())
        all += own->second * other.pods;
    }
    if (!is_known || all <= quota) continue;
    return {fmt::format("it needs {} of {}, and the quota is {}{}", all.text(), resource,
                        quota.text(), queue.may_borrow ? " with what it may borrow" : ""),
            at};
  }
  return {};
}

const view::FlavorClaims* flavor_of(std::string_view name,
                                    std::span<const view::FlavorClaims> flavors) {
  return find_where(flavors, [&](const auto& each) { return each.name.value == name; });
}

// Says why no domain of a level that the pods request has room for them, or that the topology of
// the flavor lacks the level.
std::string level_refusal(const QueuedPods& pods, const view::FlavorClaims& flavor,
                          std::span<const TopologyLevels> topologies) {
  const auto is_its = [&](const TopologyLevels& each) {
    return each.name.value == flavor.topology_name.value;
  };
  const bool is_known =
      flavor.topology_name.usable() && std::ranges::count_if(topologies, is_its) == 1;
  const TopologyLevels* topology = is_known ? find_where(topologies, is_its) : nullptr;
  std::int64_t of_machine = 0;  // chips of the largest node
  if (pods.wanted.generation != nullptr) {
    for (const MachineType& machine : pods.wanted.generation->machine_types)
      of_machine = std::max<std::int64_t>(of_machine, machine.chips);
  }
  for (const RequestedLevel& level : pods.levels) {
    if (topology != nullptr && topology->name.usable() && !topology->labels.empty() &&
        !contains(topology->labels, level.label))
      return fmt::format("its pods request the level `{}`, and topology `{}` of flavor `{}` has {}",
                         level.label, topology->name.value, flavor.name.value,
                         text::join(topology->labels, ", "));
    if (of_machine == 0 || level.chips == 0) continue;
    if (level.label == resolve::host_label && level.chips > of_machine)
      return fmt::format("it requests one host for {}, and a host has at most {}",
                         text::count(level.chips, "chip"), of_machine);
    // A pool of several hosts is one slice.
    const std::optional<Topology>& shape = pods.wanted.topology;
    if (level.label == resolve::pool_label && shape && shape->chips() > of_machine &&
        level.chips > shape->chips())
      return fmt::format("it requests one node pool for {}, and a pool of {} has {}",
                         text::count(level.chips, "chip"), shape->text(), shape->chips());
  }
  return {};
}

}  // namespace

Admission admission(const QueuedPods& pods, std::span<const QueuedPods> of_file,
                    const view::ClusterQueueClaims& queue,
                    std::span<const view::FlavorClaims> flavors,
                    std::span<const TopologyLevels> topologies, const Catalog& catalog) {
  for (const auto& [resource, amount] : pods.requests) {
    // Kueue's Configuration may make others of what other programs add.
    const bool may_be_other = contains(resource, '/') && resource != spec::tpu_resource;
    if (amount.nano != 0 && !contains(queue.resources, resource) && !may_be_other)
      return {fmt::format("its pods request {}, which the queue does not cover", resource)};
  }
  if (pods.chips == 0) return excess(pods, of_file, queue);
  // If all flavors have a topology, Kueue also places pods that request none.
  const bool only_topologies = std::ranges::all_of(queue.flavors, [&](std::string_view name) {
    const auto* flavor = flavor_of(name, flavors);
    return flavor != nullptr && flavor->topology_name.where.given;
  });
  Admission refused;
  for (const view::FlavorQuota& quota : queue.quotas) {
    const auto* flavor = flavor_of(quota.flavor.value, flavors);
    if (flavor == nullptr || !quota.flavor.usable()) return {};
    const Facts nodes = resolve::look_up(flavor->claims, catalog);
    const NodeShape has{nodes.generation, nodes.topology, 0};
    if (!has.agrees(pods.wanted)) {
      if (refused.reason.empty())
        refused.reason = fmt::format("flavor `{}` has nodes of {}, and its pods need {}",
                                     quota.flavor.value, has.text(), pods.wanted.text());
      continue;
    }
    if (!quota.chips.where.given) continue;
    const auto* taint = find_where(flavor->taints, [&](const view::TaintClaims& each) {
      return each.effect != "PreferNoSchedule" && !view::tolerates(pods.tolerations, each);
    });
    if (taint != nullptr) {
      if (refused.reason.empty())
        refused.reason = fmt::format("its pods do not tolerate the taint `{}={}:{}` of flavor `{}`",
                                     taint->key, taint->value, taint->effect, quota.flavor.value);
      continue;
    }
    if (pods.requests_topology != flavor->topology_name.where.given &&
        (pods.requests_topology || !only_topologies)) {
      if (refused.reason.empty())
        refused.reason =
            fmt::format("flavor `{}` has {}, and its pods request {}", quota.flavor.value,
                        pods.requests_topology ? "no topology" : "a topology",
                        pods.requests_topology ? "one" : "none");
      continue;
    }
    if (std::string reason = level_refusal(pods, *flavor, topologies); !reason.empty()) {
      if (refused.reason.empty()) refused.reason = std::move(reason);
      continue;
    }
    const auto chips = most_of(quota, spec::tpu_resource, quota.chips, queue.may_borrow);
    if (!chips || chips->nano >= pods.chips * Quantity::unit) return {};
    const std::string with_borrowed =
        queue.may_borrow ? fmt::format(", {} with what it may borrow", chips->text()) : "";
    refused = {fmt::format("it needs {}, and the quota of flavor `{}` is {}{}",
                           text::count(pods.chips, "chip"), quota.flavor.value, quota.chips.value,
                           with_borrowed),
               quota.chips.where.span};
  }
  return refused;
}

namespace {

// The selector by a label of a model that gets capacity as Spot VMs or flex-start do; null: none.
const schema::Entry<Text>* model_selector(const schema::Map<Text>& labels, bool Model::*capacity,
                                          const Catalog& catalog) {
  return find_where(labels.entries, [&](const auto& entry) {
    return entry.value.usable() && any_of(catalog.models, [&](const Model& model) {
             const auto* own = named(model.node_selector, &Label::key, entry.key.value);
             return model.*capacity && own != nullptr && own->value == entry.value.value;
           });
  });
}

}  // namespace

void judge_flavor_models(const QueuedPods& pods, const view::ClusterQueueClaims& queue,
                         std::span<const view::FlavorClaims> flavors, const Catalog& catalog,
                         Sink& sink) {
  if (pods.chips == 0) return;
  for (const auto& [own, other] :
       {std::pair(&Model::spot, &Model::flex_start), std::pair(&Model::flex_start, &Model::spot)}) {
    const auto* selected = model_selector(pods.selectors, own, catalog);
    if (selected == nullptr) continue;
    const view::FlavorClaims* wrong = nullptr;
    for (const std::string& name : queue.flavors) {
      const auto* flavor = flavor_of(name, flavors);
      if (flavor == nullptr) return;
      const Facts nodes = resolve::look_up(flavor->claims, catalog);
      if (!NodeShape{nodes.generation, nodes.topology, 0}.agrees(pods.wanted)) continue;
      if (model_selector(flavor->claims.workload.node_selector, other, catalog) == nullptr) return;
      wrong = flavor;
    }
    if (wrong == nullptr ||
        sink.find(Code::SelectorWithoutNodes, selected->value.where.span) != nullptr)
      return;
    const auto* added = model_selector(wrong->claims.workload.node_selector, other, catalog);
    sink.report<Code::SelectorWithoutNodes>(
            selected->value, fmt::format("{}: {}", selected->key.value, selected->value.value))
        .note("flavor `{}` of ClusterQueue `{}` has nodes with `{}: {}`", wrong->name.value,
              queue.name.value, added->key.value, added->value.value)
        .help("remove it, or name a queue whose flavor has the label");
  }
}

void FileJudge::keep_levels(const Node& topology) {
  const Node* spec = topology.find("spec");
  if (spec == nullptr) return;
  TopologyLevels& all = summary_.queues.topologies.emplace_back();
  all.name = claimed_name(topology.at({"metadata", "name"}));
  bool is_known = true;
  for (const Node& level : items(*spec, "levels")) {
    const Node* label = level.find("nodeLabel");
    is_known = is_known && label != nullptr && !schema::is_placeholder(label->text);
    if (label != nullptr) all.labels.push_back(label->text);
    if (label != nullptr && label->text.starts_with("cloud.google.com/gke-tpu-partition-"))
      summary_.objects.partitions.push_back(
          {std::string(topology.text_at({"metadata", "name"})), label->text, label->span});
  }
  if (!is_known) all.labels.clear();
}

void FileJudge::judge_admission(const QueuedPods& pods, const view::ClusterQueueClaims& queue) {
  if (queue.quotas.empty()) return;
  Admission refused;
  if (queue.has_namespaces) {
    refused = admission(pods, queued_, queue, summary_.queues.flavors, summary_.queues.topologies,
                        catalog_);
  } else {
    refused.reason = "it has no `namespaceSelector`, and so admits from no namespace";
    closed_queues_.insert(queue.name.value);
  }
  if (refused.reason.empty())
    return judge_flavor_models(pods, queue, summary_.queues.flavors, catalog_, sink_);
  Span where = refused.where == Span{} ? pods.queue.where.span : refused.where;
  if (where == Span{}) where = patches();
  // Other pods of the object may be the reason already.
  if (sink_.find(Code::QueueNeverAdmits, where) == nullptr)
    sink_.report<Code::QueueNeverAdmits>(where, pods.object, queue.name.value, refused.reason);
}

namespace {

constexpr std::string_view namespace_name = "kubernetes.io/metadata.name";

using Namespace = Placed<view::NamespaceClaims>;

// `made` is null if the namespace's other labels are not known.
bool may_select(const view::LabelTerm& term, std::string_view name, const Namespace* made) {
  if (any_of(term.values, [](const auto& value) { return schema::is_placeholder(value); }))
    return true;
  const bool is_name = term.key == namespace_name;
  if (!is_name && made == nullptr) return true;
  const auto* label =
      is_name ? nullptr : find_where(made->claims.labels.entries, [&](const auto& each) {
        return each.key.value == term.key;
      });
  if (label != nullptr && !label->value.usable()) return true;
  const bool has_label = is_name || label != nullptr;
  const bool has_value =
      has_label && contains(term.values, is_name ? name : std::string_view(label->value.value));
  if (term.op == "In") return has_value;
  if (term.op == "NotIn") return !has_value;
  if (term.op == "Exists") return has_label;
  return term.op != "DoesNotExist" || !has_label;
}

const Namespace* only_one(std::span<const Namespace> namespaces, std::string_view name) {
  const auto is_it = [&](const Namespace& each) { return each.claims.name.value == name; };
  return std::ranges::count_if(namespaces, is_it) == 1 ? find_where(namespaces, is_it) : nullptr;
}

}  // namespace

void judge_namespaces(const view::ClusterQueueClaims& queue,
                      std::span<const view::LocalQueueClaims> locals,
                      std::span<const Namespace> namespaces, Sink& sink) {
  if (!queue.name.usable()) return;
  for (const view::LocalQueueClaims& local : locals) {
    if (local.cluster_queue.value != queue.name.value) continue;
    const auto report = [&](std::string_view reason) -> Diagnostic& {
      return sink.report<Code::QueueClosedToNamespace>(queue.name, queue.name.value,
                                                       local.name.value, reason);
    };
    if (!queue.has_namespaces) {
      report("it has no `namespaceSelector`")
          .help("add `namespaceSelector: {}`, which selects all namespaces");
      return;
    }
    if (!local.name_space.usable()) continue;
    const std::string_view own = local.name_space.value;
    const Namespace* made = only_one(namespaces, own);
    const view::LabelTerm* term = find_where(
        queue.namespaces, [&](const auto& each) { return !may_select(each, own, made); });
    if (term == nullptr) continue;
    Diagnostic& finding =
        report(fmt::format("its `namespaceSelector` does not select namespace `{}`", own));
    if (term->key == namespace_name) {
      finding.help("select {}: {} too", namespace_name, own);
    } else {
      finding.also(made->file, made->at, "the namespace is here")
          .help("change its label `{}`, or what the queue selects", term->key);
    }
    return;
  }
}

}  // namespace flexslice::rules
