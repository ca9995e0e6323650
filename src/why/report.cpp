#include "why/report.hpp"

#include <fmt/core.h>

#include "base/text.hpp"
#include "schema/pattern.hpp"
#include "why/cluster.hpp"

namespace flexslice::why {

using yaml::Value;

namespace {

constexpr std::size_t most_causes = 4;

std::string counts(const PodSet& set) {
  const std::pair<std::int64_t, std::string_view> parts[] = {
      {set.ready, "ready"},       {set.running, "running and not ready"},
      {set.starting, "starting"}, {set.without_node, "without a node"},
      {set.succeeded, "ended"},   {set.failed, "failed"}};
  std::vector<std::string> words;
  for (const auto& [number, word] : parts) {
    if (number > 0) words.push_back(fmt::format("{} {}", number, word));
  }
  return words.empty()
             ? "no pods"
             : fmt::format("{}: {}", text::count(set.pods, "pod"), text::join(words, ", "));
}

std::string since(const PodSet& set, std::string_view saved_at) {
  const auto begin = seconds_at(set.since), end = seconds_at(saved_at);
  if (!begin) return {};
  if (!end || *end <= *begin) return fmt::format("since {}", set.since);
  return fmt::format("since {}, {} before the dump was saved", set.since,
                     schema::duration_text(*end - *begin));
}

}  // namespace

std::string report_text(const WhyReport& report) {
  std::string out;
  for (const PodSet& set : report.sets) {
    if (!out.empty()) out += "\n";
    out += fmt::format("{} {}{}{}: {} ({})\n", set.object.kind, set.object.name,
                       set.object.name_space.empty() ? "" : " in namespace ", set.object.name_space,
                       word(set.state), counts(set));
    if (const std::string when = since(set, report.saved_at); !when.empty())
      out += fmt::format("  {}\n", when);
    if (set.restarts > 0)
      out += fmt::format("  restarted {}\n",
                         set.most_restarts > 0
                             ? fmt::format("{} of {} times", set.restarts, set.most_restarts)
                         : set.restarts == 1 ? "once"
                                             : fmt::format("{} times", set.restarts));
    for (std::size_t i = 0; i < set.causes.size() && i < most_causes; ++i) {
      const PodCause& cause = set.causes[i];
      out += fmt::format("  {} {}: {} ({})\n", i == 0 ? "cause" : "also", cause.code, cause.says,
                         cause.sign.about);
    }
    if (!set.causes.empty()) {
      const PodCause& cause = set.causes.front();
      out += fmt::format("  next: {}\n", cause.next);
      if (cause.waits) out += "  it can also end without that\n";
    } else if (set.state == SetState::waits || set.state == SetState::failed) {
      out += "  the dump does not show why: save it with status.sh, which also reads events\n";
    }
    if (!set.billed.empty() && set.state != SetState::done && set.state != SetState::idle)
      out += fmt::format("  billed: {}\n", set.billed);
  }
  if (report.sets.empty())
    out += report.tells_of_pods
               ? "no pods, and nothing that makes pods\n"
               : "nothing in it is about pods: save them with `kubectl get "
                 "pods,jobs,jobsets,events,nodes,workloads -o yaml`, or with status.sh\n";
  for (const std::string& remark : report.remarks) out += fmt::format("note: {}\n", remark);
  return out;
}

Value report_json(const WhyReport& report) {
  Value document = Value::mapping();
  document.add("savedAt", Value::string(report.saved_at));
  Value sets = Value::sequence();
  for (const PodSet& set : report.sets) {
    Value each = Value::mapping();
    each.add("kind", Value::string(set.object.kind));
    each.add("namespace", Value::string(set.object.name_space));
    each.add("name", Value::string(set.object.name));
    each.add("state", Value::string(word(set.state)));
    Value pods = Value::mapping();
    const std::pair<std::string_view, std::int64_t> numbers[] = {{"all", set.pods},
                                                                 {"ready", set.ready},
                                                                 {"running", set.running},
                                                                 {"starting", set.starting},
                                                                 {"withoutNode", set.without_node},
                                                                 {"ended", set.succeeded},
                                                                 {"failed", set.failed}};
    for (const auto& [key, number] : numbers) pods.add(key, Value::number(number));
    each.add("pods", std::move(pods));
    each.add("restarts", Value::number(set.restarts));
    each.add("since", Value::string(set.since));
    each.add("billed", Value::string(set.billed));
    Value causes = Value::sequence();
    for (const PodCause& cause : set.causes) {
      Value row = Value::mapping();
      row.add("code", Value::string(cause.code));
      row.add("says", Value::string(cause.says));
      row.add("next", Value::string(cause.next));
      row.add("waits", Value::boolean(cause.waits));
      row.add("about", Value::string(cause.sign.about));
      row.add("at", Value::string(cause.sign.at));
      causes.push(std::move(row));
    }
    each.add("causes", std::move(causes));
    sets.push(std::move(each));
  }
  document.add("sets", std::move(sets));
  Value remarks = Value::sequence();
  for (const std::string& remark : report.remarks) remarks.push(Value::string(remark));
  document.add("remarks", std::move(remarks));
  return document;
}

}  // namespace flexslice::why
