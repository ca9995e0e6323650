// Reads what somebody saved of a cluster: objects as kubectl prints them (`get -o yaml`, `get -o
// json`, `describe`), and node pools and operations as gcloud prints them. Every object is a tree
// with a `kind`; node pools and operations of gcloud get the kinds NodePool and Operation. A file
// that is cut off gives what is whole in it, and a remark.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "yaml/node.hpp"

namespace flexslice::why {

// More is refused: a namespace of a large cluster has less.
inline constexpr std::size_t max_dump_bytes = 32u << 20;

struct Dump {
  std::vector<yaml::Node> objects;
  std::vector<std::string> remarks;  // sentences without a full stop about what could not be read
  bool has_empty_list = false;       // kubectl found nothing of some kind
};

// Adds the objects of a file. `file` is what remarks call it.
void read_dump(std::string_view file, std::string_view text, Dump& dump);

// Adds the pods that only events tell of, where the dump has events and no pods, with a remark. A
// pod whose last event is a good one is left out, as it may run.
void add_pods_of_events(Dump& dump);

// The output of `kubectl get events`, a table, as events.
bool is_event_table(std::string_view text);
std::vector<yaml::Node> read_event_table(std::string_view text);

// The output of `kubectl get pods`, a table, as pods: each has its name, and of its state what the
// column STATUS says, also as `status.tableStatus`.
bool is_pod_table(std::string_view text);
std::vector<yaml::Node> read_pod_table(std::string_view text);

// Returns whether the dump can say that there is no object with pods: it has such objects, or an
// empty list. A table of pods has no object that waits for its pods.
bool tells_of_pods(const Dump& dump);

// The output of `kubectl describe`, as objects of the same form; of each the name, labels, owner,
// state, conditions and events.
bool is_described(std::string_view text);
std::vector<yaml::Node> read_described(std::string_view text);

}  // namespace flexslice::why
