// These rules compare what pods say twice: ports of the host, the time to end, and the chips that
// Ray counts.
#include <fmt/core.h>

#include <map>

#include "base/ascii.hpp"
#include "resolve/requests.hpp"
#include "rules/object_rules.hpp"
#include "rules/programs.hpp"
#include "spec/derived_keys.hpp"

namespace flexslice::rules {

namespace {

std::string_view title_of_container(const Node& container) {
  const Node* name = container.find("name");
  return name == nullptr ? std::string_view() : std::string_view(name->text);
}

// Containers that run together; with the network of the host every port is one of the host.
void judge_shared_ports(const PodTree& pod, Sink& sink) {
  const Node* network = pod.spec.find("hostNetwork");
  if (network == nullptr || network->text != "true") return;
  std::map<std::string, const Node*> taken;
  for (const Node& container : items(pod.spec, "containers")) {
    for (const Node& port : items(container, "ports")) {
      const Node* number = port.find("containerPort");
      // A `hostPort` that is repeated is reported as that.
      if (!is_literal(number) || port.find("hostPort") != nullptr) continue;
      const Node *protocol = port.find("protocol"), *address = port.find("hostIP");
      const std::string key =
          fmt::format("{} {} {}", number->text, protocol == nullptr ? "TCP" : protocol->text,
                      address == nullptr ? "" : address->text);
      const auto [first, is_new] = taken.try_emplace(key, &container);
      // The same port twice in one container is reported as that.
      if (is_new || first->second == &container) continue;
      Diagnostic& finding = sink.report<Code::HostPortTaken>(
          *number, title_of_container(container), title_of_container(*first->second), number->text);
      finding.note("with `hostNetwork`, containers of a pod share the node's ports");
    }
  }
}

// Seconds that a preStop hook sleeps, as far as its words say it.
std::optional<std::int64_t> hook_seconds(const Node& hook) {
  if (const Node* seconds = hook.at({"sleep", "seconds"})) return text::whole_number(seconds->text);
  const Node* exec = hook.find("exec");
  if (exec == nullptr) return std::nullopt;
  std::vector<ProgramWord> words;
  for (const Node& word : items(*exec, "command")) add_words(word, words);
  std::optional<std::int64_t> all;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string_view word = words[i].text;
    if (word != "sleep" && !word.ends_with("/sleep")) continue;
    std::string_view amount = words[i + 1].text;
    const std::int64_t factor = amount.ends_with('m') ? 60 : amount.ends_with('h') ? 3600 : 1;
    if (!amount.empty() && !ascii::is_digit(amount.back())) amount.remove_suffix(1);
    if (const auto number = text::whole_number(amount)) all = all.value_or(0) + *number * factor;
  }
  return all;
}

void judge_hooks(const PodTree& pod, Sink& sink) {
  constexpr std::int64_t grace_of_kubernetes = 30;
  if (!says_all(pod.completeness)) return;
  const Node* said = pod.spec.find("terminationGracePeriodSeconds");
  const auto grace = said == nullptr ? grace_of_kubernetes : text::whole_number(said->text);
  if (!grace) return;
  for (const Node& container : items(pod.spec, "containers")) {
    const Node* hook = container.at({"lifecycle", "preStop"});
    const auto seconds = hook == nullptr ? std::nullopt : hook_seconds(*hook);
    if (!seconds || *seconds < *grace) continue;
    const bool is_refused = hook->find("sleep") != nullptr && *seconds > *grace;
    if (!is_refused && hook->find("exec") == nullptr) continue;
    Diagnostic& finding = sink.report<Code::HookAboveGrace>(*hook, *seconds, *grace);
    if (is_refused) finding.level = diag::Level::soft;
    if (said == nullptr) finding.note("30 s is the default of `terminationGracePeriodSeconds`");
    finding.help("write `terminationGracePeriodSeconds: {}`, for what the program does then",
                 *seconds + grace_of_kubernetes);
  }
}

// The number at the key of a text such as `"{\"TPU\": 8}"`; nothing: it has none.
std::optional<std::int64_t> tpus_in(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (c != '\\' && c != '"' && c != '\'' && !ascii::is_space(c)) plain += c;
  }
  std::string_view rest = plain;
  for (std::string_view key : {"{TPU:", ",TPU:"}) {
    const std::size_t at = rest.find(key);
    if (at == rest.npos) continue;
    rest.remove_prefix(at + key.size());
    rest = rest.substr(
        0, text::find_if(rest, 0, [](char c) { return !ascii::is_digit(c) && c != '.'; }));
    return text::whole_number(rest.substr(0, rest.find('.')));
  }
  return std::nullopt;
}

// The part of the object that describes the cluster of Ray, or null.
const Node* ray_cluster(const PodTree& pod) {
  if (pod.object == nullptr) return nullptr;
  for (std::initializer_list<std::string_view> path :
       {std::initializer_list<std::string_view>{"spec"},
        {"spec", "rayClusterSpec"},
        {"spec", "rayClusterConfig"}}) {
    const Node* spec = pod.object->at(path);
    if (spec != nullptr && spec->find("headGroupSpec") != nullptr) return spec;
  }
  return nullptr;
}

// The group of it that has these pods.
const Node* ray_group(const PodTree& pod, const Node& cluster) {
  if (cluster.at({"headGroupSpec", "template", "spec"}) == &pod.spec)
    return cluster.find("headGroupSpec");
  return find_where(items(cluster, "workerGroupSpecs"), [&](const Node& group) {
    return group.at({"template", "spec"}) == &pod.spec;
  });
}

// The chips of a pod; nothing: they are not known.
std::optional<std::int64_t> said_chips(const Node& pod_spec) {
  const resolve::Requests requests = resolve::pod_requests(pod_spec);
  const auto own = requests.find(spec::tpu_resource);
  if (own != requests.end()) return static_cast<std::int64_t>(own->second.nano / Quantity::unit);
  const bool is_said = any_of(items(pod_spec, "containers"), [](const Node& container) {
    const Node* resources = container.find("resources");
    return resources != nullptr && (resources->at({"limits", spec::tpu_resource}) != nullptr ||
                                    resources->at({"requests", spec::tpu_resource}) != nullptr);
  });
  return is_said ? std::nullopt : std::optional<std::int64_t>(0);
}

// The most that a node of the cluster has.
std::optional<std::int64_t> most_said_chips(const Node& cluster) {
  const Node* head = cluster.at({"headGroupSpec", "template", "spec"});
  auto most = head == nullptr ? std::nullopt : said_chips(*head);
  const Node* groups = cluster.find("workerGroupSpecs");
  if (groups != nullptr && groups->kind != yaml::Kind::sequence) return std::nullopt;
  for (const Node& group : items(cluster, "workerGroupSpecs")) {
    const Node* pods = group.at({"template", "spec"});
    const auto chips = pods == nullptr ? std::nullopt : said_chips(*pods);
    most = most && chips ? std::optional(std::max(*most, *chips)) : std::nullopt;
  }
  return most;
}

void report_ray(Span where, std::int64_t told, std::int64_t chips, std::string_view what,
                Sink& sink) {
  Diagnostic& finding = sink.report<Code::RayChipsDiffer>(where, text::count(told, "TPU"), what,
                                                          text::count(chips, "chip"));
  if (chips > 0) finding.help("write {}", chips);
}

// Numbers after `TPU` in applications of Serve, of which each replica is on one node.
void judge_actors(const Node& config, std::int64_t chips, Sink& sink) {
  constexpr std::string_view key = "TPU:";
  for (std::string_view line : text::split(config.text, '\n')) {
    std::string plain(line.substr(0, line.find('#')));
    std::erase_if(plain, [](char c) { return c == '"' || c == '\''; });
    for (std::size_t at = 0; (at = plain.find(key, at)) != plain.npos;) {
      const bool is_word = at > 0 && ascii::is_word(plain[at - 1]);
      at += key.size();
      std::string_view number = text::trim(std::string_view(plain).substr(at));
      number =
          number.substr(0, text::find_if(number, 0, [](char c) { return !ascii::is_digit(c); }));
      const auto told = text::whole_number(number);
      if (!is_word && told && *told > chips &&
          sink.find(Code::RayChipsDiffer, config.span) == nullptr)
        report_ray(config.span, *told, chips, "each node", sink);
    }
  }
}

void judge_ray_chips(const PodTree& pod, Sink& sink) {
  const Node* cluster = ray_cluster(pod);
  const Node* group = cluster == nullptr ? nullptr : ray_group(pod, *cluster);
  if (group == nullptr || !says_all(pod.completeness)) return;
  const auto chips = said_chips(pod.spec);
  const Node* resources = group->at({"rayStartParams", "resources"});
  const auto told = resources != nullptr ? tpus_in(resources->text) : std::nullopt;
  if (told && chips && *told != *chips) report_ray(resources->span, *told, *chips, "the pod", sink);
  const auto most = most_said_chips(*cluster);
  if (!most || group != cluster->find("headGroupSpec")) return;
  // The entry point runs on one node.
  const Node* entry = pod.object->at({"spec", "entrypointResources"});
  const auto of_entry = entry == nullptr ? std::nullopt : tpus_in(entry->text);
  if (of_entry && *of_entry > *most) report_ray(entry->span, *of_entry, *most, "each node", sink);
  if (const Node* serve = pod.object->at({"spec", "serveConfigV2"}))
    judge_actors(*serve, *most, sink);
}

// The resources of the pod as a whole are its CPUs and memory.
void judge_chips_of_pod(const PodTree& pod, Sink& sink) {
  if (!says_all(pod.completeness)) return;
  for (std::string_view kind : {"limits", "requests"}) {
    const Node* chips = pod.spec.at({"resources", kind, spec::tpu_resource});
    if (chips != nullptr)
      sink.report<Code::FieldsContradict>(*chips, "resources",
                                          "`google.com/tpu`, which only containers can request")
          .help("write it into `resources` of the container");
  }
}

}  // namespace

PodRules pod_device_rules() {
  static constexpr PodRule rules[] = {judge_shared_ports, judge_hooks, judge_ray_chips,
                                      judge_chips_of_pod};
  return rules;
}

}  // namespace flexslice::rules
