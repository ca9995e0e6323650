#include "driver/placement_table.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "base/text.hpp"

namespace flexslice::lint {

using namespace rules;

namespace {

constexpr std::size_t most_names = 4;

std::string names_list(std::string_view noun, const std::vector<std::string>& names) {
  if (names.size() == 1) return fmt::format("{} `{}`", noun, names[0]);
  const std::size_t shown = names.size() > most_names ? most_names - 1 : names.size();
  std::vector<std::string> quoted;
  for (std::size_t i = 0; i < shown; ++i) quoted.push_back(fmt::format("`{}`", names[i]));
  const std::string list = text::join(quoted, ", ");
  return shown == names.size()
             ? fmt::format("{}s {}", noun, list)
             : fmt::format("{}s {} and {} more", noun, list, names.size() - shown);
}

// The way of a workload through Kueue.
struct QueuePath {
  std::string text;
  const view::FlavorClaims* flavor = nullptr;  // the only one whose nodes fit
  bool requests_nodes = false;
  bool lacks_flavor = false;  // none of those of the queue has the nodes
  const view::ClusterQueueClaims* queue = nullptr;
};

class PlacementTable {
 public:
  PlacementTable(const World& world, const Queues& queues, const Catalog& catalog, Sink& sink)
      : world_(world), queues_(queues), catalog_(catalog), sink_(sink) {
    std::set<std::uint32_t> files;
    for (const PodNodes& pods : world.pods) files.insert(pods.file);
    for (const PoolNodes& pool : world.pools) files.insert(pool.file);
    is_one_file_ = files.size() < 2;
  }

  void add(const PodNodes& pods) {
    // A template that something else names has no pods of its own.
    if (!pods.is_whole) return;
    const QueuePath path = pods.queue.where.given ? path_of(pods) : QueuePath{};
    PodNodes wanted = pods;
    if (path.flavor != nullptr) add_flavor(*path.flavor, wanted);
    PodPlaces places = find_places(pods, wanted);
    if (path.queue != nullptr && !places.never) places.never = refusal(pods, *path.queue);
    const std::string title = title_of(pods), nodes = nodes_of(wanted, places);
    Diagnostic& row = sink_.report<Code::PlacedPods>(place_of(pods), title, nodes);
    const std::string labels = labels_of(pods, path.flavor);
    const std::string admitted = !path.text.empty() ? path.text
                                 : pods.request.empty()
                                     ? "the scheduler alone"
                                     : fmt::format("ProvisioningRequest `{}`", pods.request);
    const std::string starts = start_of(wanted, places, path);
    const bool has_nodes =
        places.pools.empty() ? !class_name(pods).empty() || world_.on_autopilot() : places.is_known;
    const bool is_placed = has_nodes && !path.lacks_flavor && !pods.fault;
    row.placement = {
        {"pods", title},        {"nodes", nodes},
        {"labels", labels},     {"admittedBy", admitted},
        {"startsWhen", starts}, {"state", places.never ? "never" : is_placed ? "placed" : "open"}};
    row.note("labels: {}", labels)
        .note("admitted by: {}", admitted)
        .note("starts when: {}", starts);
  }

 private:
  static Span place_of(const PodNodes& pods) {
    for (Span where :
         {pods.chips, pods.type.where.span, pods.topology.where.span, pods.resources}) {
      if (where != Span{}) return where;
    }
    return {};
  }

  static bool is_on_tpus(const PodNodes& pods) {
    return pods.wanted.generation != nullptr || pods.wanted.topology || pods.wanted.chips > 0;
  }

  static std::string class_name(const PodNodes& pods) {
    for (const auto& [key, value] : pods.selectors.entries) {
      if (key.value == resolve::class_label) return value.value;
    }
    return {};
  }

  // A file has judged its own parts by themselves.
  PodPlaces find_places(const PodNodes& pods, const PodNodes& wanted) const {
    PodPlaces all =
        places_of(wanted, world_, is_one_file_ ? Between::parts : Between::files, catalog_);
    // Nodes with TPUs have a taint.
    if (!is_on_tpus(wanted) && !wanted.pool.usable()) return {};
    if (is_one_file_ || all.never) return all;
    World own;
    for (const PodNodes& each : world_.pods) {
      if (each.file == pods.file) own.pods.push_back(each);
    }
    for (const PoolNodes& each : world_.pools) {
      if (each.file == pods.file) own.pools.push_back(each);
    }
    const bool has_others =
        any_of(all.pools, [&](const PoolNodes* pool) { return pool->file != pods.file; });
    if (!own.pools.empty() && !has_others)
      all.never = places_of(wanted, own, Between::parts, catalog_).never;
    return all;
  }

  const Autoscaler* scaler_of(const PodNodes& pods) const {
    return find_where(world_.autoscalers, [&](const Autoscaler& each) {
      return fmt::format("{} `{}`", each.claims.target_kind.value, each.claims.target_name.value) ==
             pods.object;
    });
  }

  std::string title_of(const PodNodes& pods) const {
    std::string title = pods.object;
    if (!pods.part.empty()) title += ", " + pods.part;
    title += ": ";
    const Autoscaler* scaler = scaler_of(pods);
    if (scaler != nullptr)
      title += scaler->claims.most.usable()
                   ? fmt::format("the pods of up to {}",
                                 text::count(scaler->claims.most.value, "replica"))
                   : "the pods of its replicas";
    else if (pods.kind == "DaemonSet")
      title += "a pod on each node";
    else
      title += pods.number ? text::count(*pods.number, "pod") : "its pods";
    if (pods.wanted.chips > 0)
      title += fmt::format(" with {}{}", text::count(pods.wanted.chips, "chip"),
                           pods.number == 1 && scaler == nullptr ? "" : " each");
    return title;
  }

  // Says why the queue never admits the pods.
  std::optional<Diagnostic> refusal(const PodNodes& pods,
                                    const view::ClusterQueueClaims& queue) const {
    if (queue.quotas.empty() || !queue.has_namespaces || !pods.number) return std::nullopt;
    // Kueue admits each replica of these kinds alone, and all pods of another kind together.
    constexpr std::string_view by_replica[] = {"Deployment", "StatefulSet", "LeaderWorkerSet",
                                               "Pod", "ReplicaSet"};
    const std::int64_t count =
        contains(by_replica, pods.kind) ? std::min(*pods.number, pods.hosts) : *pods.number;
    const QueuedPods own{
        pods.queue,    pods.name_space,        pods.object, pods.wanted, pods.wanted.chips * count,
        pods.requests, pods.requests_topology, count,       0,           pods.tolerations};
    const Admission refused =
        admission(own, {&own, 1}, queue, queues_.all_flavors, queues_.topologies, catalog_);
    if (refused.reason.empty()) return std::nullopt;
    Sink sink;
    sink.report<Code::QueueNeverAdmits>(pods.queue, pods.object, queue.name.value, refused.reason);
    return sink.take().front();
  }

  static void add_flavor(const view::FlavorClaims& flavor, PodNodes& pods) {
    for (const auto& entry : flavor.claims.workload.node_selector.entries) {
      const bool is_said = any_of(pods.selectors.entries, [&](const auto& own) {
        return own.key.value == entry.key.value;
      });
      if (is_said) continue;
      pods.selectors.entries.push_back(entry);
      if (entry.key.value == resolve::pool_label) pods.pool = entry.value;
      if (entry.key.value == resolve::accelerator_label) pods.type = entry.value;
      if (entry.key.value == resolve::topology_label) pods.topology = entry.value;
    }
  }

  QueuePath path_of(const PodNodes& pods) const {
    QueuePath path{fmt::format("LocalQueue `{}`", pods.queue.value)};
    const view::ClusterQueueClaims* queue = nullptr;
    std::set<std::string_view> names;
    for (const view::LocalQueueClaims& local : queues_.local_queues) {
      if (local.name.value == pods.queue.value &&
          may_share_namespace(local.name_space, pods.name_space))
        names.insert(local.cluster_queue.value);
    }
    if (names.empty()) path.text += ", which nothing here defines";
    if (names.size() != 1) return path;
    path.text += fmt::format(" of ClusterQueue `{}`", *names.begin());
    queue = find_where(queues_.cluster_queues,
                       [&](const auto& each) { return each.name.value == *names.begin(); });
    if (queue == nullptr) return path;
    path.queue = queue;
    std::vector<std::string> flavors;
    for (const std::string& name : queue->flavors) {
      const auto* flavor = find_where(queues_.all_flavors, [&](const view::FlavorClaims& each) {
        return each.name.value == name;
      });
      if (flavor == nullptr) continue;
      const Facts facts = resolve::look_up(flavor->claims, catalog_);
      const NodeShape shape{facts.generation, facts.topology, 0};
      // Pods that select another value of a label of the flavor are for others.
      const bool is_of_others =
          any_of(flavor->claims.workload.node_selector.entries, [&](const auto& label) {
            return any_of(pods.selectors.entries, [&](const auto& own) {
              return own.key.value == label.key.value && own.value.usable() &&
                     label.value.usable() && own.value.value != label.value.value;
            });
          });
      if (is_of_others) continue;
      const bool has_tpus = shape.generation != nullptr || shape.topology;
      if (has_tpus != is_on_tpus(pods) || !shape.agrees(pods.wanted)) continue;
      flavors.push_back(name);
      path.flavor = flavor;
    }
    if (flavors.size() != 1) path.flavor = nullptr;
    path.lacks_flavor =
        flavors.empty() && std::ranges::all_of(queue->flavors, [&](const auto& name) {
          return any_of(queues_.all_flavors,
                        [&](const view::FlavorClaims& each) { return each.name.value == name; });
        });
    if (!flavors.empty()) path.text += ", " + names_list("flavor", flavors);
    for (const view::AdmissionCheckClaims& check : queues_.admission_checks)
      path.requests_nodes |= check.config.where.given && contains(queue->checks, check.name.value);
    return path;
  }

  std::string labels_of(const PodNodes& pods, const view::FlavorClaims* flavor) const {
    std::vector<std::string> labels;
    for (const auto& [key, value] : pods.selectors.entries)
      labels.push_back(value.where.given ? fmt::format("{}={}", key.value, value.value)
                                         : key.value);
    std::string all = text::join(labels, ", ");
    if (flavor != nullptr) {
      PodNodes added;
      add_flavor(*flavor, added);
      std::vector<std::string> more;
      for (const auto& [key, value] : added.selectors.entries) {
        const std::string label = fmt::format("{}={}", key.value, value.value);
        if (!contains(labels, label)) more.push_back(label);
      }
      if (!more.empty())
        all += fmt::format("{}{} by flavor `{}`", all.empty() ? "" : "; ", text::join(more, ", "),
                           flavor->name.value);
    }
    if (all.empty()) all = "none";
    if (pods.hosts > 1 && !pods.kept_by.value_or("").empty())
      all += fmt::format("; {} keeps a slice together", *pods.kept_by);
    return all;
  }

  std::string description(const PoolNodes& pool) const {
    std::vector<std::string> parts;
    const NodeShape shape = pool.shape();
    if (shape.generation != nullptr) parts.emplace_back(shape.generation->id);
    if (shape.topology) parts.push_back(shape.topology->text());
    if (shape.generation == nullptr && !pool.machine.empty()) parts.push_back(pool.machine);
    const schema::Text& model = pool.claims.provisioning.model;
    const Model* row = model.usable()
                           ? named(catalog_.models, &Model::name, std::string_view(model.value))
                           : nullptr;
    if (row != nullptr) parts.emplace_back(row->title);
    if (pool.most_nodes)
      parts.push_back((pool.autoscaled && pool.hosts == 1 ? "up to " : "") +
                      text::count(*pool.most_nodes, "node"));
    return text::join(parts, ", ");
  }

  std::string pools_text(const std::vector<const PoolNodes*>& pools) const {
    std::vector<std::string> order;
    std::map<std::string, std::vector<std::string>> names;
    for (const PoolNodes* pool : pools) {
      const std::string what = description(*pool);
      if (!names.contains(what)) order.push_back(what);
      names[what].push_back(pool->name.value);
    }
    std::vector<std::string> texts;
    for (const std::string& what : order) {
      const std::string each = names[what].size() > 1 ? " each" : "";
      texts.push_back(names_list("node pool", names[what]) +
                      (what.empty() ? what : fmt::format(" ({}{})", what, each)));
    }
    return text::join(texts, "; ");
  }

  std::string nodes_of(const PodNodes& pods, const PodPlaces& places) const {
    const std::string chosen = class_name(pods);
    if (places.never) return "none";
    if (!places.pools.empty())
      return pools_text(places.pools) + (places.is_known ? "" : ", as far as the files say it");
    if (!chosen.empty()) {
      std::vector<std::string> shapes;
      for (const NewClass& each : world_.classes) {
        if (each.name.value == chosen && each.has.agrees(pods.wanted) &&
            !contains(shapes, each.has.text()))
          shapes.push_back(each.has.text());
      }
      return fmt::format("ComputeClass `{}`{}", chosen,
                         shapes.empty() ? "" : fmt::format(" ({})", text::join(shapes, "; ")));
    }
    if (world_.on_autopilot()) return "nodes that Autopilot creates";
    if (pods.pool.usable())
      return fmt::format("node pool `{}`, which nothing here creates", pods.pool.value);
    if (is_on_tpus(pods)) return "nodes with these labels, which nothing here creates";
    return !pods.selectors.entries.empty()             ? "nodes with these labels"
           : pods.tolerates_all || pods.tolerates_tpus ? "any node"
                                                       : "any node without TPUs";
  }

  std::string start_of(const PodNodes& pods, const PodPlaces& places, const QueuePath& path) const {
    if (places.never) return "never: " + places.never->message;
    if (pods.number == 0) return "it is scaled up: it has no pods";
    std::vector<std::string> conditions;
    if (pods.fault)
      conditions.push_back(fmt::format("{} is corrected", diag::code_text(*pods.fault)));
    if (pods.kind == "CronJob") conditions.emplace_back("its schedule says so");
    if (pods.is_suspended && path.text.empty())
      conditions.push_back(pods.kind == "CronJob" ? "`suspend` is false"
                                                  : "`suspend` is set to false");
    if (!path.text.empty()) conditions.emplace_back("Kueue has admitted the workload");
    const bool all_requested =
        !places.pools.empty() && std::ranges::all_of(places.pools, &PoolNodes::by_requests);
    const std::string who = made_by(pods, places, path.requests_nodes || all_requested);
    std::string nodes;
    if (!is_on_tpus(pods)) {
      nodes = pods.number == 1 ? "a node has room for it" : "nodes have room for them";
    } else if (pods.hosts > 1) {
      const std::int64_t of_slice = pods.part == "the leaders" ? 1 : pods.hosts;
      const bool is_one = pods.number && *pods.number <= of_slice;
      nodes =
          places.may_mix
              ? fmt::format("{} are ready, which may be of several slices: {} have these labels",
                            text::count(pods.hosts, "node"),
                            text::count(std::int64_t(places.pools.size()), "node pool"))
              : fmt::format("all {} of {} are ready", text::count(pods.hosts, "node"),
                            is_one ? "the slice" : "a slice");
    } else {
      nodes = pods.number == 1 && scaler_of(pods) == nullptr ? "a node is free"
                                                             : "for each pod, a node is free";
    }
    conditions.push_back(nodes + who);
    return text::join(conditions, ", and ");
  }

  std::string made_by(const PodNodes& pods, const PodPlaces& places, bool by_request) const {
    if (!class_name(pods).empty() || (places.pools.empty() && world_.on_autopilot()))
      return "; GKE creates nodes while pods wait";
    if (places.pools.empty()) return is_on_tpus(pods) ? "; nothing here creates them" : "";
    if (by_request) return "; a ProvisioningRequest creates them";
    const bool grows = std::ranges::all_of(places.pools, &PoolNodes::autoscaled);
    return grows ? "; GKE creates nodes while pods wait" : "";
  }

  const World& world_;
  const Queues& queues_;
  const Catalog& catalog_;
  Sink& sink_;
  bool is_one_file_ = true;
};

}  // namespace

void list_placement(const World& world, const Queues& queues, const Catalog& catalog, Sink& sink) {
  PlacementTable table(world, queues, catalog, sink);
  for (const auto* all : {&world.pods, &world.other_pods}) {
    for (const PodNodes& pods : *all) table.add(pods);
  }
}

}  // namespace flexslice::lint
