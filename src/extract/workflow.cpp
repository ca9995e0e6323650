#include "extract/workflow.hpp"

#include <algorithm>
#include <string_view>

#include "base/lines.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "yaml/parse.hpp"

namespace flexslice::extract {

using std::size_t;

namespace {

// The lines of a block or plain scalar without their indentation; of a folded one, as one line.
Excerpt script_lines(const Excerpt& document, size_t begin, size_t end, bool is_folded) {
  Excerpt script;
  const std::string_view text = std::string_view(document.text).substr(0, end);
  const size_t first = text.find_first_not_of(" \r\n", begin);
  const size_t indent = first == text.npos ? 0 : first - text::line_begin(text, first);
  for (size_t at = begin; at < end;) {
    const size_t next = text::next_line(text, at);
    size_t from = at;
    while (from < next && from - at < indent && text[from] == ' ') ++from;
    const size_t line_end = std::min(text::line_end(text, at), next);
    const bool joins = is_folded && next < end && line_end > from &&
                       !text::trim(text.substr(next, text::line_end(text, next) - next)).empty();
    append_bytes(script, document, from, joins ? line_end : next);
    if (joins) append_bytes(script, " ", document.host(line_end));
    at = next;
  }
  return script;
}

Excerpt script_of(const Excerpt& document, const yaml::Node& run) {
  const size_t begin = run.span.begin;
  const size_t end = run.span.end;
  const std::string_view text = document.text;
  const char first = text[begin];
  if (first == '|' || first == '>')
    return script_lines(document, std::min(text::next_line(text, begin), end), end, first == '>');
  if (!run.quoted) return script_lines(document, begin, end, true);
  const std::string_view inner = text.substr(begin + 1, end - begin - 2);
  if (contains(inner, '\n') || contains(inner, first) || contains(inner, '\\')) return {};
  return part(document, begin + 1, end - 1);
}

}  // namespace

std::vector<Excerpt> workflow_steps(const Excerpt& document) {
  if (document.text.find("jobs:") == std::string::npos ||
      document.text.find("run:") == std::string::npos)
    return {};
  Sources sources;
  sources.add({"", document.text});
  diag::Sink sink;
  const auto root = yaml::parse(sources, 0, sink, {.merge_keys = true});
  const yaml::Node* const jobs = root && root->find("on") ? root->find("jobs") : nullptr;
  std::vector<Excerpt> found;
  if (!jobs) return found;
  for (const yaml::Member& job : jobs->members) {
    const yaml::Node* const list = job.value.find("steps");
    if (!list) continue;
    for (const yaml::Node& step : list->items) {
      const yaml::Node* const run = step.find("run");
      if (!run || run->kind != yaml::Kind::scalar || run->span.end < run->span.begin + 2) continue;
      if (Excerpt script = script_of(document, *run); !script.segments.empty()) {
        script.is_embedded = true;
        found.push_back(std::move(script));
      }
    }
  }
  return found;
}

}  // namespace flexslice::extract
