// Other files of a run say of one that a kustomization merges it into something, that a shell fills
// it in, and what a namespace allows. Pure.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/completeness.hpp"
#include "base/source.hpp"
#include "diag/diag.hpp"
#include "extract/blueprint.hpp"
#include "extract/given_names.hpp"
#include "rules/file_summary.hpp"

namespace flexslice::lint {

// The text of a file; nothing where there is none.
using ReadFile = std::function<std::optional<std::string>(const std::string& path)>;

struct Near {
  Completeness completeness = {};  // at least
  bool has_target = false;         // its own kind, version and name do not decide what it patches
  std::string quotas;              // texts with ResourceQuotas
  bool is_kustomized = false;      // kustomize reads it, not kubectl
  bool has_tpus = false;           // another file of the run is about TPUs
  // Reads a file in its folder or below, by the name that it says; empty: none is read.
  ReadFile beside = {};
  std::vector<rules::ConfigMap> configs = {};      // that a kustomization generates
  std::vector<extract::BlueprintCall> calls = {};  // of gcluster for the file, a blueprint
  extract::GivenNames given = {};  // variables of the file that others set where they call it
  std::string values = {};         // of the chart of Helm that the file is a template of
};

// Says what the kustomizations of the folder of `path`, and of those above it, say of it.
Near near_of(std::string_view path, const ReadFile& read);

// True where the text may say something of other files of its folder.
bool may_answer(std::string_view text);

// Adds what another file of its folder, or of one above it, says of the file: that it runs envsubst
// on it, which quotas there are, and how it calls gcluster with it.
void add_neighbour(Near& near, const Source& other, std::string_view path, const ReadFile& read);

// True where a ResourceQuota in the text allows the class.
bool allows_class(std::string_view text, std::string_view priority_class);

// True where other files of the folder may answer the finding.
bool may_be_answered(const diag::Diagnostic& finding);

inline constexpr std::string_view kustomization_names[] = {"kustomization.yaml",
                                                           "kustomization.yml", "Kustomization"};
bool is_kustomization(std::string_view path);

// By the end of its name.
bool is_manifest(std::string_view path);

// Values that a template of Helm reads, by the name of the file.
bool is_values(std::string_view path);

}  // namespace flexslice::lint
