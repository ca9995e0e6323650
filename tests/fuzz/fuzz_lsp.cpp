// Any bytes as the stream of a language client, as its messages, and as the text that it has open:
// nothing crashes, and what is sent is one object a message.
#include "base/json.hpp"
#include "lsp/server.hpp"
#include "rpc/frames.hpp"
#include "support.hpp"

using namespace flexslice;

namespace {

constexpr std::string_view first = R"({"id":0,"method":"initialize","params":{}})";

lsp::Server server() {
  return {
      {fuzz::facts(), fuzz::built_in_templates(), {}, {}, {}, {}}, "0", [](std::string_view body) {
        fuzz::require(body.starts_with('{') && body.ends_with('}') && fuzz::is_utf8(body),
                      "a message is an object in UTF-8", body);
      }};
}

void read_stream(std::string_view bytes) {
  lsp::Server server = ::server();
  server.handle(first);
  rpc::Frames frames;
  frames.add(bytes);
  for (std::size_t count = 0; const auto frame = frames.next(); ++count) {
    fuzz::require(count <= bytes.size(), "each message takes bytes of the stream");
    frame->error.empty() ? server.handle(frame->body) : server.refuse(frame->error);
  }
  server.publish();
}

void read_messages(std::string_view bytes) {
  lsp::Server server = ::server();
  server.handle(first);
  for (std::string_view line : text::split(bytes, '\n')) server.handle(line);
  server.publish();
}

void open_text(std::string_view name, const std::string& text, std::size_t line,
               std::size_t character) {
  lsp::Server server = ::server();
  server.handle(first);
  std::string quoted;
  json::append_string(
      text, [](std::uint32_t point) { return point >= ' '; }, quoted);
  server.handle(fmt::format(
      R"({{"method":"textDocument/didOpen","params":{{"textDocument":{{"uri":"{}","text":{}}}}}}})",
      name, quoted));
  for (std::string_view method : {"hover", "completion", "codeAction", "documentSymbol"})
    server.handle(fmt::format(
        R"({{"id":1,"method":"textDocument/{0}","params":{{"textDocument":{{"uri":"{1}"}},"position":{{"line":{2},"character":{3}}},"range":{{"start":{{"line":0,"character":0}},"end":{{"line":{2},"character":{3}}}}}}}}})",
        method, name, line, character));
  server.publish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_stream(bytes);
  read_messages(bytes);
  const std::size_t line = size > 0 ? data[0] % 16 : 0, character = size > 1 ? data[1] % 32 : 0;
  const std::string text = fuzz::valid_utf8(bytes);
  open_text("a.yaml", "apiVersion: flexslice/v1\n" + text, line, character);
  for (std::string_view name : {"a.yaml", "a.md", "a.sh", "Makefile"})
    open_text(name, "# google.com/tpu\n" + text, line, character);
  return 0;
}
