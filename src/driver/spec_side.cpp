#include "driver/spec_side.hpp"

#include <algorithm>

#include "backend/kubernetes/queues.hpp"
#include "yaml/parse.hpp"

namespace flexslice {

namespace {

yaml::Value stated_plan(const Compiled& compiled) {
  const auto found = std::ranges::find(compiled.artifacts, Emit::plan, &Artifact::emit);
  if (found == compiled.artifacts.end()) return {};
  Sources sources;
  diag::Sink ignored;
  const auto tree = yaml::parse(sources, sources.add({"plan.json", found->text, 1}), ignored);
  return tree ? yaml::to_value(*tree) : yaml::Value();
}

// Returns the oldest release of Kueue that specs of one cluster state, since what it lacks cannot
// be relied on; empty: no spec states one.
std::string oldest_kueue(const kubernetes::QueueNeeds& cluster) {
  std::string oldest;
  for (const kubernetes::QueueNeed* need : cluster) {
    const std::string& stated = need->plan.cluster.kueue;
    const auto version = catalog::parse_version(stated);
    if (version && (oldest.empty() || *version < *catalog::parse_version(oldest))) oldest = stated;
  }
  return oldest;
}

}  // namespace

CompileOptions side_options() {
  CompileOptions options;
  options.emit = {Emit::queues, Emit::plan};
  options.objects = true;
  return options;
}

void add_specs(SpecSide& side, std::vector<Compiled> specs, const yaml::Value& document,
               const std::string& name) {
  for (Compiled& compiled : specs) {
    if (compiled.of_places && compiled.place.empty()) continue;
    std::vector<yaml::Value> objects = compiled.volumes;
    objects.insert(objects.end(), compiled.objects.begin(), compiled.objects.end());
    // The objects of a queue belong to all of its workloads.
    std::erase_if(objects, [](const yaml::Value& object) {
      return object.text_at({"apiVersion"}).starts_with("kueue.x-k8s.io/");
    });
    const std::string key = change::add_spec(
        side.compared, {compiled.folder(), name, document, stated_plan(compiled), {}}, objects);
    side.compiled.insert_or_assign(key, std::move(compiled));
  }
}

void add_queue_objects(SpecSide& side, const templates::Set& templates) {
  kubernetes::QueueNeeds needs;
  for (const auto& [key, compiled] : side.compiled) {
    for (const kubernetes::QueueNeed& need : compiled.queue_needs) needs.push_back(&need);
  }
  for (const kubernetes::QueueNeeds& cluster :
       kubernetes::by_cluster(kubernetes::without_guests(needs))) {
    std::vector<yaml::Value> objects = kubernetes::queue_objects(cluster, templates);
    change::Side queues;
    change::add_spec(queues,
                     {.name = "Kueue objects",
                      .source = {},
                      .spec = {},
                      .plan = {},
                      .resources = {},
                      .kueue = oldest_kueue(cluster)},
                     objects);
    side.compared.insert_or_assign("\n" + cluster.front()->cluster,
                                   std::move(queues.begin()->second));
    side.queues.emplace(cluster.front()->cluster, std::move(objects));
  }
}

}  // namespace flexslice
