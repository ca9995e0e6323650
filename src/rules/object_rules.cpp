#include "rules/object_rules.hpp"

#include "resolve/workload_names.hpp"
#include "schema/pattern.hpp"

namespace flexslice::rules {

namespace {

Node new_node(yaml::Kind kind, Span span, std::string_view text = {}) {
  Node made;
  made.kind = kind;
  made.quoted = kind == yaml::Kind::scalar;
  made.span = span;
  made.text = text;
  return made;
}
Node null(Span span) { return new_node(yaml::Kind::null, span); }
Node mapping(Span span = {}) { return new_node(yaml::Kind::mapping, span); }
Node sequence(Span span = {}) { return new_node(yaml::Kind::sequence, span); }
Node scalar(const schema::Where& where, std::string_view text) {
  return new_node(yaml::Kind::scalar, where.span, text);
}

Node& put(Node& mapping, std::string_view key, Node value) {
  Node name = new_node(yaml::Kind::scalar, value.span, key);
  return mapping.members.emplace_back(yaml::Member{std::move(name), std::move(value)}).value;
}

// Nothing where nothing is said, and null where it was reported already.
void put(Node& into, std::string_view key, const Text& claim) {
  if (claim.where.usable()) put(into, key, scalar(claim.where, claim.value));
  if (claim.where.bad) put(into, key, null(claim.where.span));
}
void put(Node& into, std::string_view key, const schema::Flag& claim) {
  if (claim.usable()) put(into, key, scalar(claim.where, claim.value ? "true" : "false"));
}
void put(Node& into, std::string_view key, const schema::Tree& claim) {
  if (claim.usable()) put(into, key, Node(claim.value));
}
void put(Node& into, std::string_view key, const schema::List<Text>& words) {
  if (!words.where.usable()) return;
  Node& list = put(into, key, sequence(words.where.span));
  for (const Text& word : words.items) list.items.push_back(scalar(word.where, word.value));
}

// A list whose items are made of claims.
template <class Claims, class Make>
void put_list(Node& into, std::string_view key, const Claims& claims, const Make& make) {
  if (claims.where.bad) put(into, key, null(claims.where.span));
  if (!claims.where.usable() || claims.items.empty()) return;
  Node& list = put(into, key, sequence(claims.where.span));
  for (const auto& claim : claims.items) {
    Node item = mapping(claim.where.span);
    make(claim, item);
    list.items.push_back(std::move(item));
  }
}

void put_resources(Node& container, const spec::Resources& claims) {
  Node& resources = put(container, "resources", mapping(claims.where.span));
  for (std::string_view kind : {"requests", "limits"}) {
    Node& amounts = put(resources, kind, mapping(claims.where.span));
    if (kind == "requests") put(amounts, "cpu", claims.cpu);
    put(amounts, "memory", claims.memory);
    put(amounts, "ephemeral-storage", claims.ephemeral_storage);
  }
}

void put_environment(Node& container, const spec::Workload& workload) {
  if (workload.env.entries.empty()) return;
  Node& list = put(container, "env", sequence(workload.env.where.span));
  for (const auto& [key, variable] : workload.env.entries) {
    Node item = mapping(key.where.span);
    put(item, "name", key);
    put(item, "value", variable.value);
    list.items.push_back(std::move(item));
  }
}

void put_volumes(Node& pod, const spec::Workload& workload) {
  put_list(pod, "volumes", workload.volumes, [](const spec::Volume& volume, Node& item) {
    put(item, "name", volume.name);
    for (const auto* sized : {&volume.memory, &volume.empty_dir}) {
      if (!sized->where.given) continue;
      Node& directory = put(item, "emptyDir", mapping());
      if (sized == &volume.memory) put(directory, "medium", scalar({}, "Memory"));
      put(directory, "sizeLimit", sized->size_limit);
    }
    if (volume.host_path.usable()) put(put(item, "hostPath", mapping()), "path", volume.host_path);
  });
}

template <class Said>
void put_container(Node& container, const Said& said, const spec::Workload& workload) {
  put(container, "image", said.image);
  if (said.script.usable()) {
    put(container, "command", sequence()).items = {scalar({}, "bash"), scalar({}, "-c")};
    put(container, "args", sequence()).items = {scalar(said.script.where, said.script.value)};
  } else if (!said.script.where.bad && !said.command.where.bad && !said.args.where.bad) {
    put(container, "command", said.command);
    put(container, "args", said.args);
  }
  put_environment(container, workload);
  const bool own_ports = said.ports.where.given || said.ports.where.bad;
  put_list(container, "ports", own_ports ? said.ports : workload.ports,
           [](const spec::Port& port, Node& item) { put(item, "name", port.name); });
  put(container, "startupProbe", said.startup_probe);
  put(container, "readinessProbe", said.readiness_probe);
  put(container, "livenessProbe", said.liveness_probe);
  put_resources(container, said.resources);
  put_list(container, "volumeMounts", workload.volumes, [](const spec::Volume& volume, Node& item) {
    put(item, "name", volume.name);
    put(item, "mountPath", volume.mount_path);
    put(item, "readOnly", volume.read_only);
  });
  if (workload.privileged.usable())
    put(put(container, "securityContext", mapping(workload.privileged.where.span)), "privileged",
        workload.privileged);
}

bool is_claimed(const schema::Where& where) { return where.given || where.bad; }

}  // namespace

Node claimed_pod(const Facts& facts, bool leader) {
  const spec::Workload& workload = facts.claims.workload;
  Node pod = mapping(workload.where.span);
  put(pod, "hostNetwork", workload.host_network);
  put(pod, "restartPolicy", workload.restart_policy);
  put(pod, "priorityClassName", workload.priority_class);
  put(pod, "securityContext", workload.security_context);
  put_list(pod, "tolerations", workload.tolerations,
           [](const spec::Toleration& toleration, Node& item) {
             put(item, "key", toleration.key);
             put(item, "operator", toleration.op);
             put(item, "value", toleration.value);
             put(item, "effect", toleration.effect);
             const auto& seconds = toleration.toleration_seconds;
             if (seconds.usable())
               put(item, "tolerationSeconds", scalar(seconds.where, std::to_string(seconds.value)));
           });
  Node containers = sequence();
  for (std::int64_t i = 0; i < facts.containers; ++i) {
    Node container = mapping(workload.where.span);
    const Text& name = facts.claims.name;
    // How many containers share the chips of a host follows from its machine.
    const auto& claimed = workload.containers_per_pod;
    const bool count_known = !claimed.where.given || facts.containers == claimed.value;
    put(container, "name",
        Text{{.span = name.where.span,
              .given = name.usable() && count_known,
              .bad = !name.usable() || !count_known},
             resolve::container_name(name.value, i)});
    if (leader) {
      put_container(container, workload.leader, workload);
    } else {
      put_container(container, workload, workload);
    }
    if (workload.image_pull_policy.usable())
      put(container, "imagePullPolicy", workload.image_pull_policy);
    containers.items.push_back(std::move(container));
  }
  put(pod, "containers", std::move(containers));
  if (workload.init_containers.where.bad || workload.sidecars.where.bad) {
    put(pod, "initContainers", null({}));
  } else {
    Node others = sequence();
    for (const auto& container : workload.init_containers.items)
      others.items.push_back(container.value);
    for (const auto& container : workload.sidecars.items) {
      Node& sidecar = others.items.emplace_back(container.value);
      if (sidecar.find("restartPolicy") == nullptr)
        put(sidecar, "restartPolicy", scalar({}, "Always"));
    }
    put(pod, "initContainers", std::move(others));
  }
  put_volumes(pod, workload);
  return pod;
}

Node claimed_job(const Facts& facts) {
  Node job = mapping();
  put(job, "podFailurePolicy", facts.claims.workload.pod_failure_policy);
  put(job, "activeDeadlineSeconds", facts.claims.workload.active_deadline);
  if (const auto& limit = facts.claims.workload.backoff_limit; limit.usable())
    put(job, "backoffLimit", scalar(limit.where, std::to_string(limit.value)));
  return job;
}

void judge_claimed_pods(const Facts& facts, bool is_whole, Sink& sink) {
  std::vector<const MachineType*> nodes;
  const bool on_tpus = !facts.has_pathways();  // else Pathways has the chips
  if (facts.machine != nullptr && on_tpus) nodes.push_back(facts.machine);
  const Node job = claimed_job(facts), worker = claimed_pod(facts, false);
  const std::string_view name_space = facts.claims.name_space.value;
  judge_pod_tree({.spec = worker,
                  .facts = facts,
                  .nodes = nodes,
                  .job = &job,
                  .name_space = name_space,
                  .field = "workload",
                  .on_tpus = on_tpus,
                  .is_whole = is_whole},
                 sink);
  const spec::Leader& leader = facts.claims.workload.leader;
  if (facts.kind != nullptr && facts.kind->leads && is_claimed(leader.where)) {
    // A leader without chips runs on a node that nothing is known about.
    if (facts.leader_apart() || leader.tpu.where.bad) nodes.clear();
    const Node pod = claimed_pod(facts, true);
    judge_pod_tree({.spec = pod,
                    .facts = facts,
                    .nodes = nodes,
                    .name_space = name_space,
                    .field = "workload.leader",
                    .on_tpus = !nodes.empty(),
                    .is_whole = is_whole},
                   sink);
  }
}

std::span<const Node> items(const Node& node, std::string_view key) {
  const Node* list = node.find(key);
  return list == nullptr ? std::span<const Node>() : list->items;
}

bool may_have(const Node& node, std::string_view list, std::string_view key,
              std::string_view value) {
  const Node* all = node.find(list);
  if (all != nullptr && all->kind != yaml::Kind::sequence) return true;
  return any_of(items(node, list), [&](const Node& item) {
    const Node* own = item.find(key);
    return own != nullptr && (own->kind == yaml::Kind::null || own->text == value);
  });
}

void judge_pod_tree(const PodTree& pod, Sink& sink) {
  for (const PodRules rules :
       {pod_admission_rules(), pod_autopilot_rules(), pod_container_rules(), pod_command_rules(),
        pod_resource_rules(), pod_schedule_rules(), pod_serving_rules()}) {
    for (const PodRule rule : rules) rule(pod, sink);
  }
}

}  // namespace flexslice::rules
