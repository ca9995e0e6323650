// Judges files that people already have, by the catalog and by what else the file has; what a file
// does not say is never a fault.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "rules/file_summary.hpp"
#include "rules/swapped_letters.hpp"
#include "rules/upgrade.hpp"
#include "view/view.hpp"

namespace flexslice::rules {

// The world has the nodes of a command, and the pods of a template.
PoolNodes pool_nodes(const view::PoolClaims& pool, const Facts& facts);
PodNodes pod_nodes(const view::PodClaims& pod, const Facts& facts);

// Judges a file part by part, and in the end what its parts say of each other. Of each part it
// keeps only what others are compared with: a file may have thousands.
class FileJudge {
 public:
  // `gcloud_version`: stated by the user; empty: flags are not judged by it.
  // `made_of`: of a spec that compile made objects of.
  FileJudge(const Catalog& catalog, std::string_view gcloud_version, Sink& sink,
            const Facts* made_of = nullptr)
      : catalog_(catalog), gcloud_version_(gcloud_version), sink_(sink), made_of_(made_of) {}

  // Objects are also judged for these, which must outlive it.
  void compare_with(std::span<const Upgrade> upgrades) { upgrades_ = upgrades; }
  // Also keeps pods that no rule about several files judges.
  void keep_all() { keeps_all_ = true; }
  // Keeps the object that a `kubectl create` makes, such as a Secret with its keys.
  void keep_created(const extract::Command& command);
  // A ConfigMap that something else makes for it.
  void has_config(ConfigMap config) { summary_.configs.push_back(std::move(config)); }
  // A document, or a script.
  void judge(view::Found part);
  void finish();

  // After `finish`.
  FileSummary summary();

 private:
  // An object selects pods by these labels.
  struct PodSelector {
    std::string kind;
    Text name;
    spec::Map<Text> labels;
    bool is_headless = false;
    std::vector<Text> ports = {};
  };
  struct PodPorts {
    spec::Map<Text> labels;
    std::vector<std::string> names;
    bool may_be_any;
    std::string object;
    std::vector<std::int64_t> numbers;
    bool lists_all = false;
    spec::Map<Text> added = {};  // labels, by its controller
    // The label with the number of the pod, likewise, and which there are.
    std::string_view numbered = {};
    std::int64_t first = 0;
    std::optional<std::int64_t> end = {};
    bool is_part = false;  // other pods of its object have the numbers that follow

    bool has(const schema::Entry<Text>& wanted) const;
    // Returns whether no pod has the number that the label wants.
    bool lacks_number(const schema::Entry<Text>& wanted) const;
  };
  static PodPorts pod_ports(const view::PodClaims& pod);
  void judge_pod_claims(view::PodClaims pod);
  void judge_tree(const view::PodClaims& pod);
  void keep_names(const view::Found& part);
  void keep_config(const yaml::Node& object);
  void keep_class(const view::PodClaims& pod);
  void keep_levels(const yaml::Node& topology);
  void keep_quota(const yaml::Node& object, std::string_view kind);
  void keep_programs(const PodTree& pod);
  void judge_programs();
  void keep_identity(const yaml::Node& object);
  void keep_annotated(std::span<const Text> operands, const Text& name_space);
  void keep_context(const Text& context);
  void keep_binding(const view::PoolClaims& pool);
  void keep_bound(Text account, Text member);
  void keep_policy(const yaml::Node& object);
  void keep_account(const Text& word);
  void keep_bucket(const view::PoolClaims& pool);
  void keep_mounts(const PodTree& pod);
  void judge_requests();
  void keep_buffer(const yaml::Node& buffer);
  void judge_buffers();
  void judge_pool_claims(const view::PoolClaims& pool);
  // Returns whether the command creates something that pools name.
  bool keep_named(const view::PoolClaims& pool);
  void judge_launch_claims(const view::LaunchClaims& launch);
  void judge_launched_programs(const view::LaunchClaims& launch);
  void judge_hosts(const view::PodClaims& pod, const Facts& facts);
  void keep_disks(const view::PodClaims& pod, const Facts& facts);
  void keep_network(const view::PodClaims& pod, const Facts& facts);
  void judge_selectors(const view::PodClaims& pod, const Facts& facts);
  void keep_counted(const view::PodClaims& pod);
  void judge_train_jobs();
  void judge_claimed_chips();
  void judge_queues();
  void judge_admission(const QueuedPods& pods, const view::ClusterQueueClaims& queue);
  void judge_services();
  void judge_target_ports(const PodSelector& selector);
  void keep_selector(const yaml::Node& object, std::string_view kind);
  void judge_selector(const PodSelector& selector);
  Span patches() const;

  const Catalog& catalog_;
  std::string_view gcloud_version_;
  std::span<const Upgrade> upgrades_ = {};
  Sink& sink_;
  const Facts* made_of_;
  bool keeps_all_ = false;
  std::vector<QueuedPods> queued_;
  std::vector<PodPorts> ports_;
  std::vector<PodSelector> selectors_;                              // but those of Services
  std::vector<view::PodClaims> runtimes_;                           // the pods of TrainJobs
  std::vector<view::PodClaims> templates_;                          // PodTemplates
  std::vector<std::pair<std::string, schema::Integer>> requested_;  // pods of a PodTemplate
  std::vector<view::PodClaims> claiming_;                           // chips of a driver
  // A CapacityBuffer with the object whose pods are its units, and the pods that one may name.
  struct Buffer {
    std::string kind, name, name_space;
    Text unit;
    bool is_standby = false;
  };
  struct BufferUnit {
    std::string kind, name, name_space, of_class;
    bool has_chips = false, lacks_chips = false;
  };
  std::vector<Buffer> buffers_;
  std::vector<BufferUnit> units_;
  std::vector<view::TrainJobClaims> train_jobs_;
  std::vector<view::LaunchClaims> launches_;
  std::vector<view::ClaimedChips> claimed_chips_;
  std::size_t part_ = 0;                                   // those so far
  std::vector<ScopeName> clusters_, projects_, accounts_;  // of commands
  NamesOfFile names_;
  std::set<std::string> closed_queues_;                        // that were reported with their pods
  std::map<std::pair<Span, std::string>, Span> of_variables_;  // by their place and the message
  FileSummary summary_;
};

// Judges the objects that compile made of a spec and its patches; every value has the place that it
// comes from. A value that is derived alone cannot be wrong, and findings that the sink has are not
// reported again.
void judge_made(std::span<const yaml::Node> objects, const Facts& facts, Sink& sink);

}  // namespace flexslice::rules
