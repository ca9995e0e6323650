// flexslice why: what the pods in saved output of kubectl and gcloud wait for.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>

#include "cli/commands/commands.hpp"
#include "cli/files/files.hpp"
#include "cli/run/settings.hpp"
#include "diag/render.hpp"
#include "driver/run.hpp"
#include "spec/derived_keys.hpp"
#include "why/report.hpp"
#include "why/signs.hpp"
#include "yaml/emit.hpp"
#include "yaml/parse.hpp"

namespace flexslice::cli {

namespace {

constexpr std::string_view why_formats[] = {"text", "json"};

// A line of its own, so that a dump that quotes a spec stays a dump.
bool is_spec(std::string_view text) {
  return text.starts_with("apiVersion: flexslice/") ||
         text.find("\napiVersion: flexslice/") != std::string_view::npos ||
         (text.find('{') < text.find("\"flexslice/") && text.find("\"flexslice/") < 200);
}

// The images of containers with chips, in all pod templates of the object.
void add_images(const yaml::Value& object, std::vector<std::string>& images) {
  if (const std::string_view image = object.text_at({"image"});
      !image.empty() && !spec::requested_chips(object).empty())
    images.emplace_back(image);
  for (const yaml::Value& item : object.items) add_images(item, images);
  for (const yaml::Value::Member& member : object.members) add_images(member.value, images);
}

bool selects_spot(const yaml::Value& object) {
  return object.text_at({"nodeSelector", "cloud.google.com/gke-spot"}) == "true" ||
         std::ranges::any_of(object.items, selects_spot) ||
         std::ranges::any_of(object.members, [](const yaml::Value::Member& member) {
           return selects_spot(member.value);
         });
}

// Objects with pods are those that the plan names by its kind; a spec has one.
void add_expected(const Compiled& compiled, std::vector<why::Expected>& expected) {
  const std::string* plan_text = nullptr;
  for (const Artifact& artifact : compiled.artifacts) {
    if (artifact.emit == Emit::plan) plan_text = &artifact.text;
  }
  if (plan_text == nullptr) return;
  Sources sources;
  sources.add({"plan", *plan_text, 1});
  diag::Sink sink;
  const auto plan = yaml::parse(sources, 0, sink);
  if (!plan) return;
  constexpr std::string_view kinds[] = {"Job",        "CronJob", "JobSet",     "Deployment",
                                        "RayCluster", "RayJob",  "RayService", "LeaderWorkerSet"};
  for (const yaml::Value& object : compiled.objects) {
    const std::string_view kind = object.text_at({"kind"});
    if (std::find(std::begin(kinds), std::end(kinds), kind) == std::end(kinds)) continue;
    expected.push_back({{std::string(kind), std::string(object.text_at({"metadata", "namespace"})),
                         std::string(object.text_at({"metadata", "name"}))},
                        text::whole_number(plan->text_at({"tpu", "totalHosts"})).value_or(0),
                        std::string(plan->text_at({"tpu", "accelerator"})),
                        std::string(plan->text_at({"tpu", "topology"})),
                        std::string(plan->text_at({"cluster", "name"})),
                        std::string(plan->text_at({"cluster", "location"})),
                        {},
                        {},
                        std::string(plan->text_at({"tpu", "machineType"})),
                        {},
                        selects_spot(object)});
    add_images(object, expected.back().images);
    expected.back().model = plan->text_at({"provisioning", "model"});
    if (const yaml::Node* zones = plan->at({"provisioning", "zones"})) {
      for (const yaml::Node& zone : zones->items) expected.back().zones.push_back(zone.text);
    }
    if (const yaml::Node* pools = plan->find("pools")) {
      for (const yaml::Node& pool : pools->items) {
        expected.back().pools.emplace_back(pool.text_at({"name"}));
        expected.back().nodes.push_back(text::whole_number(pool.text_at({"nodes"})).value_or(0));
        expected.back().pool_topology = pool.text_at({"tpuTopology"});
      }
    }
  }
}

// Node pools of gcloud say in their address which cluster they are of. Empty: this is none.
std::string_view cluster_of_pool(const yaml::Node& object) {
  constexpr std::string_view part = "/clusters/";
  const std::string_view address = object.text_at({"selfLink"});
  const std::size_t at = address.find(part);
  if (object.text_at({"kind"}) != "NodePool" || at == std::string_view::npos) return {};
  const std::string_view name = address.substr(at + part.size());
  return name.substr(0, name.find('/'));
}

// A workload with places is in one of them: in the cluster of the dump where it says that, and else
// in the first.
void keep_seen_places(const why::Dump& dump, std::vector<why::Expected>& expected) {
  const auto is_seen = [&](const why::Expected& each) {
    return std::any_of(dump.objects.begin(), dump.objects.end(), [&](const yaml::Node& object) {
      const std::string_view cluster = cluster_of_pool(object);
      return !cluster.empty() && cluster == each.cluster;
    });
  };
  std::stable_partition(expected.begin(), expected.end(), is_seen);
  std::vector<why::Expected> kept;
  for (why::Expected& each : expected) {
    if (std::none_of(kept.begin(), kept.end(),
                     [&](const why::Expected& other) { return other.object == each.object; }))
      kept.push_back(std::move(each));
  }
  expected = std::move(kept);
}

// Nodes are in the region of their cluster.
void compare_regions(const why::Dump& dump, const std::vector<why::Expected>& expected,
                     std::vector<std::string>& remarks) {
  for (const yaml::Node& object : dump.objects) {
    const std::string_view region =
        object.text_at({"metadata", "labels", "topology.kubernetes.io/region"});
    if (object.text_at({"kind"}) != "Node" || region.empty()) continue;
    const bool is_elsewhere =
        !expected.empty() && std::ranges::none_of(expected, [&](const why::Expected& each) {
          return each.location.empty() || each.location.starts_with(region);
        });
    if (!is_elsewhere) continue;
    remarks.push_back(
        fmt::format("node {} is in {}, and the spec is for a cluster in {}: is the dump of another "
                    "cluster?",
                    object.text_at({"metadata", "name"}), region, expected.front().location));
    return;
  }
}

// Says what keeps node pools from having nodes, where the dump has no pods that wait for them.
void remark_pools(const why::ClusterView& cluster, std::vector<std::string>& remarks) {
  std::vector<why::ClusterSign> signs;
  why::add_gcloud_signs(
      cluster, [](std::string_view, const yaml::Node*, std::string_view) { return true; }, signs);
  for (const why::ClusterSign& sign : signs) {
    if (const auto cause = why::cause_of(sign, {}))
      remarks.push_back(
          fmt::format("{}: {}: {}; next: {}", sign.about, cause->code, cause->says, cause->next));
  }
}

// Takes out what is missing, since a dump without such objects says nothing about it.
void leave_out_missing(why::WhyReport& report) {
  for (const why::PodSet& set : report.sets) {
    if (set.state == why::SetState::missing)
      report.remarks.push_back(
          fmt::format("whether {} {} is in the cluster is not in the dump: save it with status.sh",
                      set.object.kind, set.object.name));
  }
  std::erase_if(report.sets,
                [](const why::PodSet& set) { return set.state == why::SetState::missing; });
}

void compare_clusters(const why::Dump& dump, const std::vector<why::Expected>& expected,
                      std::vector<std::string>& remarks) {
  for (const yaml::Node& object : dump.objects) {
    const std::string_view name = cluster_of_pool(object);
    if (name.empty()) continue;
    const bool is_meant =
        expected.empty() || std::ranges::any_of(expected, [&](const why::Expected& each) {
          return each.cluster.empty() || each.cluster == name;
        });
    if (is_meant) continue;
    remarks.push_back(
        fmt::format("node pool {} is of cluster {}, and the spec is for {}: is the dump of another "
                    "cluster?",
                    object.text_at({"name"}), name, expected.front().cluster));
    return;
  }
  compare_regions(dump, expected, remarks);
}

}  // namespace

int run_why(const CommandLine& line) {
  if (line.words.empty())
    throw wrong_usage(
        "missing argument: files with the output of kubectl and gcloud, such as those of "
        "`bash status.sh`, and specs beside them if there are any");
  Run run;
  read_run(line, STDERR_FILENO, run, false);
  const std::string format = read_choice(line, "format", why_formats);
  why::Dump dump;
  std::vector<why::Expected> expected;
  bool bad = false;
  std::size_t dumps = 0;
  for (const std::string& word : line.words) {
    std::string text = read_file(word);
    const std::string name = word == "-" ? "<stdin>" : word;
    if (!is_spec(text)) {
      ++dumps;
      if (text.size() > why::max_dump_bytes)
        throw file_error(fmt::format(
            "{}: {} MiB, and at most {} are read: save one namespace, as status.sh does", name,
            text.size() >> 20, why::max_dump_bytes >> 20));
      why::read_dump(name, text, dump);
      continue;
    }
    CompileOptions options;
    options.emit = {Emit::plan};
    options.objects = true;
    const TextRun specs = compile_text(run.setting(), name, text, options,
                                       [&](const Sources& sources, const auto& findings) {
                                         bad = bad || diag::errors(findings) > 0;
                                         if (diag::errors(findings) > 0)
                                           print_error(diag::render(run.render, sources, findings));
                                       });
    for (const Compiled& compiled : specs.good) add_expected(compiled, expected);
  }
  keep_seen_places(dump, expected);
  if (bad) throw Failure(findings, "flexslice: a spec has errors; nothing compared\n");
  if (dumps == 0)
    throw wrong_usage(
        "no dump: beside the spec, name a file with what kubectl and gcloud say, such as that of "
        "`bash status.sh > status.yaml`");
  const bool tells_of_pods = why::tells_of_pods(dump);
  why::add_pods_of_events(dump);
  const why::ClusterView cluster(dump);
  why::WhyReport report{why::pod_sets(cluster, expected, run.knowledge.catalog), dump.remarks,
                        cluster.saved_at(), tells_of_pods};
  if (!tells_of_pods) leave_out_missing(report);
  if (report.sets.empty()) remark_pools(cluster, report.remarks);
  compare_clusters(dump, expected, report.remarks);
  print(format == "json" ? yaml::emit_json(why::report_json(report)) : why::report_text(report));
  const bool fine_all =
      std::all_of(report.sets.begin(), report.sets.end(), [](const why::PodSet& set) {
        return set.causes.empty() &&
               (set.state == why::SetState::runs || set.state == why::SetState::done ||
                set.state == why::SetState::idle);
      });
  return fine_all && tells_of_pods ? fine : findings;
}

}  // namespace flexslice::cli
