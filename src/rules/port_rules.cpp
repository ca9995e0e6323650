// Ports: where servers listen, and which ports containers have and probes ask.
#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "rules/servers.hpp"
#include "schema/pattern.hpp"
#include "spec/derived_keys.hpp"

namespace flexslice::rules {

namespace {

constexpr std::string_view probe_names[] = {"startupProbe", "readinessProbe", "livenessProbe"};

// Ports of the TPU runtime, of which each chip has one.
bool is_of_runtime(std::int64_t number, const Catalog& catalog) {
  constexpr int most_chips = 16;
  return any_of(catalog.ports, [&](const Port& port) {
    return port.when != PortUse::multislice && number >= port.number &&
           number < port.number + (port.per ? most_chips : 1);
  });
}

struct AskedPort {
  std::string_view probe;
  const Node* port = nullptr;
  std::int64_t number = 0;
};

// A port that is asked by its name is that of the container.
std::optional<std::int64_t> asked_number(const Node& port, const Node& container) {
  if (const auto number = text::whole_number(port.text)) return number;
  for (const Node& own : items(container, "ports")) {
    const Node *name = own.find("name"), *number = own.find("containerPort");
    if (is_literal(name) && name->text == port.text && is_literal(number))
      return text::whole_number(number->text);
  }
  return std::nullopt;
}

// Only probes that ask the pod itself, with a port that is known, are judged.
std::vector<AskedPort> asked_ports(const Node& container) {
  std::vector<AskedPort> asked;
  for (std::string_view probe : probe_names) {
    for (std::string_view handler : {"httpGet", "tcpSocket", "grpc"}) {
      const Node *port = container.at({probe, handler, "port"}),
                 *host = container.at({probe, handler, "host"});
      if (!is_literal(port) || host != nullptr) continue;
      const auto number = asked_number(*port, container);
      if (number && *number > 0 && *number < 65536) asked.push_back({probe, port, *number});
    }
  }
  return asked;
}

// The pod has another container that may listen on the port: it has it, or says nothing of ports.
bool others_may_listen(const PodTree& pod, const Node& container, std::int64_t number) {
  for (std::string_view list : {"containers", "initContainers"}) {
    for (const Node& other : items(pod.spec, list)) {
      const Node* restart = other.find("restartPolicy");
      if (&other == &container ||
          (list == "initContainers" && (restart == nullptr || restart->text != "Always")))
        continue;
      if (other.find("ports") == nullptr ||
          may_have(other, "ports", "containerPort", std::to_string(number)))
        return true;
    }
  }
  return false;
}

// Lists the ports that people gave the container; nothing: one of them is not known.
std::optional<std::vector<std::pair<std::int64_t, const Node*>>> own_ports(const Node& container,
                                                                           const Server& server,
                                                                           const Catalog& catalog) {
  std::vector<std::pair<std::int64_t, const Node*>> ports;
  for (const Node& port : items(container, "ports")) {
    const Node* own = port.find("containerPort");
    const auto number = is_literal(own) ? text::whole_number(own->text) : std::nullopt;
    if (!number) return std::nullopt;
    if (!is_of_runtime(*number, catalog) && !contains(server.other_ports, own->text))
      ports.emplace_back(*number, own);
  }
  return ports;
}

std::string quoted_probes(const std::vector<AskedPort>& asked) {
  std::vector<std::string_view> names;
  for (const AskedPort& each : asked) names.push_back(each.probe);
  return text::quoted_list(names);
}

// Returns the ports where its server listens, as far as there is one and they are known.
std::vector<std::int64_t> judge_server_ports(const PodTree& pod, const Node& container,
                                             Sink& sink) {
  const Catalog& catalog = pod.facts.catalog;
  const auto running = running_server(container, catalog);
  if (!running) return {};
  const auto listens = ports_of(*running);
  if (!listens || listens->empty()) return {};
  std::vector<std::int64_t> numbers;
  for (const ListeningPort& port : *listens) numbers.push_back(port.number);
  const ListeningPort& first = listens->front();
  const auto ports = own_ports(container, *running->server, catalog);
  std::vector<AskedPort> wrong;
  for (const AskedPort& asked : asked_ports(container)) {
    if (!contains(numbers, asked.number) && !others_may_listen(pod, container, asked.number))
      wrong.push_back(asked);
  }
  const auto listens_on = [&](const std::pair<std::int64_t, const Node*>& own) {
    return contains(numbers, own.first);
  };
  const std::string_view server = running->server->name;
  if (ports && !ports->empty() && std::ranges::none_of(*ports, listens_on)) {
    const std::int64_t number = ports->front().first;
    const Node* place = ports->front().second;
    Diagnostic& finding = sink.report<Code::ServerPort>(
        place_of({place}) == Span{} || first.where != Span{} ? first.where : place_of({place}),
        server, first.number, fmt::format("`ports` has {}", number));
    if (first.where != Span{} && place->span != Span{}) finding.also(place->span, "the port");
    if (first.where == Span{}) finding.note("it is the port without `{}`", first.flag);
    std::vector<AskedPort> same;
    std::ranges::copy_if(wrong, std::back_inserter(same),
                         [&](const AskedPort& each) { return each.number == number; });
    if (!same.empty())
      finding.note("so {} {}", same.size() == 1 ? "does" : "do", quoted_probes(same));
    finding.help("write `{}={}{}`", first.flag, first.host, number);
    for (const AskedPort& each : wrong) {
      if (each.number == number) continue;
      finding.note("`{}` asks {}", each.probe, each.number);
      finding.help("and ask {} in `{}`", number, each.probe);
    }
    return numbers;
  }
  for (const AskedPort& each : wrong)
    sink.report<Code::ServerPort>(place_of({each.port, &container}), server, first.number,
                                  fmt::format("`{}` asks {}", each.probe, each.number))
        .help("ask {}", first.number);
  return numbers;
}

// `listening`: ports where its server is known to listen.
void judge_probe_ports(const PodTree& pod, const Node& container,
                       const std::vector<std::int64_t>& listening, Sink& sink) {
  // A workload that ends has no probes, which is reported. Other pods in files, such as
  // controllers, rarely name the port of their probes.
  const bool ends = !pod.field.empty() && pod.facts.kind != nullptr && pod.facts.kind->ends;
  if (ends || !listening.empty() || container.find("ports") == nullptr ||
      (pod.field.empty() && spec::requested_chips(container).empty()))
    return;
  bool has_own = false;
  for (const Node& port : items(container, "ports")) {
    const Node* own = port.find("containerPort");
    const auto number = is_literal(own) ? text::whole_number(own->text) : std::nullopt;
    if (!number) return;
    has_own = has_own || !is_of_runtime(*number, pod.facts.catalog);
  }
  // A spec adds those of the runtime.
  if (!has_own) return;
  for (const AskedPort& asked : asked_ports(container)) {
    const std::string number = std::to_string(asked.number);
    if (may_have(container, "ports", "containerPort", number) ||
        others_may_listen(pod, container, asked.number) ||
        is_of_runtime(asked.number, pod.facts.catalog))
      continue;
    sink.report<Code::ProbeWithoutPort>(place_of({asked.port, &container}), asked.probe, number)
        .help("ask a port of the container, or add {} to `ports`", number);
  }
}

void judge_ports_of_pod(const PodTree& pod, Sink& sink) {
  if (!says_all(pod.completeness)) return;
  for (const Node& container : items(pod.spec, "containers"))
    judge_probe_ports(pod, container, judge_server_ports(pod, container, sink), sink);
}

}  // namespace

PodRules pod_port_rules() {
  static constexpr PodRule rules[] = {judge_ports_of_pod};
  return rules;
}

}  // namespace flexslice::rules
