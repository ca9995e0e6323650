// The server of the Model Context Protocol: which messages there are in its two eras, and what is
// valid to ask of a tool. Revisions up to 2025-11-25 begin with `initialize`; in that of 2026-07-28
// each request says its revision. Pure: the caller moves the bytes, and brings the tools.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rpc/peer.hpp"

namespace flexslice::mcp {

using rpc::json;

struct Answer {
  std::string text;
  json structured = nullptr;  // an object, or null: there is none
  bool is_error = false;      // of the call: the text says what to change
};

struct Tool {
  json definition;  // as `tools/list` has it, with its name and inputSchema
  std::function<Answer(const json& arguments)> call;
};

struct OfferedText {
  json definition;  // as `resources/list` has it, with its uri and mimeType
  std::string text;
};

struct Offer {
  std::string instructions;
  std::vector<Tool> tools;
  std::vector<OfferedText> resources;
};

class ToolServer {
 public:
  // `send` gets each message to the client, which is one line.
  ToolServer(Offer offer, std::string_view version, std::function<void(std::string_view)> send);

  // A message of the client. What is malformed is answered with an error.
  void handle(std::string_view body);
  // A message that could not be read.
  void refuse(std::string_view error) { peer_.refuse(error); }

 private:
  json answer(const rpc::Message& message);
  json initialize(const json& params);
  json result_of(const std::string& method, const json& params);
  json list(std::string_view key, const json& params, json items) const;
  json call(const json& params);
  json read(const json& params) const;

  Offer offer_;
  json info_;  // name and version
  rpc::Peer peer_;
  bool is_initialized_ = false;
};

// Says what is wrong with the arguments by a JSON Schema, as far as tools use that; empty if
// nothing is. Messages call the value `path`.
std::string argument_error(const json& schema, const json& value, const std::string& path = {});

}  // namespace flexslice::mcp
