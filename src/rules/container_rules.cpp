// Containers, volumes, security contexts, tolerations and pod failure policies: what the API server
// rejects although each field has a valid value, and what no container can run with.
#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>

#include "base/credentials.hpp"
#include "base/quantity.hpp"
#include "base/references.hpp"
#include "resolve/attempts.hpp"
#include "rules/object_rules.hpp"
#include "schema/combinations.hpp"
#include "schema/kubernetes_types.hpp"
#include "schema/pattern.hpp"
#include "spec/derived_keys.hpp"
#include "yaml/path.hpp"

namespace flexslice::rules {

namespace {

constexpr std::string_view slices_of_ray = "MEGASCALE_NUM_SLICES",
                           names_of_lws[] = {"TPU_WORKER_ID", "TPU_WORKER_HOSTNAMES"};

bool is_this_word(const Node* value, std::string_view word) {
  return value != nullptr && text::lower(value->text) == word;
}

std::string_view word_of(const Node* value) {
  return value == nullptr ? std::string_view() : std::string_view(value->text);
}

bool is_null(const Node* value) { return value != nullptr && value->kind == yaml::Kind::null; }

// Reports what several items of a list have in common. What is null may be anything.
void judge_unique(std::span<const Node> list, std::string_view key, std::string_view what,
                  Sink& sink) {
  std::vector<PlacedName> earlier;
  for (const Node& item : list) {
    const Node* value = item.find(key);
    if (value != nullptr && !value->text.empty())
      judge_repeated(sink, earlier, value->span, value->text, what);
  }
}

// Both a pod and a container have such a context.
void judge_security(const Node& context, Sink& sink) {
  for (std::string_view key : {"seccompProfile", "appArmorProfile"}) {
    const Node* profile = context.find(key);
    if (profile == nullptr) continue;
    const Node* type = profile->find("type");
    const bool named = profile->find("localhostProfile") != nullptr;
    if (type != nullptr && named != (type->text == "Localhost"))
      sink.report<Code::LocalhostProfile>(*profile, type->text)
          .help(named ? "remove `localhostProfile`, or write `type: Localhost`"
                      : "add `localhostProfile`: a file below the kubelet's profile folder");
  }
  const Node* escalation = context.find("allowPrivilegeEscalation");
  if (is_this_word(escalation, "false") && is_this_word(context.find("privileged"), "true"))
    sink.report<Code::ExclusiveFields>(*escalation, "privileged: true",
                                       "allowPrivilegeEscalation: false");
  const Node* capabilities = context.find("capabilities");
  if (is_this_word(escalation, "false") && capabilities != nullptr) {
    for (const Node& capability : items(*capabilities, "add")) {
      if (capability.text == "CAP_SYS_ADMIN")
        sink.report<Code::ExclusiveFields>(capability, capability.text,
                                           "allowPrivilegeEscalation: false")
            .help("write `SYS_ADMIN`, or remove one of them");
    }
  }
}

void judge_pod_security(const PodTree& pod, Sink& sink) {
  if (const Node* context = pod.spec.find("securityContext")) judge_security(*context, sink);
}

// Returns whether some pod in the tree has the volume.
bool has_volume(const Node& tree, std::string_view name) {
  const auto holds_it = [&](const Node& each) { return has_volume(each, name); };
  return may_have(tree, "volumes", "name", name) || any_of(tree.items, holds_it) ||
         any_of(tree.members, [&](const yaml::Member& each) { return holds_it(each.value); });
}

// The name is that of a claim that a controller makes a volume of.
bool is_claim_template(const Node& tree, std::string_view name) {
  const auto holds_it = [&](const Node& each) { return is_claim_template(each, name); };
  return any_of(tree.items, holds_it) || any_of(tree.members, [&](const yaml::Member& member) {
           if (member.key.text == "volumeClaimTemplates" || member.key.text == "templates")
             return any_of(member.value.items, [&](const Node& item) {
               return word_of(item.at({"metadata", "name"})) == name;
             });
           return holds_it(member.value);
         });
}

class ContainerRules {
 public:
  // `restarts`: it runs as long as the pod.
  ContainerRules(const PodTree& pod, const Node& node, bool own, bool restarts, Sink& sink)
      : pod_(pod), node_(node), own_(own), restarts_(restarts), sink_(sink) {}

  void judge() const {
    judge_arguments();
    judge_exclusive_fields();
    judge_variables();
    judge_reserved();
    judge_references();
    judge_tokens();
    judge_unique(items(node_, "ports"), "name", "port name", sink_);
    judge_mounts();
    judge_probes();
    judge_privilege();
    judge_requests();
    if (const Node* policy = node_.find("imagePullPolicy"))
      judge_pull_policy(pod_.facts, policy->span, policy->text, sink_);
  }

 private:
  std::string name() const {
    const Node* name = node_.find("name");
    return name == nullptr ? "?" : name->text;
  }

  void judge_arguments() const {
    for (std::string_view key : {"command", "args"}) {
      for (const Node& word : items(node_, key)) {
        if (word.text.size() > longest_argument)
          report_argument(sink_, word.span,
                          fmt::format("a word of `{}` of container `{}`", key, name()),
                          word.text.size());
      }
    }
  }

  // The table takes longer than the rest of a spec, and few containers have two of these together.
  static bool may_exclude(const Node& node) {
    constexpr std::string_view words[] = {
        "value",        "valueFrom", "configMapKeyRef",  "secretKeyRef",
        "fieldRef",     "exec",      "httpGet",          "tcpSocket",
        "grpc",         "sleep",     "subPath",          "subPathExpr",
        "configMapRef", "secretRef", "resourceFieldRef", "fileKeyRef"};
    const auto is_one = [&](const yaml::Member& member) {
      return contains(words, member.key.text);
    };
    return std::ranges::count_if(node.members, is_one) > 1 || any_of(node.items, may_exclude) ||
           any_of(node.members, [](const auto& member) { return may_exclude(member.value); });
  }

  // An object is judged with all of its combinations elsewhere.
  void judge_exclusive_fields() const {
    if (pod_.object != nullptr || !may_exclude(node_)) return;
    for (const schema::JudgedPart& part :
         schema::parts_with_combinations(node_, schema::kubernetes::table("Container"))) {
      const auto given = schema::wrong_fields(part);
      if (given && !given->empty())
        sink_
            .report<Code::FieldsExclude>(place_of({part.node, part.node->find(given->back())}),
                                         fmt::format("`{}`", text::join(*given, "` and `")),
                                         yaml::path_text(part.path))
            .help("remove one of them");
    }
  }

  // A variable that comes twice has its last value in what people wrote for kubectl.
  void judge_variables() const {
    if (!pod_.field.empty()) judge_unique(items(node_, "env"), "name", "variable", sink_);
    for (const Node& variable : items(node_, "env")) {
      const Node* name = variable.find("name");
      const Node* value = variable.find("value");
      if (name == nullptr || value == nullptr) continue;
      const std::size_t bytes = name->text.size() + 1 + value->text.size();
      if (bytes > longest_argument)
        report_argument(sink_, value->span, fmt::format("`{}=…`", name->text), bytes);
    }
  }

  bool is_of_ray() const {
    if (pod_.object == nullptr) return pod_.facts.kind != nullptr && pod_.facts.kind->ray;
    const auto* kind = spec::find_object(word_of(pod_.object->find("kind")));
    return kind != nullptr && kind->ray;
  }
  bool is_of_worker_set() const {
    return pod_.object != nullptr && word_of(pod_.object->find("kind")) == "LeaderWorkerSet";
  }

  // With one of them, LeaderWorkerSet takes the other ones for given too.
  void judge_variables_of_lws(std::string_view name, Diagnostic& finding) const {
    const std::string_view other = names_of_lws[name == names_of_lws[0] ? 1 : 0];
    const bool has_other = may_have(node_, "env", "name", other);
    finding.level = has_other ? diag::Level::note : diag::Level::warning;
    finding.note(
        "LeaderWorkerSet then sets none of TPU_WORKER_ID, TPU_WORKER_HOSTNAMES and TPU_NAME");
    if (!has_other) finding.help("remove it");
  }

  // GKE sets them in containers with chips. Where a template has made a name, it is where its
  // container is. In a file it may be meant, but for the number of a host: all pods of a Job would
  // have the same one, and beside the names of the hosts it is a program's own way to start.
  void judge_reserved() const {
    const bool is_of_spec = !pod_.field.empty();
    const std::string_view chips = spec::requested_chips(node_);
    // The user's container of Pathways is on the head.
    if (chips.empty() && !(own_ && is_of_spec && !pod_.facts.has_pathways())) return;
    const bool has_hosts = may_have(node_, "env", "name", "TPU_WORKER_HOSTNAMES");
    for (const Node& variable : items(node_, "env")) {
      const Node* name = variable.find("name");
      const Reserved* reserved = name == nullptr || name->span == node_.span
                                     ? nullptr
                                     : find_reserved(pod_.facts.catalog.reserved_env, name->text);
      if (reserved == nullptr || (is_of_ray() && name->text == slices_of_ray)) continue;
      const bool is_of_lws =
          !is_of_spec && is_of_worker_set() && contains(names_of_lws, name->text);
      if (!is_of_spec && !is_of_lws &&
          (variable.find("value") == nullptr ||
           reserved->evidence.confidence == diag::Confidence::low))
        continue;
      Diagnostic& finding = sink_.report<Code::ReservedVariable>(name->span, name->text)
                                .note(std::string(reserved->why));
      if (is_of_spec) continue;
      if (is_of_lws) {
        judge_variables_of_lws(name->text, finding);
        continue;
      }
      const bool is_number = name->text == "TPU_WORKER_ID" && pod_.job != nullptr && !has_hosts;
      finding.level = is_number ? diag::Level::warning : diag::Level::note;
      if (!is_number) continue;
      const auto number = text::whole_number(chips);
      const std::int64_t hosts =
          number && *number > 0 && pod_.facts.topology ? pod_.facts.topology->chips() / *number : 1;
      if (hosts > 1) finding.note("all {} pods of the slice get this value", hosts);
      finding.help("remove it");
    }
  }

  // `envFrom` may bring the later variable first.
  void judge_references() const {
    if (node_.find("envFrom") != nullptr) return;
    const auto env = items(node_, "env");
    std::vector<NamedText> variables;
    for (const Node& variable : env)
      variables.push_back({word_of(variable.find("name")), word_of(variable.find("value"))});
    for (const auto& [early, named] : named_too_early(variables)) {
      const auto [name, later] = std::pair(variables[early].name, variables[named].name);
      sink_.report<Code::ReferenceTooEarly>(*env[early].find("value"), later, name)
          .note("`{}` comes after `{}`, and Kubernetes replaces what comes before alone", later,
                name)
          .help("put `{}` before `{}`", later, name);
    }
  }

  // The value may be secret by its form, or by the name that it has.
  static bool is_secret_value(std::string_view name, std::string_view value) {
    return has_credential(fmt::format("{}={}", name, value));
  }

  void judge_tokens() const {
    const bool is_of_spec = own_ && pod_.object == nullptr && !pod_.field.empty();
    for (const Node& variable : items(node_, "env")) {
      const Node *name = variable.find("name"), *value = variable.find("value");
      if (name == nullptr || value == nullptr || !is_secret_value(name->text, value->text))
        continue;
      sink_
          .report<Code::LiteralToken>(place_of({value, name}),
                                      fmt::format("the value of `{}`", name->text))
          .help("keep it in a Secret, and write `{}`",
                is_of_spec ? fmt::format("{}: {{secret: NAME, key: KEY}}", name->text)
                           : "valueFrom: {secretKeyRef: {name: NAME, key: KEY}}");
    }
    for (std::string_view key : {"command", "args"}) {
      std::string_view flag;
      for (const Node& word : items(node_, key)) {
        const bool is_value = flag.starts_with("--") && is_secret_value(flag, word.text);
        flag = word.text;
        if (is_value || has_credential(word.text))
          sink_.report<Code::LiteralToken>(place_of({&word, &node_}), "the command")
              .help("keep it in a Secret, and read it from a variable: `{}`",
                    is_of_spec ? "NAME: {secret: NAME, key: KEY}"
                               : "valueFrom: {secretKeyRef: {name: NAME, key: KEY}}");
      }
    }
  }

  // A disk is mounted as a file system, or is a device.
  void judge_devices() const {
    judge_unique(items(node_, "volumeDevices"), "devicePath", "devicePath", sink_);
    judge_unique(items(node_, "volumeDevices"), "name", "volumeDevices name", sink_);
    for (const Node& device : items(node_, "volumeDevices")) {
      const Node* name = device.find("name");
      if (!is_literal(name)) continue;
      for (const Node& mount : items(node_, "volumeMounts")) {
        if (word_of(mount.find("name")) != name->text) continue;
        sink_.report<Code::FieldsContradict>(
            place_of({name, &device}), "containers",
            fmt::format("`{}` in `volumeMounts` and in `volumeDevices`", name->text));
        return;
      }
      for (const Node& volume : items(pod_.spec, "volumes")) {
        if (word_of(volume.find("name")) != name->text || volume.members.size() != 2 ||
            volume.find("persistentVolumeClaim") != nullptr || volume.find("ephemeral") != nullptr)
          continue;
        sink_
            .report<Code::FieldsContradict>(
                place_of({name, &device}), "containers",
                fmt::format("`{}` in `volumeDevices`, which is not the volume of a claim",
                            name->text))
            .help("write it into `volumeMounts`");
      }
    }
  }

  void judge_mounts() const {
    judge_unique_paths();
    judge_devices();
    for (const Node& mount : items(node_, "volumeMounts")) {
      const Node *path = mount.find("mountPath"), *name = mount.find("name");
      const auto is_volume = [&](const Node& volume) {
        return name != nullptr && word_of(volume.find("name")) == name->text;
      };
      const auto volumes = items(pod_.spec, "volumes");
      const auto volume = std::ranges::find_if(volumes, is_volume);
      if (path != nullptr)
        judge_mount_path(sink_, path->span, path->text,
                         volume == volumes.end() ? std::string_view()
                                                 : word_of(volume->at({"hostPath", "path"})));
      if (name != nullptr && name->kind == yaml::Kind::scalar && knows_volumes(name->text) &&
          !may_have_volume(name->text) &&
          (pod_.object == nullptr || !is_claim_template(*pod_.object, name->text)))
        sink_.report<Code::UnknownVolume>(*name, name->text).help(help_with_volume());
    }
  }

  // An API server drops a list that is null.
  bool may_have_volume(std::string_view name) const {
    const Node* volumes = pod_.spec.find("volumes");
    const bool is_dropped = volumes != nullptr && volumes->kind == yaml::Kind::null &&
                            volumes->span.begin != volumes->span.end && pod_.field.empty() &&
                            says_all(pod_.completeness);
    // KubeRay adds this one where the cluster has `authOptions`.
    const bool is_added = name == "ray-token" && pod_.object != nullptr &&
                          pod_.object->text_at({"kind"}).starts_with("Ray");
    return is_added || (!is_dropped && may_have(pod_.spec, "volumes", "name", name));
  }

  // A patch that could not be applied may add the volume.
  bool knows_volumes(std::string_view name) const {
    return says_all(pod_.completeness) ||
           (pod_.object == nullptr &&
            !any_of(pod_.facts.claims.patches.items, [&](const spec::Patch& patch) {
              return patch.body().where.bad || has_volume(patch.body().value, name);
            }));
  }

  std::string help_with_volume() const {
    return pod_.field.empty() ? "add it to the pod's `volumes`"
                              : "add it to `workload.volumes`, or to the list `volumes` of a patch";
  }

  void judge_unique_paths() const {
    std::vector<PlacedName> earlier;
    for (const Node& mount : items(node_, "volumeMounts")) {
      const Node* path = mount.find("mountPath");
      if (path != nullptr && !path->text.empty())
        judge_repeated(sink_, earlier, path->span, without_slashes(path->text), "mountPath");
    }
  }

  void judge_probes() const {
    for (std::string_view key : {"lifecycle", "livenessProbe", "readinessProbe", "startupProbe"}) {
      const Node* value = node_.find(key);
      if (value == nullptr || is_null(value)) continue;
      if (!restarts_) {
        sink_.report<Code::NotInInitContainer>(*value, key)
            .help(pod_.field.empty()
                      ? "remove it, or add `restartPolicy: Always` to make a sidecar of it"
                      : "remove it, or move the container to `workload.sidecars`");
        continue;
      }
      for (std::string_view handler : {"httpGet", "tcpSocket"}) {
        const Node* port = value->at({handler, "port"});
        if (port != nullptr && says_all(pod_.completeness) &&
            schema::matches(schema::Pattern::port_name, port->text) &&
            !may_have(node_, "ports", "name", port->text))
          sink_.report<Code::ProbePort>(*port, port->text);
      }
    }
  }

  void judge_privilege() const {
    const Node none;
    const Node* context = node_.find("securityContext");
    if (context == nullptr) context = &none;
    judge_security(*context, sink_);
    const Node* of_pod = pod_.spec.find("securityContext");
    const auto setting = [&](std::string_view key) {
      const Node* own = context->find(key);
      return own != nullptr || of_pod == nullptr ? own : of_pod->find(key);
    };
    const Node* user = setting("runAsUser");
    if (says_all(pod_.completeness) && user != nullptr && user->text == "0" &&
        is_this_word(setting("runAsNonRoot"), "true"))
      sink_.report<Code::RootAsNonRoot>(*user).help(
          "write the ID of another user, or remove one of them");
  }

  // `4Gi` or half a chip; what is no amount at all has been reported.
  void judge_chips(const Node& amount) const {
    constexpr int most_chips = 1000;  // of any host
    const auto number = parse_quantity(amount.text);
    if (number && number->nano > 0 &&
        (!number->is_integer() || number->nano / Quantity::unit > most_chips) &&
        !text::whole_number(amount.text))
      sink_.report<Code::WrongForm>(amount.span, amount.text, spec::tpu_resource)
          .note("chips are a whole number without a unit");
  }

  // Kubernetes knows no more of these than their number, so that requests and limits are equal.
  static bool is_extended(std::string_view resource) {
    return resource.find('/') != resource.npos &&
           resource.find("kubernetes.io/") == resource.npos && resource != spec::tpu_resource;
  }
  void judge_extended(const Node& key, const Node& amount, const Node* limit) const {
    if (limit == nullptr) {
      const Node* limits = node_.at({"resources", "limits"});
      if (says_all(pod_.completeness) && is_literal(&amount) && !is_null(limits))
        sink_
            .report<Code::MissingField>(node_.at({"resources", "requests"})->span,
                                        fmt::format("resources.limits[{}]", key.text))
            .note("Kubernetes has no requests of such a resource without equal limits")
            .help("write it below `limits`");
      return;
    }
    const auto own = parse_quantity(amount.text), most = parse_quantity(limit->text);
    if (own && most && *own < *most)
      sink_
          .report<Code::FieldsContradict>(
              place_of({&amount, limit}), "resources",
              fmt::format("`{0}: {1}` in `requests` and `{0}: {2}` in `limits`", key.text,
                          amount.text, limit->text))
          .note("Kubernetes wants both to be equal for such a resource")
          .help("write it below `limits` alone");
  }

  void judge_requests() const {
    for (std::string_view kind : {"requests", "limits"}) {
      const Node* amounts = node_.at({"resources", kind});
      if (amounts == nullptr) continue;
      for (const auto& [key, amount] : amounts->members) {
        if (key.text == spec::tpu_resource && !own_ && !pod_.field.empty()) {
          sink_.report<Code::SecondTpuContainer>(key, name());
          return;
        }
        if (pod_.on_tpus && (key.text.starts_with("nvidia.com/") || key.text == "amd.com/gpu")) {
          if (const auto number = parse_quantity(amount.text); number && number->nano > 0)
            sink_.report<Code::ResourceNotOnNodes>(key, key.text).help("remove it");
        }
        if (key.text == spec::tpu_resource) judge_chips(amount);
        if (key.text == "memory" || key.text == "ephemeral-storage")
          judge_bytes(sink_, amount.span, amount.text);
        else
          judge_precision(sink_, amount.span, amount.text);
        const Node* limit = node_.at({"resources", "limits", key.text});
        const auto most = limit == nullptr ? std::nullopt : parse_quantity(limit->text);
        const auto quantity = parse_quantity(amount.text);
        if (kind == "requests" && key.text != spec::tpu_resource && most && quantity &&
            *quantity > *most)
          sink_.report<Code::RequestAboveLimit>(amount, key.text, amount.text, limit->text);
        if (kind == "requests" && is_extended(key.text) && !is_null(limit))
          judge_extended(key, amount, limit);
      }
    }
  }

  const PodTree& pod_;
  const Node& node_;
  bool own_, restarts_;
  Sink& sink_;
};

void judge_containers(const PodTree& pod, Sink& sink) {
  std::vector<PlacedName> names;
  for (std::string_view list : {"containers", "initContainers"}) {
    const bool main = list == "containers";
    for (const Node& container : items(pod.spec, list)) {
      const bool restarts = main || is_this_word(container.find("restartPolicy"), "always");
      ContainerRules(pod, container, main, restarts, sink).judge();
      const Node* name = container.find("name");
      if (name != nullptr && !name->text.empty())
        judge_repeated(sink, names, name->span, name->text, "container");
    }
  }
}

// A claim of a StatefulSet takes the place of the volume of its name.
void judge_source(const PodTree& pod, const Node& volume, Sink& sink) {
  const Node* name = volume.find("name");
  if (name == nullptr || volume.members.size() > 1 || !says_all(pod.completeness) ||
      (pod.object != nullptr && pod.object->at({"spec", "volumeClaimTemplates"}) != nullptr))
    return;
  sink.report<Code::VolumeWithoutSource>(*name, name->text)
      .help("say where it is from, or write `emptyDir: {}`");
}

void judge_pod_volumes(const PodTree& pod, Sink& sink) {
  judge_unique(items(pod.spec, "volumes"), "name", "volume", sink);
  for (const Node& volume : items(pod.spec, "volumes")) {
    judge_source(pod, volume, sink);
    const Node* limit = volume.at({"emptyDir", "sizeLimit"});
    if (limit == nullptr) continue;
    judge_bytes(sink, limit->span, limit->text);
    judge_most_bytes(sink, limit->span, limit->text);
  }
}

void judge_tolerations(const PodTree& pod, Sink& sink) {
  for (const Node& toleration : items(pod.spec, "tolerations")) {
    const Node *key = toleration.find("key"), *op = toleration.find("operator"),
               *value = toleration.find("value"), *effect = toleration.find("effect"),
               *seconds = toleration.find("tolerationSeconds");
    if (is_null(op) || toleration.kind != yaml::Kind::mapping) continue;
    const bool exists = word_of(op) == "Exists";
    if (exists && !word_of(value).empty())
      sink.report<Code::ImpossibleToleration>(*value, "with `value`", "operator: Equal")
          .help("delete `value`: `Exists` compares none");
    if (!exists && !is_null(key) && word_of(key).empty())
      sink.report<Code::ImpossibleToleration>(toleration, "without `key`", "operator: Exists")
          .note("it tolerates every taint");
    if (seconds != nullptr && !is_null(seconds) && !is_null(effect) &&
        word_of(effect) != "NoExecute")
      sink.report<Code::ImpossibleToleration>(*seconds, "with `tolerationSeconds`",
                                              "effect: NoExecute");
  }
}

// The API server takes a missing selector for one that selects nothing.
void judge_spread(const PodTree& pod, Sink& sink) {
  if (!says_all(pod.completeness)) return;
  for (const Node& constraint : items(pod.spec, "topologySpreadConstraints")) {
    const Node* selector = constraint.find("labelSelector");
    if (selector == nullptr || is_null(selector))
      sink.report<Code::SpreadWithoutSelector>(place_of({selector, &constraint}))
          .help("add `labelSelector: {matchLabels: …}` with a label of the pods");
  }
}

// A port of the host belongs to one container, and is that of the container in the host's network.
void judge_host_ports(const PodTree& pod, Sink& sink) {
  std::vector<std::string> earlier;
  for (const Node& container : items(pod.spec, "containers")) {
    for (const Node& port : items(container, "ports")) {
      const Node *host = port.find("hostPort"), *own = port.find("containerPort");
      if (!is_literal(host) || host->text == "0") continue;
      if (is_this_word(pod.spec.find("hostNetwork"), "true") && is_literal(own) &&
          own->text != host->text)
        sink.report<Code::FieldsContradict>(
            place_of({host, own, pod.spec.find("hostNetwork")}), "ports",
            fmt::format("`containerPort: {}` and `hostPort: {}`, and the pod `hostNetwork: true`",
                        own->text, host->text));
      std::string key = fmt::format("{} {} {}", host->text, word_of(port.find("protocol")),
                                    word_of(port.find("hostIP")));
      if (contains(earlier, key))
        sink.report<Code::RepeatedName>(place_of({host, &port}), "hostPort", host->text);
      earlier.push_back(std::move(key));
    }
  }
}

void judge_priority(const PodTree& pod, Sink& sink) {
  constexpr std::string_view of_system[] = {"system-node-critical", "system-cluster-critical"};
  const Node* priority = pod.spec.find("priorityClassName");
  if (priority != nullptr && contains(of_system, priority->text) && pod.name_space != "kube-system")
    sink.report<Code::CriticalPriority>(*priority, priority->text)
        .help("create a PriorityClass of your own, or a ResourceQuota in the namespace");
}

void judge_exit_codes(const PodTree& pod, const Node& codes, Sink& sink) {
  const Node* name = codes.find("containerName");
  if (name != nullptr && says_all(pod.completeness) &&
      !may_have(pod.spec, "containers", "name", name->text) &&
      !may_have(pod.spec, "initContainers", "name", name->text)) {
    std::vector<std::string_view> names;
    for (const Node& container : items(pod.spec, "containers"))
      names.push_back(word_of(container.find("name")));
    sink.report<Code::UnknownContainer>(*name, name->text)
        .help("the {} {}", names.size() == 1 ? "container of the workload is" : "containers are",
              text::quoted_list(names));
  }
  const Node* values = codes.find("values");
  if (values == nullptr) return;
  std::vector<std::int64_t> numbers;
  for (const Node& value : values->items) {
    const auto number = text::whole_number(value.text);
    if (!number) return;
    numbers.push_back(*number);
    if (numbers.back() == 0 && is_this_word(codes.find("operator"), "in"))
      return void(sink.report<Code::ZeroExitCode>(value).help(
          values->items.size() == 1 ? "remove the rule" : "remove 0 from the list"));
  }
  const std::vector<std::int64_t> written = numbers;
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (numbers != written)
    sink.report<Code::ExitCodeOrder>(*values).help(
        "write `[{}]`",
        text::join(texts(numbers, [](std::int64_t number) { return std::to_string(number); }),
                   ", "));
}

void judge_failure_policy(const PodTree& pod, Sink& sink) {
  const Node* policy = pod.job == nullptr ? nullptr : pod.job->find("podFailurePolicy");
  if (policy == nullptr || policy->kind != yaml::Kind::mapping) return;
  const Node* restart = pod.spec.find("restartPolicy");
  if (word_of(restart) == "OnFailure")
    sink.report<Code::PolicyNeedsNever>(restart->span == Span{} ? *policy : *restart)
        .help("write `restartPolicy: Never`, or remove it");
  for (const Node& rule : items(*policy, "rules")) {
    const Node* action = rule.find("action");
    if (is_this_word(action, "failindex") && says_all(pod.completeness) &&
        pod.job->find("backoffLimitPerIndex") == nullptr)
      sink.report<Code::FailIndexNeedsLimit>(*action).help(
          "set `backoffLimitPerIndex`{}, or write `action: FailJob`",
          pod.field.empty() ? "" : " with `patches`");
    if (const Node* codes = rule.find("onExitCodes")) judge_exit_codes(pod, *codes, sink);
  }
}

bool is_scheduled(const PodTree& pod) {
  if (pod.object != nullptr) return word_of(pod.object->find("kind")) == spec::scheduled_job.object;
  return pod.facts.kind != nullptr && pod.facts.kind->scheduled;
}

// Returns whether no JobSet starts the pods of the Job again.
bool is_job_of_its_own(const Node& object) {
  const auto* row = spec::find_object(word_of(object.find("kind")));
  return row != nullptr && row->word == "job";
}

// All hosts of a slice fail together, so that a limit below their number allows not one loss. A
// JobSet starts such a Job again.
void judge_lost_slice(const PodTree& pod, Sink& sink) {
  const Facts& facts = pod.facts;
  const bool is_job = pod.object != nullptr
                          ? is_job_of_its_own(*pod.object)
                          : facts.kind != nullptr && facts.kind->reclaimed == spec::Reclaimed::pod;
  const Model* model = facts.model_that(&Model::reclaims_nodes);
  if (pod.job == nullptr || !is_job || model == nullptr || !facts.multi_host()) return;
  const Node *limit = pod.job->find("backoffLimit"), *policy = pod.job->find("podFailurePolicy");
  const auto failed = limit == nullptr ? std::nullopt : text::whole_number(limit->text);
  if (!failed || *failed == 0 || *failed >= facts.hosts) return;
  if (policy != nullptr && !resolve::disruption_action(*policy).empty()) return;
  Diagnostic& finding = sink.report<Code::LimitBelowSlice>(*limit, *failed, facts.hosts);
  finding.note("when Google reclaims one of the {}, all pods of its slice fail, and the Job ends",
               model->title);
  const schema::Text& kind = facts.claims.workload.kind;
  if (is_scheduled(pod))
    finding.help("remove it: the next start is another attempt");
  else if (pod.field.empty())
    finding.help("use a JobSet with `maxRestarts`, which starts all pods again together");
  else if (policy != nullptr || word_of(pod.spec.find("restartPolicy")) == "OnFailure")
    finding.help("add `kind: jobset` and `maxRestarts: {}`: all pods start again together",
                 *failed);
  else
    finding.help("write {}`retries: {}` in its place: the whole workload starts again",
                 kind.where.given ? "`kind: jobset` and " : "", *failed);
}

void judge_job_deadline(const PodTree& pod, Sink& sink) {
  const Node* deadline = pod.job == nullptr ? nullptr : pod.job->find("activeDeadlineSeconds");
  if (deadline == nullptr) return;
  if (text::whole_number(deadline->text) == 0)
    sink.report<Code::DeadlineOfZero>(*deadline).help("remove it");
}

std::int64_t seconds_or(const Node& probe, std::string_view key, std::int64_t otherwise) {
  const Node* value = probe.find(key);
  const auto number = value == nullptr ? std::nullopt : text::whole_number(value->text);
  return number && *number > 0 ? *number : otherwise;
}

// The replicated Job with the workers of Pathways, or null.
const Node* pathways_workers(const Node& object) {
  const Node* spec = object.find("spec");
  if (spec == nullptr) return nullptr;
  for (const Node& job : items(*spec, "replicatedJobs")) {
    const Node* pod = job.at({"template", "spec", "template", "spec"});
    const auto has_chips = [](const Node& each) { return !spec::requested_chips(each).empty(); };
    if (pod != nullptr && any_of(items(*pod, "containers"), has_chips)) return &job;
  }
  return nullptr;
}

// The shape that the nodes of the workers form; empty: the slices are parts of them, or it is open.
std::string_view topology_of_workers(const Node& workers) {
  const Node* pod = workers.at({"template", "spec", "template", "spec"});
  const Node* annotations = workers.at({"template", "spec", "template", "metadata", "annotations"});
  if (annotations != nullptr && any_of(annotations->members, [](const yaml::Member& each) {
        return each.key.text == "cloud.google.com/gke-tpu-slice-topology" ||
               each.key.text.starts_with("kueue.x-k8s.io/podset-");
      }))
    return {};
  const Node* topology = pod->at({"nodeSelector", topology_label});
  return is_literal(topology) ? std::string_view(topology->text) : std::string_view();
}

// The resource manager of Pathways waits for so many workers, and there must be as many.
void judge_pathways_instances(const PodTree& pod, Sink& sink) {
  const Node* workers = pod.object == nullptr || pod.completeness == Completeness::expanded
                            ? nullptr
                            : pathways_workers(*pod.object);
  if (workers == nullptr) return;
  constexpr std::string_view count = "--instance_count=", type = "--instance_type=";
  const Node* replicas = workers->find("replicas");
  const auto slices =
      replicas == nullptr ? std::optional<std::int64_t>(1) : text::whole_number(replicas->text);
  const std::string_view topology = topology_of_workers(*workers);
  const auto report = [&](const Node& arg, std::string_view what, std::string right) {
    sink.report<Code::PathwaysInstances>(place_of({&arg, replicas}), arg.text, what)
        .help("write `{}`", right);
  };
  for (std::string_view list : {"initContainers", "containers"}) {
    for (const Node& container : items(pod.spec, list)) {
      for (const Node& arg : items(container, "args")) {
        const std::string_view word = arg.text;
        if (word.starts_with(count)) {
          const auto number = text::whole_number(word.substr(count.size()));
          if (number && slices && *number != *slices)
            report(arg, text::count(*slices, "slice"), fmt::format("{}{}", count, *slices));
        } else if (word.starts_with(type) && !topology.empty()) {
          const std::size_t colon = word.find(':');
          const std::string_view shape =
              colon == word.npos ? "" : word.substr(colon + 1, word.find('_', colon) - colon - 1);
          if (!shape.empty() && catalog::parse_topology(shape) && shape != topology)
            report(arg, fmt::format("slices of {}", topology),
                   fmt::format("{}:{}", word.substr(0, colon), topology));
        }
      }
    }
  }
}

struct Patience {
  std::int64_t delay, every, times;

  explicit Patience(const Node& probe) {
    constexpr std::int64_t period = 10, failures = 3;  // Kubernetes' defaults
    delay = seconds_or(probe, "initialDelaySeconds", 0);
    every = seconds_or(probe, "periodSeconds", period);
    times = seconds_or(probe, "failureThreshold", failures);
  }
  std::int64_t seconds() const { return delay + every * times; }
};

void report_liveness(const auto& where, const Node& probe, Sink& sink) {
  const Patience patience(probe);
  sink.report<Code::LivenessAlone>(where)
      .note("a container that does not answer is restarted after {}s: {}s + {} * {}s",
            patience.seconds(), patience.delay, patience.times, patience.every)
      .help("add a `startupProbe` that allows for the time until the container answers");
}

// `said` is the workload or its leader.
template <class Said>
void judge_probes(const Said& said, Sink& sink) {
  const schema::Tree &startup = said.startup_probe, &liveness = said.liveness_probe;
  if (liveness.usable() && !startup.where.given && !startup.where.bad)
    report_liveness(liveness, liveness.value, sink);
}

// In a file, only a server with chips is sure to need longer than a minute.
void judge_liveness(const PodTree& pod, Sink& sink) {
  constexpr std::int64_t least = 60;
  constexpr std::string_view handlers[] = {"httpGet", "tcpSocket", "grpc"};
  if (!pod.field.empty() || !says_all(pod.completeness)) return;
  for (const Node& container : items(pod.spec, "containers")) {
    const Node* liveness = container.find("livenessProbe");
    if (liveness == nullptr || container.find("startupProbe") != nullptr ||
        spec::requested_chips(container).empty() || Patience(*liveness).seconds() >= least ||
        !any_of(handlers, [&](std::string_view each) { return liveness->find(each) != nullptr; }))
      continue;
    report_liveness(*liveness, *liveness, sink);
  }
}

bool is_stated(const schema::Where& where) { return where.given || where.bad; }

const schema::List<spec::Port>& leader_ports(const spec::Workload& workload) {
  return is_stated(workload.leader.ports.where) ? workload.leader.ports : workload.ports;
}

void judge_own_probes(const Facts& facts, Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  // A spec has probes only of what serves, as another rule says.
  const spec::WorkloadKind* kind = facts.kind;
  if (!facts.claims.is_found && kind != nullptr && (kind->ray || kind->wait.empty())) return;
  judge_probes(workload, sink);
  judge_probes(workload.leader, sink);
}

// Returns whether the probe asks one of the ports, by number or by name.
bool asks(const Node& probe, const schema::List<spec::Port>& ports) {
  for (std::string_view handler : {"httpGet", "tcpSocket", "grpc"}) {
    const Node* asked = probe.at({handler, "port"});
    if (asked != nullptr && any_of(ports.items, [&](const spec::Port& port) {
          return std::to_string(port.port.value) == asked->text || port.name.value == asked->text;
        }))
      return true;
  }
  return false;
}

// Probes of the workload that were surely meant for its leader, which runs something else.
void judge_leader_probes(const Facts& facts, Sink& sink) {
  const spec::Workload& workload = facts.claims.workload;
  const spec::Leader& leader = workload.leader;
  if (facts.kind == nullptr || !facts.kind->leads || !leader.where.usable()) return;
  const auto any_stated = [](std::initializer_list<const schema::Where*> list) {
    return std::ranges::any_of(list, [](const auto* where) { return is_stated(*where); });
  };
  if (any_stated({&leader.startup_probe.where, &leader.readiness_probe.where,
                  &leader.liveness_probe.where}) ||
      !any_stated(
          {&leader.command.where, &leader.args.where, &leader.script.where, &leader.image.where}))
    return;
  // Workers may well serve on ports of their own, and those of a router on the same one.
  const bool own_ports = is_stated(leader.ports.where);
  if (!own_ports && facts.leader_apart()) return;
  const std::pair<std::string_view, const schema::Tree&> probes[] = {
      {"startupProbe", workload.startup_probe},
      {"readinessProbe", workload.readiness_probe},
      {"livenessProbe", workload.liveness_probe}};
  for (const auto& [name, probe] : probes) {
    if (!probe.usable() || !asks(probe.value, leader_ports(workload)) ||
        (own_ports && asks(probe.value, workload.ports)))
      continue;
    sink.report<Code::LeaderWithoutProbes>(probe, name)
        .note("only the leader takes the requests of the Service")
        .help("move the probes to `workload.leader`");
    return;
  }
}

}  // namespace

Rules container_rules() {
  static constexpr Rule rules[] = {judge_own_probes, judge_leader_probes};
  return rules;
}

PodRules pod_container_rules() {
  static constexpr PodRule rules[] = {
      judge_containers,   judge_pod_volumes, judge_pod_security,       judge_tolerations,
      judge_spread,       judge_priority,    judge_failure_policy,     judge_host_ports,
      judge_job_deadline, judge_lost_slice,  judge_pathways_instances, judge_liveness};
  return rules;
}

}  // namespace flexslice::rules
