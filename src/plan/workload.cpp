// The pods: kind, container, volumes, and the rules that combine them. Environment variables have a file of their own.
#include <algorithm>

#include "plan/containers.hpp"
#include "plan/environment.hpp"
#include "plan/limits.hpp"
#include "plan/steps.hpp"

namespace flexslice::plan {

using diag::Code;
using yaml::Value;

namespace {

void put_text(Value& fields, std::string_view key, const record::Text& text) {
  if (usable(text.where)) fields[key] = Value::string(text.value);
}

void put_flag(Value& fields, std::string_view key, const record::Flag& flag) {
  if (usable(flag.where) && flag.value) fields[key] = Value::boolean(true);
}

void put_number(Value& fields, std::string_view key, const record::Integer& number) {
  if (usable(number.where)) fields[key] = Value::number(number.value);
}

// The API server holds some durations in 64 bits, some in 32.
void put_seconds(const Context& context, Value& fields, std::string_view key, const record::Text& duration,
                 std::int64_t longest = INT64_MAX) {
  if (!usable(duration.where)) return;
  const std::int64_t seconds = *record::duration_seconds(duration.value);
  if (seconds > longest) {
    constexpr std::int64_t day = 86'400;
    context.sink.report<Code::TooManySeconds>(duration.where.span, duration.value, seconds, longest)
        .note(text::format("{} seconds are {} days", longest, longest / day));
  }
  fields[key] = Value::number(seconds);
  if (duration.value != std::to_string(seconds) + "s") context.because("workload." + std::string(key), duration.value);
}

// Mappings in the order that Kubernetes' own examples have, whatever the order in the spec.
Value in_order(Value value) {
  constexpr std::string_view first[] = {"name", "image", "command", "args", "workingDir", "env", "ports", "resources", "volumeMounts"};
  const auto rank = [&](const Value::Member& member) {
    return std::find(std::begin(first), std::end(first), member.key) - std::begin(first);
  };
  std::sort(value.members.begin(), value.members.end(), [&](const auto& a, const auto& b) {
    return std::pair(rank(a), std::string_view(a.key)) < std::pair(rank(b), std::string_view(b.key));
  });
  for (auto& [key, member] : value.members) member = in_order(std::move(member));
  for (Value& item : value.items) item = in_order(std::move(item));
  return value;
}

void put_trees(Value& fields, std::string_view key, const record::List<record::Tree>& trees) {
  if (!usable(trees.where)) return;
  Value& list = fields[key] = Value::sequence();
  for (const record::Tree& tree : trees.items) list.push(in_order(yaml::to_value(tree.value)));
}

std::string resolve_kind(const Context& context) {
  const record::Text& given = context.spec.workload.kind;
  const std::int64_t slices = context.plan.tpu.slices;
  if (!given.where.given) {
    context.because("workload.kind", slices > 1 ? text::format("{} slices work together as one JobSet", slices) : "one slice is one Job");
    return slices > 1 ? "jobset" : "job";
  }
  if (given.value == "job" && slices > 1) {
    context.sink.report<Code::JobWithSlices>(given.where.span, slices).help("leave `kind` out, or write `kind: jobset`");
  }
  return given.value;
}

void resolve_command(const Context& context, Value& fields) {
  const spec::Workload& workload = context.spec.workload;
  if (workload.script.where.given && workload.command.where.given) {
    context.sink.report<Code::ScriptAndCommand>(workload.script.where.span).help("keep one of them");
  }
  const auto strings = [](const record::List<record::Text>& list) {
    Value made = Value::sequence();
    for (const record::Text& text : list.items) made.push(Value::string(text.value));
    return made;
  };
  if (usable(workload.script.where)) {
    Value& command = fields["command"] = Value::strings({"bash", "-c", escape_references(workload.script.value, workload.env)});
    // bash takes the first argument behind the script as $0.
    if (usable(workload.args.where)) command.push(Value::string("bash"));
  } else if (usable(workload.command.where)) {
    fields["command"] = strings(workload.command);
  }
  if (usable(workload.args.where)) fields["args"] = strings(workload.args);
}

void report_repeated(const Context& context, std::vector<std::string_view>& seen, const record::Text& text, std::string_view what) {
  if (!usable(text.where)) return;
  if (std::find(seen.begin(), seen.end(), text.value) != seen.end())
    context.sink.report<Code::RepeatedName>(text.where.span, what, text.value);
  seen.push_back(text.value);
}

void resolve_ports(const Context& context, Value& fields) {
  Value& ports = fields["ports"] = Value::sequence();
  const auto with_number = [&](std::int64_t number) -> Value& {
    for (Value& each : ports.items) {
      if (each.find("number")->text == std::to_string(number)) return each;
    }
    Value& made = ports.push(Value::mapping());
    made["number"] = Value::number(number);
    return made;
  };
  for (const catalog::Port& port : context.catalog.ports) {
    const bool wanted = context.plan.tpu.multi_host() && (port.when == "always" || context.plan.tpu.slices > 1);
    if (wanted) with_number(port.number)["number"].comment = port.use;
  }
  std::vector<std::int64_t> own;
  std::vector<std::string_view> names;
  for (const spec::Port& port : context.spec.workload.ports.items) {
    if (!usable(port.port.where)) continue;
    if (std::find(own.begin(), own.end(), port.port.value) != own.end()) {
      context.sink.report<Code::RepeatedName>(port.port.where.span, "port", port.port.value);
    }
    own.push_back(port.port.value);
    put_text(with_number(port.port.value), "name", port.name);
    report_repeated(context, names, port.name, "port name");
  }
}

void resolve_resources(const Context& context, Value& fields) {
  const spec::Resources& resources = context.spec.workload.resources;
  Value made = Value::mapping();
  put_text(made, "cpu", resources.cpu);
  put_text(made, "memory", resources.memory);
  put_text(made, "ephemeralStorage", resources.ephemeral_storage);
  if (!made.members.empty()) fields["resources"] = std::move(made);
}

void resolve_volume(const spec::Volume& volume, Value& made) {
  put_text(made, "name", volume.name);
  put_text(made, "mountPath", volume.mount_path);
  put_flag(made, "readOnly", volume.read_only);
  if (volume.memory.where.given) made["memory"] = Value::boolean(true);
  if (volume.memory.where.given || volume.empty_dir.where.given) made["emptyDir"] = Value::boolean(true);
  put_text(made, "sizeLimit", volume.memory.where.given ? volume.memory.size_limit : volume.empty_dir.size_limit);
  put_text(made, "pvc", volume.pvc);
  put_text(made, "bucket", volume.gcs.bucket);
  put_text(made, "mountOptions", volume.gcs.mount_options);
  put_text(made, "configMap", volume.config_map);
  put_text(made, "secret", volume.secret);
  put_text(made, "hostPath", volume.host_path);
}

void resolve_volumes(const Context& context, Value& fields) {
  const auto& volumes = context.spec.workload.volumes;
  if (volumes.items.empty()) return;
  std::vector<std::string_view> names;
  std::vector<std::string_view> paths;
  Value made = Value::sequence();
  for (const spec::Volume& volume : volumes.items) {
    report_repeated(context, names, volume.name, "volume");
    report_repeated(context, paths, volume.mount_path, "mountPath");
    resolve_volume(volume, made.push(Value::mapping()));
    if (!volume.gcs.where.given) continue;
    fields["gcsFuse"] = Value::boolean(true);
    if (usable(context.spec.workload.host_network.where) && context.spec.workload.host_network.value) {
      context.sink.report<Code::HostNetworkConflict>(context.spec.workload.host_network.where.span, "Cloud Storage FUSE");
    }
    if (!context.spec.workload.service_account.where.given) {
      context.sink.report<Code::BucketWithoutAccount>(volume.gcs.where.span);
    }
  }
  fields["volumes"] = std::move(made);
}

// Labels of these domains, and of those below them, cannot be given to a node pool.
bool is_set_by_gke(std::string_view label) {
  const std::string domain = "." + std::string(label.substr(0, std::min(label.find('/'), label.size())));
  const bool prefixed = domain.size() <= label.size();
  constexpr std::string_view reserved[] = {".kubernetes.io", ".k8s.io", ".google.com", ".gke.io"};
  return prefixed && std::any_of(std::begin(reserved), std::end(reserved), [&](std::string_view each) { return domain.ends_with(each); });
}

void check_toleration(const Context& context, const spec::Toleration& toleration) {
  const auto refuse = [&](const record::Where& where, std::string_view why, std::string_view help) {
    context.sink.report<Code::ImpossibleToleration>(where.span, why).help(std::string(help));
  };
  const bool exists = toleration.op.value == "Exists";
  if (toleration.op.where.bad) return;
  if (exists && usable(toleration.value.where)) refuse(toleration.value.where, "`Exists` compares no value", "leave `value` out");
  if (!exists && !toleration.key.where.given && !toleration.key.where.bad)
    refuse(toleration.where, "a toleration without a key is for all taints", "write `operator: Exists`, without a value");
  if (usable(toleration.toleration_seconds.where) && !toleration.effect.where.bad && toleration.effect.value != "NoExecute")
    refuse(toleration.toleration_seconds.where, "`tolerationSeconds` counts for NoExecute only", "write `effect: NoExecute`");
}

// Nodes stand in the zones of the pool, and pods that ask for another one wait for ever.
void check_zone_selector(const Context& context) {
  const std::vector<std::string>& zones = context.plan.provisioning.zones;
  if (zones.empty()) return;
  for (const auto& entry : context.spec.workload.node_selector.entries) {
    const bool zone = entry.key.value == "topology.kubernetes.io/zone";
    const bool region = entry.key.value == "topology.kubernetes.io/region";
    if ((!zone && !region) || entry.value.where.bad) continue;
    const auto stands_there = [&](std::string_view each) { return (zone ? each : region_of(each)) == entry.value.value; };
    if (std::any_of(zones.begin(), zones.end(), stands_there)) continue;
    context.sink.report<Code::SelectorWithoutNodes>(entry.value.where.span, entry.value.value)
        .note(text::format("the nodes are in {}", text::join(zones, ", ")))
        .help("leave it out, or change `provisioning.zones`");
  }
}

void resolve_placement(const Context& context, Value& fields) {
  const spec::Workload& workload = context.spec.workload;
  Plan& plan = context.plan;
  const Pairs selectors = sorted_pairs(workload.node_selector);
  Value& made = fields["nodeSelector"] = Value::mapping();
  refuse_reserved(context, workload.node_selector, context.catalog.reserved_selectors);
  check_deprecated(context, workload.node_selector);
  for (const auto& [key, value] : selectors) {
    made[key] = Value::string(value);
    if (!plan.cluster.autopilot && !is_set_by_gke(key)) plan.provisioning.node_labels.emplace_back(key, value);
  }
  check_zone_selector(context);
  if (!usable(workload.tolerations.where)) return;
  Value& tolerations = fields["tolerations"] = Value::sequence();
  for (const spec::Toleration& toleration : workload.tolerations.items) {
    check_toleration(context, toleration);
    Value& each = tolerations.push(Value::mapping());
    put_text(each, "key", toleration.key);
    put_text(each, "operator", toleration.op);
    if (!toleration.value.value.empty()) put_text(each, "value", toleration.value);
    put_text(each, "effect", toleration.effect);
    put_number(each, "tolerationSeconds", toleration.toleration_seconds);
  }
}

void resolve_policy(const Context& context, const std::string& kind, Value& fields) {
  const spec::Workload& workload = context.spec.workload;
  const bool whole = context.plan.tpu.multi_host();  // as every slice of several is
  if (usable(workload.restart_policy.where)) {
    put_text(fields, "restartPolicy", workload.restart_policy);
  } else {
    fields["restartPolicy"] = Value::string(whole ? "Never" : "OnFailure");
    if (whole) context.because("workload.restartPolicy", "one lost host stops the whole slice");
  }
  if (usable(workload.backoff_limit.where)) {
    put_number(fields, "backoffLimit", workload.backoff_limit);
  } else if (whole) {
    fields["backoffLimit"] = Value::number(0);
    context.because("workload.backoffLimit", "one failed pod fails the Job");
  }
  // Without a kind the number of slices decides.
  const bool slices_known = context.plan.tpu.machine != nullptr && !context.spec.tpu.slices.where.bad;
  const bool kind_known = usable(workload.kind.where) || (slices_known && !workload.kind.where.bad);
  if (workload.max_restarts.where.given && kind_known && kind != "jobset") {
    context.sink.report<Code::OnlyForKind>(workload.max_restarts.where.span, "workload.maxRestarts", "jobset")
        .help("write `kind: jobset`, or use `backoffLimit`");
  }
  put_number(fields, "maxRestarts", workload.max_restarts);
  put_seconds(context, fields, "activeDeadlineSeconds", workload.active_deadline);
  put_seconds(context, fields, "ttlSecondsAfterFinished", workload.ttl_after_finished, INT32_MAX);
  put_seconds(context, fields, "terminationGracePeriodSeconds", workload.termination_grace);
}

}  // namespace

void resolve_workload(const Context& context) {
  const spec::Workload& spec = context.spec.workload;
  Plan& plan = context.plan;
  plan.workload.kind = resolve_kind(context);
  Value& fields = plan.workload.fields = Value::mapping();
  put_text(fields, "image", spec.image);
  resolve_command(context, fields);
  resolve_environment(context, fields);
  resolve_ports(context, fields);
  resolve_resources(context, fields);
  resolve_volumes(context, fields);
  resolve_placement(context, fields);
  resolve_policy(context, plan.workload.kind, fields);
  put_text(fields, "serviceAccount", spec.service_account);
  put_text(fields, "priorityClass", spec.priority_class);
  put_flag(fields, "privileged", spec.privileged);
  put_flag(fields, "hostNetwork", spec.host_network);
  // With a bucket that is an error already.
  const bool on_host = usable(spec.host_network.where) && spec.host_network.value;
  if (on_host && usable(spec.service_account.where) && fields.find("gcsFuse") == nullptr) {
    context.sink.report<Code::IdentityNeedsPodNetwork>(spec.service_account.where.span, spec.service_account.value);
  }
  if (usable(spec.security_context.where)) fields["securityContext"] = in_order(yaml::to_value(spec.security_context.value));
  if (usable(spec.image_pull_secrets.where)) {
    Value& secrets = fields["imagePullSecrets"] = Value::sequence();
    std::vector<std::string_view> names;
    for (const spec::LocalName& secret : spec.image_pull_secrets.items) {
      report_repeated(context, names, secret.name, "image pull secret");
      put_text(secrets.push(Value::mapping()), "name", secret.name);
    }
  }
  check_containers(context);
  check_arguments(context);
  check_amounts(context);
  put_trees(fields, "initContainers", spec.init_containers);
  put_trees(fields, "sidecars", spec.sidecars);
  if (plan.tpu.machine == nullptr) return;
  if (plan.tpu.multi_host()) {
    fields["completions"] = Value::number(plan.tpu.hosts);
    fields["completionMode"] = Value::string("Indexed");
    context.because("workload.completions", hosts_sum(plan.tpu), &plan.tpu.machine->evidence);
  }
  if (plan.tpu.multi_host() && plan.workload.kind == "job") plan.workload.service = plan.name;
}

}  // namespace flexslice::plan
