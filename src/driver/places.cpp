#include "driver/places.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "backend/gcloud/bash.hpp"
#include "base/credentials.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "explain/places.hpp"
#include "schema/pattern.hpp"
#include "spec/places.hpp"

namespace flexslice {

using diag::Code;
using kubernetes::WorkerPlace;
using spec::PlaceSpec;

namespace {

constexpr std::int64_t usual_patience = 7200;  // seconds
constexpr std::size_t most_workers = 20;       // of a MultiKueueConfig, by Kueue's API

std::int64_t patience(const spec::Place& place) {
  return place.patience.usable() ? *schema::duration_seconds(place.patience.value) : usual_patience;
}

// In a run with other specs, what several places have in one cluster is there once: they are never
// used together.
void judge_shared_pools(std::vector<Compiled>& all, const std::vector<PlaceSpec>& places,
                        diag::Sink& sink) {
  std::map<std::uint64_t, std::size_t> known;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::erase_if(all[i].resources, [&](const plan::Resource& resource) {
      const auto [earlier, is_new] = known.try_emplace(resource.identity, i);
      if (is_new || earlier->second == i) return false;
      if (resource.kind == "node pool")
        sink.report<Code::PlacesSharePool>(places[i].claim.name.where.span,
                                           places[i].claim.name.value,
                                           places[earlier->second].claim.name.value, resource.name)
            .also(places[earlier->second].claim.name.where.span, "the other one")
            .help("set `provisioning.nodePool` in one of them");
      return true;
    });
  }
}

// Objects that differ cannot be sent by one manager.
void judge_dispatch(const std::vector<WorkerPlace>& parts, const std::vector<PlaceSpec>& places,
                    bool is_wanted, diag::Sink& sink) {
  if (!kubernetes::why_not_dispatched(parts.front().plan).empty()) return;
  const yaml::Value* first =
      kubernetes::dispatched_object(parts.front().plan, parts.front().objects);
  if (first == nullptr) return;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const yaml::Value* other = kubernetes::dispatched_object(parts[i].plan, parts[i].objects);
    if (other == nullptr) continue;
    const std::string path = kubernetes::first_difference(*first, *other);
    if (path.empty()) continue;
    const std::string object = fmt::format("{} {}", first->text_at({"kind"}), parts[i].plan.name);
    const schema::Where& where = places[i].claim.name.where;
    const std::string &own = places[i].claim.name.value, &one = places.front().claim.name.value;
    if (is_wanted)
      sink.report<Code::NoMultiKueue>(
          where.span,
          fmt::format("{} is not the same in places `{}` and `{}`: {}", object, one, own, path));
    else
      sink.report<Code::PlacesDiffer>(where.span, object, one, own, path);
  }
  if (is_wanted && parts.size() > most_workers)
    sink.report<Code::NoMultiKueue>(
        places[most_workers].claim.name.where.span,
        fmt::format("a MultiKueueConfig has at most {} clusters", most_workers));
}

// All places share the script that tries them, or the objects of the manager.
Compiled shared_by_places(std::vector<Compiled>& all, const std::vector<PlaceSpec>& places,
                          const std::vector<WorkerPlace>& parts, const templates::Set& templates,
                          const CompileOptions& options) {
  const plan::Plan& plan = parts.front().plan;
  Compiled shared{.name = plan.name, .of_places = true, .ok = true};
  const std::string summary = fmt::format(
      "{}: {}", text::count(std::ssize(parts), "place"),
      text::join(texts(parts, [](const WorkerPlace& part) { return part.plan.place; }), ", then "));
  const ArtifactHeader header{plan.name, summary, plan.source, options.comments};
  if (is_wanted(options, Emit::run)) {
    if (plan.queue) {
      shared.why_empty.emplace(
          Emit::run, "places with a queue are workers of MultiKueue: `--emit multikueue`");
    } else {
      std::vector<gcloud::PlaceToTry> tries;
      for (std::size_t i = 0; i < parts.size(); ++i)
        tries.push_back({&parts[i].plan, patience(places[i].claim)});
      shared.artifacts.push_back(
          {Emit::run,
           gcloud::to_bash(gcloud::run_script(tries, templates),
                           {"run.sh", summary, plan.source, options.comments}, templates)});
    }
  }
  if (is_wanted(options, Emit::multikueue))
    shared.artifacts.push_back(
        {Emit::multikueue, print_multikueue("of the manager", header,
                                            kubernetes::manager_objects(parts, templates))});
  if (options.explain) {
    std::vector<explain::PlaceRow> rows;
    for (std::size_t i = 0; i < parts.size(); ++i)
      rows.push_back({parts[i].plan, schema::duration_text(patience(places[i].claim))});
    shared.explanation =
        masked(explain::places_text(plan.name, rows)) + std::move(all.front().explanation);
    all.front().explanation.clear();
  }
  return shared;
}

}  // namespace

std::vector<Compiled> compile_places(yaml::Node spec, std::uint32_t source, std::string_view file,
                                     const catalog::Catalog& catalog,
                                     const templates::Set& templates, const CompileOptions& options,
                                     const FinishSpec& finish) {
  diag::Sink of_places;
  const std::vector<PlaceSpec> places = spec::place_specs(std::move(spec), of_places);
  std::vector<Compiled> all(places.size());
  std::vector<WorkerPlace> parts(places.size());
  std::vector<std::vector<diag::Diagnostic>> found(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) {
    const spec::Text& name = places[i].claim.name;
    all[i].place = name.usable() ? name.value : std::to_string(i + 1);
    all[i].of_places = true;
    if (places[i].tree.members.empty()) continue;
    diag::Sink own;
    CompileOptions own_options = options;
    own_options.explain = options.explain && i == 0;
    run_passes({.tree = places[i].tree,
                .source = source,
                .name = file,
                .place = all[i].place,
                .of_place = &parts[i]},
               catalog, templates, own_options, all[i], own);
    found[i] = own.take();
  }
  const bool good = std::ranges::all_of(all, &Compiled::ok);
  if (good) {
    const bool is_one_queue = of_places.errors() == 0;
    judge_shared_pools(all, places, of_places);
    if (is_one_queue)
      judge_dispatch(parts, places, is_wanted(options, Emit::multikueue), of_places);
  }
  const std::vector<diag::Diagnostic> shared_findings = of_places.take();
  for (std::size_t i = 0; i < all.size(); ++i) {
    found[i].insert(found[i].end(), shared_findings.begin(), shared_findings.end());
    finish(all[i], std::move(found[i]));
  }
  if (std::ranges::all_of(all, &Compiled::ok))
    all.push_back(shared_by_places(all, places, parts, templates, options));
  return all;
}

}  // namespace flexslice
