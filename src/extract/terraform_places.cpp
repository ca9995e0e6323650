#include "extract/terraform_places.hpp"

#include <optional>
#include <string_view>

#include "yaml/blocks.hpp"
#include "yaml/embedded.hpp"

namespace flexslice::extract {

using yaml::Node;
using yaml::View;

namespace {

constexpr std::string_view pool_type = "google_container_node_pool";

class PlaceReader {
 public:
  std::vector<MisplacedArgument> read(const Node& document) {
    for (const View type : embedded::root_of(embedded::kubernetes, "extract/terraform.yaml")) {
      if (type.find("resource").text() == pool_type) rows_ = type.find("arguments");
    }
    const Node* resources = document.find("resource");
    if (resources == nullptr || !rows_) return {};
    for_blocks(*resources, [&](const Node& by_type) {
      const Node* pools = by_type.find(pool_type);
      if (pools == nullptr) return;
      for_blocks(*pools, [&](const Node& by_name) {
        for (const yaml::Member& pool : by_name.members)
          for_blocks(pool.value, [&](const Node& body) { block(body, {}); });
      });
    });
    return std::move(found_);
  }

 private:
  void block(const Node& body, const std::string& prefix) {
    for (const yaml::Member& member : body.members) {
      const std::string path = prefix + member.key.text;
      bool is_known = false, has_inner = false;
      for (const View row : rows_) {
        is_known |= row.key() == path;
        has_inner |= row.key().starts_with(path + ".");
      }
      if (has_inner) {
        for_blocks(member.value, [&](const Node& inner) { block(inner, path + "."); });
      } else if (!is_known) {
        if (const auto place = block_with(member.key.text); place && *place + "." != prefix)
          found_.push_back({member.key.span, member.key.text, *place});
      }
    }
  }

  // The only block that has an argument, or a block, of that name.
  std::optional<std::string> block_with(const std::string& name) const {
    std::optional<std::string> place;
    for (const View row : rows_) {
      const std::string path = "." + std::string(row.key()) + ".";
      const std::size_t at = path.find("." + name + ".");
      if (at == path.npos || at == 0) continue;
      const std::string outer = path.substr(1, at - 1);
      if (place && *place != outer) return std::nullopt;
      place = outer;
    }
    return place;
  }

  View rows_;
  std::vector<MisplacedArgument> found_;
};

}  // namespace

std::vector<MisplacedArgument> misplaced_arguments(const Node& document) {
  return PlaceReader().read(document);
}

}  // namespace flexslice::extract
