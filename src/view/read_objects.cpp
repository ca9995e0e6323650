#include "view/read_objects.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "resolve/labels.hpp"
#include "resolve/requests.hpp"
#include "schema/placeholder.hpp"
#include "spec/derived_keys.hpp"
#include "spec/kinds.hpp"

namespace flexslice::view {

using spec::Integer;
using spec::Text;
using yaml::Kind;
using yaml::Node;

namespace {

constexpr std::string_view tpu = spec::tpu_resource;
constexpr std::string_view slice_key = resolve::slice_annotation,
                           old_machine_key = "beta.kubernetes.io/instance-type";

// The span has the value without its quotes, where a fix can replace it as it is.
Span value_span(const Node& node) {
  Span span = node.span;
  if (node.quoted && span.end - span.begin == node.text.size() + 2) {
    ++span.begin;
    --span.end;
  }
  return span;
}

Text text_of(const Node* node, std::string_view label = {}) {
  Text text;
  text.where.label = label;
  if (node == nullptr) return text;
  text.where.span = value_span(*node);
  text.where.given = node->kind == Kind::scalar;
  text.value = node->text;
  text.where.placeholder = !text.where.given || schema::is_placeholder(node->text);
  return text;
}

Integer integer_of(const Node* node, std::string_view label) {
  const Text text = text_of(node, label);
  Integer integer{text.where, 0};
  const auto number = text::whole_number(text.value);
  integer.value = number.value_or(0);
  integer.where.placeholder = !number;
  return integer;
}

std::string_view word_at(const Node& node, std::initializer_list<std::string_view> path) {
  const Node* found = node.at(path);
  return found == nullptr ? std::string_view() : std::string_view(found->text);
}

bool has_containers(const Node& node) {
  const Node* containers = node.find("containers");
  return containers != nullptr && containers->kind == Kind::sequence &&
         any_of(containers->items, [](const Node& item) { return item.kind == Kind::mapping; });
}

bool is_pod_spec(const Node& node) {
  const Node* selector = node.find("nodeSelector");
  return has_containers(node) || (selector != nullptr && selector->kind == Kind::mapping);
}

// A part of a pod, which something merges into the rest, leaves out what a whole one has. kubectl
// merges nothing into a file, but other tools fill in images.
bool is_pod_part(const Node& spec, const Node* holder, bool is_for_kubectl) {
  const Node* containers = spec.find("containers");
  if (containers == nullptr) return !is_for_kubectl;
  const auto lacks_image = [](const Node& container) { return container.find("image") == nullptr; };
  if (spec.find("restartPolicy") != nullptr || !any_of(containers->items, lacks_image))
    return false;
  if (holder == nullptr) return true;
  // A group whose leader has all of its images is whole.
  const Node* leader = holder->at({"leaderTemplate", "spec", "containers"});
  const bool is_group =
      holder->find("size") != nullptr && leader != nullptr && !any_of(leader->items, lacks_image);
  return holder->find("selector") == nullptr && !is_group;
}

// Visits the containers that run, and those that run before them.
void for_containers(const Node& spec, const auto& visit) {
  for (std::string_view list : {"containers", "initContainers"}) {
    if (const Node* containers = spec.find(list)) {
      for (const Node& container : containers->items) visit(container);
    }
  }
}

bool tolerates_tpus(const Node* tolerations) {
  return tolerations != nullptr && any_of(tolerations->items, [](const Node& toleration) {
           const Node *key = toleration.find("key"), *op = toleration.find("operator");
           return key == nullptr ? op != nullptr && op->text == "Exists" : key->text == tpu;
         });
}

// A JSON Schema, also one in a CustomResourceDefinition: its keys are names of fields.
bool is_json_schema(const Node& node) {
  if (node.kind != Kind::mapping) return false;
  const Node *type = node.find("type"), *properties = node.find("properties");
  return node.find("$schema") != nullptr ||
         (type != nullptr && properties != nullptr && type->text == "object" &&
          properties->kind == Kind::mapping);
}

// One object, or a fragment of one.
class ObjectReader {
 public:
  ObjectReader(const Node& object, const catalog::Catalog& catalog, Found& found)
      : object_(object), catalog_(catalog), found_(found) {
    kind_ = text_of(object.find("kind"));
    version_ = text_of(object.find("apiVersion"));
    // kustomize takes a file that says neither for one.
    const bool generates =
        object.find("configMapGenerator") != nullptr || object.find("secretGenerator") != nullptr;
    if (!generates || kind_.where.given || version_.where.given) return;
    kind_.value = "Kustomization";
    version_.value = "kustomize.config.k8s.io/v1beta1";
    kind_.where.given = version_.where.given = true;
  }

  void read() {
    const bool is_object = version_.usable(), is_named = name().where.given;
    auto& objects = is_object ? found_.objects : found_.without_version;
    const std::size_t index = objects.size();
    const bool is_kept = kind_.usable() && (is_object || (!version_.where.given && is_named));
    if (is_kept) objects.push_back({version_, kind_, &object_});
    if (!is_named || !kind_.where.given)
      completeness_ = std::max(completeness_, Completeness::fragment);
    of_pods_ = completeness_;
    read_parts();
    if (is_kept) objects[index].completeness = of_pods_;
  }

 private:
  void read_parts() {
    if (kind_.value == "ResourceFlavor") return flavor();
    if (kind_.value == "ClusterQueue") return cluster_queue();
    if (kind_.value == "LocalQueue")
      found_.local_queues.push_back({name(), text_of(object_.at({"spec", "clusterQueue"})),
                                     text_of(object_.at({"metadata", "namespace"}))});
    if (kind_.value == "Namespace" && version_.value == "v1")
      found_.namespaces.push_back({name(), map_of(object_.at({"metadata", "labels"}))});
    if (kind_.value == "AdmissionCheck")
      found_.admission_checks.push_back(
          {name(), text_of(object_.at({"spec", "parameters", "name"}))});
    if (kind_.value == "ProvisioningRequestConfig") request_config();
    if (kind_.value == "ComputeClass") return compute_class();
    if (kind_.value == "PathwaysJob") pathways_workers();
    if (kind_.value == "Service" && version_.value == "v1") return service();
    if (kind_.value == "HorizontalPodAutoscaler") return autoscaler();
    if (kind_.value == "ResourceClaimTemplate") return claimed_chips();
    if (kind_.value == "PersistentVolumeClaim")
      found_.disk_claims.push_back(disk_claim(name(), object_));
    if (kind_.value == "StorageClass") storage_class();
    if (kind_.value == "NetworkPolicy" && version_.value.starts_with("networking.k8s.io/"))
      return policy();
    if (is_object(object_)) labels(object_.find("metadata"), own_labels_);
    // A CronJob's own labels are not those of its Jobs.
    const Node& job = spec::job_of(object_);
    if (&job != &object_) {
      own_labels_ = {};
      labels(job.find("metadata"), own_labels_);
    }
    visit(object_, {});
    if (kind_.value == "TrainJob") train_job();
  }

  // A node on the way down, and the key that it is at.
  struct Step {
    std::string_view key;
    const Node* node;
  };

  Text name() const { return text_of(object_.at({"metadata", "name"})); }

  void visit(const Node& node, std::string_view key) {
    if (!path_.empty() && is_object(node)) return ObjectReader(node, catalog_, found_).read();
    if (is_json_schema(node)) return;
    path_.push_back({key, &node});
    if (node.kind == Kind::mapping && is_pod_spec(node)) {
      pod(node);
    }
    if (!has_containers(node)) {
      for (const Node& item : node.items) visit(item, key);
      for (const auto& [member_key, value] : node.members) visit(value, member_key.text);
    }
    path_.pop_back();
  }

  bool is_below(std::string_view key) const {
    return any_of(path_, [&](const Step& step) { return step.key == key; });
  }

  // Finds the template that holds the pod spec, and what holds the template; null if they would be
  // outside of the document.
  const Step* above(std::size_t levels) const {
    return path_.size() > levels ? &path_[path_.size() - 1 - levels] : nullptr;
  }

  PodRole role() const {
    const Step* holder = above(1);
    const std::string_view key = holder == nullptr ? "" : holder->key;
    if (key == "workerTemplate") return PodRole::lws_worker;
    if (key == "leaderTemplate") return PodRole::lws_leader;
    if (is_below("workerGroupSpecs")) return PodRole::ray_worker;
    if (is_below("headGroupSpec")) return PodRole::other;
    if (kind_.value == "Pod" && path_.size() == 2) return PodRole::pod;
    // Its trainer counts the pods.
    if (version_.value.starts_with("trainer.kubeflow.org/"))
      return is_training_job() ? PodRole::trainer : PodRole::other;
    if (kind_.value == "Job" || is_below("jobTemplate") || is_below("replicatedJobs"))
      return PodRole::job;
    constexpr std::string_view replicated[] = {"Deployment", "StatefulSet", "DaemonSet",
                                               "ReplicaSet"};
    return contains(replicated, kind_.value) ? PodRole::replicas : PodRole::other;
  }

  // A runtime has other jobs too, such as those that fetch data.
  bool is_training_job() const {
    if (kind_.value == "TrainJob") return true;
    const Step* job = is_below("replicatedJobs") ? above(4) : nullptr;
    return job != nullptr &&
           (word_at(*job->node, {"name"}) == "node" ||
            word_at(*job->node, {"template", "metadata", "labels",
                                 "trainer.kubeflow.org/trainjob-ancestor-step"}) == "trainer");
  }

  PodClaims& add_pod() {
    PodClaims& pod = found_.pods.emplace_back();
    pod.source = object_.span.source;
    pod.kind = kind_;
    pod.claims.name = name();
    pod.completeness = std::max(completeness_, Completeness::fragment);
    // A spec without a model has the default one; nodes without its label may have any.
    pod.claims.provisioning.model.where.placeholder = true;
    return pod;
  }

  void pod(const Node& spec) {
    PodClaims& pod = add_pod();
    pod.role = role();
    pod.claims.where = {spec.span, true};
    pod.spec = &spec;
    pod.object = &object_;
    if (const Step* holder = above(2)) pod.holder = holder->node;
    pod.name_space = text_of(object_.at({"metadata", "namespace"}));
    const Step* held_in = above(1);
    const Node* metadata = held_in == nullptr ? nullptr : held_in->node->find("metadata");
    pod.queue = own_labels_.queue;
    pod.slice_topology = own_labels_.slice_topology;
    if (held_in != nullptr && held_in->node != &object_) labels(metadata, pod);
    selectors(spec, pod);
    disks(spec, pod);
    pod.claims.workload.termination_grace = seconds_at(spec, "terminationGracePeriodSeconds");
    serving_kind(pod);
    pod.tolerates_tpus = tolerates_tpus(spec.find("tolerations"));
    const std::string_view group =
        std::string_view(version_.value).substr(0, version_.value.find('/'));
    pod.is_plain_job = pod.role == PodRole::job && group == "batch";
    if (pod.is_plain_job || (pod.role == PodRole::job && group == "jobset.x-k8s.io") ||
        (pod.role == PodRole::replicas && group == "apps") || pod.role == PodRole::lws_worker ||
        pod.role == PodRole::lws_leader)
      pod.restart_policy = text_of(spec.find("restartPolicy"));
    // Kubernetes takes an empty word for none.
    pod.restart_policy.where.given &= !pod.restart_policy.value.empty();
    if (!is_pod_part(spec, pod.holder, found_.is_for_kubectl)) pod.completeness = completeness_;
    if (has_containers(spec)) of_pods_ = std::max(of_pods_, pod.completeness);
    host_names(spec, metadata, group, pod);
    chips(spec, pod);
    variables(spec);
    if (const Step* holder = above(2)) counts(*holder->node, pod);
    if (pod.role == PodRole::trainer) nodes_of_trainer(pod);
    claims(spec, pod);
  }

  void nodes_of_trainer(PodClaims& pod) const {
    const bool is_job = kind_.value == "TrainJob";
    const Node* nodes = is_job ? object_.at({"spec", "trainer", "numNodes"})
                               : object_.at({"spec", "mlPolicy", "numNodes"});
    pod.hosts = integer_of(nodes, "numNodes");
    // One is the default that TrainJobs replace.
    if (!is_job && pod.hosts.value == 1) pod.hosts = {};
    if (!is_job) pod.runtime = name().value;
    if (is_job && !pod.chips.where.given) pod.chips = chips_of_trainer();
  }

  Integer chips_of_trainer() const {
    const Node* resources = object_.at({"spec", "trainer", "resourcesPerNode"});
    const Node* amount = resources == nullptr ? nullptr : resources->at({"limits", tpu});
    if (amount == nullptr && resources != nullptr) amount = resources->at({"requests", tpu});
    return integer_of(amount, tpu);
  }

  void train_job() {
    const Node* nodes = object_.at({"spec", "trainer", "numNodes"});
    const bool has_selectors = any_of(found_.pods, [&](const PodClaims& pod) {
      return pod.object == &object_ && !pod.claims.workload.node_selector.entries.empty();
    });
    const Integer chips = chips_of_trainer();
    found_.train_jobs.push_back({text_of(object_.at({"spec", "runtimeRef", "name"})),
                                 integer_of(nodes, "numNodes"), chips, has_selectors});
    if (const Node* resources = object_.at({"spec", "trainer", "resourcesPerNode"}))
      add_amounts(*resources, found_.train_jobs.back());
  }

  static void add_amounts(const Node& resources, TrainJobClaims& job) {
    for (const char* list : {"limits", "requests"}) {
      if (const Node* amount = resources.at({list, tpu}))
        job.amounts.push_back(value_span(*amount));
    }
    add_unlimited(resources, job.unlimited);
  }

  static void claims(const Node& spec, PodClaims& pod) {
    const Node* claims = spec.find("resourceClaims");
    if (claims == nullptr) return;
    for (const Node& claim : claims->items) {
      if (const Node* named = claim.find("resourceClaimTemplateName"))
        pod.resource_claims.push_back({named->text, named->span});
    }
  }

  // A number of devices; `All` of a node is another one.
  void claimed_chips() {
    const Node* requests = object_.at({"spec", "spec", "devices", "requests"});
    if (requests == nullptr) return;
    ClaimedChips chips{name().value, 0};
    for (const Node& request : requests->items) {
      const Node* exactly = request.find("exactly");
      const Node& device = exactly == nullptr ? request : *exactly;
      const Node *device_class = device.find("deviceClassName"), *count = device.find("count");
      if (device_class == nullptr || device_class->text.find("tpu") == std::string::npos) continue;
      const std::string_view mode = word_at(device, {"allocationMode"});
      if (!mode.empty() && mode != "ExactCount") return;
      const auto number = count == nullptr ? 1 : text::whole_number(count->text).value_or(0);
      if (number == 0) return;
      chips.count += number;
    }
    found_.claimed_chips.push_back(std::move(chips));
  }

  void labels(const Node* metadata, PodClaims& pod) {
    if (metadata == nullptr) return;
    strings(metadata->find("labels"));
    strings(metadata->find("annotations"));
    if (const Node* queue = metadata->at({"labels", resolve::queue_label}))
      pod.queue = text_of(queue, resolve::queue_label);
    if (const Node* annotations = metadata->find("annotations"))
      pod.requests_topology |= any_of(annotations->members, [](const auto& each) {
        return resolve::requests_topology(each.key.text, each.value.text);
      });
    if (const Node* shape = metadata->at({"annotations", slice_key}))
      pod.slice_topology = text_of(shape, slice_key);
  }

  // Notes values of a map of strings that are not strings. Null counts as empty.
  void strings(const Node* map) {
    if (map == nullptr) return;
    for (const auto& [key, value] : map->members) string(key, value);
  }
  void string(const Node& key, const Node& value) {
    if (value.kind != Kind::scalar || value.quoted) return;
    if (yaml::kubectl_type_of(value) == yaml::ScalarType::string) return;
    Text name = text_of(&key);
    found_.not_strings.push_back({name, {{value.span, true}, value}});
  }

  void selectors(const Node& spec, PodClaims& pod) {
    if (const Node* selector = spec.find("nodeSelector")) {
      strings(selector);
      for (const auto& [key, value] : selector->members) select(key, value, pod);
    }
    const Node* terms =
        spec.at({"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution",
                 "nodeSelectorTerms"});
    // Any of several terms may hold.
    if (terms == nullptr || terms->items.size() != 1) return;
    const Node* expressions = terms->items.front().find("matchExpressions");
    if (expressions == nullptr) return;
    for (const Node& expression : expressions->items) {
      const Node *key = expression.find("key"), *op = expression.find("operator"),
                 *values = expression.find("values");
      if (key == nullptr || op == nullptr || (op->text != "In" && op->text != "Exists")) continue;
      const std::size_t count = values == nullptr ? 0 : values->items.size();
      for (std::size_t i = 0; i < count; ++i) string(*key, values->items[i]);
      if (count == 1) {
        select(*key, values->items.front(), pod);
      } else {
        pod.claims.workload.node_selector.entries.push_back({text_of(key), {}});
      }
    }
  }

  void select(const Node& key, const Node& value, PodClaims& pod) const {
    pod.claims.workload.node_selector.entries.push_back({text_of(&key), text_of(&value)});
    spec::Tpu& claim = pod.claims.tpu;
    if (key.text == resolve::accelerator_label)
      claim.type = text_of(&value, resolve::accelerator_label);
    if (key.text == resolve::topology_label)
      claim.topology = text_of(&value, resolve::topology_label);
    if (key.text == resolve::machine_label || key.text == old_machine_key)
      claim.machine_type = text_of(&value, resolve::machine_label);
    if (key.text == resolve::pool_label) pod.pool = text_of(&value, resolve::pool_label);
    select_model(key, value, pod);
  }

  // Any of several labels tells the model, but a queue decides.
  void select_model(const Node& key, const Node& value, PodClaims& pod) const {
    const auto* model = find_where(catalog_.models, [&](const catalog::Model& each) {
      return any_of(each.node_selector, [&](const catalog::Label& label) {
        return label.key == key.text && label.value == value.text;
      });
    });
    Text& claim = pod.claims.provisioning.model;
    if (model == nullptr || (claim.usable() && !model->needs_queue)) return;
    claim = text_of(&value);
    claim.value = model->name;
  }

  static Text seconds_at(const Node& holder, std::string_view key) {
    Text claim = text_of(holder.find(key), key);
    if (!text::whole_number(claim.value)) claim.where.placeholder = true;
    claim.value += "s";
    return claim;
  }

  // Objects that serve until they are deleted name their kind; of others, the pods decide it.
  void serving_kind(PodClaims& pod) const {
    const spec::WorkloadKind* kind = spec::find_object(kind_.value);
    if (kind == nullptr || kind->ends) return;
    pod.claims.workload.kind = kind_;
    pod.claims.workload.kind.value = kind->word;
    pod.claims.provisioning.queue.name = pod.queue;
  }

  void deadline(const Node& job, PodClaims& pod) const {
    constexpr std::string_view lifetime = "provreq.kueue.x-k8s.io/maxRunDurationSeconds";
    pod.claims.workload.active_deadline = seconds_at(job, "activeDeadlineSeconds");
    const Node* annotations = object_.at({"metadata", "annotations"});
    if (annotations != nullptr && annotations->find(lifetime) != nullptr)
      pod.claims.provisioning.max_run_duration = seconds_at(*annotations, lifetime);
  }

  DiskClaims disk_claim(Text name, const Node& claim) const {
    const Node* spec = claim.find("spec");
    if (spec == nullptr) return {std::move(name), {}, {}, true};
    const Node* disk = spec->find("storageClassName");
    if (disk != nullptr && disk->kind == Kind::null) disk = nullptr;
    DiskClaims read{std::move(name), text_of(claim.at({"metadata", "namespace"})), text_of(disk)};
    // "" asks for a volume that exists.
    read.has_volume = spec->find("volumeName") != nullptr || spec->find("selector") != nullptr ||
                      (disk != nullptr && disk->kind == Kind::scalar && disk->text.empty());
    const Node* modes = spec->find("accessModes");
    // A claim that many nodes only read gets its content from a volume that exists.
    read.has_volume =
        read.has_volume || modes == nullptr ||
        any_of(modes->items, [](const Node& mode) { return !mode.text.starts_with("ReadWrite"); });
    read.mounted_by_many =
        modes != nullptr && word_at(*spec, {"volumeMode"}) != "Block" &&
        any_of(modes->items, [](const Node& mode) { return mode.text == "ReadWriteMany"; });
    return read;
  }

  void disks(const Node& spec, PodClaims& pod) const {
    const Node* volumes = spec.find("volumes");
    const auto add_own = [&](const Node* name, const Node& claim) {
      const DiskClaims own = disk_claim(text_of(name), claim);
      if (!own.has_volume) pod.disks.push_back({own.name, true, own.storage_class});
    };
    if (volumes != nullptr) {
      for (const Node& volume : volumes->items) {
        if (const Node* claim = volume.at({"persistentVolumeClaim", "claimName"}))
          pod.disks.push_back({text_of(claim)});
        if (const Node* claim = volume.at({"ephemeral", "volumeClaimTemplate"}))
          add_own(volume.find("name"), *claim);
      }
    }
    const Node* templates = object_.at({"spec", "volumeClaimTemplates"});
    if (templates == nullptr) return;
    for (const Node& claim : templates->items) add_own(claim.at({"metadata", "name"}), claim);
  }

  void storage_class() {
    const Text driver = text_of(object_.find("provisioner"));
    DiskClass& made = found_.disk_classes.emplace_back(DiskClass{name(), {}});
    constexpr std::string_view drivers[] = {"pd.csi.storage.gke.io", "kubernetes.io/gce-pd"};
    if (!contains(drivers, driver.value)) return;
    const Node* type = object_.at({"parameters", "type"});
    made.type = type == nullptr ? "pd-standard" : type->text;
    if (schema::is_placeholder(made.type)) made.type.clear();
  }

  static std::vector<LabelTerm> terms_of(const Node* selector) {
    std::vector<LabelTerm> terms;
    if (selector == nullptr) return terms;
    if (const Node* labels = selector->find("matchLabels")) {
      for (const auto& [key, value] : labels->members)
        terms.push_back({key.text, "In", {value.text}});
    }
    const Node* expressions = selector->find("matchExpressions");
    if (expressions == nullptr) return terms;
    for (const Node& expression : expressions->items) {
      const Node *key = expression.find("key"), *op = expression.find("operator");
      if (key == nullptr || op == nullptr) continue;
      add_texts(expression.find("values"),
                terms.emplace_back(LabelTerm{key->text, op->text}).values);
    }
    return terms;
  }

  void policy() {
    const Node* spec = object_.find("spec");
    if (spec == nullptr) return;
    PolicyClaims& policy = found_.policies.emplace_back();
    policy.name = name();
    policy.name_space = text_of(object_.at({"metadata", "namespace"}));
    policy.pods = terms_of(spec->find("podSelector"));
    policy.in = traffic(spec->find("ingress"), "from");
    policy.out = traffic(spec->find("egress"), "to");
    const Node* types = spec->find("policyTypes");
    const auto has = [&](std::string_view type) {
      return any_of(types->items, [&](const Node& item) { return item.text == type; });
    };
    policy.limits_in = types == nullptr || has("Ingress");
    policy.limits_out = types == nullptr ? spec->find("egress") != nullptr : has("Egress");
  }

  static std::vector<TrafficRule> traffic(const Node* rules, std::string_view peers) {
    std::vector<TrafficRule> read;
    if (rules == nullptr) return read;
    for (const Node& rule : rules->items) {
      TrafficRule& each = read.emplace_back();
      if (const Node* ports = rule.find("ports"); ports != nullptr && !ports->items.empty())
        add_ports(*ports, each);
      const Node* list = rule.find(peers);
      if (list == nullptr || list->items.empty()) continue;
      each.all_peers = any_of(list->items, [](const Node& peer) {
        return peer.find("podSelector") == nullptr || peer.find("namespaceSelector") != nullptr;
      });
      for (const Node& peer : list->items) each.peers.push_back(terms_of(peer.find("podSelector")));
    }
    return read;
  }

  static void add_ports(const Node& ports, TrafficRule& rule) {
    rule.all_ports = false;
    for (const Node& port : ports.items) {
      const Node *protocol = port.find("protocol"), *number = port.find("port"),
                 *end = port.find("endPort");
      if (protocol != nullptr && protocol->text != "TCP") continue;
      const auto first = number == nullptr ? std::nullopt : text::whole_number(number->text);
      const auto last = end == nullptr ? first : text::whole_number(end->text);
      if (number == nullptr || schema::is_placeholder(number->text) || (end != nullptr && !last)) {
        rule.all_ports = true;
      } else if (!first) {
        rule.ports.push_back({number->text});
      } else {
        rule.ports.push_back({{}, *first, *last});
      }
    }
  }

  // Job, Pod and StatefulSet need a Service for host names, and JobSets that make none.
  void host_names(const Node& spec, const Node* metadata, std::string_view group, PodClaims& pod) {
    const bool is_set = pod.kind.value == "StatefulSet";
    const Node* own = object_.at({"spec", "network", "enableDNSHostnames"});
    pod.needs_service = pod.is_plain_job || pod.role == PodRole::pod || is_set ||
                        (group == "jobset.x-k8s.io" && own != nullptr && own->text == "false");
    if (pod.needs_service)
      pod.service = is_set ? text_of(object_.at({"spec", "serviceName"}), "serviceName")
                           : text_of(spec.find("subdomain"), "subdomain");
    pod.metadata = metadata;
    if (metadata != nullptr) pod.labels = map_of(metadata->find("labels"));
    pod.lists_ports = spec.find("containers") != nullptr;
    for_containers(spec, [&](const Node& container) {
      const Node* ports = container.find("ports");
      pod.lists_ports = pod.lists_ports && ports != nullptr;
      if (ports == nullptr) return;
      for (const Node& port : ports->items) {
        if (const Node* port_name = port.find("name")) pod.ports.push_back(port_name->text);
        const Node* number = port.find("containerPort");
        const auto read = number == nullptr ? std::nullopt : text::whole_number(number->text);
        if (read) pod.port_numbers.push_back(*read);
        pod.lists_ports = pod.lists_ports && read;
      }
    });
    if (!pod.is_plain_job) return;
    // A CronJob gives each Job a new name, which no selector can know.
    Text job_name = name();
    if (kind_.value != "Job") job_name.value += "-MINUTES";
    for (std::string_view key : {"job-name", "batch.kubernetes.io/job-name"})
      pod.labels.entries.push_back({{{}, std::string(key)}, job_name});
  }

  static Map<Text> map_of(const Node* node) {
    Map<Text> map;
    if (node == nullptr) return map;
    map.where = {node->span, true};
    for (const auto& [key, value] : node->members)
      map.entries.push_back({text_of(&key), text_of(&value)});
    return map;
  }

  void autoscaler() {
    found_.autoscalers.push_back({name(), text_of(object_.at({"metadata", "namespace"})),
                                  text_of(object_.at({"spec", "scaleTargetRef", "kind"})),
                                  text_of(object_.at({"spec", "scaleTargetRef", "name"})),
                                  integer_of(object_.at({"spec", "maxReplicas"}), "maxReplicas")});
  }

  void service() {
    const Node* address = object_.at({"spec", "clusterIP"});
    if (address != nullptr && address->kind == Kind::null) address = nullptr;
    strings(object_.at({"spec", "selector"}));
    ServiceClaims& service = found_.services.emplace_back();
    service.name = name();
    service.name_space = text_of(object_.at({"metadata", "namespace"}));
    service.address = text_of(address);
    service.selector = map_of(object_.at({"spec", "selector"}));
    service.is_external = object_.at({"spec", "externalName"}) != nullptr;
    const Node* ports = object_.at({"spec", "ports"});
    if (ports == nullptr) return;
    for (const Node& port : ports->items) {
      const Node* said = port.find("targetPort");
      const Text target = text_of(said == nullptr ? port.find("port") : said);
      if (target.usable()) service.target_ports.items.push_back(target);
    }
  }

  // As the scheduler counts: containers and sidecars together, init containers one by one.
  void chips(const Node& spec, PodClaims& pod) {
    std::int64_t most_here = 0;
    for (std::string_view list : {"containers", "initContainers"}) {
      const Node* containers = spec.find(list);
      pod.chips_known &= containers == nullptr || containers->kind == Kind::sequence;
    }
    for_containers(spec, [&](const Node& each) { container_chips(each, most_here, pod); });
    // In a page, `resources` may be next to the selector.
    if (spec.find("containers") == nullptr) {
      container_chips(spec, most_here, pod);
      pod.chips.value = most_here;
    }
    if (!pod.chips.where.given || !pod.chips_known) return;
    const resolve::Requests requests = resolve::pod_requests(spec);
    const auto total = requests.find(tpu);
    if (total == requests.end()) return;
    pod.chips.value = static_cast<std::int64_t>(total->second.nano / Quantity::unit);
    std::vector<std::string> terms;
    const auto steps = resolve::container_starts(spec);
    for (const Node* container : steps.front()) {
      const resolve::Requests own = resolve::container_requests(*container);
      const auto amount = own.find(tpu);
      if (amount != own.end())
        terms.push_back(
            fmt::format("`{}` {}", container->text_at({"name"}), amount->second.text()));
    }
    if (terms.size() > 1)
      pod.sum = fmt::format("{} = {}", text::join(terms, " + "), total->second.text());
  }

  void container_chips(const Node& container, std::int64_t& most, PodClaims& pod) {
    if (container.kind != Kind::mapping) return;
    const Node* limit = container.at({"resources", "limits", tpu});
    const Node* request = container.at({"resources", "requests", tpu});
    if (limit != nullptr && limit->kind == Kind::null) limit = nullptr;
    if (request != nullptr && request->kind == Kind::null) request = nullptr;
    for (const Node* amount : {limit, request}) {
      if (amount == nullptr) continue;
      pod.amounts.push_back(value_span(*amount));
      const auto number = text::whole_number(amount->text);
      if (!number || *number > most_chips) {
        pod.chips_known = pod.chips_known && number.has_value();
        if (!number) continue;
      }
      if (pod.chips.where.given && *number <= most) continue;
      most = *number;
      pod.chips.where = {.span = value_span(*amount), .given = true, .label = tpu};
    }
    if (const Node* resources = container.find("resources"))
      add_unlimited(*resources, pod.unlimited);
  }

  // A request of chips that is not its own limit.
  static void add_unlimited(const Node& resources, std::vector<Span>& unlimited) {
    const Node *limit = resources.at({"limits", tpu}), *request = resources.at({"requests", tpu});
    const Node* limits = resources.find("limits");
    const auto is_there = [](const Node* node) {
      return node != nullptr && node->kind != Kind::null;
    };
    if (!is_there(request)) return;
    // A cluster drops a null that is written; nothing at all may be what a template fills in.
    const bool is_open = limits != nullptr && limits->kind != Kind::mapping &&
                         (limits->kind != Kind::null || limits->span.begin == limits->span.end);
    const bool missing = !is_there(limit) && !is_open;
    const bool differs = is_there(limit) && request->text != limit->text &&
                         text::whole_number(request->text) && text::whole_number(limit->text);
    if (missing || differs) unlimited.push_back(request->span);
  }

  void variables(const Node& spec) {
    for_containers(spec, [&](const Node& container) {
      if (container.kind != Kind::mapping) return;
      for (const auto& [key, value] : container.members) {
        if (key.text != "command" && key.text != "args") continue;
        for (const Node& word : value.items) string(key, word);
      }
      const Node* env = container.find("env");
      if (env == nullptr) return;
      for (const Node& variable : env->items) {
        const Node *variable_name = variable.find("name"), *value = variable.find("value");
        if (variable_name != nullptr && value != nullptr) string(*variable_name, *value);
      }
    });
  }

  void counts(const Node& holder, PodClaims& pod) {
    const auto count = [&](std::string_view key, std::string_view label) {
      return integer_of(holder.find(key), label);
    };
    if (pod.role == PodRole::job) {
      pod.completions = count("completions", "completions");
      pod.parallelism = count("parallelism", "parallelism");
      pod.completion_mode = text_of(holder.find("completionMode"));
      if (pod.is_plain_job) deadline(holder, pod);
      const Step* replicated = kind_.value == "JobSet" ? above(4) : nullptr;
      const auto is_exclusive = [&](const Node* held_in) {
        const Node* key = held_in->at({"metadata", "annotations", resolve::exclusive_topology});
        return key != nullptr && resolve::separates_pools(key->text);
      };
      if (replicated != nullptr) {
        pod.jobs = integer_of(replicated->node->find("replicas"), "replicas");
        pod.is_exclusive = is_exclusive(&object_) || is_exclusive(above(3)->node);
        if (!pod.is_exclusive) pod.replicas = pod.jobs;
      }
      pod.claims.workload.where = {holder.span, true};
    }
    if (pod.role == PodRole::replicas) pod.replicas = count("replicas", "replicas");
    if (pod.role == PodRole::ray_worker) pod.hosts = count("numOfHosts", "numOfHosts");
    if (pod.role != PodRole::lws_worker) return;
    pod.size = count("size", "size");
    pod.sub_group_size = integer_of(holder.at({"subGroupPolicy", "subGroupSize"}), "subGroupSize");
    pod.sub_group_type = text_of(holder.at({"subGroupPolicy", "subGroupPolicyType"}));
    const Node* leader = holder.at({"leaderTemplate", "spec"});
    if (leader == nullptr) return;
    pod.leader_apart = true;
    // The leader's requests are known only with its containers.
    if (leader->find("containers") == nullptr) return;
    PodClaims other;
    chips(*leader, other);
    pod.leader_without_tpus = other.lacks_chips();
  }

  void flavor() {
    FlavorClaims& flavor = found_.flavors.emplace_back();
    flavor.name = name();
    flavor.topology_name = text_of(object_.at({"spec", "topologyName"}));
    flavor.tolerates_tpus = tolerates_tpus(object_.at({"spec", "tolerations"}));
    const std::vector<TaintClaims> tolerated = taint_claims(object_.at({"spec", "tolerations"}));
    for (TaintClaims& taint : taint_claims(object_.at({"spec", "nodeTaints"}))) {
      if (!tolerates(tolerated, taint)) flavor.taints.push_back(std::move(taint));
    }
    const Node* labels = object_.at({"spec", "nodeLabels"});
    if (labels == nullptr) return;
    strings(labels);
    // Its labels are judged as those of pods are.
    PodClaims& nodes = add_pod();
    for (const auto& [key, value] : labels->members) select(key, value, nodes);
    flavor.claims = nodes.claims;
  }

  void cluster_queue() {
    ClusterQueueClaims& queue = found_.cluster_queues.emplace_back();
    queue.name = name();
    // v1beta1 has the second form.
    if (const Node* checks = object_.at({"spec", "admissionChecksStrategy", "admissionChecks"})) {
      for (const Node& check : checks->items) {
        if (const Node* named = check.find("name")) queue.checks.push_back(named->text);
      }
    }
    add_texts(object_.at({"spec", "admissionChecks"}), queue.checks);
    for (const char* cohort : {"cohort", "cohortName"})
      queue.may_borrow |= object_.at({"spec", cohort}) != nullptr;
    const Node* namespaces = object_.at({"spec", "namespaceSelector"});
    queue.has_namespaces = namespaces != nullptr && namespaces->kind != Kind::null;
    queue.namespaces = terms_of(namespaces);
    const Node* groups = object_.at({"spec", "resourceGroups"});
    if (groups == nullptr) return;
    for (const Node& group : groups->items) {
      add_texts(group.find("coveredResources"), queue.resources);
      const Node* flavors = group.find("flavors");
      if (flavors == nullptr) continue;
      for (const Node& each : flavors->items) {
        const Node *flavor = each.find("name"), *resources = each.find("resources");
        if (flavor == nullptr) continue;
        queue.flavors.push_back(flavor->text);
        FlavorQuota& quota = queue.quotas.emplace_back(FlavorQuota{text_of(flavor), {}});
        if (resources == nullptr) continue;
        for (const Node& resource : resources->items) {
          const Node* name = resource.find("name");
          if (name == nullptr) continue;
          queue.resources.push_back(name->text);
          quota.amounts.emplace_back(name->text, text_of(resource.find("nominalQuota")));
          const Node* limit = resource.find("borrowingLimit");
          if (limit != nullptr && limit->kind != Kind::null)
            quota.limits.emplace_back(name->text, text_of(limit));
          if (name->text == spec::tpu_resource)
            quota.chips = text_of(resource.find("nominalQuota"));
        }
      }
    }
  }

  static void add_texts(const Node* list, std::vector<std::string>& texts) {
    if (list == nullptr) return;
    for (const Node& item : list->items) texts.push_back(item.text);
  }

  void request_config() {
    RequestConfigClaims& config = found_.request_configs.emplace_back();
    config.name = name();
    config.provisioning_class = text_of(object_.at({"spec", "provisioningClassName"}));
    const Node* managed = object_.at({"spec", "managedResources"});
    add_texts(managed, config.resources);
    if (managed != nullptr) config.where = managed->span;
  }

  // Each of its priorities with TPUs selects nodes as a pod does.
  void compute_class() {
    const Node* priorities = object_.at({"spec", "priorities"});
    if (priorities == nullptr) return;
    for (const Node& priority : priorities->items) {
      const Node* nodes = priority.find("tpu");
      if (nodes == nullptr) continue;
      PodClaims& pod = add_pod();
      pod.makes_pools = word_at(object_, {"spec", "nodePoolAutoCreation", "enabled"}) == "true";
      pod.claims.tpu.type = text_of(nodes->find("type"), "type");
      pod.claims.tpu.topology = text_of(nodes->find("topology"), "topology");
      pod.boot_disk = text_of(priority.at({"storage", "bootDiskType"}), "bootDiskType");
      if (const Node* zones = priority.at({"location", "zones"})) {
        pod.claims.provisioning.zones.where = {zones->span, true};
        for (const Node& zone : zones->items)
          pod.claims.provisioning.zones.items.push_back(text_of(&zone, "zones"));
      }
      pod.chips = integer_of(nodes->find("count"), "count");
      pod.chips_known = pod.chips.usable();
    }
  }

  // Its controller makes a JobSet whose pods select these nodes.
  void pathways_workers() {
    const Node* workers = object_.at({"spec", "workers"});
    if (workers == nullptr) return;
    for (const Node& worker : workers->items) {
      PodClaims& pod = add_pod();
      pod.claims.tpu.machine_type = text_of(worker.find("type"), "type");
      pod.claims.tpu.topology = text_of(worker.find("topology"), "topology");
    }
  }

  static constexpr std::int64_t most_chips = 1'000'000;

  const Node& object_;
  const catalog::Catalog& catalog_;
  Found& found_;
  Text kind_, version_;
  Completeness completeness_ = found_.completeness, of_pods_ = {};
  PodClaims own_labels_;  // of the object, which its pods have part in
  std::vector<Step> path_;
};

}  // namespace

std::vector<TaintClaims> taint_claims(const Node* list) {
  std::vector<TaintClaims> all;
  if (list == nullptr) return all;
  for (const Node& each : list->items)
    all.push_back({std::string(each.text_at({"key"})), std::string(each.text_at({"value"})),
                   std::string(each.text_at({"effect"})), std::string(each.text_at({"operator"}))});
  return all;
}

bool tolerates(std::span<const TaintClaims> tolerations, const TaintClaims& taint) {
  return any_of(tolerations, [&](const TaintClaims& each) {
    const bool is_key = each.key.empty() ? each.op == "Exists" : each.key == taint.key;
    const bool is_value = each.op == "Exists" || each.value == taint.value;
    return is_key && is_value && (each.effect.empty() || each.effect == taint.effect);
  });
}

bool is_object(const Node& node) {
  const Node *version = node.find("apiVersion"), *kind = node.find("kind");
  return version != nullptr && kind != nullptr && version->kind == Kind::scalar &&
         kind->kind == Kind::scalar;
}

void read_document(const Node& document, const catalog::Catalog& catalog, Found& found) {
  ObjectReader(document, catalog, found).read();
}

}  // namespace flexslice::view
