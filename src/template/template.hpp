// Templates: YAML that stays YAML. Shapes of Kubernetes objects and of gcloud commands stand in templates/ as ordinary documents with
// holes; lower/ expands them with the plan's document.
//
//   key: ${tpu.hosts}          the whole typed value of that path; the key is dropped when there is none
//   --max-nodes=${pool.nodes}  a hole inside text; the text is dropped when there is no value
//   $when: cluster.create      in a mapping: the mapping is dropped unless the path has a value that is not false or empty; `!path` negates
//   $value: text               what the mapping stands for, where a scalar or list is wanted; beside it `$when`, or
//   $comment: text             a comment on that value
//   $each: pool in pools       in a mapping that is a list's item: the item is repeated for each element, which is bound to the name
//   $merge: labels             in a mapping: the members of that mapping, or of each of a list of mappings, are put here; of a key that
//   comes
//                              twice the later value counts
//   - ${model.flags}           a list inside a list is spliced into it
//
// A value is never parsed again, as YAML or as shell, so there is nothing to inject into. A mapping or list that lost all its
// parts is dropped too; one written as `{}` or `[]`, or whose own `$when` holds, stays.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "diag/diag.hpp"
#include "yaml/frozen.hpp"
#include "yaml/value.hpp"

namespace flexslice::templates {

// A template that stands for a value: where a hole is its name, it is expanded.
struct Part {
  std::string_view name;
  yaml::View tree;
};

// Names that holes may use: each scope binds one name, the outermost has an empty name and gives its members and its part.
struct Scope {
  std::string_view name;
  const yaml::Value* value = nullptr;
  const Scope* outer = nullptr;
  const Part* part = nullptr;
};

// The value at `a.b.c`, or null.
const yaml::Value* find(const Scope& scope, std::string_view path);

// Nothing when the whole template was dropped. Cannot fail: templates have been checked when they were loaded. A comment on a value comes
// along the first time the value is used.
std::optional<yaml::Value> expand(yaml::View tree, const Scope& scope);

// Reports holes whose path is not among `known` or bound by an enclosing `$each`, and malformed `$when` and `$each`.
// A known path ending in `.*` admits everything below it.
void check(yaml::View tree, std::span<const std::string_view> known, diag::Sink& sink);

// Templates by name, `kubernetes/job` for templates/kubernetes/job.yaml. `--templates DIR` puts files on top of the built-in ones.
class Set {  // default-constructed: the built-in templates
 public:
  // An empty View when there is no such template.
  yaml::View find(std::string_view name) const;
  void override_with(std::string name, const yaml::Node& tree);
  bool is_overlaid() const { return !overlays_.empty(); }
  // Names that begin with `prefix`, in order, each once.
  std::vector<std::string_view> names(std::string_view prefix) const;

 private:
  struct Overlay {
    std::string name;
    std::unique_ptr<yaml::Frozen> tree;
  };
  std::vector<Overlay> overlays_;
};

}  // namespace flexslice::templates
