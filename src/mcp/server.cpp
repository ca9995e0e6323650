#include "mcp/server.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "mcp/era.hpp"

namespace flexslice::mcp {

using rpc::RpcError;

namespace {

// Tools and resources are part of the program, so that what a client keeps of them stays valid.
constexpr int kept_for_ms = 3'600'000;

json capabilities() { return {{"tools", json::object()}, {"resources", json::object()}}; }

json definitions(const auto& offered) {
  json all = json::array();
  for (const auto& each : offered) all.push_back(each.definition);
  return all;
}

std::string joined_names(const auto& offered, const char* key) {
  std::vector<std::string> names;
  for (const auto& each : offered)
    names.push_back(each.definition.at(key).template get<std::string>());
  return text::join(names, ", ");
}

const auto* find_offered(const auto& offered, const char* key, const std::string& name) {
  const auto found = std::ranges::find_if(
      offered, [&](const auto& each) { return each.definition.at(key) == name; });
  return found == offered.end() ? nullptr : &*found;
}

const std::string& string_in(const json& params, const char* key) {
  const auto found = params.find(key);
  if (found == params.end() || !found->is_string())
    throw RpcError(rpc::invalid_params, fmt::format("`{}` must be a string", key));
  return found->get_ref<const std::string&>();
}

}  // namespace

ToolServer::ToolServer(Offer offer, std::string_view version,
                       std::function<void(std::string_view)> send)
    : offer_(std::move(offer)),
      info_{{"name", "flexslice"}, {"title", "flexslice"}, {"version", version}},
      peer_(std::move(send), rpc::Peer::UnknownId::left_out) {}

void ToolServer::handle(std::string_view body) {
  peer_.handle(body, [this](const rpc::Message& message) { return answer(message); });
}

json ToolServer::answer(const rpc::Message& message) {
  // No notification changes anything: calls are answered before the next message is read.
  if (!message.is_request) return nullptr;
  const Era era = era_of(message);
  if (era == Era::initialized) {
    if (message.method == "initialize") return initialize(message.params);
    if (message.method == "ping") return json::object();
    if (!is_initialized_)
      throw RpcError(rpc::invalid_params,
                     fmt::format("`initialize` comes first, or each request has `_meta` with `{}` "
                                 "and `{}`",
                                 version_key, capabilities_key));
    return result_of(message.method, message.params);
  }
  json result = message.method == "server/discover" ? json{{"supportedVersions", {modern_version}},
                                                           {"capabilities", capabilities()},
                                                           {"instructions", offer_.instructions}}
                                                    : result_of(message.method, message.params);
  result["resultType"] = "complete";
  result["_meta"] = {{server_info_key, info_}};
  if (message.method != "tools/call") {
    result["ttlMs"] = kept_for_ms;
    result["cacheScope"] = "public";
  }
  return result;
}

json ToolServer::initialize(const json& params) {
  is_initialized_ = true;
  return {{"protocolVersion", agreed_version(string_in(params, "protocolVersion"))},
          {"capabilities", capabilities()},
          {"serverInfo", info_},
          {"instructions", offer_.instructions}};
}

json ToolServer::result_of(const std::string& method, const json& params) {
  if (method == "tools/list") return list("tools", params, definitions(offer_.tools));
  if (method == "tools/call") return call(params);
  if (method == "resources/list") return list("resources", params, definitions(offer_.resources));
  if (method == "resources/templates/list") return list("resourceTemplates", params, json::array());
  if (method == "resources/read") return read(params);
  throw RpcError(rpc::unknown_method, fmt::format("unknown method `{}`", method));
}

// Each list is one page.
json ToolServer::list(std::string_view key, const json& params, json items) const {
  if (params.contains("cursor")) throw RpcError(rpc::invalid_params, "unknown cursor");
  return {{key, std::move(items)}};
}

json ToolServer::call(const json& params) {
  const std::string& name = string_in(params, "name");
  const Tool* tool = find_offered(offer_.tools, "name", name);
  if (tool == nullptr)
    throw RpcError(rpc::invalid_params, fmt::format("unknown tool `{}`; the tools are {}", name,
                                                    joined_names(offer_.tools, "name")));
  static const json none = json::object();
  const auto found = params.find("arguments");
  const json& arguments = found == params.end() || found->is_null() ? none : *found;
  const std::string refusal = argument_error(tool->definition.at("inputSchema"), arguments);
  Answer answer = refusal.empty() ? tool->call(arguments) : Answer{refusal, nullptr, true};
  const json content = {{"type", "text"}, {"text", std::move(answer.text)}};
  json result{{"content", json::array({content})}, {"isError", answer.is_error}};
  if (!answer.structured.is_null()) result["structuredContent"] = std::move(answer.structured);
  return result;
}

json ToolServer::read(const json& params) const {
  const std::string& uri = string_in(params, "uri");
  const OfferedText* resource = find_offered(offer_.resources, "uri", uri);
  if (resource == nullptr)
    throw RpcError(params.contains("_meta") && params.at("_meta").contains(version_key)
                       ? rpc::invalid_params
                       : resource_not_found,
                   fmt::format("unknown resource `{}`; `resources/list` has those there are", uri),
                   {{"uri", uri}});
  const json contents = {
      {"uri", uri}, {"mimeType", resource->definition.at("mimeType")}, {"text", resource->text}};
  return {{"contents", json::array({contents})}};
}

}  // namespace flexslice::mcp
