#include "resolve/workload_names.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/ascii.hpp"
#include "base/text.hpp"

namespace flexslice::resolve {

std::string profile_claim(std::string_view workload, std::string_view volume) {
  return fit_label(fmt::format("{}-{}", workload, volume));
}

std::string_view pool_owner(const spec::Claims& claims) {
  return claims.sweep.pool.empty() ? claims.name.value : claims.sweep.pool;
}

std::vector<std::string> pool_names(const Facts& facts) {
  const spec::Claims& claims = facts.claims;
  const auto& claimed = claims.provisioning.node_pools;
  std::vector<std::string> names;
  if (!facts.creates_pools) {
    for (const schema::Text& pool : claimed.items) {
      if (std::ssize(names) < facts.pools()) names.push_back(pool.value);
    }
    return names;
  }
  const std::string base = claimed.where.usable()
                               ? claimed.items.front().value
                               : fmt::format("{}{}", pool_owner(claims), pool_suffix);
  if (facts.pools() == 1) return {base};
  for (std::int64_t slice = 0; slice < facts.pools(); ++slice)
    names.push_back(fmt::format("{}-{}", base, slice));
  return names;
}

std::string policy_name(const Facts& facts) {
  // Policies are those of a region: two clusters of it may have pools of one name.
  const spec::Claims& claims = facts.claims;
  const auto& pools = claims.provisioning.node_pools;
  const std::string_view base =
      pools.where.usable() ? std::string_view(pools.items.front().value) : pool_owner(claims);
  // Terraform would replace the pools of a policy whose name changes.
  const bool is_of_scripts = !claims.provisioning.owner.where.given ||
                             claims.provisioning.owner.value == spec::Owner::scripts;
  const std::string_view cluster =
      is_of_scripts ? std::string_view(claims.cluster.name.value) : std::string_view();
  return fit_label(
      fmt::format("{}{}{}{}", base, cluster.empty() ? "" : "-", cluster, policy_suffix));
}

std::string class_name(std::string_view workload, std::string_view name_space) {
  return fit_label(name_space.empty() ? fmt::format("tpu-{}", workload)
                                      : fmt::format("tpu-{}-{}", name_space, workload));
}

std::string fit_label(std::string name) {
  constexpr std::size_t longest = 63;
  if (name.size() <= longest) return name;
  const std::string end = "-" + text::fingerprint(name);
  return name.substr(0, longest - end.size()) + end;
}

bool shaped_by_policy(const Facts& facts) {
  return facts.pool_hosts() > 1 && facts.generation->placement != catalog::Placement::topology;
}

bool shaped_by_topology(const Facts& facts) {
  return facts.pool_hosts() > 1 && facts.generation->placement != catalog::Placement::policy;
}

std::string job_name(std::string_view workload, const spec::WorkloadKind& kind) {
  return fmt::format("{}{}", workload, kind.scheduled ? "-MINUTES" : "");
}

std::string host_name(std::string_view workload, const spec::WorkloadKind& kind, std::int64_t slice,
                      std::int64_t host) {
  if (kind.leads && host == 0) return fmt::format("{}{}{}", workload, kind.slice_part, slice);
  if (!kind.slice_part.empty())
    return fmt::format("{}{}{}-{}", workload, kind.slice_part, slice, host);
  return fmt::format("{}-{}", job_name(workload, kind), host);
}

std::string port_name(std::int64_t number) { return fmt::format("port-{}", number); }

bool has_service(const Facts& facts) {
  switch (facts.kind->service) {
    case spec::Service::pods:
      return facts.multi_host();
    case spec::Service::of_controller:
      return true;
    case spec::Service::clients:
      return facts.claims.workload.ports.where.given;
    default:
      return false;
  }
}

std::string container_name(std::string_view workload, std::int64_t index) {
  return index == 0 ? std::string(workload) : fmt::format("{}-{}", workload, index);
}

bool is_resource_label(std::string_view key, std::string_view value) {
  const auto fits = [&](std::string_view text) {
    return text.size() <= 63 && std::all_of(text.begin(), text.end(), [&](char c) {
             return ascii::is_lower(c) || ascii::is_digit(c) || c == '-' || c == '_';
           });
  };
  return !key.empty() && ascii::is_lower(key.front()) && fits(key) && fits(value);
}

bool is_set_by_gke(std::string_view label) {
  const std::size_t slash = label.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string domain = "." + std::string(label.substr(0, slash));
  constexpr std::string_view reserved[] = {".kubernetes.io", ".k8s.io", ".google.com", ".gke.io"};
  return std::ranges::any_of(reserved,
                             [&](std::string_view suffix) { return domain.ends_with(suffix); });
}

}  // namespace flexslice::resolve
