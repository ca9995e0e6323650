// Templates: YAML that stays YAML. templates/ has the syntax of Kubernetes objects and of gcloud
// commands as ordinary documents with placeholders; the back ends expand them with the plan, which
// is read through its field tables.
//
//   key: ${tpu.hosts}            the whole typed value at that path
//   key: ${?tpu.hosts}           the same where there may be none; the key is dropped then
//   --max-nodes=${pool.nodes}    a placeholder inside text, where a mapping becomes `a=1,b=2`; with
//                                `?` the text is dropped when there is no value
//   ${gcloud/list-pool}          another template, expanded here
//   $when: cluster.create        in a mapping: it is dropped unless the path has a value that is
//                                not false or empty; `!path` negates
//   $value: text                 the value of the mapping, where a scalar or list is wanted; with
//                                it `$when`, or
//   $comment: text               a comment on that value
//   $each: pool in pools         in a mapping that is a list's item: the item is repeated for each
//                                element, which is bound to the name
//   $key: ${pool.name}           with `$each`, in a mapping that is a value: one mapping with a
//                                member of that name for each element
//   $with: pod in leader         in a mapping with `$value`: the name is bound to the value at that
//                                path in it; dropped if there is none
//   $merge: labels               in a mapping: the members of that mapping, or of each of a list of
//                                them, are put here; of a key that comes twice the later value
//                                counts
//   $put: terraform in flags     in a mapping: puts the `value` of each element of the list `flags`
//                                at the path that the element's `terraform` says, if it has one; a
//                                list on that path means each of its items. It comes behind the
//                                members that it adds to
//   - ${pool.flags}              a list inside a list is spliced into it
//
// A value that a field says wrongly is null, and so is a text or a list that it is a part of.
//
// A value is never parsed again, as YAML or as shell, so there is nothing to inject into. A mapping
// or list that lost all its parts is dropped too; one written as `{}` or `[]`, or whose own `$when`
// holds, stays.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "diag/diag.hpp"
#include "schema/read.hpp"
#include "yaml/frozen.hpp"
#include "yaml/value.hpp"

namespace flexslice::templates {

// Templates by name, `kubernetes/job` for templates/kubernetes/job.yaml. `--templates DIR` puts
// files on top of the built-in ones.
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

// Names that placeholders may use. A scope with a name binds it to a value; one without gives the
// members of a record.
struct Scope {
  std::string_view name;
  schema::Ref value;
  const Scope* outer = nullptr;
};

// The value at `a.b.c`; null: there is none.
schema::Ref find(const Scope& scope, std::string_view path);

// Null when the whole template was dropped. Cannot fail: templates have been checked when they were
// loaded. A comment on a value comes along the first time the value is used.
yaml::Value expand(const Set& templates, std::string_view name, const Scope& scope);

// Follows the template and those that it names, with the types that placeholders would have.
// Reports paths and templates that do not exist, values that may be absent without being marked as
// optional, and malformed keys. The scope's values are not read.
void check(const Set& templates, std::string_view name, const Scope& scope, diag::Sink& sink);

}  // namespace flexslice::templates
