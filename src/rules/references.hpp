// Names: the objects that a run makes, and the fields that name one, by the rows of
// references.yaml.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.hpp"
#include "spec/claims.hpp"
#include "yaml/node.hpp"

namespace flexslice::rules {

// The text of a scalar; a placeholder, or no text, is not usable. The span has the value without
// its quotes, where a fix can replace it as it is written.
spec::Text claimed_name(const yaml::Node& node);
spec::Text claimed_name(const yaml::Node* node);

struct MadeObject {
  std::string kind;
  spec::Text name, name_space;
  std::vector<std::string> keys = {};  // of a ConfigMap or Secret; ports of a Service
  bool has_all_keys = false;           // it says all of them
  spec::Text account = {};             // of Google, that a ServiceAccount acts as
  std::string file = {};               // of the run; empty: this one
};

struct ObjectReference {
  std::string kind;  // of the object that is named
  spec::Text name, name_space;
  std::vector<spec::Text> keys = {};  // of the object
  bool is_of_cluster = false, is_near = false;
  bool on_host_network = false;  // the pods that name it are
};

struct ObjectNames {
  std::vector<MadeObject> made = {};
  std::vector<ObjectReference> references = {};
};

// Adds the object, and what its fields name. `pods`: the specs of its pods.
void add_names(const yaml::Node& object, std::string_view kind,
               std::span<const yaml::Node* const> pods, ObjectNames& names);

// Reports names that none of the objects has, and keys that they do not have. A name without a
// place is at `otherwise`. `owner`: `the file`, `the folder`. Returns those of which it knows no
// object of the kind.
std::vector<ObjectReference> judge_references(std::span<const ObjectReference> references,
                                              std::span<const MadeObject> made,
                                              std::string_view owner, Span otherwise,
                                              diag::Sink& sink);

// Reports ServiceAccounts whose account pods on the network of their nodes do not get.
void judge_host_identities(const ObjectNames& names, diag::Sink& sink);

// Reports keys that controllers read only among the labels, or only among the annotations.
void judge_metadata_keys(const yaml::Node& metadata, diag::Sink& sink);
// Reports a label that is the namespace of the object, one level too deep. `metadata`: of the
// object.
void judge_namespace_label(const yaml::Node& metadata, std::string_view kind, diag::Sink& sink);
// Reports labels and annotations that Kueue does not read as a number.
void judge_counts_in(const yaml::Node& metadata, diag::Sink& sink);

// Reports keys, and values that are keys, which are one slip away from those that controllers read.
// `object`: all of it.
void judge_spelling_of_keys(const yaml::Node& object, diag::Sink& sink);
// One of them.
void judge_spelling_of_key(const spec::Text& key, diag::Sink& sink);

// Reports namespaces and clusters that are one slip away from those of the others.
struct ScopeName {
  std::string owner;  // JobSet `a`, `gcloud container node-pools create`
  spec::Text name;
};
void judge_scopes(std::span<const ScopeName> names, std::string_view scope, diag::Sink& sink);

// The labels of the pods that an object selects, and the ports that it says they have. Without
// labels it selects none, or is a Service.
struct PodSelection {
  spec::Map<spec::Text> labels;
  std::vector<spec::Text> ports;
};
PodSelection selection_of(const yaml::Node& object, std::string_view kind);

// Labels that the controller of an object gives its pods, with its name.
std::vector<std::string_view> labels_of_owner(std::string_view kind);

// Kinds that a run must have where a field names one.
bool is_named_by_others(std::string_view kind);

}  // namespace flexslice::rules
