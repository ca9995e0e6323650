// Closed sets that a spec and the catalog both have.
#pragma once

#include <cstdint>

#include "base/words.hpp"

namespace flexslice::spec {

enum class ClusterMode : std::uint8_t { standard, autopilot };
constexpr auto words(ClusterMode) { return word_list("standard", "autopilot"); }
// For sentences.
constexpr std::string_view title(ClusterMode mode) {
  return mode == ClusterMode::autopilot ? "Autopilot" : "Standard";
}

// What a taint does to pods that do not tolerate it.
enum class Effect : std::uint8_t { no_schedule, prefer_no_schedule, no_execute };
constexpr auto words(Effect) { return word_list("NoSchedule", "PreferNoSchedule", "NoExecute"); }

}  // namespace flexslice::spec
