#include "rpc/peer.hpp"

namespace flexslice::rpc {

namespace {

bool is_deep(std::string_view body) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const char c = body[i];
    if (in_string && c == '\\') {
      ++i;
    } else if (c == '"') {
      in_string = !in_string;
    } else if (!in_string && (c == '[' || c == '{') && ++depth > max_depth) {
      return true;
    } else if (!in_string && (c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return false;
}

}  // namespace

void Peer::handle(std::string_view body, const std::function<json(const Message&)>& answer) {
  if (is_deep(body))
    return fail(nullptr, parse_error,
                "the message has more than " + std::to_string(max_depth) + " levels");
  const json message = json::parse(body, nullptr, false);
  if (message.is_discarded()) return fail(nullptr, parse_error, "the message is not JSON");
  if (!message.is_object()) return fail(nullptr, invalid_request, "the message is not an object");
  take(message, answer);
}

void Peer::take(const json& message, const std::function<json(const Message&)>& answer) {
  const auto id = message.find("id"), method = message.find("method");
  const bool is_request = id != message.end();
  const bool has_id = is_request && (id->is_number_integer() || id->is_string());
  const json answer_to = has_id ? *id : json();
  // An answer to a request; neither server makes one.
  if (method == message.end() && (message.contains("result") || message.contains("error"))) return;
  if (method == message.end() || !method->is_string() || (is_request && !has_id))
    return fail(answer_to, invalid_request, "the message is not a valid request");
  static const json none = json::object();
  const auto params = message.find("params");
  const json& given = params == message.end() || params->is_null() ? none : *params;
  try {
    json result = answer({method->get_ref<const std::string&>(), given, is_request});
    if (is_request) send({{"id", answer_to}, {"result", std::move(result)}});
  } catch (const RpcError& refusal) {
    if (is_request) fail(answer_to, refusal.code, refusal.what(), refusal.data);
  } catch (const json::exception&) {
    if (is_request) fail(answer_to, invalid_params, "the parameters have another form");
  } catch (const std::exception& error) {
    if (is_request) fail(answer_to, internal_error, error.what());
  }
}

void Peer::notify(std::string_view method, json params) {
  send({{"method", method}, {"params", std::move(params)}});
}

void Peer::fail(const json& id, int code, std::string_view text, const json& data) {
  json error{{"code", code}, {"message", text}};
  if (!data.is_null()) error["data"] = data;
  json message{{"error", std::move(error)}};
  if (!id.is_null() || unknown_ == UnknownId::null) message["id"] = id;
  send(std::move(message));
}

void Peer::send(json message) {
  message["jsonrpc"] = "2.0";
  // A place of a finding may cut a code point.
  send_(message.dump(-1, ' ', false, json::error_handler_t::replace));
}

}  // namespace flexslice::rpc
