// The objects of Kueue, and the pods of its queues.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "resolve/requests.hpp"
#include "rules/run_rules.hpp"
#include "rules/world.hpp"
#include "view/view.hpp"

namespace flexslice::rules {

// A level of Kueue's topology that pods request.
struct RequestedLevel {
  std::string label;
  std::int64_t chips = 0;  // that one domain of it must have; 0: it need not have all
};
// Pods of a queue, which the ClusterQueue behind it may never admit.
struct QueuedPods {
  Text queue, name_space;
  std::string object;  // Job `a`
  NodeShape wanted;
  std::int64_t chips;          // that they need at once, at least
  resolve::Requests requests;  // of one pod
  bool requests_topology;
  std::int64_t pods;  // of these, at least
  std::size_t part;   // of the file: with `object` the same for all pods of one
  std::vector<view::TaintClaims> tolerations = {};
  schema::Map<Text> selectors = {};
  std::vector<RequestedLevel> levels = {};
};
// A Topology of Kueue. Without levels, they are not known.
struct TopologyLevels {
  Text name;
  std::vector<std::string> labels = {};
};
// Without a reason it may admit them.
struct Admission {
  std::string reason = {};
  Span where = {};  // of the amount in the queue that is too low; empty: there is none
};
// `of_file`: those with which they may be of one object.
Admission admission(const QueuedPods& pods, std::span<const QueuedPods> of_file,
                    const view::ClusterQueueClaims& queue,
                    std::span<const view::FlavorClaims> flavors,
                    std::span<const TopologyLevels> topologies, const Catalog& catalog);
// Reports pods that select one provisioning model, where the flavors of their shape add the label
// of another to them.
void judge_flavor_models(const QueuedPods& pods, const view::ClusterQueueClaims& queue,
                         std::span<const view::FlavorClaims> flavors, const Catalog& catalog,
                         Sink& sink);

// The Kueue objects of a file, or of a run, and the pods of their queues.
struct Queues {
  struct Pods {
    bool seen = false, tolerate = false;

    void add(const Pods& other) {
      seen = seen || other.seen;
      tolerate = tolerate || other.tolerate;
    }
  };

  std::vector<view::FlavorClaims> flavors;  // after `judge_flavors` those without pods
  std::vector<view::LocalQueueClaims> local_queues;
  std::vector<view::ClusterQueueClaims> cluster_queues;
  std::vector<view::FlavorClaims> all_flavors = {};
  std::vector<QueuedPods> queued = {};  // whose queues are in other files
  std::vector<view::AdmissionCheckClaims> admission_checks = {};
  std::vector<view::RequestConfigClaims> request_configs = {};
  std::vector<TopologyLevels> topologies = {};
  std::map<std::string, Pods> pods;  // by the LocalQueue that they name

  std::map<std::string_view, Pods> pods_of_flavors() const;
};
// Returns the LocalQueues all of whose flavors get their nodes by requests for queued provisioning.
std::vector<std::string> request_queues(const Queues& queues);
// Reports configs that request no nodes for any pods of the queues that use them.
void judge_request_configs(const Queues& queues, Sink& sink);
// Reports a queue that admits nothing of a LocalQueue which names it. Of a namespace that none of
// `namespaces` is, or several are, only the name is known.
void judge_namespaces(const view::ClusterQueueClaims& queue,
                      std::span<const view::LocalQueueClaims> locals,
                      std::span<const Placed<view::NamespaceClaims>> namespaces, Sink& sink);
// Reports flavors that none of their pods makes up for, and leaves those without pods.
void judge_flavors(Queues& queues, Sink& sink);
Diagnostic& report_flavor(const view::FlavorClaims& flavor, Sink& sink);
// Reports requests for nodes of several pod sets, which GKE refuses.
void judge_request_sets(const QueuedPods& pods, std::span<const QueuedPods> of_file,
                        const view::ClusterQueueClaims& queue, const Queues& queues, Span otherwise,
                        Sink& sink);

}  // namespace flexslice::rules
