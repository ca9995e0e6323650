// A derived value with its reason. The plan consists of these; comments in artifacts, `explain` and
// the plan's JSON print the reasons.
#pragma once

#include <string>
#include <utility>

#include "schema/claim.hpp"

namespace flexslice::catalog {
struct Evidence;
}

namespace flexslice::schema {

// Why a value is what it is.
struct Reason {
  std::string because;  // one line with the arithmetic; empty: the spec says it
  const catalog::Evidence* evidence = nullptr;  // null: follows from the spec alone
  bool listed = true;  // false: a remark on the value, which no list of reasons has
  // This is the place of the field that says it, in the same words or in others.
  Span where = {};
  bool is_open = false;  // the field says it wrongly
};

template <class T>
struct Derived {
  T value{};
  Reason reason;

  Derived() = default;
  Derived(T what) : value(std::move(what)) {}
  Derived(T what, std::string because, const catalog::Evidence* evidence = nullptr)
      : value(std::move(what)), reason{std::move(because), evidence} {}
  // A field says the value.
  static Derived said(T what, const Where& where, std::string because = {}) {
    Derived derived(std::move(what), std::move(because));
    derived.reason.where = where.span;
    derived.reason.is_open = where.bad;
    return derived;
  }

  operator const T&() const { return value; }
};

}  // namespace flexslice::schema
