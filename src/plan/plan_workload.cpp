// The pods of the plan.
#include <fmt/core.h>

#include <algorithm>

#include "base/references.hpp"
#include "base/text.hpp"
#include "plan/build.hpp"
#include "resolve/workload_names.hpp"
#include "schema/pattern.hpp"
#include "spec/derived_keys.hpp"
#include "yaml/emit.hpp"

namespace flexslice::plan {

using yaml::Value;

namespace {

using SaidVariable = schema::Entry<spec::EnvValue>;

bool has_variable(const schema::Map<spec::EnvValue>& env, std::string_view name) {
  return any_of(env.entries,
                [&](const SaidVariable& variable) { return variable.key.value == name; });
}

using Seconds = Derived<std::optional<std::int64_t>>;

Seconds seconds_of(const Text& duration) {
  const auto seconds = schema::duration_seconds(duration.value);
  const bool is_same = !seconds || duration.value == fmt::format("{}s", *seconds);
  return Seconds::said(seconds, duration.where, is_same ? "" : duration.value);
}

Derived<std::optional<std::int64_t>> number_of(const schema::Integer& number) {
  const auto value = number.usable() ? std::optional(number.value) : std::nullopt;
  return Derived<std::optional<std::int64_t>>::said(value, number.where);
}

Derived<std::string> as_said(const Text& text) {
  return Derived<std::string>::said(text.value, text.where);
}

std::vector<std::string> strings_of(const schema::List<Text>& list) {
  std::vector<std::string> strings;
  for (const Text& text : list.items) strings.push_back(text.value);
  return strings;
}

// The workload has a command, and so may its leader.
template <class Said>
schema::List<Text> build_command(const Said& said, const spec::Workload& workload) {
  if (!said.script.where.given) return said.command;
  schema::List<Text> command{
      said.script.where,
      {schema::derived_text("bash"),
       schema::derived_text("-c"),
       {said.script.where,
        escape_references(said.script.value, workload.env, workload.env_from.where.given)}}};
  // bash takes the first argument after the script as $0.
  if (!said.args.items.empty()) command.items.push_back(schema::derived_text("bash"));
  return command;
}

schema::List<ContainerPort> build_ports(const resolve::Facts& facts,
                                        const schema::List<spec::Port>& said, bool tpu) {
  schema::List<ContainerPort> ports{said.where, {}};
  ports.where.given = true;
  const auto with_number = [&](std::int64_t number) -> ContainerPort& {
    const auto known = std::ranges::find_if(
        ports.items, [&](const ContainerPort& port) { return port.number == number; });
    return known != ports.items.end() ? *known
                                      : ports.items.emplace_back(ContainerPort{{}, number});
  };
  for (const catalog::Port& port : facts.catalog.ports) {
    const bool is_open = port.when == catalog::PortUse::always ||
                         (port.when == catalog::PortUse::multislice && facts.multislice());
    const bool between_hosts = facts.multi_host() && is_open;
    const bool between_containers =
        facts.containers > 1 && port.per == catalog::PortOwner::container;
    if (tpu && (between_hosts || between_containers))
      with_number(port.number).number.reason = {std::string(port.use), nullptr, false};
  }
  for (const spec::Port& port : said.items) {
    ContainerPort& with_name = with_number(port.port.value);
    with_name.number.reason.where = port.port.where.span;
    if (port.name.where.given || port.name.where.bad) with_name.name = port.name;
  }
  return ports;
}

PodVolume build_volume(const spec::Volume& said, std::string_view workload) {
  const bool memory = said.memory.where.given;
  PodVolume volume;
  volume.said = said;
  volume.memory = memory;
  volume.empty_dir = memory || said.empty_dir.where.given;
  volume.size_limit = (memory ? said.memory : said.empty_dir).size_limit;
  if (said.gcs.profile.where.given) {
    volume.pvc = {said.gcs.where, resolve::profile_claim(workload, said.name.value)};
  } else {
    volume.pvc = said.pvc.name;
    volume.bucket = said.gcs.bucket;
    volume.mount_options = said.gcs.mount_options;
    if (said.gcs.where.given) volume.driver = "gcsfuse.csi.storage.gke.io";
  }
  return volume;
}

PodVolume checkpoint_volume(const spec::Workload& said) {
  PodVolume volume;
  volume.said.where = said.checkpoints.where;
  volume.said.name = schema::derived_text(std::string(spec::checkpoint_volume));
  volume.said.mount_path = said.checkpoints.mount_path;
  if (!volume.said.mount_path.where.given) volume.said.mount_path = schema::derived_text("/local");
  volume.driver = spec::checkpoint_driver;
  return volume;
}

// The Service has these and no more. Kubernetes wants names where there are several.
std::vector<ContainerPort> build_service_ports(const schema::List<spec::Port>& said) {
  std::vector<ContainerPort> ports;
  for (const spec::Port& port : said.items) {
    Text name = port.name;
    if (!name.where.given && said.items.size() > 1)
      name = schema::derived_text(resolve::port_name(port.port.value));
    ports.push_back(
        {std::move(name), Derived<std::int64_t>::said(port.port.value, port.port.where)});
  }
  return ports;
}

// A reclaimed node is no failure of the workload, unless the spec says more about its failures.
Derived<std::string_view> disruption_action(const Complete& complete) {
  using resolve::NodeLoss;
  const catalog::Model* model = complete.facts.model_that(&catalog::Model::reclaims_nodes);
  if (model == nullptr || complete.claims.workload.pod_failure_policy.where.given) return {};
  switch (resolve::node_loss(complete.facts)) {
    case NodeLoss::restarts_all:
      return {"FailJob", "a reclaimed node starts all slices again; maxRestarts does not count it",
              &model->evidence};
    case NodeLoss::replaces_pod:
      return {"Ignore", "a reclaimed node is no failure of its pod", &model->evidence};
    default:
      return {};
  }
}

// A person who says how long a node lives means the workload: it must not get another node for as
// long again. Independent workers get their nodes at different times, so each ends by itself.
Derived<std::string_view> node_end_action(const Complete& complete) {
  if (!resolve::ends_with_node(complete.facts)) return {};
  return {complete.facts.workers() ? "FailIndex" : "FailJob",
          "maxRunDuration bounds the workload: a pod whose node has ended is not replaced",
          &complete.model.evidence};
}

// The first container has the ports and probes. Processes on one host listen on ports that follow
// each other.
void build_containers(const resolve::Facts& facts, WorkloadPods& workload) {
  const std::int64_t containers = workload.tpu ? facts.containers : 1;
  const Text& name = facts.claims.name;
  workload.containers.clear();
  for (std::int64_t i = 0; i < containers; ++i)
    workload.containers.push_back(
        {{name.where, resolve::container_name(name.value, i)}, {{.given = true}, {}}, {}, {}, {}});
  Container& first = workload.containers.front();
  first.ports = workload.ports;
  first.startup_probe = workload.said.startup_probe;
  first.readiness_probe = workload.said.readiness_probe;
  first.liveness_probe = workload.said.liveness_probe;
  if (containers == 1) return;
  workload.containers_per_pod = containers;
  for (const catalog::Port& port : facts.catalog.ports) {
    if (port.per != catalog::PortOwner::container) continue;
    for (std::int64_t i = 1; i < containers; ++i)
      workload.containers[static_cast<std::size_t>(i)].ports.items.push_back({{}, port.number + i});
  }
}

// Each retry starts from the beginning: in new pods, and on several hosts all of them.
void build_retries(const Complete& complete, WorkloadPods& workload) {
  const schema::Integer& said = complete.claims.workload.retries;
  const auto retries = [&](std::string because) {
    return Derived<std::optional<std::int64_t>>::said(said.value, said.where, std::move(because));
  };
  if (!complete.claims.workload.restart_policy.where.given)
    workload.restart_policy = {"Never", "each retry starts new pods"};
  if (complete.facts.workers()) {
    workload.backoff_limit_per_index = retries("retries: each worker starts again on its own");
  } else if (complete.kind.reclaimed == spec::Reclaimed::workload) {
    workload.backoff_limit = {0, "one failed pod fails the Job, and all start again"};
    workload.max_restarts = retries({});
  } else {
    workload.backoff_limit = retries("retries");
  }
}

// The arithmetic of resolve::restarts for what the spec states; empty: it states nothing.
std::string restarts_sum(const Complete& complete) {
  const spec::Workload& said = complete.claims.workload;
  const std::int64_t hosts = complete.facts.hosts;
  if (said.retries.usable())
    return fmt::format("retries: {} at most", text::count(said.retries.value + 1, "attempt"));
  std::string of_job = fmt::format("backoffLimit {}", said.backoff_limit.value);
  if (hosts > 1) of_job += fmt::format(" / {} pods of a slice, which fail with a lost node", hosts);
  const std::string of_set = fmt::format("maxRestarts {}", said.max_restarts.value);
  if (!said.max_restarts.usable()) return said.backoff_limit.usable() ? of_job : "";
  if (!said.backoff_limit.usable() || said.backoff_limit.value < hosts) return of_set;
  return fmt::format("({} + 1) * ({} + 1) - 1", of_job, of_set);
}

// Decides what happens to pods that fail, where the spec does not say it.
void build_policy(const Complete& complete, WorkloadPods& workload) {
  const spec::Workload& said = complete.claims.workload;
  const bool whole = complete.facts.multi_host();  // as every slice of several is
  if (complete.kind.pathways) {
    workload.max_restarts = number_of(said.max_restarts);
    if (said.retries.usable()) workload.max_restarts = number_of(said.retries);
  }
  if (!complete.kind.restarts_pods) return;
  workload.on_disruption = disruption_action(complete);
  workload.on_node_end = node_end_action(complete);
  if (complete.model.default_run_seconds > 0)
    workload.node_lives = resolve::node_lives(complete.facts);
  if (workload.on_node_end.value == "FailIndex")
    workload.backoff_limit_per_index = {6, "FailIndex needs it; Kubernetes' own backoffLimit"};
  const bool has_policy = said.pod_failure_policy.where.given ||
                          !workload.on_disruption.value.empty() ||
                          !workload.on_node_end.value.empty();
  if (workload.restart_policy.value.empty())
    workload.restart_policy =
        whole        ? Derived<std::string>("Never", "one lost host stops the whole slice")
        : has_policy ? Derived<std::string>("Never", "podFailurePolicy needs it")
                     : Derived<std::string>("OnFailure");
  if (!workload.backoff_limit.value && whole)
    workload.backoff_limit = {0, "one failed pod fails the Job"};
  workload.max_restarts = number_of(said.max_restarts);
  if (said.retries.usable()) build_retries(complete, workload);
  workload.node_loss = resolve::node_loss(complete.facts);
  if (workload.node_loss == resolve::NodeLoss::counted)
    workload.restarts = {resolve::restarts(complete.facts), restarts_sum(complete)};
}

std::optional<CronSchedule> build_schedule(const Complete& complete) {
  const spec::Schedule& said = complete.claims.workload.schedule;
  if (!complete.kind.scheduled) return std::nullopt;
  CronSchedule schedule{said, as_said(said.concurrency_policy), seconds_of(said.starting_deadline)};
  if (!said.concurrency_policy.where.given)
    schedule.concurrency_policy = {"Forbid", "the nodes are for one run at a time"};
  return schedule;
}

}  // namespace

std::vector<ContainerVariable> build_environment(const schema::Map<spec::EnvValue>& env) {
  std::vector<const SaidVariable*> variables;
  for (const SaidVariable& variable : env.entries) variables.push_back(&variable);
  std::ranges::sort(variables, {}, [](const SaidVariable* variable) -> const std::string& {
    return variable->key.value;
  });
  std::vector<NamedText> texts;
  for (const SaidVariable* variable : variables)
    texts.push_back({variable->key.value, variable->value.value.value});
  std::vector<ContainerVariable> environment;
  for (const std::size_t index : after_references(texts))
    environment.push_back({variables[index]->key, variables[index]->value});
  return environment;
}

std::string escape_references(std::string_view script, const schema::Map<spec::EnvValue>& env,
                              bool any_name) {
  std::string escaped;
  const std::size_t closing = script.find_last_of(')') + 1;  // 0: none
  for (std::size_t i = 0; i < script.size(); ++i) {
    const std::size_t dollar = std::min(script.find('$', i), script.size());
    escaped += script.substr(i, dollar - i);
    i = dollar;
    const std::string_view rest = script.substr(i);
    if (rest.empty()) break;
    const std::size_t end =
        i < closing && rest.starts_with("$(") ? rest.find(')') : std::string_view::npos;
    if (rest.starts_with("$$")) {
      escaped += "$$$$";
      ++i;
    } else if (end != std::string_view::npos) {
      // Kubernetes leaves a text that is no variable's name as it is up to the first `)`, with the
      // dollars in it.
      const std::string_view name = rest.substr(2, end - 2);
      if (has_variable(env, name) || (any_name && schema::matches(schema::Pattern::data_key, name)))
        escaped += '$';
      escaped += rest.substr(0, end + 1);
      i += end;
    } else {
      escaped += script[i];
    }
  }
  return escaped;
}

WorkloadPods said_workload(const resolve::Facts& facts) {
  const spec::Workload& said = facts.claims.workload;
  WorkloadPods workload;
  workload.said = said;
  std::ranges::sort(workload.said.node_selector.entries, {},
                    [](const auto& entry) -> const std::string& { return entry.key.value; });
  if (facts.kind != nullptr && facts.kind->ray) {
    workload.said.args = {};  // of what the head runs
  } else {
    workload.command = build_command(said, said);
  }
  workload.env = build_environment(said.env);
  workload.ports = build_ports(facts, said.ports, true);
  build_containers(facts, workload);
  workload.volumes.where = said.volumes.where;
  for (const spec::Volume& volume : said.volumes.items)
    workload.volumes.items.push_back(build_volume(volume, facts.claims.name.value));
  if (said.checkpoints.where.given) {
    workload.volumes.where.given = true;
    workload.volumes.items.push_back(checkpoint_volume(said));
  }
  workload.gcs_fuse =
      any_of(said.volumes.items, [](const spec::Volume& volume) { return volume.gcs.where.given; });
  workload.termination_grace = seconds_of(said.termination_grace);
  workload.active_deadline = seconds_of(said.active_deadline);
  workload.ttl_after_finished = seconds_of(said.ttl_after_finished);
  workload.backoff_limit = number_of(said.backoff_limit);
  if (facts.kind != nullptr && !facts.kind->restarts_pods) return workload;
  workload.restart_policy = as_said(said.restart_policy);
  if (const yaml::Node* rules = said.pod_failure_policy.value.find("rules"))
    workload.pod_failure_rules = schema::as_in_objects(yaml::to_value(*rules));
  return workload;
}

WorkloadPods build_workload(const Complete& complete) {
  const spec::Workload& said = complete.claims.workload;
  WorkloadPods workload = said_workload(complete.facts);
  workload.of_kind = &complete.kind;
  workload.kind = complete.kind.word;
  const std::int64_t slices = complete.facts.slices;
  if (!said.kind.where.given)
    workload.kind.reason = {
        slices == 1 && complete.kind.reclaimed == spec::Reclaimed::workload
            ? fmt::format("retries start all {} hosts again together", complete.facts.hosts)
        : slices == 1 ? "one slice is one Job"
        : complete.facts.workers()
            ? fmt::format("{} single-host slices are independent workers of one Job", slices)
            : fmt::format("{} slices work together as one JobSet", slices)};
  if (complete.kind.has_clients)
    workload.service_ports =
        build_service_ports(said.leader.ports.where.given ? said.leader.ports : said.ports);
  if (complete.kind.sets_pod_label) workload.app = complete.claims.name.value;
  build_policy(complete, workload);
  if (complete.facts.multi_host()) {
    workload.completions = {complete.facts.hosts,
                            resolve::hosts_sum(complete.topology, complete.machine),
                            &complete.machine.evidence};
    workload.completion_mode = "Indexed";
    if (complete.kind.service == spec::Service::pods) workload.service = complete.claims.name.value;
  } else if (complete.facts.workers()) {
    workload.completions = {slices, "one worker for each slice"};
    workload.completion_mode = "Indexed";
  }
  workload.schedule = build_schedule(complete);
  // The names of a start are known when it is made.
  if (!workload.schedule && (!complete.kind.slice_part.empty() || !workload.service.empty())) {
    workload.host_names = {resolve::host_name(complete.claims.name.value, complete.kind, 0, 0),
                           resolve::host_name(complete.claims.name.value, complete.kind, slices - 1,
                                              complete.facts.group_size() - 1)};
  }
  return workload;
}

Text or_default(const Text& amount, std::string_view otherwise) {
  return amount.usable() ? amount : schema::derived_text(std::string(otherwise));
}

spec::Resources resources_of(Text cpu, Text memory, Text ephemeral_storage = {}) {
  return {{.given = true}, std::move(cpu), std::move(memory), std::move(ephemeral_storage)};
}

PodVolume& add_volume(WorkloadPods& workload, std::string_view name, std::string_view mount_path) {
  workload.volumes.where.given = true;
  PodVolume& volume = workload.volumes.items.emplace_back();
  volume.said.where.given = true;
  volume.said.name = schema::derived_text(std::string(name));
  volume.said.mount_path = schema::derived_text(std::string(mount_path));
  return volume;
}

// A folder of the node that containers of one host share, unless the spec mounts another there.
void add_shared_folder(WorkloadPods& workload) {
  constexpr std::string_view name = "shared-tmp", path = "/tmp";
  for (const PodVolume& volume : workload.volumes.items) {
    if (volume.said.name.value == name || volume.said.mount_path.value == path) return;
  }
  add_volume(workload, name, path).said.host_path = schema::derived_text(std::string(path));
}

void copy_leader(const resolve::Facts& facts, const spec::Leader& said, WorkloadPods& leader) {
  if (said.image.where.given || said.image.where.bad) leader.said.image = said.image;
  leader.said.startup_probe = said.startup_probe;
  leader.said.readiness_probe = said.readiness_probe;
  leader.said.liveness_probe = said.liveness_probe;
  leader.command = build_command(said, facts.claims.workload);
  leader.said.args = said.args;
  leader.said.resources = said.resources;
}

WorkloadPods build_pathways_head(const Complete& complete, const WorkloadPods& workload) {
  const catalog::Pathways& pathways = complete.catalog.pathways;
  const spec::Workload& said = complete.claims.workload;
  WorkloadPods head = workload;
  head.tpu = false;
  head.pathways_head = true;
  head.ports = build_ports(complete.facts, said.ports, false);
  head.restart_policy = std::string("Never");
  head.backoff_limit = {};
  head.completions = {};
  head.completion_mode = {};
  head.host_names.clear();
  head.said.resources = resources_of(or_default(said.resources.cpu, pathways.user_cpu),
                                     or_default(said.resources.memory, pathways.user_memory),
                                     said.resources.ephemeral_storage);
  head.said.host_network.value = complete.facts.on_host_network();
  head.said.host_network.where.given = true;
  build_containers(complete.facts, head);
  if (complete.facts.is_headless()) {
    head.containers.clear();
  } else {
    add_shared_folder(head);
  }
  return head;
}

std::optional<WorkloadPods> build_leader(const Complete& complete, const WorkloadPods& workload) {
  const spec::Leader& said = complete.claims.workload.leader;
  const spec::Ray& ray = complete.claims.workload.ray;
  const auto& ports = complete.claims.workload.ports;
  if (complete.kind.pathways) return build_pathways_head(complete, workload);
  if (!complete.kind.ray && !said.where.given) return std::nullopt;
  WorkloadPods leader = workload;
  leader.tpu = !complete.kind.ray && !complete.facts.leader_apart();
  leader.ports =
      build_ports(complete.facts, said.ports.where.given ? said.ports : ports, leader.tpu);
  if (!leader.tpu) leader.said.init_containers = leader.said.sidecars = {};
  if (complete.kind.ray) {
    // KubeRay calls the ports of the head's Service as the container does.
    if (ports.where.given) leader.ports.items = build_service_ports(ports);
    leader.said.resources =
        resources_of(or_default(ray.head.cpu, "2"), or_default(ray.head.memory, "8Gi"));
    if (!complete.claims.workload.script.value.empty())
      add_volume(leader, "flexslice-script", "/etc/flexslice").said.config_map =
          schema::derived_text(
              fmt::format("{}{}", complete.claims.name.value, resolve::script_suffix));
    build_containers(complete.facts, leader);
    return leader;
  }
  copy_leader(complete.facts, said, leader);
  // A pod that requests nothing gets no flavor of a queue, and is not admitted with those that have
  // one for their TPUs.
  if (!leader.tpu)
    leader.said.resources = resources_of(or_default(said.resources.cpu, "1"), said.resources.memory,
                                         said.resources.ephemeral_storage);
  build_containers(complete.facts, leader);
  return leader;
}

Plan open_plan(const resolve::Facts& facts) {
  const spec::Workload& said = facts.claims.workload;
  Plan plan;
  plan.name = facts.claims.name.value;
  plan.workload = said_workload(facts);
  // How many containers share the chips of a host follows from its machine.
  const schema::Integer& containers = said.containers_per_pod;
  if (containers.where.given && facts.containers != containers.value) {
    for (Container& container : plan.workload.containers)
      container.name.where = {.span = container.name.where.span, .bad = true};
  }
  const schema::Where& leads = said.leader.where;
  if (facts.kind == nullptr || !facts.kind->leads || !(leads.given || leads.bad)) return plan;
  WorkloadPods& leader = plan.leader.emplace(plan.workload);
  leader.tpu = !facts.leader_apart() && !said.leader.tpu.where.bad;
  if (said.leader.ports.where.given || said.leader.ports.where.bad)
    leader.ports = build_ports(facts, said.leader.ports, leader.tpu);
  copy_leader(facts, said.leader, leader);
  build_containers(facts, leader);
  return plan;
}

std::optional<PathwaysPods> build_pathways(const Complete& complete) {
  if (!complete.kind.pathways) return std::nullopt;
  const spec::Pathways& said = complete.claims.workload.pathways;
  const catalog::Pathways& known = complete.catalog.pathways;
  PathwaysPods pathways;
  pathways.said = said;
  pathways.instance_type = {
      fmt::format("{}:{}", complete.machine.pathways_type, complete.topology.text()),
      fmt::format("what Pathways calls a slice on {}", complete.machine.name),
      &complete.machine.evidence};
  const auto image = [&](std::string_view name, const schema::Text& given) {
    if (given.usable()) return Derived<std::string>(given.value);
    const auto* row = catalog::named(known.containers, &catalog::PathwaysContainer::name, name);
    const std::string tag = said.version.usable() ? said.version.value : "latest";
    return Derived<std::string>(
        fmt::format("{}:{}", row == nullptr ? name : std::string_view(row->image), tag),
        said.version.usable() ? "published by Google"
                              : "the newest that Google publishes; `version` names another",
        row == nullptr ? nullptr : &row->evidence);
  };
  const auto requests = [&](std::string_view name) {
    const auto* row = catalog::named(known.containers, &catalog::PathwaysContainer::name, name);
    return row == nullptr ? spec::Resources{}
                          : resources_of(schema::derived_text(std::string(row->cpu)),
                                         schema::derived_text(std::string(row->memory)));
  };
  pathways.server_image = image("pathways-rm", said.server_image);
  pathways.proxy_image = image("pathways-proxy", said.proxy_image);
  pathways.worker_image =
      said.worker_image.usable() || !said.server_image.usable()
          ? image("pathways-worker", said.worker_image)
          : Derived<std::string>(said.server_image.value, "that of the resource manager");
  pathways.server = requests("pathways-rm");
  pathways.proxy = requests("pathways-proxy");
  pathways.headless = complete.facts.is_headless();
  if (said.elastic_slices.usable() && said.elastic_slices.value > 0)
    pathways.elastic_slices = said.elastic_slices.value;
  const std::int64_t restarts = said.max_slice_restarts.usable() ? said.max_slice_restarts.value
                                : pathways.elastic_slices        ? known.elastic_restarts
                                                                 : known.restarts;
  pathways.backoff_limit = {
      restarts * complete.facts.hosts,
      fmt::format("{} * {}: a worker that restarts joins the others again",
                  text::count(restarts, "restart"), text::count(complete.facts.hosts, "host")),
      &known.evidence};
  return pathways;
}

void make_pathways_workers(const Complete& complete, WorkloadPods& workload) {
  workload.pathways_worker = true;
  workload.said.host_network.value = complete.facts.on_host_network();
  workload.said.host_network.where.given = true;
  workload.said.security_context = {};
  workload.command = workload.said.args = {};
  workload.env.clear();
  workload.said.env_from = {};
  workload.containers.clear();
  workload.ports.items.clear();
  workload.said.resources = {};
  workload.volumes = {};
  workload.gcs_fuse = false;
  workload.said.init_containers = workload.said.sidecars = {};
  workload.active_deadline = {};
  workload.restart_policy = {"OnFailure", "a worker that restarts joins the others again"};
  add_shared_folder(workload);
}

std::optional<RayApplication> build_ray(const Complete& complete) {
  if (!complete.kind.ray) return std::nullopt;
  const spec::Workload& said = complete.claims.workload;
  RayApplication ray;
  ray.said = said.ray;
  ray.script = said.script.value;
  std::vector<std::string> words = strings_of(said.command);
  if (!ray.script.empty()) words = {"bash", "/etc/flexslice/script.sh"};
  std::ranges::move(strings_of(said.args), std::back_inserter(words));
  ray.entrypoint = text::join(words, " ");
  const yaml::Node& config = said.ray.serve_config.value;
  if (config.kind == yaml::Kind::mapping) {
    yaml::emit(schema::as_in_objects(yaml::to_value(config)), {}, ray.serve_config);
  } else {
    ray.serve_config = config.text;
  }
  return ray;
}

}  // namespace flexslice::plan
