// A derived value with its reason. The plan consists of these; comments in artifacts, `explain` and
// the plan's JSON print the reasons.
#pragma once

#include <string>
#include <utility>

namespace flexslice::catalog {
struct Evidence;
}

namespace flexslice::schema {

// Why a value is what it is.
struct Reason {
  std::string because;  // one line with the arithmetic; empty: the spec says it
  const catalog::Evidence* evidence = nullptr;  // null: follows from the spec alone
  bool listed = true;  // false: a remark on the value, which no list of reasons has
};

template <class T>
struct Derived {
  T value{};
  Reason reason;

  Derived() = default;
  Derived(T what) : value(std::move(what)) {}
  Derived(T what, std::string because, const catalog::Evidence* evidence = nullptr)
      : value(std::move(what)), reason{std::move(because), evidence} {}

  operator const T&() const { return value; }
};

}  // namespace flexslice::schema
