#include "mcp/era.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace flexslice::mcp {

using rpc::json, rpc::RpcError;

Era era_of(const rpc::Message& message) {
  const auto meta = message.params.find("_meta");
  const auto version = meta == message.params.end() || !meta->is_object() ? json::const_iterator()
                                                                          : meta->find(version_key);
  if (meta == message.params.end() || !meta->is_object() || version == meta->end()) {
    if (message.method != "server/discover") return Era::initialized;
    throw RpcError(rpc::invalid_params, fmt::format("`_meta` lacks `{}`", version_key));
  }
  if (!version->is_string())
    throw RpcError(rpc::invalid_params, fmt::format("`{}` must be a string", version_key));
  if (*version != modern_version)
    throw RpcError(
        unsupported_version,
        fmt::format("unsupported protocol version; `{}` has {}", version_key, modern_version),
        {{"supported", {modern_version}}, {"requested", *version}});
  const auto capabilities = meta->find(capabilities_key);
  if (capabilities == meta->end() || !capabilities->is_object())
    throw RpcError(rpc::invalid_params, fmt::format("`_meta` lacks `{}`", capabilities_key));
  return Era::stateless;
}

std::string_view agreed_version(std::string_view asked) {
  // The version of 2025-03-26 is left out: it has batches, which no later one has.
  constexpr std::string_view known[] = {"2025-11-25", "2025-06-18", "2024-11-05"};
  const auto* found =
      std::ranges::find_if(known, [&](std::string_view version) { return version <= asked; });
  return found == std::end(known) ? known[0] : *found;
}

}  // namespace flexslice::mcp
