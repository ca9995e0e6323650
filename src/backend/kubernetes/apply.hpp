// Prepares objects for `kubectl apply`: applying one twice changes nothing, and it fits into the
// annotation of a client-side apply. Also says how to apply what a queue changes.
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

// Bytes of all annotations of an object, by the API server.
inline constexpr std::size_t most_annotations = 256 * 1024;
// Reports each object whose annotations would be too large, at `where`.
void check_sizes(std::span<const yaml::Value> objects, const std::function<Span()>& where,
                 diag::Sink& sink);

// How to apply an object that Kueue changes when it admits it, as lines of a comment; empty where
// nothing is to be said.
std::string_view apply_again(const yaml::Value& object);

}  // namespace flexslice::kubernetes
