// Compares two sides: the catalog's table of changes decides what becomes of their resources when
// the second is applied over the first.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.hpp"
#include "spec/sets.hpp"
#include "yaml/value.hpp"

namespace flexslice::change {

// A cluster, workload policy, node pool or Kubernetes object.
struct ComparedResource {
  std::string kind, name;
  yaml::Value value;
  spec::Owner owner = spec::Owner::scripts;
  std::string kueue = {};  // the release of its cluster, where a spec states it
};

// One spec, compiled, or the Kueue objects of a cluster.
struct ComparedSpec {
  std::string name, source;
  yaml::Value spec, plan;  // as documents; null for Kueue objects
  std::vector<ComparedResource> resources;
  std::string kueue = {};  // of the cluster of Kueue objects; empty: not stated
};

// By what identifies a workload: its cluster, namespace and name.
using Side = std::map<std::string, ComparedSpec>;

// Adds what a spec defines, by its plan document and its objects. Returns its key.
std::string add_spec(Side& side, ComparedSpec compiled, const std::vector<yaml::Value>& objects);

enum class Sign : std::uint8_t { same, update, unknown, recreate, remove, create };

struct ResourceChange {
  Sign sign = Sign::same;
  std::string kind, name, text;
  std::vector<std::string> fields;  // of the resource that differ
  spec::Owner owner = spec::Owner::scripts;
  bool changes_owner = false;
  std::vector<std::string> ends = {};  // parts of a sentence about the pods that end
};

// The most nodes that a workload can have, and what they cost an hour in millionths of a dollar.
struct Bill {
  std::int64_t nodes = 0;
  std::optional<std::int64_t> per_hour = 0;  // nothing where a price is not known
};

struct SpecChange {
  std::string key, name;            // the key in the sides
  std::vector<std::string> causes;  // `tpu.topology: 4x4 → 4x8`
  std::vector<ResourceChange> lines;
  std::vector<std::string> consequences;
  Bill before = {}, after = {};
  std::string workload = {};  // the same for all places of one
};

// Volumes have data, so scripts delete them only when they are asked to.
bool is_volume(std::string_view kind);

// There is one for every workload of either side; those without a difference have only lines that
// say so.
std::vector<SpecChange> compare(const Side& before, const Side& after,
                                const catalog::Catalog& catalog);
bool differs(const SpecChange& change);

// The most that all workloads of a side have and cost; empty where there are fewer than two.
std::string sum_text(const Side& side);

// Both end with the sum of all workloads, also of those that do not change, if there are several.
std::string text(const std::vector<SpecChange>& changes, bool all);
std::string markdown(const std::vector<SpecChange>& changes, bool all);
std::string json(const std::vector<SpecChange>& changes, bool all);

}  // namespace flexslice::change
