// Sets of names that only the catalog knows.
#pragma once

#include <cstdint>

namespace flexslice::schema {

enum class NameSet : std::uint8_t {
  none,
  generations,
  machine_types,
  topologies,
  models,
  zones,
  sources
};

}  // namespace flexslice::schema
