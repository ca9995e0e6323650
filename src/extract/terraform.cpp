#include "extract/terraform.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "extract/arguments.hpp"

namespace flexslice::extract {

using yaml::Kind;
using yaml::Node;

namespace {

constexpr std::string_view any = "*";

// An argument by its path, and the flag that says the same; empty: that is gcloud's default. The
// flag has the argument's value. If the row is only for the value `when`, it has `means`, or none.
struct ArgumentRow {
  std::string_view path, flag;
  std::string_view when = any, means = {};
};

constexpr ArgumentRow pool_rows[] = {
    {"cluster", "--cluster"},
    {"location", "--location"},
    {"project", "--project"},
    {"node_locations", "--node-locations"},
    {"version", "--node-version"},
    {"node_count", "--num-nodes"},
    {"initial_node_count", "--num-nodes"},
    {"max_pods_per_node", "--max-pods-per-node"},
    {"autoscaling.min_node_count", "--min-nodes"},
    {"autoscaling.max_node_count", "--max-nodes"},
    {"autoscaling.total_min_node_count", "--total-min-nodes"},
    {"autoscaling.total_max_node_count", "--total-max-nodes"},
    {"autoscaling.location_policy", "--location-policy"},
    {"management.auto_repair", "--no-enable-autorepair", "false"},
    {"management.auto_repair", "", "true"},
    {"management.auto_upgrade", "--no-enable-autoupgrade", "false"},
    {"management.auto_upgrade", "", "true"},
    {"queued_provisioning.enabled", "--enable-queued-provisioning", "true"},
    {"queued_provisioning.enabled", "", "false"},
    {"placement_policy.type", "", ""},
    {"placement_policy.type", "--placement-type"},
    {"placement_policy.tpu_topology", "--tpu-topology"},
    {"placement_policy.policy_name", "--placement-policy"},
    {"node_config.machine_type", "--machine-type"},
    {"node_config.disk_size_gb", "--disk-size"},
    {"node_config.disk_type", "--disk-type"},
    {"node_config.image_type", "--image-type"},
    {"node_config.service_account", "--service-account"},
    {"node_config.oauth_scopes", "--scopes"},
    {"node_config.tags", "--tags"},
    {"node_config.flex_start", "--flex-start", "true"},
    {"node_config.flex_start", "", "false"},
    {"node_config.spot", "--spot", "true"},
    {"node_config.spot", "", "false"},
    {"node_config.max_run_duration", "--max-run-duration"},
    {"node_config.reservation_affinity.consume_reservation_type", "--reservation-affinity",
     "NO_RESERVATION", "none"},
    {"node_config.reservation_affinity.consume_reservation_type", "--reservation-affinity",
     "ANY_RESERVATION", "any"},
    {"node_config.reservation_affinity.consume_reservation_type", "--reservation-affinity",
     "SPECIFIC_RESERVATION", "specific"},
    {"node_config.reservation_affinity.key", "", "compute.googleapis.com/reservation-name"},
    {"node_config.reservation_affinity.values", "--reservation"},
    {"node_config.labels", "--node-labels"},
    {"node_config.resource_labels", "--labels"},
};

constexpr ArgumentRow policy_rows[] = {
    {"project", "--project"},
    {"region", "--region"},
    {"workload_policy.type", "--type"},
    {"workload_policy.accelerator_topology", "--accelerator-topology"},
};

constexpr ArgumentRow cluster_rows[] = {
    {"project", "--project"},
    {"location", "--location"},
    {"initial_node_count", "--num-nodes"},
    {"node_config.machine_type", "--machine-type"},
    {"min_master_version", "--cluster-version"},
    {"workload_identity_config.workload_pool", "--workload-pool"},
    {"resource_labels", "--labels"},
    {"enable_autopilot", "", "true"},
    {"enable_autopilot", "", "false"},
    {"addons_config.gcs_fuse_csi_driver_config.enabled", "--addons", "true", "GcsFuseCsiDriver"},
    {"addons_config.ray_operator_config.enabled", "--addons", "true", "RayOperator"},
};

// Arguments that say nothing of what is created.
constexpr std::string_view meta_arguments[] = {
    "//",       "lifecycle",           "depends_on", "provider",
    "timeouts", "deletion_protection", "name",       "ip_allocation_policy"};

struct ResourceKind {
  std::string_view name, command;
  std::span<const ArgumentRow> rows;
};
constexpr ResourceKind kinds[] = {
    {"google_container_node_pool", create_pool, pool_rows},
    {"google_compute_resource_policy", create_policy, policy_rows},
    {"google_container_cluster", create_cluster, cluster_rows},
};

// A block is an object, or a list of them.
void for_blocks(const Node& node, const auto& visit) {
  if (node.kind == Kind::mapping) visit(node);
  for (const Node& item : node.items) for_blocks(item, visit);
}

class TerraformReader {
 public:
  explicit TerraformReader(const Node& document) : document_(document) {}

  TerraformResources read() {
    const Node* resources = document_.find("resource");
    if (resources == nullptr) return {};
    for (const ResourceKind& kind : kinds) {
      for_blocks(*resources, [&](const Node& by_kind) {
        const Node* by_name = by_kind.find(kind.name);
        if (by_name == nullptr) return;
        for_blocks(*by_name, [&](const Node& names) {
          for (const yaml::Member& member : names.members) {
            for_blocks(member.value, [&](const Node& body) { add(kind, member.key, body); });
          }
        });
      });
    }
    return std::move(result_);
  }

 private:
  void add(const ResourceKind& kind, const Node& key, const Node& body) {
    Command command;
    command.where = key.span;
    words_ = &command.words;
    word("gcloud", key.span);
    const Node* autopilot = body.find("enable_autopilot");
    const bool is_auto = autopilot != nullptr && autopilot->text == "true";
    for (std::string_view each : text::split(is_auto ? create_autopilot : kind.command, ' '))
      word(each, key.span);
    const Node* name = body.find("name");
    if (name == nullptr) {
      word("${name}", key.span).unknown = true;
    } else {
      value(*name);
    }
    arguments(body, {}, kind.rows);
    // Without a number the provider asks for none.
    if (&kind == &kinds[0] && body.find("node_count") == nullptr &&
        body.find("initial_node_count") == nullptr)
      word("--num-nodes=0", key.span);
    result_.commands.push_back(std::move(command));
  }

  void arguments(const Node& body, const std::string& prefix, std::span<const ArgumentRow> rows) {
    for (const yaml::Member& member : body.members) {
      if (prefix.empty() && contains(meta_arguments, member.key.text)) continue;
      const std::string path = prefix + member.key.text;
      const Node* other = default_of(member.value.text);
      if ((other == nullptr ? member.value : *other).kind == Kind::null) continue;
      if (path == "autoscaling") word("--enable-autoscaling", member.key.span);
      const ArgumentRow* row = find_where(rows, [&](const ArgumentRow& each) {
        return each.path == path && (each.when == any || each.when == member.value.text);
      });
      if (row != nullptr) {
        argument(*row, member);
      } else if (any_of(rows, [&](const ArgumentRow& each) {
                   return each.path.starts_with(path + ".");
                 })) {
        for_blocks(member.value, [&](const Node& block) { arguments(block, path + ".", rows); });
      } else {
        result_.unread.push_back(member.key.span);
      }
    }
  }

  void argument(const ArgumentRow& row, const yaml::Member& member) {
    if (row.flag.empty()) return;
    word(row.flag, member.key.span);
    if (row.when == any) {
      value(member.value);
    } else if (!row.means.empty()) {
      word(row.means, member.value.span);
    }
  }

  Word& word(std::string_view text, Span where) {
    return words_->emplace_back(Word{std::string(text), where});
  }

  void value(const Node& node) {
    Word& added = word({}, node.span);
    std::vector<std::string> parts;
    if (node.kind == Kind::scalar) parts.push_back(resolved(node.text, added));
    for (const Node& item : node.items) parts.push_back(resolved(item.text, added));
    for (const yaml::Member& member : node.members)
      parts.push_back(member.key.text + "=" + resolved(member.value.text, added));
    added.text = text::join(parts, ",");
  }

  // Of the variable, if the text is `${var.NAME}` and there is one; else null.
  const Node* default_of(std::string_view text) const {
    constexpr std::string_view begin = "${var.";
    if (!text.starts_with(begin) || text.find('}') + 1 != text.size()) return nullptr;
    return document_.at(
        {"variable", text.substr(begin.size(), text.size() - begin.size() - 1), "default"});
  }

  std::string resolved(const std::string& text, Word& word) const {
    const Node* value = default_of(text);
    if (value != nullptr && value->kind == Kind::scalar) return value->text;
    word.unknown |= text.find("${") != text.npos || text.find("%{") != text.npos;
    return text;
  }

  const Node& document_;
  std::vector<Word>* words_ = nullptr;
  TerraformResources result_;
};

}  // namespace

TerraformResources read_terraform(const Node& document) { return TerraformReader(document).read(); }

}  // namespace flexslice::extract
