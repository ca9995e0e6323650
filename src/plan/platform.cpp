#include "plan/platform.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/lists.hpp"
#include "base/slip.hpp"
#include "base/text.hpp"
#include "plan/capacity.hpp"

namespace flexslice::plan {

using diag::Code;

void Platforms::add(std::shared_ptr<const QueueUse> use, Span where, std::uint32_t file,
                    Position place, const Source& source) {
  std::vector<SpecUse>& entries = use->teams.empty() ? guests_ : platforms_;
  entries.push_back({std::move(use), where, file, place, source});
}

std::vector<PlatformFinding> Platforms::findings() const {
  std::vector<PlatformFinding> all;
  if (platforms_.empty()) return all;
  for (const SpecUse& guest : guests_) judge(guest, all);
  return all;
}

// Other classes may be in the cluster already, so only the slip of a name is certain.
void Platforms::judge_priority(const SpecUse& guest, const std::vector<const SpecUse*>& platforms,
                               diag::Sink& sink) const {
  const std::string& name = guest.use->priority;
  if (name.empty()) return;
  if (any_of(guests_, [&](const SpecUse& each) {
        return each.use->makes_priority && each.use->priority == name;
      }))
    return;
  const PriorityLevel* meant = nullptr;
  std::string_view owner;
  for (const SpecUse* each : platforms) {
    for (const QueueOfTeam& team : each->use->teams) {
      for (const PriorityLevel& level : team.priorities) {
        if (level.name == name) return;
        if (meant != nullptr || !text::is_slip_of_name(name, level.name)) continue;
        meant = &level;
        owner = each->use->spec;
      }
    }
  }
  if (meant == nullptr) return;
  sink.report<Code::NearName>(guest.use->of_priority, name, meant->name,
                              fmt::format("a priority of spec `{}`", owner))
      .help("did you mean `{}`?", meant->name);
}

void Platforms::judge(const SpecUse& guest, std::vector<PlatformFinding>& all) const {
  const QueueUse& use = *guest.use;
  std::vector<const SpecUse*> of_cluster, with_queue;
  std::vector<std::string> queues, spaces;
  for (const SpecUse& each : platforms_) {
    if (use.names_cluster && each.use->cluster != use.cluster) continue;
    of_cluster.push_back(&each);
    for (const QueueOfTeam& team : each.use->teams) {
      if (!contains(queues, team.name)) queues.push_back(team.name);
      if (team.name != use.queue) continue;
      with_queue.push_back(&each);
      spaces.insert(spaces.end(), team.namespaces.begin(), team.namespaces.end());
    }
  }
  // A workload with nodes of its own may have a queue of its own.
  if (of_cluster.empty() || (with_queue.empty() && use.has_own_pools)) return;
  diag::Sink sink;
  const auto finish = [&](const SpecUse& platform) {
    for (diag::Diagnostic& finding : sink.take())
      all.push_back({guest.source, std::move(finding), platform.file, platform.place});
  };
  if (with_queue.empty()) {
    const SpecUse& platform = *of_cluster.front();
    sink.report<Code::NotOnPlatform>(guest.where, platform.use->spec,
                                     fmt::format("queue `{}`", use.queue))
        .help("its queues are {}", text::join(queues, ", "));
    return finish(platform);
  }
  if (!use.name_space.empty() && !contains(spaces, use.name_space)) {
    const SpecUse& platform = *with_queue.front();
    sink.report<Code::NotOnPlatform>(
            guest.where, platform.use->spec,
            fmt::format("queue `{}` for namespace `{}`", use.queue, use.name_space))
        .help("it is for {}: add the namespace there, or change it here", text::join(spaces, ", "));
    return finish(platform);
  }
  judge_priority(guest, of_cluster, sink);
  if (!sink.found().empty()) finish(*with_queue.front());
  const auto never = [&](std::string_view reason) -> diag::Diagnostic& {
    return sink.report<Code::QueueNeverAdmits>(guest.where, use.object, use.queue, reason);
  };
  if (use.flavor.empty()) {
    never("its pods do not tolerate the taint `flexslice/flavor` of the flavors")
        .help("remove `topology: none`: queues.yaml of spec `{}` describes the queue",
              with_queue.front()->use->spec);
    return finish(*with_queue.front());
  }
  std::vector<QueueOfTeam> teams;  // with quota of the workload's flavor
  const SpecUse* of_flavor = nullptr;
  std::vector<std::string> others;
  for (const SpecUse* each : of_cluster) {
    if (each->use->flavor != use.flavor) continue;
    if (contains(with_queue, each)) of_flavor = each;
    for (const QueueOfTeam& team : each->use->teams) {
      const auto known = std::ranges::find(teams, team.name, &QueueOfTeam::name);
      if (known == teams.end()) {
        teams.push_back(team);
      } else {
        add_amounts(*known, team);
      }
    }
  }
  for (const SpecUse* each : with_queue) {
    const std::string nodes =
        each->use->reservation.empty()
            ? each->use->nodes
            : fmt::format("{} `{}`", each->use->nodes, each->use->reservation);
    if (!contains(others, nodes)) others.push_back(nodes);
  }
  if (of_flavor == nullptr) {
    const SpecUse& platform = *with_queue.front();
    const bool same_nodes =
        any_of(with_queue, [&](const SpecUse* each) { return each->use->nodes == use.nodes; });
    diag::Diagnostic& finding =
        never(fmt::format("it needs nodes of {}{}, and the queue has {}", use.nodes,
                          use.reservation.empty() ? "" : fmt::format(" `{}`", use.reservation),
                          text::join(others, "; ")));
    finding.note("ResourceFlavor `{}` is not among those of the queue", use.flavor);
    if (same_nodes && !platform.use->reservation.empty())
      finding.help("write `reservation: {}`", platform.use->reservation);
    return finish(platform);
  }
  const auto own = std::ranges::find(teams, use.queue, &QueueOfTeam::name);
  const std::int64_t borrowed = borrowed_at_most(*own, teams), most = own->quota + borrowed;
  if (use.chips <= most) return;
  never(fmt::format("it needs {}, and the queue can get {} at most", text::count(use.chips, "chip"),
                    most))
      .note(borrowed > 0
                ? fmt::format("{} of its own, and {} that it can borrow", own->quota, borrowed)
            : own->cohort.empty() ? std::string("it has no `cohort` to borrow from")
            : own->borrow == 0    ? std::string("its `borrow` is 0")
                                  : std::string("no queue of its cohort lends more"));
  finish(*of_flavor);
}

}  // namespace flexslice::plan
