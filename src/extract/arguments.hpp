// The words of a command as operands and flags.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extract/shell.hpp"

namespace flexslice::extract {

// Commands of gcloud that create what TPUs run on.
inline constexpr std::string_view create_pool = "container node-pools create",
                                  create_cluster = "container clusters create",
                                  create_autopilot = "container clusters create-auto",
                                  create_policy =
                                      "compute resource-policies create workload-policy";

struct FlagWords {
  std::string name;             // `--zone`, for `-z` too
  const Word* word = nullptr;   // that has the name
  const Word* value = nullptr;  // that has the value, the same for `--flag=value`; null: none
  std::size_t begin = 0;        // of the value in its word

  std::string text() const { return value == nullptr ? "" : value->text.substr(begin); }
};

struct Arguments {
  std::vector<const Word*> operands;
  std::vector<FlagWords> flags;
  std::size_t rest = 0;  // words after `--`
};

// Says whether the next word is the flag's value. `operands`: those before the flag.
using TakesValue =
    std::function<bool(const std::vector<const Word*>& operands, std::string_view flag)>;

// Lists the words of a command, with the words after a broken continuation.
std::vector<Word> all_words(const Command& command);
// Points into `words`.
Arguments read_arguments(std::span<const Word> words, const TakesValue& takes_value);

}  // namespace flexslice::extract
