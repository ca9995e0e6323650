// Flags by which servers learn how many devices they have.
#include <fmt/core.h>

#include <algorithm>

#include "rules/object_rules.hpp"
#include "rules/programs.hpp"

namespace flexslice::rules {

namespace {

bool is_server(std::string_view word) {
  return word == "vllm" || word.ends_with("/vllm") || word.starts_with("vllm.entrypoints.") ||
         word.find("vllm/entrypoints/") != word.npos;
}

// The names of the models that the server answers for; none: they are not known.
std::vector<std::string_view> served_models(std::span<const ProgramWord> words) {
  std::vector<std::string_view> loaded, named;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i].text;
    if (word.find('$') != word.npos) return {};
    const std::string_view flag = word.substr(0, word.find('='));
    const bool is_model = flag == "--model", is_name = flag == "--served-model-name";
    if (word == "serve" && i > 0 && is_server(words[i - 1].text) && i + 1 < words.size() &&
        !words[i + 1].text.starts_with('-'))
      loaded.push_back(words[i + 1].text);
    if (!is_model && !is_name) continue;
    std::vector<std::string_view>& all = is_name ? named : loaded;
    if (flag.size() < word.size()) {
      all.push_back(word.substr(flag.size() + 1));
      continue;
    }
    for (std::size_t next = i + 1; next < words.size(); ++next) {
      if (words[next].text.starts_with('-')) break;
      all.push_back(words[next].text);
      if (is_model) break;
    }
  }
  return named.empty() ? loaded : named;
}

// A Gateway that names a model which the server does not answer for.
void judge_served_model(const PodTree& pod, Sink& sink) {
  const Text& model = pod.facts.claims.workload.gateway.model;
  if (!model.usable()) return;
  for (const Node& container : items(pod.spec, "containers")) {
    std::vector<ProgramWord> words;
    for (std::string_view key : {"command", "args"}) {
      for (const Node& word : items(container, key)) add_words(word, words);
    }
    const auto names_server = [](const ProgramWord& word) { return is_server(word.text); };
    if (std::ranges::count_if(words, names_server) != 1) continue;
    const auto served = served_models(words);
    if (served.empty() || contains(served, model.value)) continue;
    sink.report<Code::ModelNotServed>(model, model.value, text::join(served, ", "))
        .help("write `model: {}`, or add `--served-model-name={}`", served.front(), model.value);
    return;
  }
}

void judge_programs_of(const PodTree& pod, Sink& sink) {
  for (const Node& container : items(pod.spec, "containers")) {
    if (pod.on_tpus) judge_image(container, sink);
    const auto program = program_in(pod, container);
    if (!program) continue;
    judge_devices(*program, sink);
  }
}

}  // namespace

PodRules pod_serving_rules() {
  static constexpr PodRule rules[] = {judge_programs_of, judge_served_model};
  return rules;
}

}  // namespace flexslice::rules
