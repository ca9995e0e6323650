// Revisions of the protocol, and which of them a message is of.
#pragma once

#include <string>
#include <string_view>

#include "rpc/peer.hpp"

namespace flexslice::mcp {

inline constexpr const char* modern_version = "2026-07-28";
inline constexpr const char* version_key = "io.modelcontextprotocol/protocolVersion";
inline constexpr const char* capabilities_key = "io.modelcontextprotocol/clientCapabilities";
inline constexpr const char* server_info_key = "io.modelcontextprotocol/serverInfo";
inline constexpr int unsupported_version = -32022;
inline constexpr int resource_not_found = -32002;  // before 2026-07-28

enum class Era : std::uint8_t {
  initialized,  // a client begins with `initialize`
  stateless,    // each request has the revision and the client's capabilities in `_meta`
};

// Throws RpcError for a stateless request of another revision, or without what it must have.
Era era_of(const rpc::Message& message);

// The revision for a client that begins with `initialize`: the newest that is not newer than what
// it asks for, if there is one.
std::string_view agreed_version(std::string_view asked);

}  // namespace flexslice::mcp
