#include "spec/document.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "base/text.hpp"
#include "yaml/made.hpp"
#include "yaml/parse.hpp"

namespace flexslice::spec {

using yaml::Kind;
using yaml::Node;

// `apiVersion: flexslice/v1`, in YAML or JSON, also misspelt: a slip must not make a spec pass for
// something else.
bool has_spec_line(std::string_view text) {
  constexpr std::string_view key = "apiversion", ours[] = {"flexslice/v1"}, around = "\"': ";
  const std::string lowered = text::lower(text);
  for (std::size_t at = 0; (at = lowered.find(key, at)) != std::string::npos;) {
    at += key.size();
    const std::size_t begin = std::min(lowered.find_first_not_of(around, at), lowered.size());
    const std::size_t end = std::min(lowered.find_first_of("\"', \t\r\n}", begin), lowered.size());
    const std::string_view value = std::string_view(lowered).substr(begin, end - begin);
    if (value.starts_with("flexslice/")) return true;
    if (!value.starts_with("flexslice-") && text::nearest(value, ours))
      return true;  // plans are of ours, but no specs
  }
  return false;
}

bool is_spec(const yaml::Node& document, diag::Sink& sink) {
  if (document.kind != Kind::mapping) {
    sink.report<diag::Code::WrongType>(document.span, "the spec", "a mapping",
                                       yaml::describe(document))
        .help("`flexslice init` writes a spec to begin with");
    return false;
  }
  const yaml::Node* version = document.find("apiVersion");
  const yaml::Node* kind = document.find("kind");
  if (version == nullptr || kind == nullptr || version->kind != yaml::Kind::scalar ||
      kind->kind != yaml::Kind::scalar)
    return true;
  constexpr std::string_view ours[] = {"flexslice/v1"};
  if (version->text.starts_with("flexslice") || text::nearest(version->text, ours)) return true;
  sink.report<diag::Code::UnknownChoice>(version->span, "apiVersion", version->text)
      .note(
          fmt::format("this is a Kubernetes {}; specs have `apiVersion: flexslice/v1`", kind->text))
      .help(
          "`flexslice lint` checks manifests, and `flexslice import` turns them into a spec; with "
          "`--only-specs` other files are skipped");
  return false;
}

namespace {

// `[2]`: the item of a list, as paths of `--set` name it.
std::optional<std::size_t> item_index(const Node& over) {
  if (over.kind != Kind::mapping || over.members.size() != 1) return std::nullopt;
  const std::string_view key = over.members.front().key.text;
  if (!key.starts_with('[') || !key.ends_with(']')) return std::nullopt;
  const auto index = text::whole_number(key.substr(1, key.size() - 2));
  return index && *index >= 0 ? std::optional(static_cast<std::size_t>(*index)) : std::nullopt;
}

// `null` or `~`; a key without a value is rather a forgotten one.
bool is_written_null(const Node& node) {
  return node.kind == Kind::null && node.span.begin < node.span.end;
}

}  // namespace

Node overlay(Node base, Node over, bool missing_in_base) {
  if (const auto index = item_index(over);
      index && base.kind == Kind::sequence && *index <= base.items.size()) {
    if (*index == base.items.size()) base.items.emplace_back();
    Node& item = base.items[*index];
    item = overlay(std::move(item), std::move(over.members.front().value), missing_in_base);
    return base;
  }
  if (base.kind != Kind::mapping || over.kind != Kind::mapping) return over;
  for (yaml::Member& member : over.members) {
    const auto same = std::ranges::find(
        base.members, member.key.text,
        [](const yaml::Member& below) -> const std::string& { return below.key.text; });
    if (same == base.members.end()) {
      base.members.push_back(std::move(member));
    } else if (is_written_null(member.value)) {
      base.members.erase(same);
    } else {
      *same = {std::move(member.key),
               overlay(std::move(same->value), std::move(member.value), missing_in_base)};
    }
  }
  if (!missing_in_base) base.span = over.span;
  return base;
}

void add_patches_below(const Node& base, Node& over) {
  if (base.kind != Kind::mapping || over.kind != Kind::mapping) return;
  const Node* below = base.find("patches");
  const auto own = std::ranges::find(
      over.members, "patches",
      [](const yaml::Member& member) -> const std::string& { return member.key.text; });
  if (below == nullptr || own == over.members.end() || below->kind != Kind::sequence ||
      own->value.kind != Kind::sequence)
    return;
  own->value.items.insert(own->value.items.begin(), below->items.begin(), below->items.end());
}

namespace {

void note_lists(const Node& base, const Node& over, const std::string& path, diag::Sink& sink) {
  if (base.kind == Kind::sequence && over.kind == Kind::sequence) {
    if (path == "patches" || base.items.empty()) return;
    sink.report<diag::Code::DefaultsReplaced>(over.span, path)
        .also(base.span,
              fmt::format("{} of the defaults", text::count(std::ssize(base.items), "item")))
        .help("repeat those that are still wanted");
    return;
  }
  if (base.kind != Kind::mapping || over.kind != Kind::mapping) return;
  for (const yaml::Member& member : over.members) {
    if (const Node* below = base.find(member.key.text))
      note_lists(*below, member.value,
                 path.empty() ? member.key.text : fmt::format("{}.{}", path, member.key.text),
                 sink);
  }
}

}  // namespace

void note_replaced(const Node& base, const Node& over, diag::Sink& sink) {
  note_lists(base, over, {}, sink);
}

namespace {

// To where the value is in the `--set` of that source.
void shift(Node& node, std::uint32_t source, std::uint32_t by) {
  node.span = {source, node.span.begin + by, node.span.end + by};
  node.argument = true;
  for (Node& item : node.items) shift(item, source, by);
  for (yaml::Member& member : node.members) {
    shift(member.key, source, by);
    shift(member.value, source, by);
  }
}

// The keys of `workload.nodeSelector[example.com/zone]`, a path as messages print it; a number in
// brackets keeps them.
std::vector<std::string_view> keys_of(std::string_view path) {
  std::vector<std::string_view> keys;
  bool more = true;
  while (more) {
    const std::size_t closing = path.starts_with('[') ? path.find(']') : std::string_view::npos;
    const bool bracketed = closing != std::string_view::npos;
    const std::size_t end =
        bracketed ? closing + 1
                  : std::min(path.find_first_of(".[", path.starts_with('[')), path.size());
    const std::string_view key = path.substr(0, end);
    const std::string_view inside = bracketed ? key.substr(1, end - 2) : key;
    keys.push_back(text::whole_number(inside) ? key : inside);
    path.remove_prefix(end);
    more = !path.empty();
    if (path.starts_with('.')) path.remove_prefix(1);
  }
  return keys;
}

}  // namespace

Node at_path(std::string_view path, Span where, Node value) {
  std::vector<std::string_view> keys = keys_of(path);
  for (; !keys.empty(); keys.pop_back()) {
    Node above = yaml::mapping_at(where);
    above.argument = value.argument;
    above.members.push_back({yaml::string_at(keys.back(), where), std::move(value)});
    value = std::move(above);
  }
  return value;
}

std::optional<Node> set_value(const Sources& sources, std::uint32_t index, diag::Sink& sink) {
  const std::string_view text = sources[index].text;
  const auto whole = static_cast<std::uint32_t>(text.size());
  const auto report = [&]() -> diag::Diagnostic& {
    return sink.report<diag::Code::SetSyntax>(Span{index, 0, whole}, text);
  };
  const auto equals = static_cast<std::uint32_t>(std::min(text.find('='), text.size()));
  if (equals == whole || equals == 0) {
    report();
    return std::nullopt;
  }
  Sources own;
  own.add({sources[index].name, std::string(text.substr(equals + 1)), 1});
  diag::Sink own_sink;
  auto tree = yaml::parse(own, 0, own_sink);
  if (!tree || own_sink.errors() > 0) {
    report().note(own_sink.found().front().message);
    return std::nullopt;
  }
  shift(*tree, index, equals + 1);
  return at_path(text.substr(0, equals), {index, 0, equals}, std::move(*tree));
}

void fill_shared_memory(Claims& claims) {
  const auto derive = [](schema::Text& to, std::string_view value, const schema::Where& where) {
    if (to.where.given) return;
    to.where = where;
    to.value = value;
  };
  for (Volume& volume : claims.workload.volumes.items) {
    const schema::Where& where = volume.shm.where;
    if (!where.given || volume.memory.where.given) continue;
    derive(volume.name, "shm", where);
    derive(volume.mount_path, "/dev/shm", where);
    volume.memory.where = where;
    if (volume.shm.value != "true") volume.memory.size_limit = volume.shm;
  }
}

}  // namespace flexslice::spec
