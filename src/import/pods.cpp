#include "import/pods.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <initializer_list>
#include <utility>

#include "base/lists.hpp"
#include "base/quantity.hpp"
#include "base/references.hpp"
#include "base/text.hpp"
#include "catalog/catalog.hpp"
#include "import/copied_fields.hpp"
#include "plan/build.hpp"
#include "schema/pattern.hpp"
#include "spec/derived_keys.hpp"
#include "spec/kinds.hpp"
#include "spec/spec_fields.hpp"

namespace flexslice::imports {

using yaml::Value;

namespace {

// A text that comes from the value of an object.
Value string_of(const Value& from, std::string_view text) {
  Value string = Value::string(text);
  string.origin = from.origin;
  return string;
}
Value string_of(const Value& from) { return string_of(from, from.text); }

// Compile writes no flag that is false.
bool is_said(const Value* value) {
  return value != nullptr && !(value->is_empty() && value->text.empty()) &&
         (value->kind != Value::Kind::boolean || !value->is_empty());
}

void copy(const Value* from, FieldPart part, std::string_view kind, Value& to) {
  if (from == nullptr) return;
  for (const CopiedField& row : copied_fields(kind)) {
    const Value* value = row.part == part ? yaml::follow(*from, row.path) : nullptr;
    if (!is_said(value) || !has_field(row.field, kind)) continue;
    if (!row.is_duration) {
      to[row.field] = *value;
    } else if (const auto seconds = text::whole_number(value->text)) {
      to[row.field] = string_of(*value, *seconds == 0 ? "0s" : schema::duration_text(*seconds));
    }
  }
}

bool is_false(const Value& value) { return value.kind == Value::Kind::boolean && value.is_empty(); }

// As a shell gets it: Kubernetes makes one `$` of two.
std::string unescaped(std::string_view command) {
  std::string text;
  for (std::size_t i = 0; i < command.size(); ++i) {
    text += command[i];
    if (command[i] == '$' && i + 1 < command.size() && command[i + 1] == '$') ++i;
  }
  return text;
}

// The API server takes no number or boolean there, and lint says so.
Value list_of_words(const Value& list) {
  Value words = Value::sequence();
  for (const Value& item : list.items) words.push(string_of(item));
  return words;
}

// Says whether bash gets the command from compile as it does from Kubernetes, which replaces
// `$(NAME)` by the container's variables.
bool is_script(std::string_view command, const Value& container) {
  schema::Map<spec::EnvValue> variables;
  if (const Value* env = container.find("env")) {
    for (const Value& variable : env->items)
      variables.entries.emplace_back().key.value = variable.text_at({"name"});
  }
  return !command.empty() &&
         plan::escape_references(unescaped(command), variables,
                                 container.find("envFrom") != nullptr) == command;
}

// `bash -c SCRIPT` is a script; arguments follow a name for it.
void add_command(const Value& container, std::string_view kind, Value& fields) {
  const Value *command = container.find("command"), *args = container.find("args");
  const auto is = [&](std::size_t i, std::string_view word) {
    return command->items.size() > i && command->items[i].text == word;
  };
  const bool has_args = args != nullptr && !args->items.empty();
  if (command != nullptr && is(0, "bash") && is(1, "-c") && has_field("script", kind) &&
      command->items.size() == (has_args ? 4u : 3u) && (!has_args || is(3, "bash")) &&
      is_script(command->items[2].text, container)) {
    fields["script"] = string_of(command->items[2], unescaped(command->items[2].text));
  } else if (command != nullptr && !command->items.empty() && has_field("command", kind)) {
    fields["command"] = list_of_words(*command);
  }
  if (has_args && has_field("args", kind)) fields["args"] = list_of_words(*args);
}

// Null where the spec has no form for it.
Value variable(const Value& entry) {
  if (const Value* value = entry.find("value")) return Value::string(value->text);
  const Value* from = entry.find("valueFrom");
  if (from == nullptr) return Value::string("");
  if (from->members.size() != 1) return {};
  const auto& [source, reference] = from->members.front();
  Value short_form = Value::mapping();
  if (source == "fieldRef") {
    const std::string_view version = reference.text_at({"apiVersion"});
    if (!version.empty() && version != "v1") return {};
    short_form["field"] = Value::string(reference.text_at({"fieldPath"}));
    return short_form;
  }
  if ((source != "secretKeyRef" && source != "configMapKeyRef") || reference.find("optional"))
    return {};
  short_form[source == "secretKeyRef" ? "secret" : "configMap"] =
      Value::string(reference.text_at({"name"}));
  short_form["key"] = Value::string(reference.text_at({"key"}));
  return short_form;
}

// As compile writes it, so that what is compiled is imported as the same spec.
void sort_variables(Value& env) {
  std::ranges::sort(env.members, {}, &Value::Member::key);
  std::vector<NamedText> texts;
  for (const auto& [name, value] : env.members) texts.push_back({name, value.text});
  Value ordered = Value::mapping();
  for (const std::size_t index : after_references(texts))
    ordered.members.push_back(std::move(env.members[index]));
  env = std::move(ordered);
}

void add_env(const Value& container, Value& fields) {
  const Value* env = container.find("env");
  if (env == nullptr) return;
  for (const Value& entry : env->items) {
    Value value = variable(entry);
    const std::string_view name = entry.text_at({"name"});
    if (value.kind == Value::Kind::null || name.empty()) continue;
    value.origin = entry.find("name")->origin;
    fields["env"][name] = std::move(value);
  }
  if (Value* variables = fields.find("env")) sort_variables(*variables);
}

void add_ports(const Value& container, Value& fields) {
  const Value* ports = container.find("ports");
  if (ports == nullptr) return;
  for (const Value& port : ports->items) {
    const Value* number = port.find("containerPort");
    if (number == nullptr ||
        (port.find("protocol") != nullptr && port.text_at({"protocol"}) != "TCP"))
      continue;
    Value item = *number;
    if (const auto name = port.text_at({"name"}); !name.empty()) {
      item = Value::mapping();
      item["port"] = *number;
      item["name"] = Value::string(name);
    }
    fields["ports"].push(std::move(item));
  }
}

// As the API server prints it.
Value amount(const Value& text) {
  const auto quantity = parse_quantity(text.text);
  return string_of(text, quantity ? quantity->text() : text.text);
}

// Memory and disk have one amount, which is requested and the limit.
void add_resources(const Value& container, Value& fields) {
  const Value *requests = container.at({"resources", "requests"}),
              *limits = container.at({"resources", "limits"});
  const auto of = [](const Value* amounts, std::string_view key) {
    return amounts == nullptr ? nullptr : amounts->find(key);
  };
  Value resources = Value::mapping();
  for (std::string_view key : {"cpu", "memory", "ephemeral-storage"}) {
    const Value *limit = of(limits, key), *request = of(requests, key);
    if (request == nullptr) request = limit;
    if (request == nullptr) continue;
    Value requested = amount(*request);
    const bool both = limit != nullptr && requested == amount(*limit);
    if (limit != nullptr) requested.key_origin = limit->origin;
    if (key == "cpu" || both) resources[key] = std::move(requested);
  }
  if (!resources.is_empty()) fields["resources"] = std::move(resources);
}

Value sized(const Value& source) {
  Value volume = Value::mapping();
  if (const Value* limit = source.find("sizeLimit")) volume["sizeLimit"] = amount(*limit);
  return volume;
}

bool has_only(const Value& record, std::initializer_list<std::string_view> keys) {
  return std::ranges::all_of(record.members, [&](const Value::Member& member) {
    return std::ranges::count(keys, member.key) > 0;
  });
}

// The source of a volume under its key in a spec; false where a spec has no form for it.
bool add_source(const Value& volume, Value& entry) {
  constexpr struct {
    std::string_view source, name, field;
    bool alone;  // a spec has no more of it
  } named[] = {{"persistentVolumeClaim", "claimName", "pvc", false},
               {"configMap", "name", "configMap", true},
               {"secret", "secretName", "secret", true},
               {"hostPath", "path", "hostPath", false}};
  for (const auto& [key, source] : volume.members) {
    if (key == "name") continue;
    const auto* row =
        find_where(named, [&, &key = key](const auto& each) { return each.source == key; });
    if (row != nullptr) {
      if (row->alone && !has_only(source, {row->name})) return false;
      entry[row->field] = Value::string(source.text_at({row->name}));
    } else if (key == "emptyDir") {
      entry[source.text_at({"medium"}) == "Memory" ? "memory" : "emptyDir"] = sized(source);
    } else if (key == "csi" && source.text_at({"driver"}) == "gcsfuse.csi.storage.gke.io") {
      Value& bucket = entry["gcs"];
      bucket["bucket"] = Value::string(source.text_at({"volumeAttributes", "bucketName"}));
      if (const auto options = source.text_at({"volumeAttributes", "mountOptions"});
          !options.empty())
        bucket["mountOptions"] = Value::string(options);
    } else {
      return false;
    }
    return true;
  }
  return false;
}

// `shm` is short for a volume in memory at this path.
void shorten_memory(Value& entry) {
  const Value* memory = entry.find("memory");
  if (memory == nullptr || entry.text_at({"mountPath"}) != "/dev/shm" ||
      entry.find("subPath") != nullptr || entry.find("readOnly") != nullptr)
    return;
  const Value* limit = memory->find("sizeLimit");
  Value size = limit == nullptr ? Value::boolean(true) : *limit;
  if (entry.text_at({"name"}) == "shm") entry.erase("name");
  for (std::string_view key : {"memory", "mountPath"}) entry.erase(key);
  entry["shm"] = std::move(size);
}

// Volumes that the container mounts once. In the order of the pod's list.
void add_volumes(const Value& pod_spec, const Value& container, Value& fields) {
  const Value *volumes = pod_spec.find("volumes"), *mounts = container.find("volumeMounts");
  if (volumes == nullptr || mounts == nullptr) return;
  for (const Value& volume : volumes->items) {
    const std::string_view name = volume.text_at({"name"});
    const auto is_of = [&](const Value& mount) { return mount.text_at({"name"}) == name; };
    const Value* mount = find_where(mounts->items, is_of);
    Value entry = Value::mapping();
    if (mount == nullptr || std::ranges::count_if(mounts->items, is_of) != 1) continue;
    entry["name"] = string_of(*volume.find("name"));
    if (const Value* path = mount->find("mountPath")) entry["mountPath"] = string_of(*path);
    if (const auto path = mount->text_at({"subPath"}); !path.empty())
      entry["subPath"] = Value::string(path);
    if (mount->text_at({"readOnly"}) == "true") entry["readOnly"] = Value::boolean(true);
    if (!add_source(volume, entry)) continue;
    shorten_memory(entry);
    fields["volumes"].push(std::move(entry));
  }
}

// Init containers, those that go on running, and the containers beside the one with chips.
void add_other_containers(const FoundWorkload& workload, Value& fields) {
  const Value& spec = *workload.pod_spec();
  if (const Value* init = spec.find("initContainers")) {
    for (Value container : init->items) {
      const bool sidecar = container.text_at({"restartPolicy"}) == "Always";
      container.erase("restartPolicy");
      fields[sidecar ? "sidecars" : "initContainers"].push(std::move(container));
    }
  }
  const Value* main = workload.main();
  const Value* containers = spec.find("containers");
  if (containers == nullptr) return;
  std::int64_t with_chips = 0;
  for (const Value& container : containers->items) {
    if (!spec::requested_chips(container).empty()) ++with_chips;
    if (&container != main && spec::requested_chips(container).empty())
      fields["sidecars"].push(container).erase("startupProbe");
  }
  if (with_chips > 1 && has_field("containersPerPod", workload.word))
    fields["containersPerPod"] = Value::number(with_chips);
}

void add_container(const Value& container, std::string_view kind, Value& fields) {
  copy(&container, FieldPart::container, kind, fields);
  add_command(container, kind, fields);
  add_env(container, fields);
  add_ports(container, fields);
  add_resources(container, fields);
}

// `bash /etc/flexslice/script.sh` runs a script that is a ConfigMap; draft.cpp finds it. What a
// shell would read is a script too, since words of a command may not have its characters.
void add_entrypoint(const Value& spec, Value& fields) {
  const std::string_view entrypoint = spec.text_at({"entrypoint"});
  if (entrypoint.empty()) return;
  // The entrypoint of the RayJob counts, because the containers run something else.
  for (std::string_view key : {"command", "args", "script"}) fields.erase(key);
  if (entrypoint.find_first_of("\"'\\$`;&|<>(){}*?[]#~!\n") != std::string_view::npos) {
    fields["script"] = Value::string(entrypoint);
    return;
  }
  for (std::string_view word : text::split(entrypoint, ' ')) {
    if (!word.empty()) fields["command"].push(Value::string(word));
  }
}

void add_ray(const FoundWorkload& workload, Value& fields) {
  const Value& cluster = *workload.cluster;
  Value& ray = fields["ray"];
  ray = Value::mapping();
  if (const auto version = cluster.text_at({"rayVersion"}); !version.empty())
    ray["version"] = Value::string(version);
  const Value* containers =
      workload.leader == nullptr ? nullptr : workload.leader->at({"spec", "containers"});
  if (containers != nullptr && !containers->items.empty()) {
    Value head = Value::mapping();
    add_resources(containers->items.front(), head);
    Value amounts = head.find("resources") == nullptr ? Value() : *head.find("resources");
    amounts.erase("ephemeral-storage");
    if (!amounts.is_empty()) ray["head"] = std::move(amounts);
  }
  const Value& spec = *workload.object->find("spec");
  if (const Value* config = spec.find("serveConfigV2"))
    ray["serveConfig"] = Value::string(config->text);
  if (workload.word == "rayjob") add_entrypoint(spec, fields);
}

bool has_key(const Value* tolerations, std::string_view key) {
  return tolerations != nullptr && any_of(tolerations->items, [&](const Value& each) {
           return each.text_at({"key"}) == key;
         });
}

// Without an operator it is `Equal`, and without a value that is the empty one.
bool is_in(const Value& toleration, const Value* list) {
  const auto same = [](std::string_view a, std::string_view b, std::string_view otherwise) {
    return (a.empty() ? otherwise : a) == (b.empty() ? otherwise : b);
  };
  return list != nullptr && any_of(list->items, [&](const Value& each) {
           return std::ranges::all_of(
               std::initializer_list<std::string_view>{"key", "operator", "value", "effect",
                                                       "tolerationSeconds"},
               [&](std::string_view key) {
                 return same(each.text_at({key}), toleration.text_at({key}),
                             key == "operator" ? "Equal" : "");
               });
         });
}

// The short form is for what a spec says by default, which Kubernetes does not.
Value schedule_of(const Value& cron_job) {
  Value schedule = Value::mapping();
  const auto take = [&](std::string_view from, std::string_view to) {
    const Value* value = cron_job.find(from);
    if (value != nullptr && !value->text.empty()) schedule[to] = string_of(*value);
  };
  take("schedule", "cron");
  take("timeZone", "timeZone");
  schedule["concurrencyPolicy"] = Value::string("Allow");
  take("concurrencyPolicy", "concurrencyPolicy");
  const Value* late = cron_job.find("startingDeadlineSeconds");
  const auto seconds = late == nullptr ? std::nullopt : text::whole_number(late->text);
  if (seconds)
    schedule["startingDeadline"] =
        string_of(*late, *seconds == 0 ? "0s" : schema::duration_text(*seconds));
  if (schedule.text_at({"concurrencyPolicy"}) == "Forbid") schedule.erase("concurrencyPolicy");
  const Value* cron = schedule.find("cron");
  return cron != nullptr && schedule.members.size() == 1 ? Value(*cron) : schedule;
}

// Compile gives the container of the spec these, so the spec does not.
constexpr std::string_view pathways_variables[] = {"PATHWAYS_HEAD", "JAX_PLATFORMS",
                                                   "XCLOUD_ENVIRONMENT", "JAX_BACKEND_TARGET"};
constexpr std::string_view scratch_flag = "--gcs_scratch_location=",
                           elastic_flag = "--num_elastic_slices=";

// The arguments of a container of Pathways that compile does not derive.
Value arguments_besides(const Value* container) {
  constexpr std::string_view derived[] = {
      "--server_port=", "--resource_manager_address=", scratch_flag,      elastic_flag,
      "--node_type=",   "--instance_count=",           "--instance_type="};
  Value others = Value::sequence();
  const Value* args = container == nullptr ? nullptr : container->find("args");
  if (args == nullptr) return others;
  for (const Value& arg : args->items) {
    if (!any_of(derived, [&](std::string_view begin) { return arg.text.starts_with(begin); }))
      others.push(string_of(arg));
  }
  return others;
}

// The value of the first argument that begins so; null: none does.
Value argument_value(const Value* container, std::string_view begin) {
  const Value* args = container == nullptr ? nullptr : container->find("args");
  if (args == nullptr) return {};
  for (const Value& arg : args->items) {
    if (arg.text.starts_with(begin)) return string_of(arg, arg.text.substr(begin.size()));
  }
  return {};
}

struct PathwaysImage {
  std::string_view field, container;
  const Value* holder;
};

// One tag where all images are Google's and of one release, and otherwise each by its name.
void add_pathways_images(std::initializer_list<PathwaysImage> images,
                         const catalog::Pathways& known, Value& pathways) {
  std::string tag;
  bool is_one_release = true;
  for (const auto& [field, name, holder] : images) {
    const auto* row = catalog::named(known.containers, &catalog::PathwaysContainer::name, name);
    const std::string_view image = holder == nullptr ? "" : holder->text_at({"image"});
    const std::string begin =
        fmt::format("{}:", row == nullptr ? std::string_view() : std::string_view(row->image));
    const std::string_view own = image.starts_with(begin) ? image.substr(begin.size()) : "";
    is_one_release &= !own.empty() && (tag.empty() || tag == own);
    tag = own;
  }
  if (is_one_release) {
    if (tag != "latest") pathways["version"] = Value::string(tag);
    return;
  }
  std::string_view of_manager;
  for (const auto& [field, name, holder] : images) {
    const Value* image = holder == nullptr ? nullptr : holder->find("image");
    if (image == nullptr) continue;
    if (field == "serverImage") of_manager = image->text;
    if (field == "workerImage" && image->text == of_manager) continue;
    pathways[field] = string_of(*image);
  }
}

void drop_derived_of_pathways(const catalog::Pathways& known, Value& fields) {
  if (Value* resources = fields.find("resources")) {
    const std::pair<const char*, std::string_view> usual[] = {{"cpu", known.user_cpu},
                                                              {"memory", known.user_memory}};
    for (const auto& [key, amount] : usual) {
      if (resources->text_at({key}) == amount) resources->erase(key);
    }
    if (resources->is_empty()) fields.erase("resources");
  }
  if (Value* env = fields.find("env")) {
    std::erase_if(env->members,
                  [](const auto& member) { return contains(pathways_variables, member.key); });
    if (env->is_empty()) fields.erase("env");
  }
  if (Value* volumes = fields.find("volumes")) {
    std::erase_if(volumes->items, [](const Value& volume) {
      return volume.text_at({"mountPath"}) == "/tmp" && volume.text_at({"hostPath"}) == "/tmp";
    });
    if (volumes->is_empty()) fields.erase("volumes");
  }
}

// The head has the container of the spec and all that runs beside it; the workers are Pathways.
void add_pathways(const FoundWorkload& workload, const catalog::Catalog& catalog, Value& fields) {
  const Value& head = *workload.leader->find("spec");
  const Value& worker_pod = *workload.pod_spec();
  const Value *manager = pathways_manager(head), *proxy = pathways_proxy(head),
              *worker = workload.main();
  const Value *init = head.find("initContainers"), *containers = head.find("containers");
  const auto is_pathways = [&](const Value& each) { return &each == manager || &each == proxy; };
  const bool headless = containers == nullptr || any_of(containers->items, is_pathways);
  Value pathways = Value::mapping();
  if (Value place = argument_value(manager, scratch_flag); place.kind != Value::Kind::null)
    pathways["gcsLocation"] = std::move(place);
  add_pathways_images({{"serverImage", "pathways-rm", manager},
                       {"proxyImage", "pathways-proxy", proxy},
                       {"workerImage", "pathways-worker", worker}},
                      catalog.pathways, pathways);
  const Value* beside = worker_pod.find("initContainers");
  const Value* python =
      beside == nullptr ? nullptr : find_where(beside->items, [](const Value& each) {
        return each.text_at({"name"}) == "colocated-python-sidecar";
      });
  if (python != nullptr && python->find("image") != nullptr)
    pathways["colocatedPythonImage"] = string_of(*python->find("image"));
  if (headless) pathways["headless"] = Value::boolean(true);
  if (const Value* pool = head.at({"nodeSelector", pool_label}))
    pathways["headNodePool"] = string_of(*pool);
  const Value lost = argument_value(proxy, elastic_flag);
  if (const auto count = text::whole_number(lost.text); count && *count > 0)
    pathways["elasticSlices"] = Value::number(*count);
  const auto number = [&](std::string_view key) {
    const Value* value = workload.job->find(key);
    return value == nullptr ? std::nullopt : text::whole_number(value->text);
  };
  // A live Job of one pod has no number: it is the default.
  const std::int64_t hosts = number("completions").value_or(1);
  const auto limit = number("backoffLimit");
  const std::int64_t own = pathways.find("elasticSlices") != nullptr
                               ? catalog.pathways.elastic_restarts
                               : catalog.pathways.restarts;
  if (limit && hosts > 0 && *limit / hosts != own && *limit >= hosts)
    pathways["maxSliceRestarts"] = Value::number(*limit / hosts);
  for (const auto& [key, container] : {std::pair<const char*, const Value*>{"serverArgs", manager},
                                       {"proxyArgs", proxy},
                                       {"workerArgs", worker}}) {
    if (Value others = arguments_besides(container); !others.items.empty())
      pathways[key] = std::move(others);
  }
  const auto add_other = [&](const Value* list, bool is_init) {
    if (list == nullptr) return;
    for (Value container : list->items) {
      const bool sidecar = !is_init || container.text_at({"restartPolicy"}) == "Always";
      container.erase("restartPolicy");
      fields[sidecar ? "sidecars" : "initContainers"].push(std::move(container));
    }
  };
  if (!headless) {
    const Value& main = containers->items.front();
    add_container(main, workload.word, fields);
    add_volumes(head, main, fields);
    drop_derived_of_pathways(catalog.pathways, fields);
  }
  if (init != nullptr) {
    Value others = Value::sequence();
    for (const Value& each : init->items) {
      if (!is_pathways(each)) others.push(each);
    }
    add_other(&others, true);
  }
  if (containers != nullptr) {
    Value others = Value::sequence();
    for (std::size_t i = headless ? 0 : 1; i < containers->items.size(); ++i) {
      if (!is_pathways(containers->items[i])) others.push(containers->items[i]);
    }
    add_other(&others, false);
  }
  // Both pods have these.
  copy(&worker_pod, FieldPart::pod, workload.word, fields);
  fields.erase("securityContext");
  copy(&head, FieldPart::pod, workload.word, fields);
  if (const Value* network = fields.find("hostNetwork"); network == nullptr || is_false(*network))
    fields["hostNetwork"] = Value::boolean(false);
  else
    fields.erase("hostNetwork");
  copy(workload.head_job, FieldPart::job, workload.word, fields);
  fields["pathways"] = std::move(pathways);
}

}  // namespace

bool has_field(std::string_view key, std::string_view kind) {
  const schema::Field* field = schema::TableOf<spec::Workload>::table.find(key);
  return field == nullptr || field->kinds.empty() || catalog::has_word(field->kinds, kind);
}

void add_pod(const FoundWorkload& workload, const catalog::Catalog& catalog, Value& fields) {
  const std::string_view kind = workload.word;
  fields["kind"] = Value::string(kind);
  const Value& spec = *workload.pod_spec();
  if (workload.head_job != nullptr) {
    add_pathways(workload, catalog, fields);
  } else {
    if (const Value* main = workload.main()) {
      add_container(*main, kind, fields);
      add_volumes(spec, *main, fields);
    }
    if (workload.cluster != nullptr) add_ray(workload, fields);
    copy(&spec, FieldPart::pod, kind, fields);
  }
  // Its webhook writes another default than Kubernetes does for a Job.
  if (kind == "jobset" && fields.find("restartPolicy") == nullptr &&
      workload.job->find("podFailurePolicy") == nullptr)
    fields["restartPolicy"] = Value::string("OnFailure");
  if (const Value* secrets = spec.find("imagePullSecrets")) {
    for (const Value& secret : secrets->items)
      if (const Value* name = secret.find("name"))
        fields["imagePullSecrets"].push(string_of(*name));
  }
  if (workload.head_job == nullptr) {
    add_other_containers(workload, fields);
    copy(workload.word == "rayjob" ? workload.object->find("spec") : workload.job, FieldPart::job,
         kind, fields);
  }
  copy(spec::job_of(*workload.object).find("spec"), FieldPart::object, kind, fields);
  if (workload.schedule != nullptr) fields["schedule"] = schedule_of(*workload.schedule);
  if (kind == "leaderworkerset") {
    if (Value leader = leader_fields(workload); leader.kind != Value::Kind::null)
      fields["leader"] = std::move(leader);
  }
}

Value leader_fields(const FoundWorkload& workload) {
  const Value* spec = workload.leader == nullptr ? nullptr : workload.leader->find("spec");
  const Value* containers = spec == nullptr ? nullptr : spec->find("containers");
  if (containers == nullptr || containers->items.empty()) return {};
  Value all = Value::mapping();
  add_container(leading_container(*spec), "leaderworkerset", all);
  Value leader = Value::mapping();
  if (container_with_chips(*spec) == nullptr) leader["tpu"] = Value::boolean(false);
  for (auto& [key, value] : all.members) {
    if (schema::TableOf<spec::Leader>::table.find(key) != nullptr) leader[key] = std::move(value);
  }
  return leader;
}

void add_unmatched(const Value& pod, const Value& compiled, Value& fields) {
  const Value *tolerations = pod.at({"spec", "tolerations"}),
              *compiled_tolerations = compiled.at({"spec", "tolerations"});
  if (tolerations != nullptr) {
    for (const Value& toleration : tolerations->items) {
      // Compile's own, whose value follows the queue and the pool: a later draft may name them.
      const std::string_view key = toleration.text_at({"key"});
      const bool is_own = has_key(tolerations, "flexslice/flavor") && key == "flexslice/pool";
      if (is_own || (key.starts_with("flexslice/") && has_key(compiled_tolerations, key))) continue;
      if (!is_in(toleration, compiled_tolerations) &&
          !is_in(toleration, fields.find("tolerations")))
        fields["tolerations"].push(toleration);
    }
  }
  const Value *selector = pod.at({"spec", "nodeSelector"}),
              *compiled_selector = compiled.at({"spec", "nodeSelector"});
  if (selector == nullptr) return;
  for (const auto& [key, value] : selector->members) {
    const bool derived = compiled_selector != nullptr && compiled_selector->find(key) != nullptr;
    if (!derived && !key.starts_with("cloud.google.com/gke-tpu-") && key != pool_label)
      fields["nodeSelector"][key] = string_of(value);
  }
}

}  // namespace flexslice::imports
