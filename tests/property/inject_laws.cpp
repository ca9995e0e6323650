// A user's string reaches the place that it was written for, byte for byte, and changes nothing
// else.
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <map>

#include "../catch.hpp"
#include "base/text.hpp"
#include "compiled.hpp"
#include "readers/hostile.hpp"
#include "schema/pattern.hpp"
#include "yaml/emit.hpp"

namespace flexslice::law {
namespace {

using schema::Pattern;
using yaml::Value;

// A place in the spec where any text of the form may stand. In the spec below it is written
// `@name@`.
struct Place {
  std::string_view name;
  std::string_view before = {};  // what the value begins with, where the form wants it
  Pattern pattern = Pattern::any;
  bool empty = true;     // whether it may be
  bool comment = false;  // the text is in a comment of YAML, which ends with its line

  std::string harmless() const { return std::string(before) + "harmless-" + std::string(name); }
  std::string value(std::string_view text) const { return std::string(before) + std::string(text); }
  bool takes(const std::string& value) const {
    return schema::matches(pattern, value) && (empty || !value.empty()) &&
           (!comment || value.find_first_of("\n\r") == std::string::npos);
  }
};

constexpr Place places[] = {
    {"annotation"},
    {"script", {}, Pattern::any, false},
    {"arg", {}, Pattern::any, false},
    {"env"},
    {"env-after"},
    {"secret", {}, Pattern::dns_subdomain},
    {"secret-key", {}, Pattern::data_key},
    {"config-map", {}, Pattern::dns_subdomain},
    {"image", "i", Pattern::image},
    {"mount-path", "/", Pattern::absolute_path},
    {"host-path", "/", Pattern::node_path},
    {"mount-options", {}, Pattern::any, false},
    {"pvc", {}, Pattern::dns_subdomain},
    {"sub-path", {}, Pattern::sub_path},
    {"env-from", {}, Pattern::dns_subdomain},
    {"volume-secret", {}, Pattern::dns_subdomain},
    {"account", {}, Pattern::dns_subdomain},
    {"priority", {}, Pattern::dns_subdomain},
    {"pull-secret", {}, Pattern::dns_subdomain},
    {"toleration", {}, Pattern::label_value},
    {"selector", {}, Pattern::label_value},
    {"security"},
    {"init"},
    {"sidecar"},
    {"patch"},
    {"leader-script", {}, Pattern::any, false},
    {"leader-arg"},
    {"leader-image", "i", Pattern::image},
    {"serve-config", "applications: [{}]  # ", Pattern::any, true, true},
};

constexpr std::string_view with_script = R"(apiVersion: flexslice/v1
name: law
annotations: {note: @annotation@}
cluster: {name: c1, location: us-east5}
tpu: {type: v6e, topology: 4x4}
provisioning: {model: flex-start, zones: [us-east5-b]}
workload:
  image: @image@
  script: @script@
  args: [first, @arg@, last]
  env:
    A: @env@
    B: {secret: @secret@, key: @secret-key@}
    C: {configMap: @config-map@, key: k}
    D: @env-after@
    E: {field: metadata.name}
  envFrom: [{configMapRef: {name: @env-from@}}]
  serviceAccount: @account@
  priorityClass: @priority@
  imagePullSecrets: [@pull-secret@]
  tolerations: [{key: t, value: @toleration@}]
  nodeSelector: {node.kubernetes.io/any-label: @selector@}
  securityContext: {seLinuxOptions: {level: @security@}}
  initContainers: [{name: i, image: x, args: [@init@]}]
  sidecars: [{name: s, image: x, env: [{name: V, value: @sidecar@}]}]
  volumes:
    - {name: v1, mountPath: @mount-path@, hostPath: @host-path@}
    - {name: v2, mountPath: /v2, gcs: {bucket: bucket-1, mountOptions: @mount-options@}}
    - {name: v3, mountPath: /v3, subPath: @sub-path@, pvc: @pvc@}
    - {name: v4, mountPath: /v4, secret: @volume-secret@}
patches: [{target: {kind: Job}, merge: {metadata: {annotations: {patched: @patch@}}}}]
)";

// Other kinds take the same fields; those that they have no use for are taken out.
std::string of_kind(std::string spec, std::string_view fields,
                    std::initializer_list<std::string_view> without) {
  for (std::string_view line : without) {
    const std::size_t at = spec.find(line);
    REQUIRE(at != std::string::npos);
    spec.erase(at, spec.find('\n', at) + 1 - at);
  }
  spec.insert(spec.find("  image: "), fields);
  return spec;
}

// The spec for every kind that makes other objects than a Job.
std::vector<std::pair<std::string, std::string>> specs_of_kinds() {
  const std::string spec(with_script);
  const auto patching = [](std::string text, std::string_view kind) {
    return text.replace(text.find("kind: Job"), 9, fmt::format("kind: {}", kind));
  };
  constexpr std::string_view args = "  args: ", script = "  script: ";
  return {
      {"jobset", patching(of_kind(spec, "  kind: jobset\n", {}), "JobSet")},
      {"deployment", patching(of_kind(spec, "  kind: deployment\n", {}), "Deployment")
                         .replace(spec.find("4x4"), 3, "2x2")},
      {"leaderworkerset",
       patching(of_kind(spec, "  kind: leaderworkerset\n", {}), "LeaderWorkerSet")},
      {"leader",
       patching(of_kind(spec,
                        "  kind: leaderworkerset\n  leader: {script: @leader-script@, args: "
                        "[@leader-arg@], image: @leader-image@}\n",
                        {}),
                "LeaderWorkerSet")},
      {"raycluster",
       patching(of_kind(spec, "  kind: raycluster\n  ray: {version: 2.51.0}\n", {script, args}),
                "RayCluster")},
      {"rayjob",
       patching(of_kind(spec, "  kind: rayjob\n  ray: {version: 2.51.0}\n", {args}), "RayJob")},
      {"rayservice", patching(of_kind(spec,
                                      "  kind: rayservice\n  ray: {version: 2.51.0, serveConfig: "
                                      "@serve-config@}\n",
                                      {script, args}),
                              "RayService")},
  };
}

using Values = std::map<std::string_view, std::string>;

// A place whose value was given has that one, every other its harmless one.
std::string spec_of(std::string_view pattern, const Values& values) {
  std::string spec(pattern);
  for (const Place& place : places) {
    const auto given = values.find(place.name);
    std::string quoted;
    yaml::emit_json_string(given == values.end() ? place.harmless() : given->second, quoted);
    const std::string hole = "@" + std::string(place.name) + "@";
    const std::size_t at = spec.find(hole);
    if (at != std::string::npos) spec.replace(at, hole.size(), quoted);
  }
  return spec;
}

// What Kubernetes makes of a container's command: `$(NAME)` of one of its variables becomes the
// value, `$$` becomes `$`, any other
// `$(…)` stays as it is, together with what is in it.
std::string expanded(std::string_view text,
                     const std::function<const char*(std::string_view)>& variable) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dollar = text[i] == '$' && i + 1 < text.size();
    const std::size_t close =
        dollar && text[i + 1] == '(' ? text.find(')', i + 2) : std::string_view::npos;
    if (dollar && text[i + 1] == '$') {
      made += '$';
      ++i;
    } else if (close != std::string_view::npos) {
      const char* value = variable(text.substr(i + 2, close - i - 2));
      made += value != nullptr ? std::string(value) : std::string(text.substr(i, close + 1 - i));
      i = close;
    } else {
      made += text[i];
    }
  }
  return made;
}

const char* known_variable(std::string_view name) {
  return name.size() == 1 && name[0] >= 'A' && name[0] <= 'D' ? "EXPANDED" : nullptr;
}

// How often each place's harmless value stands in the tree.
void count(const Value& tree, std::map<std::string_view, int>& counts) {
  for (const Place& place : places) {
    if (tree.is_string() && tree.text == place.harmless()) ++counts[place.name];
  }
  for (const Value& item : tree.items) count(item, counts);
  for (const auto& [key, value] : tree.members) count(value, counts);
}

// Whether `seen` is `harmless` with the given values in place of their harmless ones; of a script,
// after Kubernetes has expanded the command of which it is a word. That of a RayJob is in a file.
bool same(const Value& harmless, const Value& seen, const Values& values, bool verbatim = false) {
  if (harmless.kind != seen.kind || harmless.items.size() != seen.items.size()) return false;
  for (std::size_t i = 0; i < harmless.items.size(); ++i) {
    if (!same(harmless.items[i], seen.items[i], values, verbatim)) return false;
  }
  std::size_t next = 0;
  for (const auto& [key, value] : harmless.members) {
    const bool there = next < seen.members.size() && seen.members[next].key == key;
    // An empty value is left out: it is the default.
    if (!there && key != "value") return false;
    if (!same(value, there ? seen.members[next++].value : Value::string(""), values,
              verbatim || key == "data" || key == "ray"))
      return false;
  }
  if (next != seen.members.size()) return false;
  for (const auto& [name, value] : values) {
    const Place& place =
        *std::find_if(std::begin(places), std::end(places),
                      [&name = name](const Place& each) { return each.name == name; });
    if (harmless.text != place.harmless()) continue;
    const bool in_command = name.ends_with("script") && !verbatim;
    return (in_command ? expanded(seen.text, known_variable) : seen.text) == value;
  }
  return harmless.text == seen.text;
}

std::vector<std::string> hostile_texts() {
  std::vector<std::string> all = hostile::strings();
  for (const char* more : {"$(A)",
                           "$$(A)",
                           "$$$(A)",
                           "$(kill $$)",
                           "$(hostname)",
                           "$(dirname $(A))",
                           "$$",
                           "$",
                           "a$",
                           "$(",
                           "$(A",
                           "${A}",
                           "$(touch /tmp/x)",
                           "`id`",
                           "a\nkind: Pod\n---\nkind: Secret",
                           "}}\n${name}",
                           "${tpu.hosts}",
                           "$when",
                           "x: &a *a",
                           "\"\nargs: []\n\"",
                           "EOF",
                           "'\"'\"'",
                           "\\u0041",
                           "harmless",
                           "# flexslice: allow FS4012 - x",
                           "%!s(MISSING)",
                           "{}",
                           "{{.}}",
                           "-o yaml",
                           "--help"}) {
    all.emplace_back(more);
  }
  hostile::Random random(31);
  for (int round = 0; round < 60; ++round) all.push_back(hostile::string(random));
  return all;
}

// Everything but the comments, which explain with the user's words.
std::string without_comments(std::string_view script) {
  std::string kept;
  for (std::string_view line : text::split(script, '\n')) {
    if (!text::trim(line).starts_with('#')) kept += std::string(line) + "\n";
  }
  return kept;
}

// The artifacts, read back.
struct Read {
  std::vector<Value> documents;  // manifests, then the plan
  std::vector<std::string> scripts;

  explicit Read(const Case& made) : documents(law::documents(made.text(Emit::manifests))) {
    documents.push_back(law::documents(made.text(Emit::plan)).at(0));
    for (Emit script : {Emit::provision, Emit::verify, Emit::cleanup})
      scripts.push_back(without_comments(made.text(script)));
  }
};

bool same(const Read& harmless, const Case& made, const Values& values) {
  const Read seen(made);
  if (harmless.scripts != seen.scripts || harmless.documents.size() != seen.documents.size())
    return false;
  for (std::size_t i = 0; i < harmless.documents.size(); ++i) {
    if (!same(harmless.documents[i], seen.documents[i], values)) return false;
  }
  return true;
}

TEST_CASE("every place of the spec is in the manifests", "[property]") {
  const Case harmless = compile(spec_of(with_script, {}));
  INFO(harmless.findings());
  REQUIRE(harmless.compiled.ok);
  std::map<std::string_view, int> counts;
  for (const Value& document : documents(harmless.text(Emit::manifests))) count(document, counts);
  for (const Place& place : places) {
    INFO(place.name);
    const bool is_for_job = with_script.find(fmt::format("@{}@", place.name)) != std::string::npos;
    CHECK((counts[place.name] >= 1) == is_for_job);
  }
}

TEST_CASE("every place of the spec is in the manifests of each kind", "[property]") {
  for (const auto& [kind, spec] : specs_of_kinds()) {
    const Case harmless = compile(spec_of(spec, {}));
    INFO(kind << "\n" << spec << harmless.findings());
    REQUIRE(harmless.compiled.ok);
    std::map<std::string_view, int> counts;
    for (const Value& document : documents(harmless.text(Emit::manifests))) count(document, counts);
    for (const Place& place : places) {
      INFO(place.name);
      const bool stated = spec.find(fmt::format("@{}@", place.name)) != std::string::npos;
      CHECK((counts[place.name] >= 1) == stated);
    }
  }
}

TEST_CASE("hostile strings reach their places in each kind, and nothing else", "[property]") {
  std::vector<std::string> faults;
  const std::vector<std::string> texts = hostile_texts();
  std::size_t turn = 0;
  for (const auto& [kind, spec] : specs_of_kinds()) {
    const Read harmless(compile(spec_of(spec, {})));
    // Every third text, another third for each kind.
    const std::size_t step = 3 * sampled(3);
    for (std::size_t i = turn++ % step; i < texts.size(); i += step) {
      Values values;
      for (const Place& place : places) {
        const std::string value = place.value(texts[i]);
        if (place.takes(value) && spec.find(fmt::format("@{}@", place.name)) != std::string::npos)
          values[place.name] = value;
      }
      const Case made = compile(spec_of(spec, values));
      if (!made.compiled.ok || made.errors() > 0) {
        faults.push_back(fmt::format("{}: {}\n{}", kind, texts[i], made.findings()));
      } else if (!same(harmless, made, values)) {
        faults.push_back(fmt::format("{}: {}", kind, texts[i]));
      }
    }
  }
  CHECK(faults == std::vector<std::string>{});
}

TEST_CASE("hostile strings reach their places unchanged, and nothing else", "[property]") {
  const Read harmless(compile(spec_of(with_script, {})));
  std::vector<std::string> faults;
  const std::vector<std::string> texts = hostile_texts();
  for (std::size_t i = 0; i < texts.size(); i += sampled(3)) {
    const std::string& text = texts[i];
    Values values;
    for (const Place& place : places) {
      if (place.takes(place.value(text))) values[place.name] = place.value(text);
    }
    const Case made = compile(spec_of(with_script, values));
    if (!made.compiled.ok || made.errors() > 0) {
      faults.push_back(text + "\n" + made.findings());
    } else if (!same(harmless, made, values)) {
      faults.push_back(text);
    }
  }
  CHECK(faults == std::vector<std::string>{});
}

TEST_CASE("a command is handed through, also where Kubernetes would see a variable", "[property]") {
  std::string pattern(with_script);
  const std::size_t script = pattern.find("script: @script@");
  pattern.replace(script, std::string_view("script: @script@").size(), "command: [run, @script@]");
  const Setting setting{.emit = {Emit::manifests}};
  const Case harmless = compile(spec_of(pattern, {}), setting);
  REQUIRE(harmless.compiled.ok);
  const auto word_of = [](const Case& made) {
    const auto objects = documents(made.text(Emit::manifests));
    return text_at(object(objects, "Job"), "spec.template.spec.containers.0.command.1");
  };
  REQUIRE(word_of(harmless) == "harmless-script");
  std::vector<std::string> faults;
  for (const std::string& text : hostile_texts()) {
    if (text.find_first_of("$'\"\n") == std::string::npos) continue;
    if (word_of(compile(spec_of(pattern, {{"script", text}}), setting)) != text)
      faults.push_back(text);
  }
  CHECK(faults == std::vector<std::string>{});
}

TEST_CASE("without envFrom, only the variables of the spec are kept from Kubernetes",
          "[property]") {
  std::string pattern(with_script);
  const std::size_t from = pattern.find("  envFrom: ");
  pattern.erase(from, pattern.find('\n', from) + 1 - from);
  const Setting setting{.emit = {Emit::manifests}};
  std::vector<std::string> faults;
  for (const std::string& text : hostile_texts()) {
    if (text.find('$') == std::string::npos) continue;
    const auto objects =
        documents(compile(spec_of(pattern, {{"script", text}}), setting).text(Emit::manifests));
    const std::string script =
        text_at(object(objects, "Job"), "spec.template.spec.containers.0.command.2");
    const bool changed = script.find("$$(hostname)") != std::string::npos;
    if (changed || expanded(script, known_variable) != text) faults.push_back(text);
  }
  CHECK(faults == std::vector<std::string>{});
}

TEST_CASE("the name of the spec's file is only ever a comment", "[property]") {
  const std::string spec = spec_of(with_script, {});
  const Read harmless(compile(spec));
  std::vector<std::string> faults;
  for (const std::string& text : hostile_texts()) {
    const bool plain =
        std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
    if (plain && text.find_first_of("$`'\"\\#:") == std::string::npos) continue;
    const Case made = compile(spec, {.name = text});
    if (!made.compiled.ok || !same(harmless, made, {})) faults.push_back(text);
  }
  CHECK(faults == std::vector<std::string>{});
}

// Calls `each` with every text of the tree that is a value.
void for_each_text(Value& tree, const std::function<void(Value&)>& each) {
  if (tree.is_string()) each(tree);
  for (Value& item : tree.items) for_each_text(item, each);
  for (auto& [key, value] : tree.members) for_each_text(value, each);
}

// The tree as it would be written, every string with its quotes.
TEST_CASE("a hostile string in any field is taken, or refused once", "[property]") {
  Value spec = documents(spec_of(with_script, {})).at(0);
  spec["namespace"] = Value::string("space");
  spec["labels"]["team"] = Value::string("a");
  spec["cluster"]["project"] = Value::string("my-project");
  spec["cluster"]["version"] = Value::string("1.33.2-gke.1240000");
  spec["cluster"]["mode"] = Value::string("standard");
  spec["tpu"]["machineType"] = Value::string("ct6e-standard-4t");
  spec["provisioning"]["nodePool"] = Value::string("pool");
  spec["provisioning"]["queue"] = Value::string("team-a");
  spec["provisioning"]["maxRunDuration"] = Value::string("2h");
  spec["workload"]["kind"] = Value::string("job");
  spec["workload"]["imagePullPolicy"] = Value::string("Always");
  spec["workload"]["activeDeadline"] = Value::string("1h");
  spec["workload"]["resources"]["cpu"] = Value::string("8");
  spec["workload"]["restartPolicy"] = Value::string("Never");
  REQUIRE(check(yaml::emit_json(spec)).errors() == 0);

  std::vector<std::string> faults;
  const std::vector<std::string> texts = hostile_texts();
  std::size_t tried = 0;
  for_each_text(spec, [&](Value& place) {
    const std::string own = place.text;
    for (std::size_t i = 0; i < 25; i += sampled(5)) {
      place.text = texts[(tried++ * 7) % texts.size()];
      const Case made = check(yaml::emit_json(spec));
      if (made.errors() > 1)
        faults.push_back(fmt::format("{}: {}\n{}", own, place.text, made.findings()));
    }
    place.text = own;
  });
  CHECK(tried * sampled(5) > 1000);
  CHECK(faults == std::vector<std::string>{});
}

}  // namespace
}  // namespace flexslice::law
