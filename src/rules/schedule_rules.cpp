// Jobs that a clock starts: the times, the runs that follow each other, and the names that differ
// from start to start.
#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "resolve/workload_names.hpp"
#include "rules/object_rules.hpp"
#include "schema/cron.hpp"
#include "schema/time_zones.hpp"
#include "spec/spec_fields.hpp"

namespace flexslice::rules {

namespace {

constexpr std::int64_t looks_every = 10;  // seconds, of the CronJob controller
constexpr std::string_view job_name_labels[] = {"job-name", "batch.kubernetes.io/job-name"};

// Returns the fields of the spec for which the workload is no Job.
std::vector<std::string_view> fields_without_job(const Facts& facts) {
  const spec::Workload& workload = facts.claims.workload;
  std::vector<std::string_view> names;
  for (const schema::Field& field : schema::TableOf<spec::Workload>::table.fields) {
    const bool is_apart =
        !field.kinds.empty() && !contains(text::split(field.kinds, ' '), std::string_view("job"));
    const bool is_retries = field.key == "retries" && facts.multi_host();
    if ((is_apart || is_retries) && field.type->where(const_cast<void*>(field.of(&workload))).given)
      names.push_back(field.key);
  }
  return names;
}

void help_with_own_schedule(const spec::WorkloadKind& kind, Diagnostic& finding) {
  finding.note("a {} has no schedule of its own", kind.object)
      .help(
          "remove `schedule`, and apply a CronJob of your own whose pod runs `kubectl create` "
          "with manifests.yaml, under a service account that may create them")
      .help("with `ttlAfterFinished`, the {} before is gone by then", kind.object);
}

// Why the workload is no Job, as far as `schedule` can do something about it.
void help_with_kind(const Facts& facts, Diagnostic& finding) {
  const spec::WorkloadKind& kind = *facts.kind;
  if (!kind.ends) {
    finding.note("a {} serves until it is deleted", kind.object).help("remove `schedule`");
  } else if (!facts.claims.workload.kind.where.given && facts.slices == 1) {
    finding.note("`retries` over {} makes a {}", text::count(facts.hosts, "host"), kind.object)
        .help("remove `retries`: the next start is another attempt");
  } else if (!kind.ray && (facts.slices == 1 || !facts.multi_host())) {
    const auto fields = fields_without_job(facts);
    if (fields.empty()) {
      finding.help("write `kind: job`, or remove `kind`");
    } else {
      finding.help("write `kind: job`, and remove {}", text::quoted_list(fields));
      help_with_own_schedule(kind, finding);
    }
  } else {
    help_with_own_schedule(kind, finding);
  }
}

void judge_scheduled_kind(const Facts& facts, Sink& sink) {
  const spec::Schedule& schedule = facts.claims.workload.schedule;
  if (!schedule.where.given || facts.kind == nullptr || facts.kind->scheduled) return;
  help_with_kind(facts, sink.report<Code::ScheduleOfKind>(schedule, facts.kind->object));
}

void judge_cron(const schema::Where& where, std::string_view text, Sink& sink) {
  const auto read = schema::read_cron(text);
  if (const auto* mistake = std::get_if<schema::CronMistake>(&read))
    sink.report<Code::ScheduleTime>(where, mistake->part, mistake->why);
}

// A text without the form of a time zone has been reported.
void judge_time_zone(Span where, std::string_view zone, Sink& sink) {
  if (!schema::matches(schema::Pattern::time_zone, zone) || schema::is_time_zone(zone)) return;
  Diagnostic& finding = sink.report<Code::UnknownTimeZone>(where, zone);
  if (const auto like = schema::time_zone_like(zone)) finding.help("did you mean `{}`?", *like);
}

// The controller starts at each moment that has the local time.
void judge_clock_change(Span where, std::string_view text, std::string_view zone, Sink& sink) {
  if (!schema::matches(schema::Pattern::schedule, text)) return;
  const auto read = schema::read_cron(text);
  const auto* cron = std::get_if<schema::Cron>(&read);
  if (cron == nullptr || cron->every > 0 || cron->hour.any) return;
  for (const int hour : schema::hours_of_clock_changes(zone)) {
    if (!cron->hour.has(hour)) continue;
    sink.report<Code::StartAtClockChange>(where, fmt::format("{}:00 and {}:00", hour, hour + 1),
                                          zone)
        .help("start at another hour, or write `timeZone: Etc/UTC`");
    return;
  }
}

void judge_times(const Facts& facts, Sink& sink) {
  const Text &cron = facts.claims.workload.schedule.cron,
             &zone = facts.claims.workload.schedule.time_zone;
  if (cron.usable()) judge_cron(cron.where, cron.value, sink);
  if (zone.usable()) judge_time_zone(zone.where.span, zone.value, sink);
}

void judge_lateness(const schema::Where& where, std::int64_t seconds, Sink& sink) {
  if (seconds < looks_every)
    sink.report<Code::ShortStartingDeadline>(where, schema::duration_text(seconds))
        .note("the controller looks for starts every {}s", looks_every)
        .help("write at least {}s, or the minutes by which a start may be late", looks_every);
}

void judge_starting_deadline(const Facts& facts, Sink& sink) {
  const Text& deadline = facts.claims.workload.schedule.starting_deadline;
  if (deadline.usable())
    judge_lateness(deadline.where, *schema::duration_seconds(deadline.value), sink);
}

// How many runs the nodes have room for; nothing: not known.
std::optional<std::int64_t> runs_at_once(const Facts& facts) {
  // The pods of all runs follow each other onto one slice.
  if (facts.multi_host()) return 1;
  const schema::Integer& most = facts.claims.provisioning.max_nodes;
  if (facts.nodes_by_gke() || (!facts.creates_pools && !most.usable())) return std::nullopt;
  const auto zones = std::max<std::int64_t>(1, std::ssize(facts.zones));
  const std::int64_t each_zone = most.usable() ? most.value : resolve::nodes_per_zone(facts);
  return each_zone * zones / facts.slices;
}

void judge_concurrency(const Facts& facts, Sink& sink) {
  const Text& policy = facts.claims.workload.schedule.concurrency_policy;
  if (!policy.usable() || policy.value != "Allow" || facts.machine == nullptr ||
      facts.kind == nullptr)
    return;
  const auto runs = runs_at_once(facts);
  if (!runs || *runs > 1) return;
  Diagnostic& finding = sink.report<Code::RunsShareNodes>(policy);
  const auto zones = std::max<std::int64_t>(1, std::ssize(facts.zones));
  if (facts.multi_host()) {
    finding
        .note("both would be on one slice, and a run takes all of its {}",
              text::count(facts.hosts, "host"))
        .help("write `Forbid`, or `Replace` where the newest run counts");
  } else {
    finding.note("a run takes {}, and the pool has no more", text::count(facts.slices, "node"))
        .help("write `Forbid`, or `provisioning.maxNodes: {}` for two runs",
              (2 * facts.slices + zones - 1) / zones);
  }
}

// A run of so many seconds at most, and the next start. Waiting for nodes and for quota counts as
// running.
void judge_gap(Span where, std::string_view text, std::string_view policy, std::int64_t seconds,
               Span deadline, Sink& sink) {
  const auto read = schema::read_cron(text);
  const auto* cron = std::get_if<schema::Cron>(&read);
  const auto gap = cron == nullptr ? std::nullopt : schema::shortest_gap(*cron);
  if (!gap || seconds <= *gap || policy == "Allow") return;
  sink.report<Code::StartsBeforeEnd>(where, schema::duration_text(*gap),
                                     schema::duration_text(seconds))
      .also(deadline, "a run may take this long")
      .note(policy == "Replace" ? "`Replace` deletes a run at the next start"
                                : "`Forbid` skips a start while a run waits or goes on")
      .help("start less often, or allow a run {} at most", schema::duration_text(*gap));
}

void judge_overlap(const Facts& facts, Sink& sink) {
  const spec::Schedule& schedule = facts.claims.workload.schedule;
  const Text& deadline = facts.claims.workload.active_deadline;
  if (schedule.cron.usable() && deadline.usable() && !schedule.concurrency_policy.where.bad)
    judge_gap(schedule.cron.where.span, schedule.cron.value, schedule.concurrency_policy.value,
              *schema::duration_seconds(deadline.value), deadline.where.span, sink);
}

// Reserved nodes are paid for anyway, and `autoscale: false` says that the nodes are to stay.
void judge_idle(const Facts& facts, Sink& sink) {
  const Text& cron = facts.claims.workload.schedule.cron;
  if (!cron.usable() || facts.kind == nullptr || !facts.kind->scheduled || !facts.creates_pools ||
      facts.model == nullptr || facts.autoscales() || facts.model->quota == QuotaKind::reserved ||
      facts.claims.provisioning.autoscale.where.given)
    return;
  const auto read = schema::read_cron(cron.value);
  const auto* times = std::get_if<schema::Cron>(&read);
  const auto gap = times == nullptr ? std::nullopt : schema::shortest_gap(*times);
  constexpr std::int64_t hour = 3600;  // a judgement: nodes that go and come again take minutes
  if (gap && *gap < hour) return;
  sink.report<Code::BilledBetweenStarts>(cron)
      .note("nothing scales a pool of {}: all of its nodes are billed until it is deleted",
            facts.model->title)
      .help("write `provisioning.autoscale: true`: nodes then exist only while pods need them")
      .help("or `autoscale: false`, if they are to stay");
}

bool is_cron_job(const Node& object) {
  const Node* kind = object.find("kind");
  return kind != nullptr && kind->text == spec::scheduled_job.object;
}

// The name that both a Job and a person who reads its manifest would use, in no case that of a Job
// of the CronJob. Empty: it is no CronJob.
std::string_view name_of_cron_job(const PodTree& pod) {
  if (pod.object == nullptr)
    return pod.facts.kind != nullptr && pod.facts.kind->scheduled &&
                   !pod.facts.claims.name.where.bad
               ? std::string_view(pod.facts.claims.name.value)
               : std::string_view();
  const Node* name = pod.object->at({"metadata", "name"});
  return is_cron_job(*pod.object) && is_literal(name) ? std::string_view(name->text)
                                                      : std::string_view();
}

Diagnostic& report_name(Span where, std::string_view what, std::string_view name, Sink& sink) {
  return sink.report<Code::NameOfNoStart>(where, what, name)
      .note("each start makes a Job `{0}-MINUTES`, whose pods are `{0}-MINUTES-0` and so on", name);
}

// `train-0.train` in a text; empty: there is none.
std::string_view address_in(std::string_view text, std::string_view name,
                            std::string_view service) {
  const std::string begin = fmt::format("{}-", name), domain = fmt::format(".{}", service);
  for (std::size_t at = text.find(begin); at != text.npos; at = text.find(begin, at + 1)) {
    const auto goes_on = [](char c) { return ascii::is_letter_or_digit(c) || c == '-'; };
    if (at > 0 && (goes_on(text[at - 1]) || text[at - 1] == '.')) continue;
    std::size_t end = at + begin.size();
    while (end < text.size() && ascii::is_digit(text[end])) ++end;
    const std::size_t after = end + domain.size();
    if (end > at + begin.size() && text.substr(end).starts_with(domain) &&
        (after == text.size() || !goes_on(text[after])))
      return text.substr(at, after - at);
  }
  return {};
}

// A program that is given the address of the first pod, as of a Job.
void judge_addresses(const PodTree& pod, Sink& sink) {
  const std::string_view name = name_of_cron_job(pod);
  // The Service of a spec has the workload's name.
  const Node* subdomain = pod.spec.find("subdomain");
  const std::string_view service = is_literal(subdomain)   ? std::string_view(subdomain->text)
                                   : pod.object == nullptr ? name
                                                           : "";
  if (name.empty() || service.empty()) return;
  const auto judge = [&](const Node& value) {
    const std::string_view address = address_in(value.text, name, service);
    if (address.empty()) return;
    Diagnostic& finding = report_name(value.span, address, name, sink);
    if (pod.field.empty())
      finding.help(
          "add a variable `JOB` from `fieldRef: {fieldPath: \"metadata.labels['job-name']\"}`");
    else
      finding.help("add `env: {JOB: {field: \"metadata.labels['job-name']\"}}`");
    finding.help("write `$JOB-0.{0}` in a shell, and `$(JOB)-0.{0}` in `env` and `args`", service);
  };
  for (const Node& container : items(pod.spec, "containers")) {
    for (const Node& variable : items(container, "env")) {
      if (const Node* value = variable.find("value")) judge(*value);
    }
    for (std::string_view words : {"command", "args"}) {
      for (const Node& word : items(container, words)) judge(word);
    }
  }
}

// Labels that select by the name, wherever they are.
void judge_name_labels(const Node& node, std::string_view name, Sink& sink) {
  const auto judge = [&](const Node& key, const Node& value) {
    if (contains(job_name_labels, key.text) && value.text == name)
      report_name(value.span, fmt::format("{}: {}", key.text, value.text), name, sink)
          .help("select a label of the pod template");
  };
  for (const auto& [key, value] : node.members) {
    judge(key, value);
    judge_name_labels(value, name, sink);
  }
  for (const Node& item : node.items) judge_name_labels(item, name, sink);
  const Node *key = node.find("key"), *values = node.find("values");
  if (key == nullptr || values == nullptr) return;
  for (const Node& value : values->items) judge(*key, value);
}

void judge_affinity(const PodTree& pod, Sink& sink) {
  const std::string_view name = name_of_cron_job(pod);
  if (name.empty()) return;
  for (std::string_view part : {"affinity", "topologySpreadConstraints"}) {
    if (const Node* rules = pod.spec.find(part)) judge_name_labels(*rules, name, sink);
  }
}

// Kueue reads those of Jobs.
void judge_queue_labels(const Node& object, Sink& sink) {
  const Node& job = spec::job_of(object);
  const Node* of_jobs = job.at({"metadata", "labels"});
  const std::pair<const Node*, std::string_view> others[] = {
      {object.at({"metadata", "labels"}), "a CronJob"},
      {job.at({"spec", "template", "metadata", "labels"}), "the pods of a CronJob"}};
  for (const auto& [own, place] : others) {
    if (own == nullptr) continue;
    for (const auto& [key, value] : own->members) {
      const bool is_for_jobs =
          key.text == resolve::queue_label || key.text == resolve::priority_label;
      if (place == "a CronJob" ? !key.text.starts_with("kueue.x-k8s.io/") : !is_for_jobs) continue;
      if (of_jobs != nullptr && of_jobs->find(key.text) != nullptr) continue;
      sink.report<Code::QueueOfCronJob>(key.span, key.text, place)
          .note(
              "the Jobs have the labels of `spec.jobTemplate.metadata`, and start without a queue")
          .help("move it to `spec.jobTemplate.metadata.labels`");
    }
  }
}

// The Job controller makes the host name of the last pod from it.
void judge_host_name(const Node& object, Sink& sink) {
  constexpr std::size_t limit = 63;  // of a DNS label
  const Node *name = object.at({"metadata", "name"}), *job = spec::job_of(object).find("spec");
  if (!is_literal(name) || name->text.size() > spec::scheduled_job.max_name || job == nullptr)
    return;
  const Node *mode = job->find("completionMode"), *completions = job->find("completions");
  const auto pods = completions == nullptr ? std::nullopt : text::whole_number(completions->text);
  if (mode == nullptr || mode->text != "Indexed" || !pods || *pods < 1) return;
  const std::string host = fmt::format("{}{}-{}", name->text, resolve::start_suffix, *pods - 1);
  if (host.size() > limit)
    sink.report<Code::DerivedNameTooLong>(name->span, "pod host", host, host.size(), limit)
        .help("remove {} from `{}`",
              text::count(static_cast<std::int64_t>(host.size() - limit), "character"), name->text);
}

}  // namespace

void judge_cron_job(const Node& object, bool is_made, Sink& sink) {
  judge_queue_labels(object, sink);
  const Node *cron = object.at({"spec", "schedule"}),
             *late = object.at({"spec", "startingDeadlineSeconds"});
  // A value that compile made has no place.
  const auto is_written = [&](const Node* node) {
    return node != nullptr && (!is_made || node->span != Span{});
  };
  if (is_written(cron) && schema::matches(schema::Pattern::schedule, cron->text))
    judge_cron({cron->span, true}, cron->text, sink);
  const Node* zone = object.at({"spec", "timeZone"});
  if (is_written(zone) && is_literal(zone)) {
    judge_time_zone(zone->span, zone->text, sink);
    if (is_written(cron)) judge_clock_change(cron->span, cron->text, zone->text, sink);
  }
  const auto seconds = is_written(late) ? text::whole_number(late->text) : std::nullopt;
  if (seconds) judge_lateness({late->span, true}, *seconds, sink);
  const Node *policy = object.at({"spec", "concurrencyPolicy"}),
             *deadline = object.at({"spec", "jobTemplate", "spec", "activeDeadlineSeconds"});
  const auto most = is_written(deadline) ? text::whole_number(deadline->text) : std::nullopt;
  // Without a policy it is Allow.
  if (is_written(cron) && most && is_literal(policy))
    judge_gap(cron->span, cron->text, policy->text, *most, deadline->span, sink);
  if (!is_made) judge_host_name(object, sink);
}

void note_clock_changes(const Facts& facts, Sink& sink) {
  const Text &cron = facts.claims.workload.schedule.cron,
             &zone = facts.claims.workload.schedule.time_zone;
  if (cron.usable() && zone.usable())
    judge_clock_change(cron.where.span, cron.value, zone.value, sink);
}

PodRules pod_schedule_rules() {
  static constexpr PodRule rules[] = {judge_addresses, judge_affinity};
  return rules;
}

Rules schedule_rules() {
  static constexpr Rule rules[] = {judge_scheduled_kind, judge_times,   judge_starting_deadline,
                                   judge_concurrency,    judge_overlap, judge_idle};
  return rules;
}

}  // namespace flexslice::rules
