// The pods of the plan.
#include <fmt/core.h>

#include <algorithm>

#include "base/references.hpp"
#include "base/text.hpp"
#include "plan/build.hpp"
#include "resolve/workload_names.hpp"
#include "schema/pattern.hpp"
#include "yaml/emit.hpp"

namespace flexslice::plan {

using yaml::Value;

namespace {

using Variable = schema::Entry<spec::EnvValue>;

bool has_variable(const schema::Map<spec::EnvValue>& env, std::string_view name) {
  return std::ranges::any_of(env.entries,
                             [&](const Variable& variable) { return variable.key.value == name; });
}

Derived<std::optional<std::int64_t>> seconds_of(const schema::Text& duration) {
  const auto seconds = schema::duration_seconds(duration.value);
  if (!seconds) return {};
  return {seconds, duration.value == fmt::format("{}s", *seconds) ? "" : duration.value};
}

std::optional<std::int64_t> number_of(const schema::Integer& number) {
  return number.where.usable() ? std::optional(number.value) : std::nullopt;
}

Value value_of(const schema::Tree& tree) {
  return tree.where.usable() ? schema::as_in_objects(yaml::to_value(tree.value)) : Value();
}

Value sequence_of(const schema::List<schema::Tree>& trees) {
  Value list = Value::sequence();
  for (const schema::Tree& tree : trees.items) list.push(value_of(tree));
  return list;
}

std::vector<std::string> strings_of(const schema::List<schema::Text>& list) {
  std::vector<std::string> strings;
  for (const schema::Text& text : list.items) strings.push_back(text.value);
  return strings;
}

// Of the workload, or of its leader.
template <class Said>
std::vector<std::string> build_command(const Said& said, const spec::Workload& workload) {
  if (said.script.value.empty()) return strings_of(said.command);
  std::vector<std::string> command{
      "bash", "-c",
      escape_references(said.script.value, workload.env, workload.env_from.where.given)};
  // bash takes the first argument after the script as $0.
  if (!said.args.items.empty()) command.emplace_back("bash");
  return command;
}

std::vector<Port> build_ports(const Complete& complete, const schema::List<spec::Port>& said,
                              bool tpu) {
  const resolve::Facts& facts = complete.facts;
  std::vector<Port> ports;
  const auto with_number = [&](std::int64_t number) -> Port& {
    const auto known =
        std::ranges::find_if(ports, [&](const Port& port) { return port.number == number; });
    return known != ports.end() ? *known : ports.emplace_back(Port{{}, number});
  };
  for (const catalog::Port& port : complete.catalog.ports) {
    const bool is_open = port.when == catalog::PortUse::always ||
                         (port.when == catalog::PortUse::multislice && facts.multislice());
    const bool between_hosts = facts.multi_host() && is_open;
    const bool between_containers =
        facts.containers > 1 && port.per == catalog::PortOwner::container;
    if (tpu && (between_hosts || between_containers))
      with_number(port.number).number.reason = {std::string(port.use), nullptr, false};
  }
  for (const spec::Port& port : said.items) {
    Port& with_name = with_number(port.port.value);
    if (!port.name.value.empty()) with_name.name = port.name.value;
  }
  return ports;
}

Volume build_volume(const spec::Volume& said, std::string_view workload) {
  const bool memory = said.memory.where.given, has_profile = said.gcs.profile.where.given;
  return {
      .name = said.name.value,
      .mount_path = said.mount_path.value,
      .sub_path = said.sub_path.value,
      .read_only = said.read_only.value,
      .memory = memory,
      .empty_dir = memory || said.empty_dir.where.given,
      .size_limit = (memory ? said.memory : said.empty_dir).size_limit.value,
      .pvc = has_profile ? resolve::profile_claim(workload, said.name.value) : said.pvc.name.value,
      .bucket = has_profile ? std::string() : said.gcs.bucket.value,
      .mount_options = has_profile ? std::string() : said.gcs.mount_options.value,
      .config_map = said.config_map.value,
      .secret = said.secret.value,
      .host_path = said.host_path.value};
}

// The Service has these and no more. Kubernetes wants names where there are several.
std::vector<Port> build_service_ports(const schema::List<spec::Port>& said) {
  std::vector<Port> ports;
  for (const spec::Port& port : said.items) {
    std::string name = port.name.value;
    if (name.empty() && said.items.size() > 1) name = resolve::port_name(port.port.value);
    ports.push_back({std::move(name), port.port.value});
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
void build_containers(const Complete& complete, Workload& workload) {
  const std::int64_t containers = workload.tpu ? complete.facts.containers : 1;
  workload.containers.clear();
  for (std::int64_t i = 0; i < containers; ++i)
    workload.containers.emplace_back().name =
        resolve::container_name(complete.claims.name.value, i);
  Container& first = workload.containers.front();
  first.ports = workload.ports;
  first.startup_probe = workload.startup_probe;
  first.readiness_probe = workload.readiness_probe;
  first.liveness_probe = workload.liveness_probe;
  if (containers == 1) return;
  workload.containers_per_pod = containers;
  for (const catalog::Port& port : complete.catalog.ports) {
    if (port.per != catalog::PortOwner::container) continue;
    for (std::int64_t i = 1; i < containers; ++i)
      workload.containers[static_cast<std::size_t>(i)].ports.push_back({{}, port.number + i});
  }
}

// Each retry starts from the beginning: in new pods, and on several hosts all of them.
void build_retries(const Complete& complete, Workload& workload) {
  const std::int64_t retries = complete.claims.workload.retries.value;
  workload.retries = retries;
  if (!complete.claims.workload.restart_policy.where.given)
    workload.restart_policy = {"Never", "each retry starts new pods"};
  if (complete.facts.workers()) {
    workload.backoff_limit_per_index = {retries, "retries: each worker starts again on its own"};
  } else if (complete.kind.reclaimed == spec::Reclaimed::workload) {
    workload.backoff_limit = {0, "one failed pod fails the Job, and all start again"};
    workload.max_restarts = retries;
  } else {
    workload.backoff_limit = {retries, "retries"};
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

// What happens to pods that fail.
void build_policy(const Complete& complete, Workload& workload) {
  const spec::Workload& said = complete.claims.workload;
  const bool whole = complete.facts.multi_host();  // as every slice of several is
  workload.termination_grace = seconds_of(said.termination_grace);
  workload.active_deadline = seconds_of(said.active_deadline);
  workload.ttl_after_finished = seconds_of(said.ttl_after_finished);
  workload.backoff_limit = number_of(said.backoff_limit);
  if (complete.kind.pathways) {
    workload.max_restarts = number_of(said.max_restarts);
    if (said.retries.usable()) workload.max_restarts = workload.retries = said.retries.value;
  }
  if (!complete.kind.restarts_pods) return;
  workload.restart_policy = said.restart_policy.value;
  if (const yaml::Node* rules = said.pod_failure_policy.value.find("rules"))
    workload.pod_failure_rules = schema::as_in_objects(yaml::to_value(*rules));
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

std::optional<Schedule> build_schedule(const Complete& complete) {
  const spec::Schedule& said = complete.claims.workload.schedule;
  if (!complete.kind.scheduled) return std::nullopt;
  Schedule schedule{said.cron.value, said.time_zone.value, said.concurrency_policy.value,
                    seconds_of(said.starting_deadline)};
  if (!said.concurrency_policy.where.given)
    schedule.concurrency_policy = {"Forbid", "the nodes are for one run at a time"};
  return schedule;
}

}  // namespace

std::vector<EnvVariable> build_environment(const schema::Map<spec::EnvValue>& env) {
  std::vector<const Variable*> variables;
  for (const Variable& variable : env.entries) variables.push_back(&variable);
  std::ranges::sort(variables, {}, [](const Variable* variable) -> const std::string& {
    return variable->key.value;
  });
  std::vector<NamedText> texts;
  for (const Variable* variable : variables)
    texts.push_back({variable->key.value, variable->value.value.value});
  std::vector<EnvVariable> environment;
  for (const std::size_t index : after_references(texts)) {
    const auto& [name, value] = *variables[index];
    environment.push_back({name.value, value.value.value, value.secret.value,
                           value.config_map.value, value.key.value, value.field.value});
  }
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
      // What is no variable's name, Kubernetes leaves as it is up to the first `)`, with the
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

Workload build_workload(const Complete& complete) {
  const spec::Workload& said = complete.claims.workload;
  Workload workload;
  workload.of_kind = &complete.kind;
  workload.said = said;
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
  workload.image = said.image.value;
  if (!complete.kind.ray) {
    workload.command = build_command(said, said);
    workload.args = strings_of(said.args);
  }
  workload.env = build_environment(said.env);
  workload.env_from = sequence_of(said.env_from);
  workload.ports = build_ports(complete, said.ports, true);
  if (complete.kind.has_clients)
    workload.service_ports =
        build_service_ports(said.leader.ports.where.given ? said.leader.ports : said.ports);
  if (complete.kind.sets_pod_label) workload.app = complete.claims.name.value;
  workload.resources = {said.resources.cpu.value, said.resources.memory.value,
                        said.resources.ephemeral_storage.value};
  workload.startup_probe = value_of(said.startup_probe);
  workload.readiness_probe = value_of(said.readiness_probe);
  workload.liveness_probe = value_of(said.liveness_probe);
  build_containers(complete, workload);
  for (const spec::Volume& volume : said.volumes.items)
    workload.volumes.push_back(build_volume(volume, complete.claims.name.value));
  workload.gcs_fuse = std::ranges::any_of(
      said.volumes.items, [](const spec::Volume& volume) { return volume.gcs.where.given; });
  workload.node_selector = sorted_pairs(said.node_selector);
  for (const spec::Toleration& toleration : said.tolerations.items)
    workload.tolerations.push_back({toleration.key.value, toleration.op.value,
                                    toleration.value.value, toleration.effect.value,
                                    number_of(toleration.toleration_seconds)});
  build_policy(complete, workload);
  for (const spec::LocalName& secret : said.image_pull_secrets.items)
    workload.image_pull_secrets.push_back({secret.name.value});
  workload.init_containers = sequence_of(said.init_containers);
  workload.sidecars = sequence_of(said.sidecars);
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

std::string or_default(const schema::Text& amount, std::string_view otherwise) {
  return amount.usable() ? amount.value : std::string(otherwise);
}

// A folder of the node that containers of one host share, unless the spec mounts another there.
void add_shared_folder(Workload& workload) {
  constexpr std::string_view name = "shared-tmp", path = "/tmp";
  for (const Volume& volume : workload.volumes) {
    if (volume.name == name || volume.mount_path == path) return;
  }
  Volume& folder = workload.volumes.emplace_back();
  folder.name = name;
  folder.mount_path = folder.host_path = path;
}

Workload build_pathways_head(const Complete& complete, const Workload& workload) {
  const catalog::Pathways& pathways = complete.catalog.pathways;
  const spec::Workload& said = complete.claims.workload;
  Workload head = workload;
  head.tpu = false;
  head.pathways_head = true;
  head.ports = build_ports(complete, said.ports, false);
  head.restart_policy = std::string("Never");
  head.backoff_limit = {};
  head.completions = {};
  head.completion_mode = {};
  head.host_names.clear();
  head.resources.cpu = or_default(said.resources.cpu, pathways.user_cpu);
  head.resources.memory = or_default(said.resources.memory, pathways.user_memory);
  head.said.host_network.value = complete.facts.on_host_network();
  head.said.host_network.where.given = true;
  build_containers(complete, head);
  if (complete.facts.is_headless()) {
    head.containers.clear();
  } else {
    add_shared_folder(head);
  }
  return head;
}

std::optional<Workload> build_leader(const Complete& complete, const Workload& workload) {
  const spec::Leader& said = complete.claims.workload.leader;
  const spec::Ray& ray = complete.claims.workload.ray;
  const auto& ports = complete.claims.workload.ports;
  if (complete.kind.pathways) return build_pathways_head(complete, workload);
  if (!complete.kind.ray && !said.where.given) return std::nullopt;
  Workload leader = workload;
  leader.tpu = !complete.kind.ray && !complete.facts.leader_apart();
  leader.ports = build_ports(complete, said.ports.where.given ? said.ports : ports, leader.tpu);
  if (!leader.tpu) leader.init_containers = leader.sidecars = {};
  if (complete.kind.ray) {
    // KubeRay calls the ports of the head's Service as the container does.
    if (ports.where.given) leader.ports = build_service_ports(ports);
    leader.resources = {or_default(ray.head.cpu, "2"), or_default(ray.head.memory, "8Gi"), {}};
    if (!complete.claims.workload.script.value.empty()) {
      Volume& script = leader.volumes.emplace_back();
      script.name = "flexslice-script";
      script.mount_path = "/etc/flexslice";
      script.config_map = fmt::format("{}{}", complete.claims.name.value, resolve::script_suffix);
    }
    build_containers(complete, leader);
    return leader;
  }
  if (said.image.usable()) leader.image = said.image.value;
  leader.startup_probe = value_of(said.startup_probe);
  leader.readiness_probe = value_of(said.readiness_probe);
  leader.liveness_probe = value_of(said.liveness_probe);
  leader.command = build_command(said, complete.claims.workload);
  leader.args = strings_of(said.args);
  leader.resources = {said.resources.cpu.value, said.resources.memory.value,
                      said.resources.ephemeral_storage.value};
  // A pod that requests nothing gets no flavor of a queue, and is not admitted with those that have
  // one for their TPUs.
  if (!leader.tpu) leader.resources.cpu = or_default(said.resources.cpu, "1");
  build_containers(complete, leader);
  return leader;
}

std::optional<Pathways> build_pathways(const Complete& complete) {
  if (!complete.kind.pathways) return std::nullopt;
  const spec::Pathways& said = complete.claims.workload.pathways;
  const catalog::Pathways& known = complete.catalog.pathways;
  Pathways pathways;
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
    return row == nullptr ? Resources{}
                          : Resources{std::string(row->cpu), std::string(row->memory), {}};
  };
  pathways.server_image = image("pathways-rm", said.server_image);
  pathways.proxy_image = image("pathways-proxy", said.proxy_image);
  pathways.worker_image =
      said.worker_image.usable() || !said.server_image.usable()
          ? image("pathways-worker", said.worker_image)
          : Derived<std::string>(said.server_image.value, "that of the resource manager");
  pathways.server = requests("pathways-rm");
  pathways.proxy = requests("pathways-proxy");
  pathways.colocated_python_image = said.colocated_python_image.value;
  pathways.gcs_location = said.gcs_location.value;
  pathways.headless = complete.facts.is_headless();
  pathways.head_node_pool = said.head_node_pool.value;
  if (said.elastic_slices.usable() && said.elastic_slices.value > 0)
    pathways.elastic_slices = said.elastic_slices.value;
  pathways.server_args = strings_of(said.server_args);
  pathways.proxy_args = strings_of(said.proxy_args);
  pathways.worker_args = strings_of(said.worker_args);
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

void make_pathways_workers(const Complete& complete, Workload& workload) {
  workload.pathways_worker = true;
  workload.said.host_network.value = complete.facts.on_host_network();
  workload.said.host_network.where.given = true;
  workload.said.security_context = {};
  workload.command.clear();
  workload.args.clear();
  workload.env.clear();
  workload.env_from = {};
  workload.containers.clear();
  workload.ports.clear();
  workload.resources = {};
  workload.volumes.clear();
  workload.gcs_fuse = false;
  workload.init_containers = workload.sidecars = {};
  workload.active_deadline = {};
  workload.restart_policy = {"OnFailure", "a worker that restarts joins the others again"};
  add_shared_folder(workload);
}

std::optional<Ray> build_ray(const Complete& complete) {
  if (!complete.kind.ray) return std::nullopt;
  const spec::Workload& said = complete.claims.workload;
  Ray ray;
  ray.version = said.ray.version.value;
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
