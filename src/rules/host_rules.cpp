// Host names of pods in commands and variables, whose form depends on the kind of the workload.
#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "resolve/workload_names.hpp"
#include "rules/object_rules.hpp"

namespace flexslice::rules {

namespace {

// The pods that have one stem, `train-slice-0-`, and a number.
struct NumberedHosts {
  std::string stem;
  std::optional<std::int64_t> count;  // nothing: not known
  std::int64_t first = 0;
};

struct HostNames {
  std::string name;    // of the workload
  std::string domain;  // after the host, the name of a Service
  std::string object;  // for sentences
  std::vector<NumberedHosts> hosts = {};
  std::vector<std::string> others = {};  // leaders, which have no number of their own
  std::string instead = {};              // where the names are random: what clients write

  bool has(std::string_view host) const {
    if (contains(others, host)) return true;
    return any_of(hosts, [&](const NumberedHosts& each) {
      if (!host.starts_with(each.stem)) return false;
      const auto number = text::whole_number(host.substr(each.stem.size()));
      return number && *number >= each.first && (!each.count || *number < *each.count);
    });
  }
};

std::optional<std::int64_t> literal_count(const Node* node) {
  return node == nullptr ? std::nullopt : text::whole_number(node->text);
}

// A JobSet names its hosts by its jobs and their slices; nothing: a name is not known.
std::optional<HostNames> hosts_of_job_set(const Node& object, std::string_view name) {
  const Node *domain = object.at({"spec", "network", "subdomain"}), *spec = object.find("spec");
  if (spec == nullptr || (domain != nullptr && !is_literal(domain))) return std::nullopt;
  HostNames names{std::string(name), domain == nullptr ? std::string(name) : domain->text,
                  "JobSet"};
  for (const Node& job : items(*spec, "replicatedJobs")) {
    const Node *own = job.find("name"), *replicas = job.find("replicas"),
               *completions = job.at({"template", "spec", "completions"});
    const auto slices =
        replicas == nullptr ? std::optional<std::int64_t>(1) : literal_count(replicas);
    constexpr std::int64_t most_slices = 4096;
    if (!is_literal(own) || !slices || *slices > most_slices) return std::nullopt;
    for (std::int64_t slice = 0; slice < *slices; ++slice)
      names.hosts.push_back(
          {fmt::format("{}-{}-{}-", name, own->text, slice), literal_count(completions)});
  }
  return names.hosts.empty() ? std::nullopt : std::optional(std::move(names));
}

std::optional<HostNames> hosts_of_group(const Node& object, std::string_view name) {
  const Node *replicas = object.at({"spec", "replicas"}),
             *size = object.at({"spec", "leaderWorkerTemplate", "size"}),
             *policy = object.at({"spec", "networkConfig", "subdomainPolicy"});
  if (policy != nullptr && policy->text != "Shared") return std::nullopt;
  HostNames names{std::string(name), std::string(name), "LeaderWorkerSet"};
  // An autoscaler may make more.
  names.hosts.push_back({fmt::format("{}-", name), std::nullopt});
  constexpr std::int64_t most_groups = 4096;
  const auto groups = literal_count(replicas).value_or(1), pods = literal_count(size).value_or(0);
  if (groups > most_groups) return std::nullopt;
  for (std::int64_t group = 0; group < groups; ++group)
    names.hosts.push_back(
        {fmt::format("{}-{}-", name, group), pods > 0 ? std::optional(pods) : std::nullopt, 1});
  return names;
}

std::optional<HostNames> hosts_of_object(const PodTree& pod) {
  const Node *name = pod.object->at({"metadata", "name"}), *kind = pod.object->find("kind"),
             *service = pod.object->at({"spec", "serviceName"}),
             *subdomain = pod.spec.find("subdomain");
  if (!is_literal(name) || !is_literal(kind)) return std::nullopt;
  if (kind->text == "JobSet") return hosts_of_job_set(*pod.object, name->text);
  if (kind->text == "LeaderWorkerSet") return hosts_of_group(*pod.object, name->text);
  const bool is_set = kind->text == "StatefulSet";
  const Node* domain = is_set ? service : subdomain;
  if ((!is_set && kind->text != "Job") || !is_literal(domain)) return std::nullopt;
  // More than there are may come.
  const Node* count = pod.job == nullptr ? nullptr : pod.job->find("completions");
  return HostNames{name->text,
                   domain->text,
                   kind->text,
                   {{name->text + "-", is_set ? std::nullopt : literal_count(count)}}};
}

// The Service of a spec has the name of the workload.
std::optional<HostNames> hosts_of_spec(const Facts& facts) {
  const spec::WorkloadKind* kind = facts.kind;
  if (kind == nullptr || facts.machine == nullptr || facts.claims.name.where.bad || kind->ray ||
      kind->pathways || kind->scheduled || !resolve::has_service(facts))
    return std::nullopt;
  const std::string& name = facts.claims.name.value;
  HostNames names{name, name, std::string(kind->object)};
  if (kind->service == spec::Service::clients) {
    names.instead = name;
    return names;
  }
  constexpr std::int64_t most_slices = 4096;
  if (facts.slices > most_slices) return std::nullopt;
  for (std::int64_t slice = 0; slice < facts.slices; ++slice) {
    const std::string first = resolve::host_name(name, *kind, slice, 0);
    if (kind->leads) names.others.push_back(first);
    // The leader is the first of its group, and has no number there.
    names.hosts.push_back({kind->leads ? first + "-" : first.substr(0, first.size() - 1),
                           facts.hosts, kind->leads ? 1 : 0});
  }
  // An autoscaler may make more.
  if (kind->leads && facts.claims.workload.autoscaling.where.given)
    names.hosts.push_back({name + "-", std::nullopt});
  return names;
}

std::string first_host(const HostNames& names) {
  if (!names.instead.empty()) return names.instead;
  const std::string host =
      names.others.empty() ? names.hosts.front().stem + "0" : names.others.front();
  return fmt::format("{}.{}", host, names.domain);
}

bool is_of_name(char c) { return ascii::is_letter_or_digit(c) || c == '-' || c == '_'; }

// A host of the workload's domain that is none of its pods; empty: there is none.
std::string_view wrong_host(std::string_view text, const HostNames& names) {
  const std::string begin = names.name + "-", domain = "." + names.domain;
  for (std::size_t at = text.find(begin); at != text.npos; at = text.find(begin, at + 1)) {
    if (at > 0 && (is_of_name(text[at - 1]) || text[at - 1] == '.' || text[at - 1] == '$'))
      continue;
    std::size_t end = at + begin.size();
    while (end < text.size() && is_of_name(text[end])) ++end;
    const std::size_t after = end + domain.size();
    if (!text.substr(end).starts_with(domain) || !ascii::is_digit(text[end - 1]) ||
        (after < text.size() && (is_of_name(text[after]) || text[after] == '$')))
      continue;
    if (!names.has(text.substr(at, end - at))) return text.substr(at, after - at);
  }
  return {};
}

void judge_hosts_in_texts(const PodTree& pod, Sink& sink) {
  if (pod.object != nullptr && !stands_alone(pod.completeness)) return;
  const auto names = pod.object == nullptr ? hosts_of_spec(pod.facts) : hosts_of_object(pod);
  if (!names) return;
  const auto judge = [&](const Node& value) {
    const std::string_view host = wrong_host(value.text, *names);
    if (host.empty()) return;
    Diagnostic& finding =
        sink.report<Code::HostOfOtherKind>(value.span, "the " + names->object, host);
    if (!names->instead.empty())
      finding.note("the pods of a {} have random names", names->object)
          .help("write `{}`, the Service of all of them", names->instead);
    else
      finding.help("the first is `{}`", first_host(*names));
  };
  for (const Node& container : items(pod.spec, "containers")) {
    for (const Node& variable : items(container, "env")) {
      if (const Node* value = variable.find("value")) judge(*value);
    }
    for (std::string_view words : {"command", "args"}) {
      for (const Node& word : items(container, words)) judge(word);
    }
  }
}

}  // namespace

PodRules pod_host_rules() {
  static constexpr PodRule rules[] = {judge_hosts_in_texts};
  return rules;
}

}  // namespace flexslice::rules
