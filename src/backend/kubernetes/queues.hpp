// The Kueue objects of a run. Each workload says what it needs of its queue; the needs of all
// workloads that share a queue become one ClusterQueue.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "backend/template/template.hpp"
#include "plan/plan.hpp"
#include "resolve/requests.hpp"
#include "yaml/value.hpp"

namespace flexslice::kubernetes {

// One workload needs this of its queue. It owns everything, so that it can outlive its plan.
struct QueueNeed {
  std::string cluster;  // its name, location and project: a queue of the same name in another
                        // cluster is another queue
  plan::Plan plan;
  // Node pools that it runs on, and what it requests on each. On Autopilot the workload itself
  // represents the nodes that GKE creates for it.
  std::vector<std::string> pools;
  resolve::Requests requests;
  resolve::Requests ordinary;  // of its pods without chips, which run on other nodes

  const std::string& queue() const { return plan.provisioning.queue; }
};

using QueueNeeds = std::vector<const QueueNeed*>;

// Both group the needs in the order in which clusters, or queues, first appear.
std::vector<QueueNeeds> by_cluster(const QueueNeeds& needs);
std::vector<QueueNeeds> by_queue(const QueueNeeds& needs);

// `objects` are the workload's, with its patches. The plan has a queue, whose resources it gets
// from them.
QueueNeed queue_need(plan::Plan plan, std::span<const yaml::Value> objects);

// The queues of teams on the nodes of a spec without a workload: a need for each namespace or
// priority class of a queue.
std::vector<QueueNeed> capacity_needs(const plan::Plan& plan);

// Without those of workloads whose queue a spec without a workload describes: it makes all objects
// of the queue.
QueueNeeds without_guests(const QueueNeeds& needs);
// Groups the needs whose objects are in one file: those of a queue, and all queues of one spec.
std::vector<QueueNeeds> by_file(const QueueNeeds& needs);

// The objects for all needs, each once, in the order in which they are to be applied. The needs are
// of one cluster, and of any queues. Quota of a flavor: the sum of what its node pools have to
// hold; of a pool that workloads share, the most that one of them requests. `patched`: with the
// patches of all specs, each on the objects that its own workload needs.
std::vector<yaml::Value> queue_objects(const QueueNeeds& needs, const templates::Set& templates,
                                       bool patched = true);

// Reports what is wrong in the templates of these objects.
void check_queue_templates(const templates::Set& templates, diag::Sink& sink);

}  // namespace flexslice::kubernetes
