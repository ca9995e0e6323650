// The Services that give the pods of a slice their host names: GKE tells each pod the names of the
// others, and what they cannot resolve they wait for, on hardware that is billed.
#include <fmt/core.h>

#include <algorithm>

#include "rules/file_judge.hpp"
#include "rules/pod_rules.hpp"

namespace flexslice::rules {

namespace {

bool may_carry(const NamedHosts& hosts, const schema::Entry<Text>& wanted) {
  const auto* own = find_where(
      hosts.labels.entries, [&](const auto& each) { return each.key.value == wanted.key.value; });
  if (own == nullptr) return may_be_added(wanted.key.value) || !wanted.key.usable();
  return !own->value.usable() || !wanted.value.usable() || own->value.value == wanted.value.value;
}

// An annotation may ask a controller for the Service, or for host names of another sort.
bool is_in_annotations(const view::PodClaims& pod, std::string_view service) {
  const yaml::Node* of_object = pod.object->at({"metadata", "annotations"});
  const yaml::Node* of_pods = pod.metadata == nullptr ? nullptr : pod.metadata->find("annotations");
  for (const yaml::Node* annotations : {of_object, of_pods}) {
    if (annotations == nullptr) continue;
    for (const auto& [key, value] : annotations->members) {
      if (service.empty() ? key.text.find("service") != std::string::npos
                          : value.text.find(service) != std::string::npos)
        return true;
    }
  }
  return false;
}

}  // namespace

bool may_be_added(std::string_view key) {
  constexpr std::string_view parts[] = {"job-name", "kubernetes.io/", "sigs.k8s.io/",
                                        "controller-uid"};
  return any_of(parts, [&](std::string_view part) { return key.find(part) != key.npos; });
}

Span first_of(std::initializer_list<Span> places) {
  const auto* place = std::ranges::find_if(places, [](const Span& each) { return each != Span{}; });
  return place == places.end() ? Span{} : *place;
}

std::string labels_text(const spec::Map<Text>& labels) {
  std::vector<std::string> parts;
  for (const auto& [key, value] : labels.entries)
    parts.push_back(fmt::format("`{}: {}`", key.value, value.value));
  return parts.empty() ? "no labels" : text::join(parts, ", ");
}

std::string selector_title(std::string_view kind, const Text& name) {
  return fmt::format("the {} `{}`", kind, name.value);
}

ServiceFit fit(const NamedHosts& hosts, const view::ServiceClaims& service) {
  const std::string_view name_space = service.name_space.value;
  const bool same_space = name_space.empty() || hosts.name_space.empty() ||
                          !service.name_space.usable() || name_space == hosts.name_space;
  if (!same_space || !service.name.where.given) return ServiceFit::other;
  if (service.name.usable() && service.name.value != hosts.service.value) return ServiceFit::other;
  if (!service.name.usable()) return ServiceFit::good;
  const Text& address = service.address;
  const bool known = !address.where.placeholder || address.value.empty();
  if (known && address.value != "None") return ServiceFit::has_address;
  const auto has = [&](const auto& wanted) { return may_carry(hosts, wanted); };
  const auto& wanted = service.selector.entries;
  return !wanted.empty() && std::ranges::all_of(wanted, has) ? ServiceFit::good
                                                             : ServiceFit::selects_none;
}

Diagnostic& report_misfit(const NamedHosts& hosts, const view::ServiceClaims& service,
                          ServiceFit fit, Span where, Sink& sink) {
  if (fit == ServiceFit::has_address)
    return sink.report<Code::ServiceHasAddress>(where, service.name.value, hosts.object)
        .note("DNS has names of single pods only for a headless Service")
        .help(service.address.where.given ? "write `clusterIP: None`" : "add `clusterIP: None`");
  return sink
      .report<Code::ServiceSelectsNoPod>(where, selector_title("Service", service.name),
                                         hosts.object)
      .note("it selects {}", labels_text(service.selector))
      .note("the pods have {}", labels_text(hosts.labels))
      .help("write the labels of the pods into the selector");
}

Diagnostic& report_no_service(const NamedHosts& hosts, std::span<const std::string_view> names,
                              Span where, Sink& sink) {
  Diagnostic& finding =
      sink.report<Code::ServiceMissing>(where, hosts.service.where.label, hosts.service.value);
  finding.note("the pods of {} find each other by the names that this Service gives them",
               hosts.object);
  if (names.empty()) finding.level = diag::Level::note;
  const std::size_t helps = finding.helps.size();
  diag::did_you_mean(finding, hosts.service.value, names);
  if (finding.helps.size() == helps)
    finding.help("apply a Service `{}` with `clusterIP: None` that selects these pods",
                 hosts.service.value);
  return finding;
}

void FileJudge::judge_hosts(const view::PodClaims& pod, const Facts& facts) {
  if (!pod.needs_service || !stands_alone(pod.completeness) || pod.object == nullptr) return;
  const std::int64_t hosts = hosts_of(pod, facts);
  if (hosts == 1 || !pod.chips.where.given) return;
  NamedHosts named{fmt::format("{} `{}`", pod.kind.value, pod.claims.name.value), pod.service,
                   pod.name_space.value, pod.labels};
  if (pod.service.where.given) {
    if (pod.service.usable() && !is_in_annotations(pod, pod.service.value))
      summary_.hosts.push_back(std::move(named));
    return;
  }
  const bool is_indexed = pod.completion_mode.value == "Indexed" ||
                          pod.role == view::PodRole::replicas || !pod.is_plain_job;
  const bool is_own = variable_named(pod, "TPU_WORKER_HOSTNAMES") != nullptr;
  // A wrong number is reported as such.
  const auto fits = [&](const auto& count) { return !count.usable() || count.value % hosts == 0; };
  if (!is_indexed || is_own || !fits(pod.completions) || !fits(pod.parallelism) ||
      !says_all(pod.completeness) || pod.role == view::PodRole::pod || is_in_annotations(pod, {}))
    return;
  sink_
      .report<Code::SubdomainMissing>(
          first_of({pod.completions.where.span, pod.claims.tpu.topology.where.span, patches()}),
          named.object, pod.service.where.label, hosts)
      .note("without it the pods have no host names, and wait for each other")
      .help("add `{}: NAME`, and a Service NAME with `clusterIP: None` that selects these pods",
            pod.service.where.label);
}

void FileJudge::judge_services() {
  for (const view::ServiceClaims& service : summary_.services) {
    if (service.is_external) continue;
    selectors_.push_back({"Service", service.name, service.selector,
                          service.address.value == "None", service.target_ports.items});
  }
  for (const PodSelector& selector : selectors_) {
    judge_target_ports(selector);
    judge_selector(selector);
  }
  std::erase_if(summary_.hosts, [&](const NamedHosts& hosts) {
    const view::ServiceClaims* wrong = nullptr;
    for (const view::ServiceClaims& service : summary_.services) {
      const ServiceFit found = fit(hosts, service);
      if (found == ServiceFit::good) return true;
      if (found != ServiceFit::other) wrong = &service;
    }
    if (wrong == nullptr) return false;
    const ServiceFit found = fit(hosts, *wrong);
    const Span part =
        found == ServiceFit::has_address ? wrong->address.where.span : wrong->selector.where.span;
    const Span own = hosts.service.where.span;
    Diagnostic& finding = report_misfit(
        hosts, *wrong, found, first_of({part, wrong->name.where.span, own, patches()}), sink_);
    if (own != Span{} && own != finding.where) finding.also(own, "these pods name it");
    return true;
  });
}

void FileJudge::judge_target_ports(const PodSelector& selector) {
  if (selector.labels.entries.empty()) return;
  for (const Text& port : selector.ports) {
    std::vector<std::string> names;
    bool selects = false, has_port = false;
    // A container may listen at a port that it does not list, but seldom where it lists others.
    const auto number = text::whole_number(port.value);
    if (number && selector.is_headless) continue;
    for (const PodPorts& pods : ports_) {
      const auto has = [&](const auto& wanted) { return pods.has(wanted); };
      if (!std::ranges::all_of(selector.labels.entries, has)) continue;
      selects = true;
      has_port = has_port || pods.may_be_any ||
                 (number ? !pods.lists_all || contains(pods.numbers, *number)
                         : contains(pods.names, port.value));
      if (number) {
        for (const std::int64_t each : pods.numbers) names.push_back(std::to_string(each));
      } else {
        for (const std::string& name : pods.names) names.push_back(fmt::format("`{}`", name));
      }
    }
    if (selects && !has_port)
      sink_.report<Code::TargetPortMissing>(
          first_of({port.where.span, patches()}),
          fmt::format("{} `{}`", selector.kind, selector.name.value), port.value,
          names.empty() ? "no named ports" : text::join(names, ", "));
  }
}

Span FileJudge::patches() const {
  return made_of_ == nullptr ? Span{} : made_of_->claims.patches.where.span;
}

}  // namespace flexslice::rules
