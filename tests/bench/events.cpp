// The yardstick of the benchmark: yaml-cpp's own event pass over a file, with a handler that does
// nothing.
//   flexslice-events FILE...   reads every file whole, then passes over it
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/parser.h>

#include <cstdio>
#include <sstream>
#include <string>

namespace {

class Nothing final : public YAML::EventHandler {
  using Mark = YAML::Mark;
  using Anchor = YAML::anchor_t;
  using Style = YAML::EmitterStyle::value;

 public:
  void OnDocumentStart(const Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const Mark&, Anchor) override {}
  void OnAlias(const Mark&, Anchor) override {}
  void OnScalar(const Mark&, const std::string&, Anchor, const std::string&) override {}
  void OnSequenceStart(const Mark&, const std::string&, Anchor, Style) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const Mark&, const std::string&, Anchor, Style) override {}
  void OnMapEnd() override {}
};

bool read(const char* path, std::string& text) {
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return false;
  char chunk[65536];
  text.clear();
  for (std::size_t count = 0; (count = std::fread(chunk, 1, sizeof chunk, file)) > 0;)
    text.append(chunk, count);
  std::fclose(file);
  return true;
}

}  // namespace

// callgrind counts what happens in here; see measuring.py.
extern "C" __attribute__((noinline)) void event_pass(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  Nothing handler;
  while (parser.HandleNextDocument(handler)) {
  }
}

int main(int argc, char** argv) {
  std::string text;
  for (int i = 1; i < argc; ++i) {
    if (!read(argv[i], text)) return 3;
    event_pass(text);
  }
  return 0;
}
