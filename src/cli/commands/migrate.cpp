#include "cli/commands/migrate.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "backend/gcloud/bash.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "change/telling_path.hpp"
#include "cli/commands/in_place.hpp"
#include "cli/files/streams.hpp"
#include "resolve/labels.hpp"
#include "spec/kinds.hpp"
#include "yaml/emit.hpp"

namespace flexslice::cli {

using change::ResourceChange, change::Sign, change::SpecChange;
using yaml::Value;

namespace {

Value new_step(std::string_view title) {
  Value made = Value::mapping();
  if (!title.empty()) made.add("title", Value::string(title));
  return made;
}

Value call(const std::vector<std::string>& words) {
  Value made = new_step("");
  made.add("call", Value::strings(words));
  return made;
}

Value step_group(std::string_view title, Value steps) {
  Value made = new_step(title);
  made.add("steps", std::move(steps));
  return made;
}

void append_steps(Value& steps, const Value* more) {
  if (more == nullptr) return;
  for (const Value& each : more->items) steps.push(each);
}

// The step of provision.sh that creates the thing of that name.
const Value* creation(const Compiled& compiled, std::string_view name) {
  return yaml::find_in_tree(compiled.scripts.provision, [&](const Value& value) {
    return value.text_at({"unless", "exists"}) == name;
  });
}

// How provision.sh compares it, if it exists, with the spec.
const Value* comparison(const Compiled& compiled, std::string_view name) {
  const Value* found = creation(compiled, name);
  return found == nullptr ? nullptr : found->find("same");
}

const Value* credentials(const Compiled& compiled) {
  return yaml::find_in_tree(compiled.scripts.cleanup, [](const Value& value) {
    return value.find("credentials") != nullptr;
  });
}

const Value* object_of(const Compiled* compiled, const ResourceChange& line) {
  if (compiled == nullptr) return nullptr;
  const auto is = [&](const Value& object) {
    return object.text_at({"kind"}) == line.kind &&
           object.text_at({"metadata", "name"}) == line.name;
  };
  const Value* object = find_where(compiled->objects, is);
  return object == nullptr ? find_where(compiled->volumes, is) : object;
}

// Empty where one side has no such object.
change::TellingPath telling_path_between(const Compiled* before, const Compiled* after,
                                         const ResourceChange& line) {
  const Value *old_one = object_of(before, line), *new_one = object_of(after, line);
  if (old_one == nullptr || new_one == nullptr) return {};
  return change::telling_path(*old_one, *new_one);
}

// The words of cleanup.sh for the reservation that the nodes use; null where they use none.
const Value* billed_reservation(const Compiled& compiled) {
  return yaml::find_in_tree(compiled.scripts.cleanup, [](const Value& value) {
    return value.is_scalar() && value.text.starts_with("reservation ");
  });
}

// Another tool than the scripts changes and deletes it.
bool is_of_others(const ResourceChange& line) { return line.owner != spec::Owner::scripts; }

bool goes(const ResourceChange& line) {
  if (is_of_others(line)) return false;
  if (line.sign == Sign::remove && line.kind == "StorageClass") return false;
  return line.sign == Sign::remove || line.sign == Sign::recreate || line.sign == Sign::unknown;
}

bool is_of_kubernetes(const ResourceChange& line) {
  return line.kind != "node pool" && line.kind != "workload policy" && line.kind != "cluster";
}

bool ends(std::string_view kind) {
  const spec::WorkloadKind* row = spec::find_object(kind);
  return row != nullptr && row->ends;
}

// A Job that has finished, or a server that nobody has started, is not started because its spec
// changed.
Value only_if_it_goes_on(const ResourceChange& line, const std::string& name, Value step) {
  if (spec::find_object(line.kind) == nullptr || line.sign == Sign::create) return step;
  Value outer = Value::mapping();
  if (const Value* title = step.find("title")) outer.add("title", *title);
  step.erase("title");
  const bool remembers = goes(line);
  outer.add("goes_on", Value::strings({fmt::format("{}/{}", text::lower(line.kind), line.name),
                                       remembers ? fmt::format("{}-migration", name) : ""}));
  outer.add("steps", Value::sequence()).push(std::move(step));
  return outer;
}

// The object of the workload, if it runs until it is deleted.
const Value* server_in(const Compiled& compiled) {
  return find_where(compiled.objects, [](const Value& object) {
    const spec::WorkloadKind* row = spec::find_object(object.text_at({"kind"}));
    return row != nullptr && !row->ends;
  });
}

// The workload, if its controller makes a Service of the same name; null: it does not.
const Value* maker_of_service(const Compiled& compiled) {
  return find_where(compiled.objects, [](const Value& object) {
    const spec::WorkloadKind* row = spec::find_object(object.text_at({"kind"}));
    return row != nullptr && row->service == spec::Service::of_controller;
  });
}

bool has_service_of(const Compiled& compiled, const Value& workload) {
  return any_of(compiled.objects, [&](const Value& object) {
    return object.text_at({"kind"}) == "Service" &&
           object.text_at({"metadata", "name"}) == workload.text_at({"metadata", "name"}) &&
           object.text_at({"metadata", "namespace"}) == workload.text_at({"metadata", "namespace"});
  });
}

// One side has a Service of the name by which the controller of the other makes its own. The
// controller makes none while there is one, and that one has fields that cannot change.
bool frees_service_name(const ResourceChange& line, const Compiled& before, const Compiled* after) {
  if (after == nullptr) return false;
  const Value *old_one = maker_of_service(before), *new_one = maker_of_service(*after);
  const auto is_line_of = [&](const Value* workload, std::string_view kind) {
    return workload != nullptr && line.kind == kind &&
           line.name == workload->text_at({"metadata", "name"});
  };
  if (is_line_of(new_one, "Service")) return has_service_of(before, *new_one);
  return old_one != nullptr && is_line_of(old_one, old_one->text_at({"kind"})) &&
         has_service_of(*after, *old_one);
}

// When a step of the script has its turn. Old and new exist together for as long as they can: what
// serves goes when its successor is ready. Two trainings must never write one bucket, so a workload
// that ends is gone before the new one is applied. In a queue the old one has the quota. An
// autoscaler would change the number of replicas that the new spec has.
enum class Turn : std::uint8_t { before_new, after_new };
Turn turn_of(const ResourceChange& line, const Compiled& before, const Compiled* after,
             bool deletes_first) {
  const Value* server = server_in(before);
  const bool stays = !deletes_first && !frees_service_name(line, before, after) &&
                     line.sign == Sign::remove && server != nullptr &&
                     line.kind != "HorizontalPodAutoscaler" &&
                     server->at({"metadata", "labels", resolve::queue_label}) == nullptr;
  return stays ? Turn::after_new : Turn::before_new;
}

[[noreturn]] void refuse(const SpecChange& change, const ResourceChange& line,
                         std::string_view why) {
  throw Failure(findings, fmt::format("flexslice: {}: no script for {} {} ({}): {}\n", change.name,
                                      line.kind, line.name, text::join(line.fields, ", "), why));
}

// Returns whether the step makes or deletes that resource. Nothing looks at titles, since people
// may translate them.
bool is_of(const Value& step, const ResourceChange& line) {
  return step.text_at({"of"}) == fmt::format("{} {}", line.kind, line.name);
}

// A claim that is made again, for which its data has to go; null: none is.
const ResourceChange* new_claim(const SpecChange& change) {
  return find_where(change.lines, [](const ResourceChange& line) {
    return change::is_volume(line.kind) && line.sign == Sign::recreate && !line.fields.empty();
  });
}

bool has_new_cluster(const SpecChange& change) {
  return any_of(change.lines,
                [](const ResourceChange& line) { return line.kind == "cluster" && goes(line); });
}

// The words of the guard: without a path, the old one is not an object that another one owns.
Value old_guard(const ResourceChange& line, const change::TellingPath& telling,
                std::string_view otherwise) {
  std::vector<std::string> words{
      fmt::format("{}/{}", text::lower(line.kind), line.name),
      telling.path.empty() ? ".metadata.ownerReferences[*].kind" : telling.path, telling.text};
  if (telling.of_new)
    words.emplace_back("unlike");
  else if (!otherwise.empty())
    words.emplace_back(otherwise);
  return Value::strings(words);
}

// The steps of cleanup.sh that delete what the change deletes or recreates.
class Deletions {
 public:
  Deletions(const SpecChange& change, const Compiled& before, const Compiled* after,
            bool deletes_first)
      : change_(change), before_(before), after_(after), deletes_first_(deletes_first) {
    // A workload that ends does not survive its nodes. It is deleted until the first new pool is
    // there.
    for (const ResourceChange& line : change.lines) {
      const bool makes =
          line.sign == Sign::recreate || (deletes_first && line.sign == Sign::create);
      if (after != nullptr && new_pool_ == nullptr && makes && line.kind == "node pool")
        new_pool_ = comparison(*after, line.name);
    }
  }

  Value steps(Turn turn) {
    turn_ = turn;
    Value all = Value::sequence();
    if (const Value* steps = before_.scripts.cleanup.find("steps")) filter(*steps, all);
    return all;
  }

  // All have been asked for.
  void check() const {
    for (const ResourceChange& line : change_.lines) {
      if (goes(line) && !contains(done_, &line))
        refuse(change_, line, "the templates have no step that deletes it");
    }
  }

 private:
  void filter(const Value& from, Value& to) {
    for (const Value& each : from.items) {
      if (const Value* inner = each.find("steps")) {
        Value kept = Value::sequence();
        filter(*inner, kept);
        if (std::ranges::all_of(
                kept.items, [](const Value& step) { return step.find("credentials") != nullptr; }))
          continue;
        Value copy = each;
        *copy.find("steps") = std::move(kept);
        to.push(std::move(copy));
      } else if (each.find("credentials") != nullptr) {
        to.push(each);
      } else if (auto kept = filtered(each)) {
        to.push(std::move(*kept));
      }
    }
  }

  std::optional<Value> filtered(const Value& each) {
    const ResourceChange* line =
        find_where(change_.lines, [&](const ResourceChange& one) { return is_of(each, one); });
    if (line == nullptr || turn_of(*line, before_, after_, deletes_first_) != turn_)
      return std::nullopt;
    auto kept = guarded(each, *line);
    if (!kept || line->sign != Sign::recreate) return kept;
    return only_if_it_goes_on(*line, before_.name, std::move(*kept));
  }

  std::optional<Value> guarded(const Value& each, const ResourceChange& change) {
    const ResourceChange* line = &change;
    Value inner = each;
    // Otherwise kubectl only waits for the object, and its pods end while the new ones start, or
    // its Service when the new one is there.
    const bool goes_whole =
        ends(line->kind) || (line->kind != "Service" && frees_service_name(*line, before_, after_));
    Value* words = goes_whole ? inner.find("kubectl") : nullptr;
    if (words != nullptr) words->push(Value::string("--cascade=foreground"));
    if (!goes(*line)) return std::nullopt;
    done_.push_back(line);
    if (is_of_kubernetes(*line)) {
      // It is the same, and goes for the sake of its nodes.
      if (line->sign == Sign::recreate && line->fields.empty() && new_claim(change_) == nullptr &&
          new_pool_ != nullptr) {
        inner.add("differs", *new_pool_);
        return inner;
      }
      // The old one is not an object that another one owns, such as the Service of a JobSet.
      // What is deleted for the sake of a claim is old for as long as that is.
      if (line->sign == Sign::recreate && line->fields.empty() && new_claim(change_) != nullptr)
        line = new_claim(change_);
      const auto telling = telling_path_between(&before_, after_, *line);
      const bool compares = line->sign != Sign::remove && !telling.path.empty();
      inner.add("is_old", old_guard(*line, compares ? telling : change::TellingPath{}, ""));
      return inner;
    }
    if (line->sign == Sign::remove) return inner;
    const Value* now = comparison(*after_, line->name);
    const Value* then = comparison(before_, line->name);
    if (now == nullptr || then == nullptr || *now == *then)
      refuse(change_, *line, "run the old cleanup.sh, then apply the new spec");
    for (std::string_view key : {"own", "if"}) inner.erase(key);
    inner.add("differs", *now);
    Value outer = step_group(each.text_at({"title"}), Value::sequence());
    for (std::string_view key : {"own", "if"}) {
      if (const Value* guard = each.find(key)) outer.add(key, *guard);
    }
    inner.erase("title");
    outer.find("steps")->push(std::move(inner));
    return outer;
  }

  const SpecChange& change_;
  const Compiled& before_;
  const Compiled* after_;
  bool deletes_first_;
  Turn turn_ = Turn::before_new;
  const Value* new_pool_ = nullptr;
  std::vector<const ResourceChange*> done_;
};

Value script_about(const Compiled& compiled) {
  std::vector<std::string> words{"about", compiled.name};
  const std::string_view space = compiled.scripts.cleanup.text_at({"namespace"});
  if (!space.empty()) words.emplace_back(space);
  return call(words);
}

Value apply_step(std::string_view title, const std::vector<Value>& objects, bool shared,
                 bool queued) {
  Value made = new_step(title);
  std::vector<std::string> words{"apply", "--filename=-"};
  if (queued) words.insert(words.begin() + 1, {"--server-side", "--force-conflicts"});
  if (!queued) made.add("call", Value::strings({"as_before"}));
  if (shared) words.insert(words.begin(), "kubectl");
  made.add(shared ? "run" : "kubectl", Value::strings(words));
  std::string documents;
  yaml::emit_documents(objects, {.comments = false}, documents);
  made.add("input", Value::string(documents));
  return made;
}

// Steps that leave the number of replicas to an autoscaler, before the objects are applied without
// it: else kubectl would set the number to 1.
void keep_replicas(const SpecChange& change, const Compiled* before, const Compiled& after,
                   Value& steps) {
  for (const ResourceChange& line : change.lines) {
    const Value *then = object_of(before, line), *now = object_of(&after, line);
    if (then == nullptr || now == nullptr || line.sign != Sign::update ||
        then->at({"spec", "replicas"}) == nullptr || now->at({"spec", "replicas"}) != nullptr)
      continue;
    Value made = new_step(
        fmt::format("Leave the replicas of {} {} to the autoscaler", line.kind, line.name));
    made.add("call", Value::strings(
                         {"keep_replicas", fmt::format("{}/{}", text::lower(line.kind), line.name),
                          std::string(then->text_at({"apiVersion"})), line.kind, line.name}));
    Value without = *then;
    without.find("spec")->erase("replicas");
    std::string document;
    yaml::emit_documents(std::span(&without, 1), {.comments = false}, document);
    made.add("input", Value::string(document));
    steps.push(std::move(made));
  }
}

using Queues = std::map<std::string, std::vector<Value>>;

// Adds the queues of the cluster, once.
const ResourceChange* line_of(const SpecChange& change, const Value& object) {
  return find_where(change.lines, [&](const ResourceChange& line) {
    return line.kind == object.text_at({"kind"}) &&
           line.name == object.text_at({"metadata", "name"});
  });
}

// A queue or a flavor that is new to these specs and there already is one of other specs, whose
// quota it has.
void apply_queues(const Compiled& compiled, const std::vector<SpecChange>& changes, Queues& queues,
                  Value& steps) {
  if (compiled.queue_needs.empty()) return;
  const auto objects = queues.find(compiled.queue_needs.front().cluster);
  if (objects == queues.end()) return;
  std::vector<Value> known;
  for (const Value& object : objects->second) {
    const bool is_new = any_of(changes, [&](const SpecChange& change) {
      const ResourceChange* line = line_of(change, object);
      return line != nullptr && line->sign == Sign::create;
    });
    if (!is_new || object.text_at({"kind"}) == "LocalQueue") {
      known.push_back(object);
      continue;
    }
    const std::string name =
        fmt::format("{} {}", object.text_at({"kind"}), object.text_at({"metadata", "name"}));
    Value step =
        apply_step(fmt::format("Apply {}, unless other specs have it", name), {object}, true, true);
    step.add("is_old", Value::strings({text::lower(object.text_at({"kind"})) + "/" +
                                           std::string(object.text_at({"metadata", "name"})),
                                       ".metadata.name", ""}));
    steps.push(std::move(step));
  }
  if (!known.empty()) steps.push(apply_step("Apply the queues", known, true, true));
  queues.erase(objects);
}

// A step that compares with what the new spec says stops there, before anything is deleted.
Value strict(Value step) {
  const Value* expected = step.find("expect");
  if (expected == nullptr || step.find("run") == nullptr) return step;
  Value words = Value::strings({"same"});
  for (std::string_view key : {"expect", "run"}) append_steps(words, step.find(key));
  for (std::string_view key : {"expect", "run"}) step.erase(key);
  step.add("call", std::move(words));
  return step;
}

// The steps of provision.sh that make what is recreated, or what is new; and those that compare
// what somebody else made. In a new cluster of an old name all is new.
Value provision_steps(const SpecChange& change, const Compiled& after, bool of_recreated,
                      bool deletes_first) {
  Value steps = Value::sequence();
  const Value* login = credentials(after);
  const Value* all = after.scripts.provision.find("steps");
  const bool in_new_cluster = has_new_cluster(change);
  const bool makes_cluster = any_of(change.lines, [](const ResourceChange& line) {
    return line.kind == "cluster" && (goes(line) || line.sign == Sign::create);
  });
  for (const Value& each : all == nullptr ? std::vector<Value>() : all->items) {
    // provision.sh sets up the user's own kubectl; this script has its own.
    const Value* run = each.find("run");
    if (login != nullptr && run != nullptr && *run == *login->find("credentials")) continue;
    const ResourceChange* line =
        find_where(change.lines, [&](const ResourceChange& one) { return is_of(each, one); });
    if (line != nullptr ? line->sign == Sign::same || line->sign == Sign::update
                        : each.find("expect") == nullptr && each.find("pools") == nullptr &&
                              each.find("call") == nullptr && !makes_cluster)
      continue;
    const bool is_recreated = deletes_first || in_new_cluster || (line != nullptr && goes(*line));
    if (is_recreated == of_recreated) steps.push(strict(each));
  }
  return steps;
}

// Several nodes can have the claim at once: it says so, or its class is one of GKE's shared
// storage, whose names say it.
bool is_shared_claim(const Value& claim) {
  const Value* modes = claim.at({"spec", "accessModes"});
  return claim.text_at({"kind"}) != "PersistentVolumeClaim" ||
         (modes != nullptr && modes->items.front().text.ends_with("Many")) ||
         claim.text_at({"spec", "storageClassName"}).ends_with("-rwx");
}

// While both pools exist, the rollout is another one than the spec's, unless a disk that one node
// can have would keep new pods waiting.
bool moves(const SpecChange& change, const Compiled* before, const Value& object) {
  const bool both_pools = any_of(change.lines, [](const ResourceChange& line) {
    return line.kind == "node pool" && line.sign == Sign::create;
  });
  if (before == nullptr || !both_pools || server_in(*before) == nullptr) return false;
  if (object.at({"metadata", "labels", resolve::queue_label}) != nullptr) return false;
  if (object.text_at({"kind"}) == "LeaderWorkerSet") return true;
  const auto is_claim = [](const Value& value) { return value.find("claimName") != nullptr; };
  if (yaml::find_in_tree(object, is_claim) == nullptr) return true;
  return !before->volumes.empty() && std::ranges::all_of(before->volumes, is_shared_claim);
}

// LeaderWorkerSets keep the numbers of their groups, so a group more would have the nodes of the
// new pool that the last of the old ones waits for.
Value without_surge(Value object) {
  Value* spec = object.find("spec");
  Value* strategy = spec == nullptr ? nullptr : spec->find("rolloutStrategy");
  Value* bounds = strategy == nullptr ? nullptr : strategy->find("rollingUpdateConfiguration");
  const std::string_view surge = bounds == nullptr ? "" : bounds->text_at({"maxSurge"});
  if (surge.empty() || surge == "0" || surge == "0%") return object;
  for (std::string_view key : {"maxSurge", "maxUnavailable"}) bounds->erase(key);
  bounds->add("maxUnavailable", Value::number(1));
  return object;
}

// Pods of a Deployment are replaced on new nodes before the old ones go: a replica more has a node
// there.
Value with_rollout_of_move(Value object) {
  if (object.text_at({"kind"}) == "LeaderWorkerSet") return without_surge(std::move(object));
  Value* spec = object.find("spec");
  if (spec == nullptr || object.text_at({"spec", "strategy", "type"}) == "Recreate") return object;
  Value bounds = Value::mapping();
  bounds.add("maxSurge", Value::string("100%"));
  bounds.add("maxUnavailable", Value::number(0));
  Value strategy = Value::mapping();
  strategy.add("type", Value::string("RollingUpdate"));
  strategy.add("rollingUpdate", std::move(bounds));
  spec->erase("strategy");
  spec->add("strategy", std::move(strategy));
  return object;
}

void add_about(const Compiled& compiled, Value more, Value& steps) {
  if (more.items.empty()) return;
  steps.push(script_about(compiled));
  append_steps(steps, &more);
}

// Claims that can stay are applied before anything is deleted, so that a size which is refused
// takes nothing away.
bool has_volumes_first(const SpecChange& change, const Compiled* before) {
  return before != nullptr && !has_new_cluster(change) && new_claim(change) == nullptr;
}

// Adds the questions whether other workloads mount the claims that get another size.
void spare_claims(const std::vector<Value>& volumes, const std::vector<std::string>& own_pods,
                  Value& steps) {
  for (const Value& volume : volumes) {
    if (volume.text_at({"kind"}) != "PersistentVolumeClaim" || own_pods.empty()) continue;
    const std::string name(volume.text_at({"metadata", "name"}));
    Value question = new_step(fmt::format("Look who mounts PersistentVolumeClaim {}", name));
    std::vector<std::string> words{
        "spare_claim", name,
        std::string(volume.text_at({"spec", "resources", "requests", "storage"}))};
    words.insert(words.end(), own_pods.begin(), own_pods.end());
    question.add("call", Value::strings(words));
    steps.push(std::move(question));
  }
}

void apply_volumes(const SpecChange& change, const Compiled& after,
                   const std::vector<std::string>& own_pods, Value& steps) {
  std::vector<Value> volumes;
  for (const Value& volume : after.volumes) {
    const bool is_same = any_of(change.lines, [&](const ResourceChange& line) {
      return line.sign == Sign::same && line.kind == volume.text_at({"kind"}) &&
             line.name == volume.text_at({"metadata", "name"});
    });
    if (!is_same || has_new_cluster(change)) volumes.push_back(volume);
  }
  spare_claims(volumes, own_pods, steps);
  if (!volumes.empty())
    steps.push(
        apply_step(fmt::format("Apply the volumes of {}", after.name), volumes, false, false));
}

// The line of the workload itself; null where it is new, or the change has none.
const ResourceChange* workload_line(const SpecChange& change, const Compiled& after) {
  for (const Value& object : after.objects) {
    if (spec::find_object(object.text_at({"kind"})) == nullptr) continue;
    const ResourceChange* line = line_of(change, object);
    if (line != nullptr && line->sign != Sign::create && !is_of_others(*line)) return line;
  }
  return nullptr;
}

// Waits until the workload serves, so that the old one can go.
void add_wait(const SpecChange& change, const Compiled& after, Value& steps) {
  const Value* server = server_in(after);
  if (server == nullptr) return;
  const std::string_view kind = server->text_at({"kind"}),
                         name = server->text_at({"metadata", "name"});
  Value wait = new_step(fmt::format("Wait until {} {} serves", kind, name));
  std::vector<std::string> words{"ready"};
  for (std::string_view word : text::split(spec::find_object(kind)->wait, ' '))
    words.emplace_back(word);
  words.push_back(fmt::format("{}/{}", text::lower(kind), name));
  wait.add("call", Value::strings(words));
  const ResourceChange* line = line_of(change, *server);
  steps.push(line == nullptr ? std::move(wait)
                             : only_if_it_goes_on(*line, after.name, std::move(wait)));
}

void create(const SpecChange& change, const std::vector<SpecChange>& changes,
            const Compiled* before, const Compiled& after, const std::vector<std::string>& own_pods,
            Queues& queues, bool deletes_first, Value& steps) {
  steps.push(script_about(after));
  const Value* login = credentials(after);
  const Value provision = provision_steps(change, after, true, deletes_first);
  append_steps(steps, &provision);
  if (login != nullptr) steps.push(*login);
  if (!has_volumes_first(change, before)) apply_volumes(change, after, own_pods, steps);
  apply_queues(after, changes, queues, steps);
  keep_replicas(change, before, after, steps);
  std::vector<Value> objects, changed, once;
  const ResourceChange* workload = before == nullptr ? nullptr : workload_line(change, after);
  bool queued = false;
  for (const Value& object : after.objects) {
    const bool of_kueue = object.text_at({"apiVersion"}).starts_with("kueue.x-k8s.io/");
    if (of_kueue && object.text_at({"kind"}) != "LocalQueue") continue;
    const bool waits = object.at({"metadata", "labels", resolve::queue_label}) != nullptr;
    queued = queued || waits || of_kueue;
    const ResourceChange* line = find_where(change.lines, [&](const ResourceChange& one) {
      return one.kind == object.text_at({"kind"}) &&
             one.name == object.text_at({"metadata", "name"});
    });
    // In a new cluster nothing is as it was.
    if (line == nullptr || (line->sign == Sign::same && !has_new_cluster(change))) continue;
    const bool of_ray = waits && object.text_at({"apiVersion"}).starts_with("ray.io/");
    const bool guarded =
        before != nullptr && spec::find_object(line->kind) != nullptr && line->sign != Sign::create;
    if (!of_ray && !guarded) {
      // Applied, an object that is not there is created, which no change in place is.
      const bool is_with_workload = workload != nullptr && line->sign != Sign::create &&
                                    !of_kueue && !has_new_cluster(change);
      (is_with_workload ? changed : objects).push_back(object);
      continue;
    }
    const bool moved = &object == server_in(after) && moves(change, before, object);
    Value alone = apply_step(fmt::format("Apply {} {}", line->kind, line->name),
                             {moved ? with_rollout_of_move(object) : object}, false, waits);
    // Applied again, it would lose what Kueue added.
    if (of_ray) {
      const bool is_update = line->sign == Sign::update;
      const auto telling = is_update ? telling_path_between(before, &after, *line)
                                     : change::TellingPath{".metadata.name", "", false};
      alone.add("is_old", old_guard(*line, telling, "or-nothing"));
    }
    once.push_back(guarded ? only_if_it_goes_on(*line, after.name, std::move(alone))
                           : std::move(alone));
  }
  if (!objects.empty())
    steps.push(
        apply_step(fmt::format("Apply the manifests of {}", after.name), objects, false, queued));
  if (!changed.empty())
    steps.push(
        only_if_it_goes_on(*workload, after.name,
                           apply_step(fmt::format("Apply the changed objects of {}", after.name),
                                      changed, false, queued)));
  for (Value& alone : once) steps.push(std::move(alone));
}

// The last step: what goes_on has remembered is done.
void forget(const SpecChange& change, const Compiled& after, Value& steps) {
  const bool remembers = any_of(change.lines, [&](const ResourceChange& line) {
    return goes(line) && spec::find_object(line.kind) != nullptr && line.sign != Sign::remove;
  });
  if (!remembers) return;
  if (const Value* login = credentials(after)) steps.push(*login);
  Value step = new_step(fmt::format("Forget how far {} was", after.name));
  step.add("kubectl", Value::strings({"delete", fmt::format("configmap/{}-migration", after.name),
                                      "--ignore-not-found"}));
  steps.push(std::move(step));
}

// After the rollout of the move, the one that the spec has.
void restore_rollout(const SpecChange& change, const Compiled* before, const Compiled& after,
                     Value& steps) {
  const Value* server = server_in(after);
  if (server == nullptr || !moves(change, before, *server) ||
      *server == with_rollout_of_move(*server))
    return;
  Value step = apply_step(fmt::format("Apply the rollout of {} {}", server->text_at({"kind"}),
                                      server->text_at({"metadata", "name"})),
                          {*server}, false, false);
  const ResourceChange* line = line_of(change, *server);
  if (line != nullptr) steps.push(only_if_it_goes_on(*line, after.name, std::move(step)));
}

// A pool that one spec gives up and another one makes, as with another name of a workload whose
// pool has a name of its own: it has to go before it can come.
bool passes_on_a_pool(const Migration& migration) {
  const auto pools = [](const Compiled& compiled) {
    std::vector<std::uint64_t> identities;
    for (const plan::Resource& resource : compiled.resources) {
      if (resource.kind == "node pool" && resource.creates) identities.push_back(resource.identity);
    }
    return identities;
  };
  for (const auto& [key, before] : migration.before) {
    if (migration.after.contains(key)) continue;
    const std::vector<std::uint64_t> given_up = pools(before);
    for (const auto& [other, after] : migration.after) {
      if (!migration.before.contains(other) &&
          any_of(pools(after), [&](std::uint64_t pool) { return contains(given_up, pool); }))
        return true;
    }
  }
  return false;
}

// The labels of all pods that belong to the specs of both sides.
std::vector<std::string> pod_labels_of(const Migration& migration) {
  std::vector<std::string> all;
  for (const CompiledSide* side : {&migration.before, &migration.after}) {
    for (const auto& [key, compiled] : *side) {
      const std::string selector(compiled.scripts.cleanup.text_at({"pods"}));
      if (!selector.empty() && !contains(all, selector)) all.push_back(selector);
    }
  }
  return all;
}

// Adds the commands that change what stays, before new pods need it or after old ones have left it.
void add_changes_in_place(const SpecChange& change, const Compiled& before, const Compiled& after,
                          const catalog::Catalog& catalog, Value& early, Value& late) {
  for (const ResourceChange& line : change.lines) {
    if (line.sign != Sign::update || is_of_kubernetes(line) || is_of_others(line) ||
        line.changes_owner)
      continue;
    const Value *then = creation(before, line.name), *now = creation(after, line.name);
    if (then == nullptr || now == nullptr)
      refuse(change, line, "the templates have no step for it");
    InPlace changes = change_in_place(*then, *now, catalog);
    if (!changes.refused.empty() || changes.steps.empty())
      refuse(change, line, fmt::format("no command changes {}", text::join(changes.refused, ", ")));
    for (Value& step : changes.steps) (changes.shrinks ? late : early).push(std::move(step));
  }
}

}  // namespace

std::string migration_script(const Migration& migration, const templates::Set& templates) {
  // In this order.
  Value questions = Value::sequence(), pools = Value::sequence(), deletions = Value::sequence(),
        creations = Value::sequence(), waits = Value::sequence(),
        late_deletions = Value::sequence(), early_changes = Value::sequence(),
        late_changes = Value::sequence(), forgets = Value::sequence();
  std::vector<std::string> billed;
  std::optional<std::string_view> name_space;
  bool one_namespace = true;
  const auto find = [](const CompiledSide& side, const std::string& key) {
    const auto at = side.find(key);
    return at == side.end() ? nullptr : &at->second;
  };
  Queues queues = migration.queues;
  const bool deletes_first = migration.deletes_first || passes_on_a_pool(migration);
  std::string_view owner_command;
  const std::vector<std::string> own_pods = pod_labels_of(migration);
  for (const SpecChange& change : migration.changes) {
    const Compiled* before = find(migration.before, change.key);
    const Compiled* after = find(migration.after, change.key);
    if (!differs(change)) continue;
    for (const ResourceChange& line : change.lines) {
      if (is_of_others(line)) owner_command = spec::command_of(line.owner);
      if (line.kind == "node pool" || line.kind == "cluster" || line.kind == "Gateway" ||
          change::is_volume(line.kind))
        billed.push_back(fmt::format("{} {}{}", line.kind, line.name,
                                     line.sign == Sign::remove   ? " (old)"
                                     : line.sign == Sign::create ? " (new)"
                                                                 : ""));
    }
    for (const Compiled* side : {before, after}) {
      const Value* reservation = side == nullptr ? nullptr : billed_reservation(*side);
      if (reservation != nullptr && !contains(billed, reservation->text))
        billed.push_back(reservation->text);
      if (side == nullptr || side->scripts.cleanup.find("namespace") == nullptr) {
        one_namespace = one_namespace && side == nullptr;
        continue;
      }
      const std::string_view found = side->scripts.cleanup.text_at({"namespace"});
      one_namespace = one_namespace && name_space.value_or(found) == found;
      name_space = found;
    }
    if (before != nullptr) {
      for (const ResourceChange& line : change.lines) {
        if (line.changes_owner && line.sign != Sign::update)
          refuse(change, line,
                 "its owner changes: let the old one delete it, then the new one create it");
      }
      Deletions old(change, *before, after, deletes_first);
      add_about(*before, old.steps(Turn::before_new), deletions);
      add_about(*before, old.steps(Turn::after_new), late_deletions);
      old.check();
    }
    if (after == nullptr) continue;
    if (const ResourceChange* claim = new_claim(change))
      questions.push(call({"ask_for_volumes", fmt::format("{} {}", claim->kind, claim->name)}));
    Value first = provision_steps(change, *after, false, deletes_first);
    if (has_volumes_first(change, before) && !after->volumes.empty()) {
      Value volumes = Value::sequence();
      apply_volumes(change, *after, own_pods, volumes);
      const Value* login = volumes.items.empty() ? nullptr : credentials(*after);
      if (login != nullptr) first.push(*login);
      append_steps(first, &volumes);
    }
    add_about(*after, std::move(first), pools);
    if (before != nullptr) {
      Value early = Value::sequence(), late = Value::sequence();
      add_changes_in_place(change, *before, *after, migration.catalog, early, late);
      add_about(*after, std::move(early), early_changes);
      add_about(*after, std::move(late), late_changes);
    }
    create(change, migration.changes, before, *after, own_pods, queues, deletes_first, creations);
    Value wait = Value::sequence();
    if (const Value* login = credentials(*after)) wait.push(*login);
    add_wait(change, *after, wait);
    restore_rollout(change, before, *after, wait);
    if (before != nullptr) {
      Value last = Value::sequence();
      forget(change, *after, last);
      add_about(*after, std::move(last), forgets);
    }
    if (server_in(*after) != nullptr) add_about(*after, std::move(wait), waits);
  }
  // A workload that is gone, or another one's quota, changes the queue of those that stay.
  for (const SpecChange& change : migration.changes) {
    if (!differs(change) || !change.key.starts_with('\n')) continue;
    for (const auto& [key, after] : migration.after) {
      if (after.queue_needs.empty() || "\n" + after.queue_needs.front().cluster != change.key ||
          !queues.contains(after.queue_needs.front().cluster))
        continue;
      creations.push(script_about(after));
      if (const Value* login = credentials(after)) creations.push(*login);
      apply_queues(after, migration.changes, queues, creations);
    }
  }
  Value script = new_step(fmt::format("Migrate from {} to {}", migration.from, migration.to));
  script.add("otherwise", Value::string("Nothing to migrate: both describe the same."));
  script.add("advice", Value::string(owner_command.empty()
                                         ? "Delete it, or name another in the new spec."
                                         : fmt::format("Run {} with what the new spec gives, "
                                                       "then this script again.",
                                                       owner_command)));
  Value steps = Value::sequence();
  const auto add_all = [&](Value list) {
    if (list.items.empty()) return;
    Value keeps = step_group("", std::move(list));
    keeps.add("keepGoing", Value::boolean(true));
    steps.push(std::move(keeps));
    steps.push(call({"stop_if_failed"}));
  };
  append_steps(steps, &questions);
  append_steps(steps, &pools);
  add_all(std::move(early_changes));
  add_all(std::move(deletions));
  append_steps(steps, &creations);
  if (!late_deletions.items.empty() || !late_changes.items.empty()) {
    append_steps(steps, &waits);
    add_all(std::move(late_deletions));
    add_all(std::move(late_changes));
  }
  append_steps(steps, &forgets);
  for (const SpecChange& change : migration.changes) {
    if (!change.key.starts_with('\n')) continue;
    for (const ResourceChange& line : change.lines) {
      if (line.sign == Sign::remove && line.text.starts_with("leave it"))
        steps.push(new_step(fmt::format("{} {}: {}", line.kind, line.name, line.text)));
    }
  }
  if (!billed.empty()) script.add("billed", Value::string(text::join(billed, ", ")));
  if (one_namespace && name_space) script.add("namespace", Value::string(*name_space));
  if (!steps.items.empty()) {
    script.add("steps", std::move(steps));
    script.add("next", Value::string("check with the new verify.sh what is there now"));
  }
  return gcloud::to_bash(
      script,
      {"migrate.sh",
       deletes_first ? "Old workloads and node pools go first, then new ones come"
                     : "New node pools come first, then old workloads go and new ones come; "
                       "where there is no capacity for both, make it with --delete-first",
       migration.to, true},
      templates);
}

}  // namespace flexslice::cli
