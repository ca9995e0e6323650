// Flags by which servers learn how many devices they have.
#include <fmt/core.h>

#include <algorithm>

#include "resolve/requests.hpp"
#include "rules/servers.hpp"
#include "spec/derived_keys.hpp"
#include "yaml/value.hpp"

namespace flexslice::rules {

namespace {

// The flags are those of vLLM.
bool is_parallel(const Server* server) { return server != nullptr && server->name == "vLLM"; }

std::ptrdiff_t servers_in(std::span<const ServerWord> words, const Catalog& catalog) {
  return std::ranges::count_if(
      words, [&](const ServerWord& word) { return is_parallel(server_of(word.text, catalog)); });
}

// How a server divides its work.
struct Parallel {
  std::int64_t tensor = 1, pipeline = 1, data = 1, local_data = 0;
  bool is_apart = false;  // this process is one of several that form the whole
  Span where;

  std::int64_t devices() const {
    return tensor * pipeline * (local_data > 0 ? local_data : is_apart ? 1 : data);
  }
};

struct ParallelFlag {
  std::string_view name, short_name;
  std::int64_t Parallel::*number;
};
constexpr ParallelFlag parallel_flags[] = {
    {"--tensor-parallel-size", "-tp", &Parallel::tensor},
    {"--pipeline-parallel-size", "-pp", &Parallel::pipeline},
    {"--data-parallel-size", "-dp", &Parallel::data},
    {"--data-parallel-size-local", "-dpl", &Parallel::local_data}};

// Nothing: it is not said, or of more than one server.
std::optional<Parallel> parallel_of(std::span<const ServerWord> words) {
  Parallel all;
  std::vector<std::string_view> seen;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i].text;
    std::string name(word.substr(0, word.find('=')));
    if (!name.starts_with('-')) continue;
    for (char& c : name) {
      if (c == '_') c = '-';
    }
    constexpr std::string_view apart[] = {
        "--data-parallel-rank",        "-dpn",
        "--data-parallel-start-rank",  "-dpr",
        "--data-parallel-address",     "-dpa",
        "--data-parallel-external-lb", "--data-parallel-hybrid-lb"};
    all.is_apart = all.is_apart || contains(apart, name);
    const auto* flag = find_where(parallel_flags, [&](const ParallelFlag& each) {
      return each.name == name || each.short_name == name;
    });
    if (flag == nullptr) continue;
    if (contains(seen, flag->name)) return std::nullopt;
    seen.push_back(flag->name);
    const bool is_next = word.find('=') == word.npos;
    if (is_next && i + 1 == words.size()) continue;
    const auto number =
        text::whole_number(is_next ? words[i + 1].text : word.substr(word.find('=') + 1));
    // An unknown number counts as one.
    if (!number || *number < 1 || *number > 100'000) continue;
    all.*(flag->number) = *number;
    if (*number > 1) all.where = words[is_next ? i + 1 : i].where;
  }
  return seen.empty() ? std::nullopt : std::optional(all);
}

std::int64_t chips_of(const Node& pod) {
  const resolve::Requests requests = resolve::pod_requests(pod);
  const auto own = requests.find(spec::tpu_resource);
  return own == requests.end() ? 0 : static_cast<std::int64_t>(own->second.nano / Quantity::unit);
}

std::int64_t number_or(const Node* node, std::int64_t otherwise) {
  return node == nullptr ? otherwise : text::whole_number(node->text).value_or(0);
}

// The devices that the group of the pod has, at most, and how one says so.
struct GroupDevices {
  std::int64_t count = 0;  // 0: not known
  std::string text = {};
};

const Generation* generation_of(const Node& pod, const Catalog& catalog) {
  const Node* label = pod.at({"nodeSelector", accelerator_label});
  return label == nullptr ? nullptr : find_generation(catalog, label->text);
}

GroupDevices devices_of(const PodTree& pod) {
  const Generation* generation = pod.facts.generation;
  std::int64_t chips = chips_of(pod.spec);
  const Node* spec = pod.object == nullptr ? nullptr : pod.object->find("spec");
  const Node* group = spec == nullptr ? nullptr : spec->find("leaderWorkerTemplate");
  if (group != nullptr) {
    const Node *workers = group->at({"workerTemplate", "spec"}),
               *leader = group->at({"leaderTemplate", "spec"});
    const std::int64_t size = number_or(group->find("size"), 1);
    if (workers == nullptr || size == 0) return {};
    if (generation == nullptr) generation = generation_of(*workers, pod.facts.catalog);
    chips = leader == nullptr ? size * chips_of(*workers)
                              : chips_of(*leader) + (size - 1) * chips_of(*workers);
  }
  if (generation == nullptr) return {};
  std::string shape;
  const auto take = [&](const std::optional<Topology>& topology) {
    if (!topology || topology->chips() <= chips) return;
    chips = topology->chips();
    shape = topology->text();
  };
  take(pod.facts.topology);
  const Node* of_slice = pod.metadata == nullptr
                             ? nullptr
                             : pod.metadata->at({"annotations", resolve::slice_annotation});
  if (of_slice != nullptr) take(parse_topology(of_slice->text));
  // Of pods without a topology, others may be of the same slice.
  const bool is_alone = pod.facts.topology || of_slice != nullptr || group != nullptr;
  if (chips == 0 || !is_alone) return {};
  if (shape.empty()) shape = text::count(chips, "chip");
  // Slices that several Jobs form may be one for the server.
  std::int64_t jobs = 0;
  if (spec != nullptr) {
    for (const Node& job : items(*spec, "replicatedJobs")) {
      const std::int64_t replicas = number_or(job.find("replicas"), 1);
      if (replicas == 0) return {};
      jobs += replicas;
    }
  }
  const std::int64_t slices = std::max({jobs, pod.facts.slices, std::int64_t{1}});
  const std::int64_t per_chip = generation->devices_per_chip;
  return {chips * per_chip * slices,
          fmt::format("{}{} of {}{}", slices > 1 ? fmt::format("{} × ", slices) : "", shape,
                      generation->id,
                      per_chip > 1 ? fmt::format(", {} devices a chip", per_chip) : "")};
}

// True where pods with chips may run the container.
void judge_server(const PodTree& pod, const Node& container, Sink& sink) {
  const std::vector<ServerWord> words = server_words(container);
  const Node* image = container.find("image");
  const auto servers = servers_in(words, pod.facts.catalog);
  const bool by_image = container.find("command") == nullptr && image != nullptr &&
                        image->text.find("vllm") != std::string::npos;
  if (servers > 1 || (servers == 0 && !by_image)) return;
  const auto parallel = parallel_of(words);
  if (!parallel || parallel->devices() < 2) return;
  const GroupDevices devices = devices_of(pod);
  if (devices.count == 0 || parallel->devices() <= devices.count) return;
  Diagnostic& finding =
      sink.report<Code::ParallelAboveDevices>(parallel->where, parallel->devices(), devices.count);
  finding.note("tensor {} × pipeline {} × data {} = {}", parallel->tensor, parallel->pipeline,
               parallel->devices() / parallel->tensor / parallel->pipeline, parallel->devices());
  finding.note("{}: {}", devices.text, text::count(devices.count, "device"));
  if (parallel->devices() == parallel->tensor)
    finding.help("write `--tensor-parallel-size={}`", devices.count);
}

// The names of the models that the server answers for; none: they are not known.
std::vector<std::string_view> served_models(std::span<const ServerWord> words,
                                            const Catalog& catalog) {
  std::vector<std::string_view> loaded, named;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i].text;
    if (word.find('$') != word.npos) return {};
    const std::string_view flag = word.substr(0, word.find('='));
    const bool is_model = flag == "--model", is_name = flag == "--served-model-name";
    if (word == "serve" && i > 0 && is_parallel(server_of(words[i - 1].text, catalog)) &&
        i + 1 < words.size() && !words[i + 1].text.starts_with('-'))
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
    const std::vector<ServerWord> words = server_words(container);
    if (servers_in(words, pod.facts.catalog) != 1) continue;
    const auto served = served_models(words, pod.facts.catalog);
    if (served.empty() || contains(served, model.value)) continue;
    sink.report<Code::ModelNotServed>(model, model.value, text::join(served, ", "))
        .help("write `model: {}`, or add `--served-model-name={}`", served.front(), model.value);
    return;
  }
}

void judge_servers(const PodTree& pod, Sink& sink) {
  for (const Node& container : items(pod.spec, "containers")) judge_server(pod, container, sink);
}

}  // namespace

PodRules pod_serving_rules() {
  static constexpr PodRule rules[] = {judge_servers, judge_served_model};
  return rules;
}

}  // namespace flexslice::rules
