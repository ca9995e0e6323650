// Pods need objects that may be in other files of the run: Services, disks, network policies.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/rules.hpp"
#include "view/view.hpp"

namespace flexslice::rules {

// Without a namespace an object is in that of kubectl's context.
bool may_share_namespace(const Text& one, const Text& other);

// The first place that is one.
Span first_of(std::initializer_list<Span> places);

// Something of another file of the run.
template <class Claims>
struct Placed {
  Claims claims;
  std::string file;
  Position at;
};

// Pods of a slice of several hosts, which find each other by the names that a Service gives them.
struct NamedHosts {
  std::string object;  // Job `a`
  Text service;        // that they name
  std::string name_space;
  spec::Map<Text> labels;
};
// Controllers add such labels to pods.
bool may_be_added(std::string_view key);
// The Service `a`
std::string selector_title(std::string_view kind, const Text& name);
std::string labels_text(const spec::Map<Text>& labels);
enum class ServiceFit : std::uint8_t { other, good, has_address, selects_none };
ServiceFit fit(const NamedHosts& hosts, const view::ServiceClaims& service);
Diagnostic& report_misfit(const NamedHosts& hosts, const view::ServiceClaims& service,
                          ServiceFit fit, Span where, Sink& sink);
// `names`: of Services that are near; none: it may well be elsewhere.
Diagnostic& report_no_service(const NamedHosts& hosts, std::span<const std::string_view> names,
                              Span where, Sink& sink);

// Pods with chips that do not select TPU nodes by both labels. The base of an overlay may leave
// that to it.
struct UnselectedPods {
  std::string object;                    // Job `a`
  std::vector<std::string_view> labels;  // that are missing
  std::string help;
  Span where;  // of the chips
};
Diagnostic& report_unselected(const UnselectedPods& pods, Sink& sink);

// A volume of pods on TPUs.
struct MountedDisk {
  view::DiskMount disk;
  Text name_space;
  const Generation* generation;
  std::int64_t pods = 1;  // that mount it on nodes of their own, at least
};
struct RunDisks {
  std::vector<Placed<view::DiskClaims>> claims;
  std::vector<Placed<view::DiskClass>> classes;
};
// Reports a disk that the nodes cannot attach. `folder`: of the pods.
void judge_disk(const MountedDisk& mounted, std::string_view folder, const RunDisks& disks,
                const Catalog& catalog, Sink& sink);

// Pods that reach each other.
struct NetworkedPods {
  std::string object;  // Job `a`
  std::string name_space;
  spec::Map<Text> labels;
  bool has_hosts, has_slices;  // several
  Span where;                  // of the chips
};
void judge_policies(const NetworkedPods& pods, std::string_view folder,
                    std::span<const Placed<view::PolicyClaims>> all, const Catalog& catalog,
                    Sink& sink);

}  // namespace flexslice::rules
