// Flags by which servers learn how many devices they have.
#include <fmt/core.h>

#include <algorithm>

#include "rules/object_rules.hpp"
#include "rules/servers.hpp"

namespace flexslice::rules {

namespace {

// The names of the models that the server answers for; none: they are not known.
std::vector<std::string_view> served_models(const RunningServer& running, const Catalog& catalog) {
  const std::vector<ProgramWord>& words = running.words;
  const Server& server = *running.server;
  std::vector<std::string_view> loaded, named;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i].text;
    if (word.find('$') != word.npos) return {};
    const std::string_view flag = word.substr(0, word.find('='));
    const bool is_model = contains(server.model_flags, flag),
               is_name = contains(server.name_flags, flag);
    if (!server.verb.empty() && word == server.verb && i > 0 &&
        server_of(words[i - 1].text, catalog) == &server && i + 1 < words.size() &&
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
    const auto running = running_server(container, pod.facts.catalog, ServerUse::devices);
    if (!running || !running->is_named) continue;
    const auto served = served_models(*running, pod.facts.catalog);
    if (served.empty() || contains(served, model.value)) continue;
    sink.report<Code::ModelNotServed>(model, model.value, text::join(served, ", "))
        .help("write `model: {}`, or add `--served-model-name={}`", served.front(), model.value);
    return;
  }
}

void judge_programs_of(const PodTree& pod, Sink& sink) {
  for (const Node& container : items(pod.spec, "containers")) {
    if (pod.on_tpus) judge_image(container, pod.facts.catalog, sink);
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
