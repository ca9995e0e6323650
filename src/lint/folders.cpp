#include "lint/folders.hpp"

#include "base/lists.hpp"

namespace flexslice::lint {

namespace {

std::string_view folder_of(std::string_view file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : file.substr(0, slash);
}

}  // namespace

std::optional<Folders::Findings> Folders::add(const Source& file, const PoolNames& names) {
  std::optional<Findings> findings;
  if (folder_of(file.name) != folder_) findings = end();
  folder_ = folder_of(file.name);
  files_.push_back({file, names});
  return findings;
}

std::optional<Folders::Findings> Folders::end() {
  Findings findings;
  diag::Sink sink;
  for (const FolderFile& file : files_) findings.sources.add(file.source);
  for (std::uint32_t index = 0; index < files_.size(); ++index) {
    const FolderFile& file = files_[index];
    for (const rules::NamedNodes& pods : file.names.pods) {
      const auto is_named = [&](const rules::NamedNodes& pool) { return pool.pool == pods.pool; };
      // The pods of a file that creates the pool are judged by that.
      if (any_of(file.names.pools, is_named)) continue;
      const FolderFile* other = nullptr;
      const rules::NamedNodes* pool = nullptr;
      bool agreed = false;
      for (const FolderFile& candidate : files_) {
        for (const rules::NamedNodes& each : candidate.names.pools) {
          if (!is_named(each)) continue;
          agreed = agreed || each.shape.agrees(pods.shape);
          other = &candidate;
          pool = &each;
        }
      }
      if (pool == nullptr || agreed) continue;
      const Span where(index, pods.where.begin, pods.where.end);
      sink.report<diag::Code::PoolContradictsFolder>(where, pods.pool, pool->shape.text(),
                                                     pods.shape.text())
          .also(other->source.name, position(other->source, pool->where.begin),
                "the pool is created here");
    }
  }
  files_.clear();
  findings.diagnostics = sink.take();
  if (findings.diagnostics.empty()) return std::nullopt;
  return findings;
}

}  // namespace flexslice::lint
