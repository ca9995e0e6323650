// The object that a launcher creates: that of its row, with the values of the flags in it.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "resolve/labels.hpp"
#include "schema/pattern.hpp"
#include "spec/derived_keys.hpp"
#include "view/launch.hpp"
#include "yaml/embedded.hpp"
#include "yaml/made.hpp"

namespace flexslice::view {

using yaml::Kind;
using yaml::Node;
using yaml::View;

namespace {

Node launch_scalar(std::string_view text, Span where, bool is_string = true) {
  return is_string ? yaml::string_at(text, where) : yaml::plain_at(text, where);
}

Node launch_copy(View view) {
  Node node;
  node.kind = view.is_mapping()    ? Kind::mapping
              : view.is_sequence() ? Kind::sequence
                                   : Kind::scalar;
  if (node.kind == Kind::scalar) {
    node.text = view.text();
    node.quoted = view.quoted();
    return node;
  }
  for (const View inner : view) {
    if (node.kind == Kind::mapping) {
      node.members.push_back({launch_scalar(inner.key(), {}), launch_copy(inner)});
    } else {
      node.items.push_back(launch_copy(inner));
    }
  }
  return node;
}

// The member or item of that name or index, made at the end where it is not there.
Node& child_of(Node& node, std::string_view key) {
  const auto index = text::whole_number(key);
  if (index && node.kind != Kind::mapping) {
    node.kind = Kind::sequence;
    const auto at = static_cast<std::size_t>(*index);
    if (node.items.size() <= at) node.items.resize(at + 1);
    return node.items[at];
  }
  return yaml::member_at(node, key);
}

View launchers_row(std::string_view key) {
  return embedded::root_of(embedded::kubernetes, "view/launchers.yaml").find(key);
}

Node& added_item(Node& list) {
  list.kind = Kind::sequence;
  return list.items.emplace_back();
}

// `1,3-5`.
std::optional<std::set<std::int64_t>> exit_codes_of(std::string_view text) {
  std::set<std::int64_t> codes;
  for (const std::string_view part : text::split(text, ',')) {
    const std::size_t dash = part.find('-');
    const auto first = text::whole_number(part.substr(0, dash)),
               last = dash == part.npos ? first : text::whole_number(part.substr(dash + 1));
    constexpr std::int64_t most = 255;
    if (!first || !last || *first < 1 || *last > most || *first > *last) return std::nullopt;
    for (std::int64_t code = *first; code <= *last; ++code) codes.insert(code);
  }
  return codes;
}

class ObjectMaker {
 public:
  explicit ObjectMaker(const LaunchClaims& launch)
      : launch_(launch),
        places_(launchers_row(launch.is_pathways() ? "pathwaysPlaces" : "places")),
        object_(launch_copy(launch.is_pathways() ? launchers_row("pathwaysObject")
                                                 : launch.command.find("object"))) {}

  Node make() {
    if (launch_.is_pathways()) fix_pathways();
    for (const LaunchFlag& flag : launch_.flags) {
      if (counts(flag)) set(flag);
    }
    nodes();
    if (launch_.is_pathways()) {
      pathways();
    } else {
      containers();
      exit_codes();
    }
    return std::move(object_);
  }

 private:
  static Span where_of(const LaunchFlag& flag) {
    return flag.value.where.given ? flag.value.where.span : flag.name.where.span;
  }

  // The last of several, or each.
  bool counts(const LaunchFlag& flag) const {
    return flag.row && (launch_.find(flag.key()) == &flag || flag.row.find("repeated"));
  }

  Node& node_at(Node& root, std::string_view path) const {
    Node* node = &root;
    for (const std::string_view word : text::split(path, ' ')) {
      const View place = node == &root ? places_.find(word) : View();
      node = place ? &node_at(root, place.text()) : &child_of(*node, word);
    }
    return *node;
  }

  // Head and workers of Pathways have the same account, priority and secrets in a spec. Their nodes
  // are others.
  std::vector<std::string> in_all_pods(std::string_view path) const {
    constexpr std::string_view of_pod = "pod ";
    std::vector<std::string> paths{std::string(path)};
    if (launch_.is_pathways() && path.starts_with(of_pod) && path.find("nodeSelector") == path.npos)
      paths.push_back(fmt::format("program {}", path.substr(of_pod.size())));
    return paths;
  }

  // The program sets these in each object of Pathways.
  void fix_pathways() {
    const View row = launch_.launcher.find("pathways");
    for (const View fixed : row ? row.find("fixed") : View())
      node_at(object_, fixed.key()) =
          launch_scalar(fixed.text(), {}, !text::whole_number(fixed.text()));
  }

  void add_word(std::string_view container, std::string_view word, Span where) {
    Node& list = node_at(object_, fmt::format("{} args", container));
    list.kind = Kind::sequence;
    list.items.push_back(launch_scalar(word, where));
  }

  // Each word of the flag's value is an argument.
  void add_words(std::string_view container, std::string_view role) {
    const LaunchFlag* flag = launch_.find_as(role);
    if (flag == nullptr) return;
    for (const std::string_view word : text::split(flag->value.value, ' ')) {
      if (!word.empty()) add_word(container, word, where_of(*flag));
    }
  }

  void set_from(std::string_view path, std::string_view role) {
    if (const LaunchFlag* flag = launch_.find_as(role))
      node_at(object_, path) = launch_scalar(flag->value.value, where_of(*flag));
  }

  // Arguments in the order in which the programs write them.
  void pathways() {
    const View row = launch_.launcher.find("pathways");
    const LaunchFlag* scratch = launch_.find_as("scratch");
    const View otherwise = row ? row.find("scratch") : View();
    const std::string location = scratch != nullptr ? scratch->value.value
                                 : otherwise        ? std::string(otherwise.text())
                                                    : "";
    for (const char* container : {"proxy", "manager", "chips"}) {
      if (!location.empty())
        add_word(container, fmt::format("--gcs_scratch_location={}", location),
                 scratch == nullptr ? Span{} : where_of(*scratch));
    }
    const LaunchFlag* elastic = launch_.find_as("elastic");
    const auto lost = elastic == nullptr ? std::nullopt : text::whole_number(elastic->value.value);
    if (lost && *lost > 0)
      add_word("proxy", fmt::format("--num_elastic_slices={}", *lost), where_of(*elastic));
    const LaunchDevice& device = launch_.device;
    const LaunchFlag* slices = launch_.find_as("slices");
    add_word("manager", "--node_type=resource_manager", {});
    add_word("manager",
             fmt::format("--instance_count={}", slices == nullptr ? "1" : slices->value.value), {});
    if (device.machine != nullptr && device.topology)
      add_word("manager",
               fmt::format("--instance_type={}:{}", device.machine->pathways_type,
                           device.topology->text()),
               {});
    add_words("proxy", "proxy-args");
    add_words("manager", "server-args");
    add_words("chips", "worker-args");
    set_from("manager image", "server-image");
    set_from("chips image", "server-image");
    set_from("chips image", "worker-image");
    set_from("program nodeSelector cloud.google.com/gke-nodepool", "head-pool");
    if (const LaunchFlag* image = launch_.find_as("python-image")) python(image->value.value);
    chips();
    restarts(lost.value_or(0) > 0);
    const LaunchFlag* headless = launch_.find_as("headless");
    if (headless != nullptr && !is_off(*headless)) leave_out_program();
  }

  void chips() {
    const catalog::MachineType* machine = launch_.device.machine;
    Node& chips = child_of(child_of(child_of(node_at(object_, "chips"), "resources"), "limits"),
                           spec::tpu_resource);
    const LaunchFlag* flag = launch_.find_as("device");
    const Span where = flag == nullptr ? Span{} : flag->value.where.span;
    chips = machine == nullptr ? launch_scalar("$CHIPS", where)
                               : launch_scalar(std::to_string(machine->chips), where, false);
  }

  void python(std::string_view image) {
    Node& container = node_at(object_, "python");
    child_of(container, "name") = launch_scalar("colocated-python-sidecar", {});
    child_of(container, "image") = launch_scalar(image, {});
    child_of(container, "restartPolicy") = launch_scalar("Always", {});
    add_variable(child_of(container, "env"), "GRPC_SERVER_ADDRESS", "0.0.0.0:50051", {});
    add_variable(child_of(container, "env"), "PYTHONUNBUFFERED", "1", {});
    child_of(added_item(child_of(container, "ports")), "containerPort") =
        launch_scalar("50051", {}, false);
    Node& mount = added_item(child_of(container, "volumeMounts"));
    child_of(mount, "name") = launch_scalar("shared-tmp", {});
    child_of(mount, "mountPath") = launch_scalar("/tmp", {});
  }

  void restarts(bool is_elastic) {
    const LaunchFlag* given = launch_.find_as("slice-restarts");
    const auto said = given == nullptr ? std::nullopt : text::whole_number(given->value.value);
    constexpr std::int64_t usual = 4;
    const std::int64_t each = is_elastic ? said.value_or(1) : usual;
    if (launch_.device.hosts > 0)
      node_at(object_, "job backoffLimit") =
          launch_scalar(std::to_string(each * launch_.device.hosts), {}, false);
  }

  // A headless head has no program, only the containers beside it.
  void leave_out_program() {
    Node& pod = node_at(object_, "program");
    Node containers = child_of(pod, "initContainers");
    for (Node& container : containers.items)
      std::erase_if(container.members,
                    [](const yaml::Member& member) { return member.key.text == "restartPolicy"; });
    child_of(pod, "containers") = std::move(containers);
    const auto erase = [](Node& node, std::string_view key) {
      std::erase_if(node.members,
                    [&](const yaml::Member& member) { return member.key.text == key; });
    };
    erase(pod, "initContainers");
    erase(pod, "volumes");
    erase(child_of(object_, "spec"), "successPolicy");
  }

  void set(const LaunchFlag& flag) {
    const Span where = where_of(flag);
    const std::string& value = flag.value.value;
    for (const View meaning : flag.row) {
      const std::string_view key = meaning.key();
      const bool is_scalar = meaning.is_scalar();
      if (is_scalar && (key == "set" || key == "number")) {
        for (const std::string& path : in_all_pods(meaning.text())) {
          if (key == "number")
            number(flag, path);
          else
            node_at(object_, path) = launch_scalar(value, where);
        }
      }
      if (key == "variables") add_pair(node_at(object_, meaning.text()), value, where);
      if (key == "pairs") set_pair(node_at(object_, meaning.text()), value, where);
      if (key == "names") {
        for (const std::string& path : in_all_pods(meaning.text()))
          add_names(node_at(object_, path), value, where);
      }
      if (key == "fixed") {
        for (const View fixed : meaning) {
          for (const std::string& path : in_all_pods(fixed.key()))
            node_at(object_, path) = launch_scalar(fixed.text(), where);
        }
      }
      if (key == "env" && !is_off(flag)) {
        for (const View variable : meaning)
          add_variable(node_at(object_, "container env"), variable.key(), variable.text(), where);
      }
    }
    if (flag.is("mount")) mounts(value, where);
    if (flag.is("queue"))
      node_at(object_, "metadata labels")
          .members.push_back(
              {launch_scalar(resolve::queue_label, where), launch_scalar(value, where)});
    if (flag.is("queue")) node_at(object_, "metadata labels").kind = Kind::mapping;
  }

  // `--verbose=false`.
  static bool is_off(const LaunchFlag& flag) {
    return flag.value.where.given && (flag.value.value == "false" || flag.value.value == "0");
  }

  void number(const LaunchFlag& flag, std::string_view path) {
    std::string text = flag.value.value;
    if (flag.row.find("seconds")) {
      if (const auto read = launch_seconds(text)) text = std::to_string(read->seconds);
    }
    node_at(object_, path) = launch_scalar(text, where_of(flag), !text::whole_number(text));
  }

  static void add_variable(Node& list, std::string_view name, std::string_view value, Span where) {
    // The last of equal ones counts.
    list.kind = Kind::sequence;
    std::erase_if(list.items, [&](const Node& item) {
      const Node* other = item.find("name");
      return other != nullptr && other->text == name;
    });
    Node& item = list.items.emplace_back();
    child_of(item, "name") = launch_scalar(name, where);
    child_of(item, "value") = launch_scalar(value, where);
  }

  static void add_pair(Node& list, std::string_view pair, Span where) {
    const std::size_t equals = pair.find('=');
    if (equals == pair.npos) return;
    add_variable(list, pair.substr(0, equals), pair.substr(equals + 1), where);
  }

  static void set_pair(Node& mapping, std::string_view pairs, Span where) {
    for (const std::string_view pair : text::split(pairs, ',')) {
      const std::size_t equals = pair.find('=');
      if (equals == pair.npos || contains(pair, '|')) continue;
      child_of(mapping, pair.substr(0, equals)) = launch_scalar(pair.substr(equals + 1), where);
    }
  }

  static void add_names(Node& list, std::string_view names, Span where) {
    for (const std::string_view name : text::split(names, ','))
      child_of(added_item(list), "name") = launch_scalar(name, where);
  }

  // Several with colons have commas between them; with semicolons, commas are in options.
  void mounts(std::string_view value, Span where) {
    if (contains(value, ';')) return mount(value, where);
    for (const std::string_view each : text::split(value, ',')) mount(each, where);
  }

  // `gs://bucket/path;/data;rw`, and with colons in older versions.
  void mount(std::string_view value, Span where) {
    std::string_view scheme;
    for (const std::string_view known : {"gs://", "pvc://"}) {
      if (value.starts_with(known)) scheme = known;
    }
    std::string_view rest = value.substr(scheme.size());
    const char separator = contains(rest, ';') ? ';' : ':';
    const std::vector<std::string_view> parts = text::split(rest, separator);
    if (parts.size() < 2 || value.find("://", scheme.size()) != value.npos) return;
    if (scheme == "gs://") use_pod_network();
    const std::string name = fmt::format("vol-{}", mounts_++);
    Node& volume = added_item(node_at(object_, "program volumes"));
    child_of(volume, "name") = launch_scalar(name, where);
    Node& mounted = added_item(node_at(object_, "container volumeMounts"));
    child_of(mounted, "name") = launch_scalar(name, where);
    child_of(mounted, "mountPath") = launch_scalar(parts[1], where);
    const bool is_writable = parts.size() > 2 && parts[2] == "rw";
    if (!is_writable) child_of(mounted, "readOnly") = launch_scalar("true", where, false);
    if (scheme == "gs://") {
      bucket(parts, volume, where);
    } else if (parts[0].starts_with('/')) {
      child_of(child_of(volume, "hostPath"), "path") = launch_scalar(parts[0], where);
    } else {
      child_of(child_of(volume, "persistentVolumeClaim"), "claimName") =
          launch_scalar(parts[0], where);
    }
  }

  // Cloud Storage FUSE has no place on the network of the host.
  void use_pod_network() {
    for (const char* pod : {"pod", "program"}) {
      std::erase_if(node_at(object_, pod).members, [](const yaml::Member& member) {
        return member.key.text == "hostNetwork" || member.key.text == "dnsPolicy";
      });
    }
  }

  void bucket(const std::vector<std::string_view>& parts, Node& volume, Span where) {
    const std::size_t slash = std::min(parts[0].find('/'), parts[0].size());
    Node& csi = child_of(volume, "csi");
    child_of(csi, "driver") = launch_scalar("gcsfuse.csi.storage.gke.io", where);
    Node& attributes = child_of(csi, "volumeAttributes");
    child_of(attributes, "bucketName") = launch_scalar(parts[0].substr(0, slash), where);
    std::string options;
    for (const std::string_view part : parts) {
      if (part.starts_with("options=")) options = part.substr(8);
    }
    if (slash + 1 < parts[0].size()) {
      if (!options.empty()) options += ",";
      options += fmt::format("only-dir={}", parts[0].substr(slash + 1));
    }
    if (!options.empty()) child_of(attributes, "mountOptions") = launch_scalar(options, where);
    child_of(node_at(object_, "job template metadata annotations"), "gke-gcsfuse/volumes") =
        launch_scalar("true", where);
  }

  void nodes() {
    const LaunchDevice& device = launch_.device;
    const LaunchFlag* flag = launch_.find_as("device");
    const Span where = flag == nullptr ? Span{} : flag->value.where.span;
    const LaunchFlag* slices = launch_.find_as("slices");
    if (slices != nullptr)
      node_at(object_, "replicas") = launch_scalar(slices->value.value, slices->value.where.span,
                                                   !text::whole_number(slices->value.value));
    Node& selector = node_at(object_, "pod nodeSelector");
    selector.kind = Kind::mapping;
    if (device.generation != nullptr)
      child_of(selector, resolve::accelerator_label) =
          launch_scalar(device.machine != nullptr ? device.machine->accelerator
                                                  : device.generation->machine_types[0].accelerator,
                        where);
    if (device.topology)
      child_of(selector, resolve::topology_label) = launch_scalar(device.topology->text(), where);
    if (device.hosts > 0) {
      const std::string hosts = std::to_string(device.hosts);
      node_at(object_, "job completions") = launch_scalar(hosts, where, false);
      node_at(object_, "job parallelism") = launch_scalar(hosts, where, false);
    }
  }

  // Codes that restart the workload; every other one ends it at once.
  void exit_codes() {
    std::set<std::int64_t> codes;
    Span where;
    for (const LaunchFlag& flag : launch_.flags) {
      if (!flag.is("exit-codes") || !counts(flag)) continue;
      const auto given = exit_codes_of(flag.value.value);
      if (!given) return;
      codes.insert(given->begin(), given->end());
      where = where_of(flag);
    }
    if (codes.empty()) return;
    const View usual = launch_.launcher.find("exitCodes");
    if (usual) codes.merge(*exit_codes_of(usual.text()));
    Node& rule = added_item(node_at(object_, "job podFailurePolicy rules"));
    child_of(rule, "action") = launch_scalar("FailJob", where);
    child_of(child_of(rule, "onExitCodes"), "operator") = launch_scalar("NotIn", where);
    Node& values = child_of(child_of(rule, "onExitCodes"), "values");
    for (const std::int64_t code : codes)
      added_item(values) = launch_scalar(std::to_string(code), where, false);
    Node& of_set = added_item(node_at(object_, "spec failurePolicy rules"));
    child_of(of_set, "action") = launch_scalar("FailJobSet", where);
    added_item(child_of(of_set, "onJobFailureReasons")) = launch_scalar("PodFailurePolicy", where);
  }

  // Two for each host where its chips have two parts.
  void containers() {
    const catalog::MachineType* machine = launch_.device.machine;
    const LaunchFlag* one = launch_.find_as("one-container");
    const bool is_split =
        machine != nullptr && machine->max_containers > 1 && (one == nullptr || is_off(*one));
    const int count = is_split ? machine->max_containers : 1;
    Node& container = node_at(object_, "container");
    Node& chips =
        child_of(child_of(child_of(container, "resources"), "limits"), spec::tpu_resource);
    const LaunchFlag* flag = launch_.find_as("device");
    const Span where = flag == nullptr ? Span{} : flag->value.where.span;
    chips = machine == nullptr
                ? launch_scalar("$CHIPS", where)
                : launch_scalar(std::to_string(machine->chips / count), where, false);
    Node& list = node_at(object_, "pod containers");
    for (int i = 1; i < count; ++i) {
      Node copy = list.items.front();
      Node& name = child_of(copy, "name");
      name.text = fmt::format("{}-{}", name.text, i);
      list.items.push_back(std::move(copy));
    }
  }

  const LaunchClaims& launch_;
  const View places_;
  Node object_;
  int mounts_ = 0;
};

}  // namespace

Node launched_object(const LaunchClaims& launch) {
  if (!launch.has_object() || launch.device.answer == DeviceAnswer::other) return {};
  return ObjectMaker(launch).make();
}

}  // namespace flexslice::view
