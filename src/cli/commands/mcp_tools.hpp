// The tools of `flexslice mcp`. help/tools.yaml has what they take and give. Pure: texts in, an
// answer out.
#pragma once

#include "cli/run/settings.hpp"
#include "mcp/server.hpp"

namespace flexslice::cli {

// The text of an answer, and its lists, have at most this many bytes: clients cut what is longer,
// without a way to ask for the rest.
inline constexpr std::size_t max_answer_bytes = 40'000;
// A call may have several texts, and each is limited.
inline constexpr std::size_t max_text_bytes = 1u << 20;

// The settings are the command's: layers and policy below those of each call. They must outlive it.
mcp::Offer mcp_offer(const Run& run);

// The JSON Schema of a list of findings, as `--format json` prints it.
std::string findings_schema();

}  // namespace flexslice::cli
