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

// The owner creates, changes and deletes the node pools that a spec describes.
enum class Owner : std::uint8_t { scripts, terraform, config_connector };
constexpr auto words(Owner) { return word_list("scripts", "terraform", "config-connector"); }
// The command that the owner makes the pools with.
constexpr std::string_view command_of(Owner owner) {
  return owner == Owner::terraform          ? "terraform apply"
         : owner == Owner::config_connector ? "kubectl apply"
                                            : "provision.sh";
}

// A taint affects pods that do not tolerate it in one of these ways.
enum class Effect : std::uint8_t { no_schedule, prefer_no_schedule, no_execute };
constexpr auto words(Effect) { return word_list("NoSchedule", "PreferNoSchedule", "NoExecute"); }

}  // namespace flexslice::spec
