// What `kubectl apply` needs of an object: that it can be stored in the annotation of a client-side
// apply, and whether only a server-side apply works. driver calls it on the objects that are
// written.
#pragma once

#include <span>

#include "diag/diag.hpp"
#include "yaml/value.hpp"

namespace flexslice::kubernetes {

// Bytes of the object as the JSON in which kubectl stores it.
std::size_t applied_size(const yaml::Value& object);

// Reports each object whose annotations would be too large, at `where`.
void check_sizes(std::span<const yaml::Value> objects, Span where, diag::Sink& sink);

// Whether Kueue changes a list of the object when it admits it. A client-side apply would put the
// list back, which is refused.
bool is_changed_by_queue(const yaml::Value& object);

}  // namespace flexslice::kubernetes
