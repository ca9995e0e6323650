#include <flexslice/flexslice.hpp>
#include <iostream>
#include <iterator>

int main() {
  const std::string spec(std::istreambuf_iterator<char>(std::cin), {});
  const auto result = flexslice::api::compile(spec, {.file = "spec.yaml"});
  for (const auto& job : result.workloads) std::cout << *job.find(flexslice::api::Emit::manifests);
  return result.ok ? 0 : 1;
}
