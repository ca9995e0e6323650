// Catch2, version 2 or 3. Every test file includes this one.
#pragma once

#include <string>
#include <string_view>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

namespace flexslice::catalog {
struct Text;
}

// Strings of the catalog are printed as strings.
template <>
struct Catch::StringMaker<flexslice::catalog::Text> {
  static std::string convert(std::string_view text) { return '"' + std::string(text) + '"'; }
};
