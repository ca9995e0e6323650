#include "driver/lint_folders.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "driver/placement_table.hpp"
#include "rules/places.hpp"
#include "yaml/parse.hpp"

namespace flexslice::lint {

namespace {

// A table, since every byte of many files is looked up.
constexpr auto name_characters = [] {
  std::array<bool, 256> all{};
  for (std::size_t c = 0; c < all.size(); ++c)
    all[c] = ascii::is_letter_or_digit(static_cast<char>(c)) || c == '-' || c == '.';
  return all;
}();
constexpr auto is_of_name = [](char c) { return name_characters[static_cast<unsigned char>(c)]; };

bool may_be_labelled(const diag::Elsewhere& other, const rules::PodLabels& labels) {
  return !other.labels.empty() && std::ranges::all_of(other.labels, [&](const auto& label) {
    const auto own = labels.find(label.first);
    return own != labels.end() && (own->second.empty() || own->second == label.second);
  });
}

}  // namespace

std::optional<Folders::Findings> Folders::add(const Source& file, rules::FileSummary summary) {
  std::optional<Findings> findings;
  if (folder_in(file.name) != folder_) {
    findings = end();
    labels_.clear();
  }
  folder_ = folder_in(file.name);
  for (rules::PodLabels& labels : summary.labels) {
    for (HeldFile& each : held_in(folder_)) {
      if (each.source.name != file.name)
        drop_answered(each,
                      [&](const diag::Elsewhere& other) { return may_be_labelled(other, labels); });
    }
    labels_.emplace_back(file.name, std::move(labels));
  }
  // Most files have nothing that others ask for, and some have thousands.
  std::optional<LineIndex> lines;
  const auto position_of = [&](const schema::Text& name) {
    if (!lines) lines.emplace(file);
    return lines->position(name.where.span.begin);
  };
  const auto place = [&](auto& all, auto& own) {
    for (auto& each : own) {
      const Position at = position_of(each.name);
      all.push_back({std::move(each), file.name, at});
    }
  };
  const auto keep_cluster = [&](const spec::Text& name) {
    if (name.usable()) clusters_.emplace(folder_of(file.name), name.value);
  };
  for (const rules::NewCluster& each : summary.world.clusters) keep_cluster(each.name);
  for (const rules::PoolNodes& each : summary.world.pools) keep_cluster(each.cluster);
  for (const rules::NamedCluster& each : summary.world.named_clusters)
    if (!each.is_alias) keep_cluster(each.name);
  place(services_, summary.services);
  place(policies_, summary.policies);
  place(namespaces_, summary.namespaces);
  place(disks_.claims, summary.disk_claims);
  place(disks_.classes, summary.disk_classes);
  for (rules::MadeObject& each : summary.names.made) {
    each.file = file.name;
    made_.push_back(std::move(each));
  }
  for (rules::ConfigMap& each : summary.configs) configs_.emplace_back(file.name, std::move(each));
  rules::Queues& queues = summary.queues;
  for (auto& queue : queues.local_queues) queues_.local_queues.push_back(std::move(queue));
  for (const auto& queue : queues.cluster_queues) {
    queues_.cluster_queues.push_back(queue);
    cluster_queues_.push_back({queue, file.name, position_of(queue.name)});
  }
  for (auto& flavor : queues.all_flavors) queues_.all_flavors.push_back(std::move(flavor));
  for (const auto& topology : queues.topologies) queues_.topologies.push_back(topology);
  for (const auto& check : queues.admission_checks) queues_.admission_checks.push_back(check);
  for (const auto& config : queues.request_configs) queues_.request_configs.push_back(config);
  for (const auto& [name, pods] : queues.pods) queues_.pods[name].add(pods);
  for (const diag::AllowedLine& line : summary.allowed) comments_.push_back({file, line});
  if (summary.is_open()) open_.push_back({file, summary.take_open()});
  if (!summary.world.empty()) files_.push_back({file, {.world = std::move(summary.world)}});
  return findings;
}

void Folders::drop_answered(HeldFile& file, const auto& answers) {
  std::erase_if(file.findings,
                [&](const diag::Diagnostic& finding) { return any_of(finding.unless, answers); });
}

void Folders::hold(const Sources& file, std::vector<diag::Diagnostic>& findings) {
  const auto is_its = [](const diag::Diagnostic& finding) {
    return !finding.unless.empty() && finding.where.source == 0;
  };
  if (!any_of(findings, is_its)) return;
  HeldFile held{file[0], {}};
  std::erase_if(findings, [&](diag::Diagnostic& finding) {
    if (!is_its(finding)) return false;
    for (diag::Related& each : finding.related) {
      if (!each.file.empty() || each.where.source == 0) continue;
      each.file = file[each.where.source].name;
      each.position = LineIndex(file[each.where.source]).position(each.where.begin);
      each.where = {};
    }
    held.findings.push_back(std::move(finding));
    return true;
  });
  for (const auto& [name, labels] : labels_) {
    if (name != held.source.name)
      drop_answered(held, [&labels = labels](const diag::Elsewhere& other) {
        return may_be_labelled(other, labels);
      });
  }
  if (!held.findings.empty()) held_[folder_].push_back(std::move(held));
}

std::span<Folders::HeldFile> Folders::held_in(std::string_view folder) {
  const auto found = held_.find(folder);
  return found == held_.end() ? std::span<HeldFile>() : std::span(found->second);
}

void Folders::drop_placed(const rules::World& nodes, std::span<const std::string> files) {
  for (HeldFile& held : held_in(folder_)) {
    const auto at = std::ranges::find(files, held.source.name);
    if (at == files.end()) continue;
    const auto own = static_cast<std::uint32_t>(at - files.begin());
    const auto is_bound = [&](const diag::Elsewhere& other) {
      return other.kind == diag::Elsewhere::binding &&
             any_of(nodes.bindings, [&](const rules::IdentityBinding& each) {
               return each.file != own &&
                      (!each.account.usable() || !each.member.usable() ||
                       each.account.value + " " + each.member.value == other.name);
             });
    };
    const auto has_nodes = [&](const diag::Elsewhere& other) {
      return other.kind == diag::Elsewhere::nodes &&
             any_of(nodes.pods, [&](const rules::PodNodes& pods) {
               if (pods.file != own || rules::full_name(pods) != other.name) return false;
               const auto places = rules::places_of(pods, nodes, rules::Between::files, catalog_);
               return any_of(places.pools,
                             [&](const rules::PoolNodes* pool) { return pool->file != own; });
             });
    };
    drop_answered(
        held, [&](const diag::Elsewhere& other) { return is_bound(other) || has_nodes(other); });
  }
}

void Folders::give_held(Findings& findings) {
  for (auto& [folder, files] : held_) {
    for (HeldFile& held : files) give_file(held, findings);
  }
  held_.clear();
}

void Folders::give_file(HeldFile& held, Findings& findings) const {
  drop_answered(held, [&](const diag::Elsewhere& other) {
    return any_of(made_, [&](const rules::MadeObject& made) {
      return made.kind == other.kind && made.name.value == other.name &&
             made.file != held.source.name &&
             (other.name_space.empty() || !made.name_space.usable() ||
              made.name_space.value == other.name_space);
    });
  });
  if (held.findings.empty()) return;
  const std::uint32_t index = findings.sources.add(std::move(held.source));
  for (diag::Diagnostic& finding : held.findings) {
    const auto move = [&](Span& span) {
      if (span != Span{}) span.source = index;
    };
    move(finding.where);
    for (diag::Related& each : finding.related) move(each.where);
    for (auto* edits : {&finding.fixes, &finding.choices}) {
      for (diag::Edit& edit : *edits) move(edit.where);
    }
    findings.diagnostics.push_back(std::move(finding));
  }
}

void Folders::has_file(std::string_view name) {
  const std::string_view file = name.substr(name.rfind('/') == name.npos ? 0 : name.rfind('/') + 1);
  if (file.starts_with("kustomization.y") || file == "Kustomization")
    bases_.emplace(folder_of(name));
  if (!complete_) return;
  // Files that are named one by one may come in any order, and a tree may have very many.
  if (others_.size() >= most_others_) {
    std::erase_if(others_, [&](const std::string& other) {
      return folder_in(other) != folder_ && folder_in(other) != folder_in(name);
    });
    most_others_ = std::max(most_others_, 2 * others_.size());
  }
  others_.emplace_back(name);
}

void Folders::complete_folder() {
  const auto is_any = [&](const auto& is) {
    return any_of(files_, [&](const AddedFile& file) { return is(file.summary.world); });
  };
  // Another file may say that the pods of a file are for another cluster than the pools of another.
  const bool is_open = is_any([](const rules::World& world) { return world.is_open(); }) ||
                       (is_any([](const rules::World& world) { return !world.pools.empty(); }) &&
                        is_any([](const rules::World& world) {
                          return world.pools.empty() && !world.pods.empty();
                        }));
  for (const std::string& name : others_) {
    if (!is_open || folder_in(name) != folder_ ||
        any_of(files_, [&](const AddedFile& file) { return file.source.name == name; }))
      continue;
    auto file = complete_(name);
    if (!file || file->summary.world.empty()) continue;
    for (rules::NewCluster& cluster : file->summary.world.clusters) cluster.is_unjudged = true;
    // A file without TPUs has no findings of its own: no comment in it is called unused.
    for (diag::AllowedLine& line : file->summary.allowed) {
      line.is_needed = true;
      comments_.push_back({file->source, line});
    }
    files_.push_back(std::move(*file));
  }
  std::erase_if(others_, [&](const std::string& name) { return folder_in(name) == folder_; });
}

// The folder of the file, or the nearest above, in or below which commands name clusters.
std::set<std::string_view> Folders::clusters_of(std::string_view file) const {
  std::set<std::string_view> names;
  for (std::string_view folder = folder_of(file); names.empty();
       folder = folder_of(folder.substr(0, folder.size() - 1))) {
    for (const auto& [each, name] : clusters_) {
      if (each.starts_with(folder)) names.insert(name);
    }
    if (folder.empty()) break;
  }
  return names;
}

bool Folders::are_apart(std::string_view file, std::string_view other) const {
  const auto own = clusters_of(file), others = clusters_of(other);
  return !own.empty() && !others.empty() &&
         !any_of(own, [&](std::string_view name) { return others.contains(name); });
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

// A spec counts for the run. What a script installs counts for its file, else for its folder, else
// for the run; where several are installed, nobody knows which the cluster has.
std::vector<const StatedRelease*> Folders::releases_for(std::string_view controller,
                                                        std::string_view file) const {
  std::vector<const StatedRelease*> stated, of_file, of_folder, of_run;
  for (const StatedRelease& each : releases_) {
    if (each.controller != controller) continue;
    if (!each.is_installed) {
      stated.push_back(&each);
    } else {
      of_run.push_back(&each);
      if (folder_of(each.file) == folder_of(file)) of_folder.push_back(&each);
      if (each.file == file) of_file.push_back(&each);
    }
  }
  if (!stated.empty()) return stated;
  auto& nearest = !of_file.empty() ? of_file : !of_folder.empty() ? of_folder : of_run;
  const auto differs = [&](const StatedRelease* each) {
    return each->release != nearest.front()->release;
  };
  if (any_of(nearest, differs)) nearest.clear();
  if (nearest.size() > 1) nearest.resize(1);
  return nearest;
}

void Folders::judge_need(const rules::ReleaseNeed& need, const Source& file,
                         diag::Sink& sink) const {
  const auto stated = releases_for(rules::controller_of(need, catalog_), file.name);
  for (const StatedRelease* each : stated) {
    if (rules::judge_need(need, *each, catalog_, sink)) return;
  }
  // A release that serves it makes an old version no mistake.
  const bool is_installed = any_of(stated, [](const auto* each) { return each->is_installed; });
  if (need.row != nullptr && !is_installed && mentions_tpus(file.text))
    rules::report_old(need.version, need.kind, *need.row, catalog_, sink);
}

void Folders::judge_queued(const rules::QueuedPods& pods, const rules::Queues& of_file,
                           std::string_view file, diag::Sink& sink) const {
  std::set<std::string_view> names;
  for (const view::LocalQueueClaims& local : queues_.local_queues) {
    if (local.name.value == pods.queue.value &&
        rules::may_share_namespace(local.name_space, pods.name_space))
      names.insert(local.cluster_queue.value);
  }
  if (names.size() != 1) return;
  const auto is_it = [&](const auto& each) { return each.claims.name.value == *names.begin(); };
  if (std::ranges::count_if(cluster_queues_, is_it) != 1) return;
  const auto& queue = *find_where(cluster_queues_, is_it);
  if (are_apart(file, queue.file)) return;
  rules::judge_request_sets(pods, of_file.queued, queue.claims, queues_, {}, sink);
  // A queue without a selector is reported itself.
  if (queue.claims.quotas.empty() || !queue.claims.has_namespaces) return;
  const rules::Admission refused = rules::admission(
      pods, of_file.queued, queue.claims, queues_.all_flavors, queues_.topologies, catalog_);
  const Span where = pods.queue.where.span;
  if (refused.reason.empty()) {
    const auto before = sink.found().size();
    rules::judge_flavor_models(pods, queue.claims, queues_.all_flavors, catalog_, sink);
    for (diag::Diagnostic& finding : sink.since(before)) finding.level = diag::Level::warning;
    return;
  }
  if (sink.find(diag::Code::QueueNeverAdmits, where) != nullptr) return;
  sink.report<diag::Code::QueueNeverAdmits>(where, pods.object, queue.claims.name.value,
                                            refused.reason)
      .also(queue.file, queue.at, "the ClusterQueue is here")
      .level = diag::Level::warning;
}

// Other folders may be meant apart, but may have the object.
void Folders::judge_names(std::span<const rules::ObjectReference> references,
                          std::string_view folder, diag::Sink& sink) const {
  std::vector<rules::MadeObject> made;
  for (const rules::MadeObject& each : made_) {
    const bool is_named = any_of(references, [&](const rules::ObjectReference& reference) {
      return reference.kind == each.kind && reference.name.value == each.name.value;
    });
    if (is_named || folder_of(each.file) == folder) made.push_back(each);
  }
  rules::judge_references(references, made, "the folder", {}, sink);
}

void Folders::judge_program(rules::Program program, std::string_view folder,
                            diag::Sink& sink) const {
  bool has_config = false;
  for (const auto& [file, config] : configs_) {
    if (folder_of(file) != folder) continue;
    rules::Values values = config.values;
    // Their places are in another file.
    for (auto& [name, value] : values) value.where = {};
    has_config |= rules::add_config(program, config.name, config.name_space, values);
  }
  if (has_config) rules::judge_devices(program, sink);
}

void Folders::Sought::add(const std::string& name) {
  auto& own = std::ranges::all_of(name, is_of_name) ? names : texts;
  own.insert(name);
}

bool Folders::Sought::is_named_in(std::string_view text) const {
  constexpr std::size_t few = 16;  // are searched faster one by one
  const auto is_there = [&](const std::string& name) { return text::includes(text, name); };
  if (any_of(texts, is_there)) return true;
  if (names.size() <= few) return any_of(names, is_there);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = std::min(text::find_if(text, at, is_of_name), text.size());
    at = std::min(text::find_if(text, begin, std::not_fn(is_of_name)), text.size());
    if (names.contains(text.substr(begin, at - begin))) return true;
  }
  return false;
}

Folders::Sought Folders::sought() const {
  Sought all{.open = open_.size()};
  for (const auto& [folder, files] : held_) {
    for (const HeldFile& held : files) {
      for (const diag::Diagnostic& finding : held.findings) {
        for (const diag::Elsewhere& other : finding.unless) {
          if (other.labels.empty())
            all.add(other.name);
          else
            all.folders.insert(folder);
        }
      }
    }
  }
  for (const AddedFile& open : open_) {
    all.folders.emplace(folder_of(open.source.name));
    for (const rules::ObjectReference& each : open.summary.names.references)
      all.add(each.name.value);
  }
  return all;
}

bool Folders::may_answer(const Source& file) {
  // A file that was added for what it has may lack something itself.
  if (!sought_ || sought_->open != open_.size()) sought_ = sought();
  return sought_->folders.contains(folder_of(file.name)) ||
         sought_->folders.contains(folder_in(file.name)) || sought_->is_named_in(file.text);
}

Folders::Findings Folders::end_of_run() {
  Findings findings;
  diag::Sink sink;
  rules::RunObjects objects;
  // Labels may come from the kustomization.
  std::erase_if(namespaces_,
                [&](const auto& each) { return bases_.contains(folder_of(each.file)); });
  // Nobody knows which of several flavors of one name is meant.
  const auto flavors = queues_.all_flavors;
  std::erase_if(queues_.all_flavors, [&](const view::FlavorClaims& flavor) {
    return std::ranges::count_if(
               flavors, [&](const auto& each) { return each.name.value == flavor.name.value; }) > 1;
  });
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
      rules::judge_disk(disk, folder_of(source.name), disks_, catalog_, sink);
    for (const rules::NetworkedPods& pods : summary.networked)
      rules::judge_policies(pods, folder_of(source.name), policies_, catalog_, sink);
    for (const rules::ReleaseNeed& need : summary.release_needs) judge_need(need, source, sink);
    for (const view::ClusterQueueClaims& queue : summary.queues.cluster_queues)
      rules::judge_namespaces(queue, queues_.local_queues, namespaces_, sink);
    judge_names(summary.names.references, folder_of(source.name), sink);
    for (const rules::Program& program : summary.programs)
      judge_program(program, folder_of(source.name), sink);
    for (const rules::QueuedPods& pods : summary.queues.queued)
      judge_queued(pods, summary.queues, source.name, sink);
    for (view::FlavorClaims& flavor : summary.queues.flavors)
      queues_.flavors.push_back(std::move(flavor));
    objects.add(summary.objects);
  }
  objects.judge(queues_.all_flavors, catalog_, sink);
  rules::judge_flavors(queues_, sink);
  for (const view::FlavorClaims& flavor : queues_.flavors)
    rules::report_flavor(flavor, sink).level = diag::Level::note;
  findings.diagnostics = sink.take();
  // Else a comment that allows it would be called unused.
  assert(std::ranges::all_of(findings.diagnostics, [](const diag::Diagnostic& finding) {
    return diag::row(finding.code).of_run;
  }));
  drop_allowed(findings);
  judge_comments(findings);
  give_held(findings);
  return findings;
}

void Folders::drop_allowed(Findings& findings) {
  std::erase_if(findings.diagnostics, [&](const diag::Diagnostic& finding) {
    bool is_allowed = false;
    for (auto& [file, line] : comments_) {
      const Span& where = finding.where;
      const bool is_its = line.code == finding.code && line.lines.begin <= where.begin &&
                          where.begin < line.lines.end &&
                          findings.sources[where.source].name == file.name;
      line.is_needed |= is_its;
      is_allowed |= is_its;
    }
    return is_allowed;
  });
}

void Folders::judge_comments(Findings& findings) const {
  diag::Sink sink;
  for (const auto& [file, line] : comments_) {
    if (line.is_needed) continue;
    diag::AllowedLine own = line;
    own.token.source = findings.sources.add(file);
    diag::report_unused(own, sink);
  }
  std::ranges::move(sink.take(), std::back_inserter(findings.diagnostics));
}

std::optional<Folders::Findings> Folders::end() {
  complete_folder();
  Findings findings;
  rules::World nodes;
  std::vector<std::string> names;
  for (std::uint32_t index = 0; index < files_.size(); ++index) {
    auto& [source, summary] = files_[index];
    rules::for_each_span(summary, [&](Span& span) {
      if (span != Span{}) span.source = index;
    });
    nodes.add(std::move(summary.world), index);
    names.push_back(source.name);
    findings.sources.add(std::move(source));
  }
  const bool is_folder = files_.size() > 1;
  files_.clear();
  if (!is_folder && !lists_) return std::nullopt;
  diag::Sink sink;
  nodes.request_queues = rules::request_queues(queues_);
  nodes.open_changed_pools();
  drop_placed(nodes, names);
  if (is_folder) rules::judge_world(nodes, rules::Between::files, catalog_, sink);
  if (lists_) lint::list_placement(nodes, queues_, catalog_, sink);
  findings.diagnostics = sink.take();
  drop_allowed(findings);
  for (diag::Diagnostic& finding : findings.diagnostics) {
    if (finding.level == diag::Level::error) finding.level = diag::Level::soft;
  }
  if (findings.diagnostics.empty()) return std::nullopt;
  return findings;
}

}  // namespace flexslice::lint
