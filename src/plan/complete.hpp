// The proof that nothing is missing. Only `complete` makes a Complete, so that building a plan from
// one cannot fail.
#pragma once

#include <optional>

#include "catalog/catalog.hpp"
#include "diag/diag.hpp"
#include "resolve/facts.hpp"
#include "spec/claims.hpp"

namespace flexslice::plan {

struct Complete {
  const spec::Claims& claims;
  const resolve::Facts& facts;
  const catalog::Catalog& catalog;
  // A fact may lack these; here they are known.
  const catalog::Generation& generation;
  const catalog::MachineType& machine;
  const catalog::Topology& topology;
  const catalog::Model& model;
  const spec::WorkloadKind& kind;

 private:
  friend std::optional<Complete> complete(const resolve::Facts&, bool, diag::Sink&);
  explicit Complete(const resolve::Facts& known)
      : claims(known.claims),
        facts(known),
        catalog(known.catalog),
        generation(*known.generation),
        machine(*known.machine),
        topology(*known.topology),
        model(*known.model),
        kind(*known.kind) {}
};

// Reports what is missing in a spec and cannot be derived. Nothing when there is a hard error, here
// or found earlier: a soft one may yet be lowered, and the plan holds all the same. `with_gcloud`:
// artifacts that call gcloud are wanted, which need the cluster even where no pool is created.
std::optional<Complete> complete(const resolve::Facts& facts, bool with_gcloud, diag::Sink& sink);

}  // namespace flexslice::plan
