#include "extract/kustomization.hpp"

#include <string_view>

#include "base/lists.hpp"
#include "extract/scalar_text.hpp"
#include "yaml/parse.hpp"

namespace flexslice::extract {

namespace {

constexpr std::string_view patch_lists[] = {"patches", "patchesStrategicMerge", "patchesJson6902"};

}  // namespace

std::vector<Excerpt> inline_patches(const Excerpt& document) {
  std::vector<Excerpt> found;
  if (document.text.find("patch") == std::string::npos) return found;
  Sources sources;
  sources.add({"", document.text});
  diag::Sink ignored;
  const auto root = yaml::parse(sources, 0, ignored, {.merge_keys = true, .last_wins = true});
  if (!root) return found;
  const std::string_view kind = root->text_at({"kind"});
  if (!kind.empty() && kind != "Kustomization" && kind != "Component") return found;
  for (std::string_view list : patch_lists) {
    const yaml::Node* const patches = root->find(list);
    if (patches == nullptr) continue;
    for (const yaml::Node& item : patches->items) {
      const yaml::Node* const given = item.find("patch");
      const yaml::Node& patch = given == nullptr ? item : *given;
      if (patch.kind != yaml::Kind::scalar || !contains(patch.text, '\n')) continue;
      Excerpt text = text_of_scalar(document, patch);
      if (text.segments.empty()) continue;
      text.completeness = Completeness::patch;
      text.is_embedded = true;
      found.push_back(std::move(text));
    }
  }
  return found;
}

}  // namespace flexslice::extract
