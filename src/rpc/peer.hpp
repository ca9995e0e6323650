// JSON-RPC 2.0: reads messages, hands them on and writes the answers. The language server and the
// server for assistants are made of it. Pure: the caller moves the bytes.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace flexslice::rpc {

using nlohmann::json;

inline constexpr int parse_error = -32700, invalid_request = -32600, unknown_method = -32601,
                     invalid_params = -32602, internal_error = -32603;

// Levels of brackets in a message: a client needs a few, and a parser may need its stack for each.
inline constexpr std::size_t max_depth = 200;

// Thrown by what answers a request, for an error in place of a result.
struct RpcError : std::runtime_error {
  RpcError(int its_code, const std::string& text, json more = nullptr)
      : std::runtime_error(text), code(its_code), data(std::move(more)) {}

  int code;
  json data;  // null: none
};

struct Message {
  const std::string& method;
  const json& params;  // an empty object where there are none
  bool is_request;     // or a notification
};

class Peer {
 public:
  enum class UnknownId : std::uint8_t { null, left_out };  // of an answer to what has no id

  // `send` gets the body of each message, which is one line.
  explicit Peer(std::function<void(std::string_view)> send, UnknownId unknown = UnknownId::null)
      : send_(std::move(send)), unknown_(unknown) {}

  // `answer` gets each message that is well formed; what it returns goes to who asked.
  void handle(std::string_view body, const std::function<json(const Message&)>& answer);
  // A message that could not be read.
  void refuse(std::string_view error) { fail(nullptr, parse_error, error); }
  void notify(std::string_view method, json params);

 private:
  void take(const json& message, const std::function<json(const Message&)>& answer);
  void fail(const json& id, int code, std::string_view text, const json& data = nullptr);
  void send(json message);

  std::function<void(std::string_view)> send_;
  UnknownId unknown_;
};

}  // namespace flexslice::rpc
