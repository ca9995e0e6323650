// The answer of `flexslice why`, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "why/pod_sets.hpp"
#include "yaml/value.hpp"

namespace flexslice::why {

struct WhyReport {
  std::vector<PodSet> sets;
  std::vector<std::string> remarks;  // about the dump
  std::string saved_at;
  bool tells_of_pods = true;  // else no set says nothing about pods
};

std::string report_text(const WhyReport& report);
yaml::Value report_json(const WhyReport& report);

}  // namespace flexslice::why
