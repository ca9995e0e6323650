// The Kueue objects of a run. Each workload says what it needs of its queue; the needs of all workloads that share a queue become one
// ClusterQueue. driver calls it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "lower/lower.hpp"
#include "lower/requests.hpp"

namespace flexslice::lower {

// What one workload needs of its queue. Owns everything, so that it can outlive its plan.
struct QueueNeed {
  std::string cluster;  // its name, location and project: a queue of the same name in another cluster is another queue
  std::string queue, name_space, workload, source;
  std::string flavor;
  bool by_topology = false;  // Kueue places its pods
  bool by_request = false;   // its nodes come with a ProvisioningRequest
  // Node pools that it runs on, and what it requests on each. On Autopilot the workload itself stands for the nodes that GKE creates for
  // it.
  std::vector<std::string> pools;
  Requests requests;
  std::vector<plan::ControllerNeed> controllers;
  yaml::Value document;              // for the templates
  std::vector<plan::Patch> patches;  // for the objects that are made for this workload, perhaps with others
};

using QueueNeeds = std::vector<const QueueNeed*>;

// Those of each queue, in the order in which the queues first appear.
std::vector<QueueNeeds> by_queue(const QueueNeeds& needs);

// `objects` are the workload's; the patches in the plan count. The plan has a queue. Leaves `patches` empty.
QueueNeed queue_need(const Inputs& inputs, std::vector<yaml::Value> objects);

// The objects for all needs, each once, in the order in which they are to be applied. The needs are of one cluster, and of any queues.
// Quota of a flavor: the sum of what its node pools have to hold; of a pool that workloads share, the most that one of them requests.
std::vector<yaml::Value> queue_objects(const QueueNeeds& needs, const templates::Set& templates);

}  // namespace flexslice::lower
