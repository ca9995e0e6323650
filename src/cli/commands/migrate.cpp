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

// How provision.sh compares the thing of that name, if it exists, with the spec.
const Value* comparison(const Compiled& compiled, std::string_view name) {
  const Value* found = yaml::find_in_tree(compiled.scripts.provision, [&](const Value& value) {
    return value.find("same") != nullptr && value.text_at({"unless", "exists"}) == name;
  });
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

// The object of the workload, if it runs until it is deleted.
const Value* server_in(const Compiled& compiled) {
  return find_where(compiled.objects, [](const Value& object) {
    const spec::WorkloadKind* row = spec::find_object(object.text_at({"kind"}));
    return row != nullptr && !row->ends;
  });
}

// When a step of the script has its turn. Old and new exist together for as long as they can: what
// serves goes when its successor is ready. Two trainings must never write one bucket, so a workload
// that ends is gone before the new one is applied. In a queue the old one has the quota. An
// autoscaler would change the number of replicas that the new spec has.
enum class Turn : std::uint8_t { before_new, after_new };
Turn turn_of(const ResourceChange& line, const Compiled& before, bool deletes_first) {
  const Value* server = server_in(before);
  const bool stays = !deletes_first && line.sign == Sign::remove && server != nullptr &&
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
    if (line == nullptr || turn_of(*line, before_, deletes_first_) != turn_) return std::nullopt;
    Value inner = each;
    // Otherwise kubectl only waits for the object, and its pods end while the new ones start.
    Value* words = ends(line->kind) ? inner.find("kubectl") : nullptr;
    if (words != nullptr) words->push(Value::string("--cascade=foreground"));
    if (!goes(*line)) {
      if (new_pool_ == nullptr || !ends(line->kind)) return std::nullopt;
      inner.add("differs", *new_pool_);
      return inner;
    }
    done_.push_back(line);
    if (is_of_kubernetes(*line)) {
      // The old one is not an object that another one owns, such as the Service of a JobSet.
      // What is deleted for the sake of a claim is old for as long as that is.
      if (line->sign == Sign::recreate && line->fields.empty() && new_claim(change_) != nullptr)
        line = new_claim(change_);
      const auto telling = telling_path_between(&before_, after_, *line);
      const bool compares = line->sign != Sign::remove && !telling.path.empty();
      inner.add("is_old",
                Value::strings({fmt::format("{}/{}", text::lower(line->kind), line->name),
                                compares ? telling.path : ".metadata.ownerReferences[*].kind",
                                compares ? telling.old : ""}));
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
void apply_queues(const Compiled& compiled, Queues& queues, Value& steps) {
  if (compiled.queue_needs.empty()) return;
  const auto objects = queues.find(compiled.queue_needs.front().cluster);
  if (objects == queues.end()) return;
  steps.push(apply_step("Apply the queues", objects->second, true, true));
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

// The steps of provision.sh that make what is recreated, or all others. In a new cluster of an old
// name all is new.
Value provision_steps(const SpecChange& change, const Compiled& after, bool of_recreated,
                      bool deletes_first) {
  Value steps = Value::sequence();
  const Value* login = credentials(after);
  const Value* all = after.scripts.provision.find("steps");
  const bool in_new_cluster = has_new_cluster(change);
  for (const Value& each : all == nullptr ? std::vector<Value>() : all->items) {
    // provision.sh sets up the user's own kubectl; this script has its own.
    const Value* run = each.find("run");
    if (login != nullptr && run != nullptr && *run == *login->find("credentials")) continue;
    const bool is_recreated = deletes_first || in_new_cluster ||
                              std::ranges::any_of(change.lines, [&](const ResourceChange& line) {
                                return goes(line) && is_of(each, line);
                              });
    if (is_recreated == of_recreated) steps.push(strict(each));
  }
  return steps;
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

void apply_volumes(const Compiled& after, Value& steps) {
  if (!after.volumes.empty())
    steps.push(apply_step(fmt::format("Apply the volumes of {}", after.name), after.volumes, false,
                          false));
}

// Waits until the workload serves, so that the old one can go.
void add_wait(const Compiled& after, Value& steps) {
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
  steps.push(std::move(wait));
}

void create(const SpecChange& change, const Compiled* before, const Compiled& after, Queues& queues,
            bool deletes_first, Value& steps) {
  steps.push(script_about(after));
  const Value* login = credentials(after);
  const Value provision = provision_steps(change, after, true, deletes_first);
  append_steps(steps, &provision);
  if (login != nullptr) steps.push(*login);
  if (!has_volumes_first(change, before)) apply_volumes(after, steps);
  apply_queues(after, queues, steps);
  keep_replicas(change, before, after, steps);
  std::vector<Value> objects, once;
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
    if (!waits || line == nullptr || !object.text_at({"apiVersion"}).starts_with("ray.io/")) {
      objects.push_back(object);
      continue;
    }
    // Applied again, it would lose what Kueue added.
    Value& alone = once.emplace_back(
        apply_step(fmt::format("Apply {} {}", line->kind, line->name), {object}, false, true));
    const std::string resource = fmt::format("{}/{}", text::lower(line->kind), line->name);
    const bool changes = line->sign == Sign::update;
    const auto telling = telling_path_between(before, &after, *line);
    alone.add("is_old", Value::strings({resource, changes ? telling.path : ".metadata.name",
                                        changes ? telling.old : "", "or-nothing"}));
  }
  steps.push(
      apply_step(fmt::format("Apply the manifests of {}", after.name), objects, false, queued));
  for (Value& alone : once) steps.push(std::move(alone));
}

}  // namespace

std::string migration_script(const Migration& migration, const templates::Set& templates) {
  // In this order.
  Value questions = Value::sequence(), pools = Value::sequence(), deletions = Value::sequence(),
        creations = Value::sequence(), waits = Value::sequence(),
        late_deletions = Value::sequence();
  const auto find = [](const CompiledSide& side, const std::string& key) {
    const auto at = side.find(key);
    return at == side.end() ? nullptr : &at->second;
  };
  Queues queues = migration.queues;
  const bool deletes_first = migration.deletes_first;
  std::string_view owner_command;
  for (const SpecChange& change : migration.changes) {
    const Compiled* before = find(migration.before, change.key);
    const Compiled* after = find(migration.after, change.key);
    if (!differs(change)) continue;
    for (const ResourceChange& line : change.lines) {
      if (is_of_others(line)) owner_command = spec::command_of(line.owner);
    }
    if (before != nullptr) {
      for (const ResourceChange& line : change.lines) {
        if (line.changes_owner && line.sign != Sign::update)
          refuse(change, line,
                 "its owner changes: let the old one delete it, then the new one create it");
        if (line.sign == Sign::update && !is_of_kubernetes(line) && !is_of_others(line) &&
            !line.changes_owner)
          refuse(change, line, "gcloud can change it while it runs; then compare again");
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
      if (const Value* login = credentials(*after)) first.push(*login);
      apply_volumes(*after, first);
    }
    add_about(*after, std::move(first), pools);
    create(change, before, *after, queues, deletes_first, creations);
    Value wait = Value::sequence();
    if (const Value* login = credentials(*after)) wait.push(*login);
    add_wait(*after, wait);
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
      apply_queues(after, queues, creations);
    }
  }
  Value script = new_step(fmt::format("Migrate from {} to {}", migration.from, migration.to));
  script.add("otherwise", Value::string("Nothing to migrate: both describe the same."));
  script.add("advice", Value::string(owner_command.empty()
                                         ? "Delete it, or name another in the new spec."
                                         : fmt::format("Run `{}` with what the new spec gives, "
                                                       "then this script again.",
                                                       owner_command)));
  Value steps = Value::sequence();
  const auto add_deletions = [&](Value list) {
    if (list.items.empty()) return;
    Value keeps = step_group("", std::move(list));
    keeps.add("keepGoing", Value::boolean(true));
    steps.push(std::move(keeps));
    steps.push(call({"stop_if_failed"}));
  };
  append_steps(steps, &questions);
  append_steps(steps, &pools);
  add_deletions(std::move(deletions));
  append_steps(steps, &creations);
  if (!late_deletions.items.empty()) {
    append_steps(steps, &waits);
    add_deletions(std::move(late_deletions));
  }
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
