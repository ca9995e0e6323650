#include "driver/lint_folders.hpp"

#include "base/lists.hpp"
#include "yaml/parse.hpp"

namespace flexslice::lint {

std::vector<StatedKueue> stated_kueue(const std::string& name, std::string_view text) {
  std::vector<StatedKueue> all;
  for (const yaml::Document& document : yaml::split_documents(text)) {
    Sources sources;
    diag::Sink ignored;
    const auto tree = yaml::parse(
        sources, sources.add({name, std::string(document.text), document.first_line}), ignored);
    const yaml::Node* stated = tree ? tree->at({"cluster", "kueue"}) : nullptr;
    if (stated != nullptr && catalog::parse_version(stated->text))
      all.push_back({stated->text, name, sources.position(stated->span)});
  }
  return all;
}

std::optional<Folders::Findings> Folders::add(const Source& file, rules::FileSummary summary) {
  std::optional<Findings> findings;
  if (folder_of(file.name) != folder_) findings = end();
  folder_ = folder_of(file.name);
  const auto place = [&](auto& all, auto& own) {
    for (auto& each : own) {
      const Position at = position(file, each.name.where.span.begin);
      all.push_back({std::move(each), file.name, at});
    }
  };
  place(services_, summary.services);
  place(policies_, summary.policies);
  place(disks_.claims, summary.disk_claims);
  place(disks_.classes, summary.disk_classes);
  rules::Queues& queues = summary.queues;
  for (auto& queue : queues.local_queues) queues_.local_queues.push_back(std::move(queue));
  for (const auto& queue : queues.cluster_queues) queues_.cluster_queues.push_back(queue);
  for (const auto& [name, pods] : queues.pods) queues_.pods[name].add(pods);
  if (summary.is_open())
    open_.push_back({file,
                     {.hosts = std::move(summary.hosts),
                      .unselected = std::move(summary.unselected),
                      .disks = std::move(summary.disks),
                      .networked = std::move(summary.networked),
                      .dropped = std::move(summary.dropped),
                      .queues = std::move(queues)}});
  if (!summary.pools.empty() || !summary.pods.empty()) files_.push_back({file, std::move(summary)});
  return findings;
}

void Folders::has_file(std::string_view name) {
  const std::string_view file = name.substr(name.rfind('/') == name.npos ? 0 : name.rfind('/') + 1);
  if (file.starts_with("kustomization.y") || file == "Kustomization")
    bases_.emplace(folder_of(name));
}

void Folders::judge_hosts(const rules::NamedHosts& hosts, std::string_view folder,
                          diag::Sink& sink) const {
  using rules::ServiceFit;
  const rules::Placed<view::ServiceClaims>* wrong = nullptr;
  std::vector<std::string_view> names;
  for (const auto& service : services_) {
    const ServiceFit fit = rules::fit(hosts, service.claims);
    if (fit == ServiceFit::good) return;
    if (folder_of(service.file) != folder) continue;
    names.push_back(service.claims.name.value);
    if (fit != ServiceFit::other) wrong = &service;
  }
  const Span where = hosts.service.where.span;
  if (wrong == nullptr) {
    rules::report_no_service(hosts, names, where, sink);
    return;
  }
  diag::Diagnostic& finding =
      rules::report_misfit(hosts, wrong->claims, rules::fit(hosts, wrong->claims), where, sink);
  finding.level = diag::Level::warning;
  finding.also(wrong->file, wrong->at, "the Service is here");
}

void Folders::judge_dropped(const rules::DroppedVersion& object, diag::Sink& sink) const {
  const auto lacks_it = [&](const StatedKueue& stated) {
    return catalog::parse_version(stated.release) >= catalog::parse_version(object.kueue);
  };
  const StatedKueue* stated = find_where(kueue_, lacks_it);
  if (stated == nullptr) return;
  sink.report<diag::Code::ApiRemovedByKueue>(object.version, stated->release, object.version.value,
                                             object.kind)
      .also(stated->file, stated->at, "this spec states the release")
      .help("write {}", object.instead);
}

Folders::Findings Folders::end_of_run(const catalog::Catalog& catalog) {
  Findings findings;
  diag::Sink sink;
  for (std::uint32_t index = 0; index < open_.size(); ++index) {
    auto& [source, summary] = open_[index];
    findings.sources.add(source);
    rules::for_each_span(summary, [&](Span& span) { span.source = index; });
    for (const rules::NamedHosts& hosts : summary.hosts)
      judge_hosts(hosts, folder_of(source.name), sink);
    if (!bases_.contains(folder_of(source.name))) {
      for (const rules::UnselectedPods& pods : summary.unselected)
        rules::report_unselected(pods, sink);
    }
    for (const rules::MountedDisk& disk : summary.disks)
      rules::judge_disk(disk, folder_of(source.name), disks_, catalog, sink);
    for (const rules::NetworkedPods& pods : summary.networked)
      rules::judge_policies(pods, folder_of(source.name), policies_, catalog, sink);
    for (const rules::DroppedVersion& object : summary.dropped) judge_dropped(object, sink);
    for (const view::ClusterQueueClaims& queue : summary.queues.cluster_queues)
      rules::judge_namespaces(queue, queues_.local_queues, sink);
    for (view::FlavorClaims& flavor : summary.queues.flavors)
      queues_.flavors.push_back(std::move(flavor));
  }
  rules::judge_flavors(queues_, sink);
  for (const view::FlavorClaims& flavor : queues_.flavors)
    rules::report_flavor(flavor, sink).level = diag::Level::note;
  findings.diagnostics = sink.take();
  return findings;
}

std::optional<Folders::Findings> Folders::end() {
  Findings findings;
  diag::Sink sink;
  for (const FolderFile& file : files_) findings.sources.add(file.source);
  for (std::uint32_t index = 0; index < files_.size(); ++index) {
    const FolderFile& file = files_[index];
    for (const rules::NamedNodes& pods : file.summary.pods) {
      const auto is_named = [&](const rules::NamedNodes& pool) { return pool.pool == pods.pool; };
      // The pods of a file that creates the pool are judged by that.
      if (any_of(file.summary.pools, is_named)) continue;
      const FolderFile* other = nullptr;
      const rules::NamedNodes* pool = nullptr;
      const rules::NamedNodes* agreed = nullptr;
      for (const FolderFile& candidate : files_) {
        for (const rules::NamedNodes& each : candidate.summary.pools) {
          if (!is_named(each)) continue;
          if (each.shape.agrees(pods.shape)) agreed = &each;
          other = &candidate;
          pool = &each;
        }
      }
      const Span where(index, pods.where.begin, pods.where.end);
      if (agreed != nullptr && agreed->by_requests && !pods.waiting.empty())
        rules::report_waiting(where, pods.pool, pods.waiting, sink);
      if (pool == nullptr || agreed != nullptr) continue;
      diag::Diagnostic& finding = sink.report<diag::Code::PoolContradictsPods>(
          where, pods.pool, pool->shape.text(), pods.shape.text());
      finding.level = diag::Level::warning;
      finding.also(other->source.name, position(other->source, pool->where.begin),
                   "the pool is created here");
    }
  }
  for (std::uint32_t index = 0; index < files_.size(); ++index) {
    for (const rules::ScaledPods& pods : files_[index].summary.scaled) {
      for (const FolderFile& other : files_) {
        for (const rules::PoolRoom& room : other.summary.rooms) {
          const Span where(index, pods.where.begin, pods.where.end);
          if (diag::Diagnostic* finding = rules::judge_room(pods, room, where, sink))
            finding->also(other.source.name, position(other.source, room.where.begin),
                          "the pool is created here");
        }
      }
    }
  }
  files_.clear();
  findings.diagnostics = sink.take();
  if (findings.diagnostics.empty()) return std::nullopt;
  return findings;
}

}  // namespace flexslice::lint
