// Any bytes as a file of each type: excerpts and the commands in them lie inside of the file, and
// their bytes are the file's.
#include "extract/file.hpp"
#include "extract/shell.hpp"
#include "support.hpp"

namespace {

using namespace flexslice;
using fuzz::require;

extract::Script read_script(const std::string& text, extract::Loops loops) {
  extract::Variables variables;
  return extract::read_shell(text, 0, variables, {"gcloud"}, loops);
}

void check_commands(const extract::Script& script, const std::string& text) {
  const auto lies_inside = [&](Span span) {
    require(span.begin <= span.end && span.end <= text.size(), "spans lie in the script", text);
  };
  for (const extract::Command& command : script.commands) {
    require(!command.words.empty(), "a command has words", text);
    lies_inside(command.where);
    lies_inside(command.broken);
    lies_inside(command.loop);
    for (const auto* words : {&command.words, &command.lost}) {
      for (const extract::Word& word : *words) {
        lies_inside(word.where);
        lies_inside(word.set_at);
      }
    }
  }
  for (const Span span : script.strings) lies_inside(span);
}

void check_script(const std::string& text) {
  check_commands(read_script(text, extract::Loops::unrolled), text);
  const extract::Script script = read_script(text, extract::Loops::once);
  check_commands(script, text);
  for (const extract::HereText& here : script.here_documents) {
    // Not in order: one may be in a substitution that begins before another and ends after it.
    require(here.begin <= here.end && here.end <= text.size(), "a here-document lies in the text",
            text);
    std::size_t after = here.begin;
    for (const extract::Replacement& each : here.replacements) {
      require(after <= each.begin && each.begin < each.end && each.end <= here.end,
              "replacements are in order", text);
      after = each.end;
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using extract::FileType;
  const std::string text(reinterpret_cast<const char*>(data), size);
  extract::file_type("stdin", text);
  for (const FileType type : {FileType::yaml, FileType::page, FileType::script, FileType::makefile,
                              FileType::terraform}) {
    for (const extract::Excerpt& excerpt : extract::excerpts(text, type)) {
      require(!excerpt.segments.empty() && excerpt.segments[0].begin == 0, "places are known",
              excerpt.text);
      for (std::size_t i = 0; i < excerpt.segments.size(); ++i) {
        const auto& [begin, host, replaced] = excerpt.segments[i];
        const std::size_t end = excerpt.end_of(excerpt.segments[i]);
        require(begin <= end, "segments are in order", excerpt.text);
        require(host + (replaced > 0 ? replaced : end - begin) <= size + 2,
                "an excerpt lies in the file", excerpt.text);
      }
      if (excerpt.language == extract::Language::shell) check_script(excerpt.text);
    }
  }
  return 0;
}
