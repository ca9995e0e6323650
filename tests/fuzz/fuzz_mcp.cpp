// Any bytes as the stream of an assistant's client, as its messages, and as the text of a tool's
// call: nothing crashes, and what is sent is one object a line.
#include "base/json.hpp"
#include "cli/commands/mcp_tools.hpp"
#include "mcp/server.hpp"
#include "rpc/frames.hpp"
#include "support.hpp"

using namespace flexslice;

namespace {

constexpr std::string_view first =
    R"({"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25"}})";

const mcp::Offer& offer() {
  static const cli::Run& run = *new cli::Run;
  static const mcp::Offer& made = *new mcp::Offer(cli::mcp_offer(run));
  return made;
}

mcp::ToolServer server() {
  return {offer(), "0", [](std::string_view body) {
            fuzz::require(body.starts_with('{') && body.ends_with('}') && fuzz::is_utf8(body) &&
                              body.find('\n') == body.npos,
                          "a message is an object in UTF-8 on one line", body);
          }};
}

void read_stream(std::string_view bytes) {
  mcp::ToolServer server = ::server();
  server.handle(first);
  rpc::Lines lines;
  // In two parts, as a pipe may give them.
  const std::size_t middle = bytes.size() / 2;
  for (std::string_view part : {bytes.substr(0, middle), bytes.substr(middle)}) {
    lines.add(part);
    for (std::size_t count = 0; const auto line = lines.next(); ++count) {
      fuzz::require(count <= bytes.size(), "each message takes bytes of the stream");
      line->error.empty() ? server.handle(line->body) : server.refuse(line->error);
    }
  }
}

void call_tools(const std::string& text) {
  mcp::ToolServer server = ::server();
  server.handle(first);
  std::string quoted;
  json::append_string(
      text, [](std::uint32_t point) { return point >= ' '; }, quoted);
  for (const auto& [tool, key] :
       std::initializer_list<std::pair<std::string_view, std::string_view>>{{"check", "specs"},
                                                                            {"compile", "specs"},
                                                                            {"lint", "files"},
                                                                            {"import", "files"},
                                                                            {"explain", "specs"}})
    server.handle(fmt::format(
        R"({{"id":1,"method":"tools/call","params":{{"name":"{}","arguments":{{"{}":[{{"text":{}}}]}}}}}})",
        tool, key, quoted));
  for (std::string_view argument :
       {R"("explain","arguments":{"topic")", R"("catalog","arguments":{"type")"})
    server.handle(fmt::format(R"({{"id":1,"method":"tools/call","params":{{"name":{}:{}}}}}}})",
                              argument, quoted));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_stream(bytes);
  const std::string text = fuzz::valid_utf8(bytes);
  call_tools(text);
  call_tools("apiVersion: flexslice/v1\n" + text);
  return 0;
}
