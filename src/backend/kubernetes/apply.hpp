// What `kubectl apply` needs of an object: that applying it twice changes nothing, that it can be
// stored in the annotation of a client-side apply, and whether only a server-side apply works.
// driver calls it on the objects that are written, with all patches.
#pragma once

#include <functional>
#include <span>

#include "diag/diag.hpp"
#include "yaml/value.hpp"

namespace flexslice::kubernetes {

// The form in which the API server stores an object: quantities become strings in canonical form,
// with what was written as the comment; empty values that mean the default go; in the lists of a
// JobSet defaults are written out.
void make_canonical(yaml::Value& object);

// Bytes of the object as the JSON in which kubectl stores it.
std::size_t applied_size(const yaml::Value& object);

// Reports each object whose annotations would be too large, at `where`.
void check_sizes(std::span<const yaml::Value> objects, const std::function<Span()>& where,
                 diag::Sink& sink);

// Whether Kueue changes a list of the object when it admits it. A client-side apply would put the
// list back, which is rejected.
bool is_changed_by_queue(const yaml::Value& object);

}  // namespace flexslice::kubernetes
