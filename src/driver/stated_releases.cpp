// Releases of controllers that a run states: by fields of its specs, and by commands that install
// them, of which the URL of a release, a kustomization or a version of a chart tells.
#include <algorithm>
#include <iterator>
#include <utility>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "driver/lint_folders.hpp"
#include "yaml/parse.hpp"

namespace flexslice::lint {

namespace {

constexpr std::string_view version_signs = "0123456789.";

// Cuts the text at the first character that no URL has.
std::string_view url_at(std::string_view text) {
  return text.substr(0, text.find_first_of(" \t\r\n\"'`)>,"));
}

class Installed {
 public:
  Installed(const catalog::Catalog& catalog, const std::string& name, std::string_view text)
      : catalog_(catalog), text_(text) {
    source_ = sources_.add({name, std::string(text), 1});
  }

  std::vector<StatedRelease> find() {
    for (std::size_t begin = 0; begin < text_.size();) {
      const std::size_t end = end_of_command(begin);
      const std::string_view line = text_.substr(begin, end - begin);
      const std::size_t first = std::min(line.find_first_not_of(" \t"), line.size());
      const bool is_comment =
          line.substr(first).starts_with('#') || line.substr(first).starts_with("//");
      if (!is_comment && line.find(" delete") == line.npos &&
          line.find(" uninstall") == line.npos) {
        for (const catalog::Controller& controller : catalog_.controllers) {
          if (controller.word.empty()) continue;
          read_urls(line, begin, controller);
          read_chart(line, begin, controller);
        }
      }
      begin = end + 1;
    }
    return std::move(all_);
  }

 private:
  // Lines that a backslash joins are one.
  std::size_t end_of_command(std::size_t begin) const {
    for (std::size_t at = begin;; ++at) {
      at = text_.find('\n', at);
      if (at == text_.npos) return text_.size();
      if (at == begin || text_[at - 1] != '\\') return at;
    }
  }

  void read_urls(std::string_view line, std::size_t begin, const catalog::Controller& controller) {
    if (controller.repository.empty()) return;
    const std::string address = "github.com/" + std::string(controller.repository) + '/';
    for (std::size_t at = 0; (at = line.find(address, at)) != line.npos; at += address.size()) {
      const std::string_view url = url_at(line.substr(at));
      for (const std::string_view mark : {"/releases/download/", "?ref=", "&ref=", "/refs/tags/"}) {
        const std::size_t found = url.find(mark);
        if (found == url.npos) continue;
        add(controller, url.substr(found + mark.size()), begin + at, url.size());
        break;
      }
    }
  }

  // `helm install kueue oci://registry.k8s.io/kueue/charts/kueue --version=0.11.0`
  void read_chart(std::string_view line, std::size_t begin, const catalog::Controller& controller) {
    const std::size_t helm = line.find("helm ");
    if (helm == line.npos) return;
    std::string chart, version;
    bool is_version = false, installs = false;
    for (const std::string_view each : text::split(line.substr(helm), ' ')) {
      std::string word;
      std::ranges::copy_if(each, std::back_inserter(word), [](char c) {
        return std::string_view("\"'\\\n\t").find(c) == std::string_view::npos;
      });
      if (word.empty()) continue;
      installs |= word == "install" || word == "upgrade" || word == "template";
      if (std::exchange(is_version, false)) version = word;
      if (word == "--version") is_version = true;
      if (word.starts_with("--version=")) version = word.substr(word.find('=') + 1);
      const std::size_t slash = word.rfind('/');
      if (slash != word.npos &&
          contains(controller.charts, std::string_view(word).substr(slash + 1)))
        chart = word;
    }
    if (installs && !chart.empty() && !version.empty())
      add(controller, version, begin + helm, line.size() - helm);
  }

  void add(const catalog::Controller& controller, std::string_view text, std::size_t begin,
           std::size_t size) {
    const std::string release = release_in(text);
    if (!catalog::parse_version(release)) return;
    const auto offset = [](std::size_t at) { return static_cast<std::uint32_t>(at); };
    all_.push_back({.controller = std::string(controller.word),
                    .release = release,
                    .file = sources_[source_].name,
                    .at = sources_.position({source_, offset(begin), offset(begin + size)}),
                    .is_installed = true});
  }

  // The version that the text begins with, or the value of the variable.
  std::string release_in(std::string_view text) const {
    if (text.starts_with('$')) {
      text.remove_prefix(1);
      if (text.starts_with('{') || text.starts_with('(')) text.remove_prefix(1);
      const std::size_t end =
          text::find_if(text, 0, [](char c) { return !ascii::is_letter_or_digit(c) && c != '_'; });
      return value_of(text.substr(0, end));
    }
    if (text.starts_with('v')) {
      text.remove_prefix(1);
      if (text.starts_with('$')) return release_in(text);
    }
    return std::string(text.substr(0, text.find_first_not_of(version_signs)));
  }

  // `VERSION=v0.11.0`, `VERSION ?= v0.11.0`, `VERSION: v0.11.0`; nothing where it has two values.
  std::string value_of(std::string_view variable) const {
    std::string value;
    for (std::size_t at = 0; !variable.empty() && (at = text_.find(variable, at)) != text_.npos;) {
      const bool is_name =
          at == 0 || std::string_view(" \t\n;").find(text_[at - 1]) != std::string_view::npos;
      at += variable.size();
      std::string_view rest = text_.substr(at);
      const std::size_t sign = rest.find_first_not_of(" \t:?");
      if (!is_name || sign == rest.npos || rest.starts_with('\n')) continue;
      const std::string_view between = rest.substr(0, sign);
      if (rest[sign] == '=') {
        rest.remove_prefix(sign + 1);
      } else if (between.find(':') != between.npos) {
        rest.remove_prefix(sign);
      } else {
        continue;
      }
      const std::size_t first = rest.find_first_not_of(" \t\"'");
      if (first == rest.npos) continue;
      rest.remove_prefix(first);
      if (rest.starts_with('v')) rest.remove_prefix(1);
      const std::string found(rest.substr(0, rest.find_first_not_of(version_signs)));
      if (!catalog::parse_version(found) || (!value.empty() && value != found)) return {};
      value = found;
    }
    return value;
  }

  const catalog::Catalog& catalog_;
  std::string_view text_;
  Sources sources_;
  std::uint32_t source_;
  std::vector<StatedRelease> all_;
};

}  // namespace

bool may_state_release(std::string_view text) {
  return any_of(
      std::initializer_list<std::string_view>{"kueue", "controllers", "github.com/", "helm "},
      [&](std::string_view word) { return text::includes(text, word); });
}

std::vector<StatedRelease> stated_releases(const catalog::Catalog& catalog, const std::string& name,
                                           std::string_view text, bool is_spec) {
  if (!is_spec) return Installed(catalog, name, text).find();
  std::vector<StatedRelease> all;
  for (const yaml::Document& document : yaml::split_documents(text)) {
    Sources sources;
    diag::Sink ignored;
    const auto tree = yaml::parse(
        sources, sources.add({name, std::string(document.text), document.first_line}), ignored);
    if (!tree) continue;
    for (const catalog::Controller& controller : catalog.controllers) {
      if (controller.word.empty()) continue;
      const yaml::Node* stated = tree->at({"cluster", "controllers", controller.word});
      if (stated == nullptr && controller.word == "kueue") stated = tree->at({"cluster", "kueue"});
      if (stated != nullptr && catalog::parse_version(stated->text))
        all.push_back({.controller = std::string(controller.word),
                       .release = stated->text,
                       .file = name,
                       .at = sources.position(stated->span)});
    }
  }
  return all;
}

}  // namespace flexslice::lint
