#include "extract/workflow.hpp"

#include <string_view>

#include "extract/scalar_text.hpp"
#include "yaml/parse.hpp"

namespace flexslice::extract {

using std::size_t;

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
      if (Excerpt script = text_of_scalar(document, *run); !script.segments.empty()) {
        script.is_embedded = true;
        found.push_back(std::move(script));
      }
    }
  }
  return found;
}

}  // namespace flexslice::extract
