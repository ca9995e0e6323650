#include "spec/identity.hpp"

#include <fmt/core.h>

#include "base/text.hpp"

namespace flexslice::spec {

bool is_spec(const yaml::Node& document, diag::Sink& sink) {
  const yaml::Node* version = document.find("apiVersion");
  const yaml::Node* kind = document.find("kind");
  if (version == nullptr || kind == nullptr || version->kind != yaml::Kind::scalar ||
      kind->kind != yaml::Kind::scalar)
    return true;
  constexpr std::string_view ours[] = {"flexslice/v1"};
  if (version->text.starts_with("flexslice") || text::nearest(version->text, ours)) return true;
  sink.report<diag::Code::UnknownChoice>(version->span, "apiVersion", version->text)
      .note(fmt::format("this is a Kubernetes {}, and specs have `apiVersion: flexslice/v1`",
                        kind->text))
      .help(
          "`flexslice init` writes a spec to begin with; with `--only-specs` other files are "
          "passed over");
  return false;
}

}  // namespace flexslice::spec
