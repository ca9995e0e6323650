// Lint spends most of its time on a large tree here, because this reads every byte.
#include <algorithm>

#include "base/text.hpp"
#include "driver/lint_file.hpp"

namespace flexslice::lint {

namespace {

// Manifests, commands and pages about TPUs have one of these somewhere. What compile makes says so,
// also where it has only volumes.
constexpr std::string_view needles[] = {"google.com/tpu",
                                        "gke-tpu",
                                        "tpu-topology",
                                        "tpu-v",
                                        "tpu7",
                                        "ct3",
                                        "ct4p-",
                                        "ct5",
                                        "ct6e-",
                                        "workload-policies",
                                        "tpu_topology",
                                        "tpu-type",
                                        "xpk ",
                                        "xpk.py",
                                        "compute-type",
                                        "gcluster job",
                                        "compiled by flexslice"};

// Every needle has three characters like these. Without branches, so that the compiler compares
// many at once.
constexpr char is_near(const char* at) {
  const char a = at[0], b = at[1], c = at[2];
  return ((a == 't') & (b == 'p') & (c == 'u')) |
         ((a == 'c') & (b == 't') & (c >= '3') & (c <= '6')) |
         ((a == 'd') & (b == '-') & (c == 'p')) | ((a == 'x') & (b == 'p') & (c == 'k')) |
         ((a == 'm') & (b == 'p') & (c == 'u')) | ((a == 'g') & (b == 'c') & (c == 'l')) |
         ((a == 'x') & (b == 's') & (c == 'l'));
}

constexpr bool has_any_near(std::string_view text) {
  constexpr std::size_t block = 64;
  std::size_t at = 0;
  for (; at + block + 2 <= text.size(); at += block) {
    const char* const from = text.data() + at;
    char found = 0;
    for (std::size_t i = 0; i < block; ++i) found |= is_near(from + i);
    if (found != 0) return true;
  }
  for (; at + 2 < text.size(); ++at) {
    if (is_near(text.data() + at) != 0) return true;
  }
  return false;
}
// Commands of GKE are judged by gcloud's table in any file.
constexpr std::string_view command_needles[] = {"gcloud", "container"};

static_assert(std::ranges::all_of(needles, has_any_near));
static_assert(has_any_near(command_needles[0]));

}  // namespace

Mentioned mentions(std::string_view text) {
  const auto has = [&](std::string_view needle) { return text::includes(text, needle); };
  if (!has_any_near(text)) return Mentioned::nothing;
  if (std::ranges::any_of(needles, has)) return Mentioned::tpus;
  return std::ranges::all_of(command_needles, has) ? Mentioned::commands : Mentioned::nothing;
}

}  // namespace flexslice::lint
