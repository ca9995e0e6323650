#include "rules/references.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/slip.hpp"
#include "base/text.hpp"
#include "rules/object_rules.hpp"
#include "rules/rules.hpp"
#include "schema/kubernetes_types.hpp"
#include "schema/placeholder.hpp"
#include "yaml/embedded.hpp"
#include "yaml/frozen.hpp"

namespace flexslice::rules {

using yaml::Node;
using yaml::View;

Text claimed_name(const Node& node) {
  Text text;
  text.where.span = node.span;
  if (node.quoted && node.span.end - node.span.begin == node.text.size() + 2) {
    ++text.where.span.begin;
    --text.where.span.end;
  }
  text.where.given = node.kind == yaml::Kind::scalar;
  text.value = node.text;
  text.where.placeholder =
      !text.where.given || node.text.empty() || schema::is_placeholder(node.text);
  return text;
}

Text claimed_name(const Node* node) { return node == nullptr ? Text{} : claimed_name(*node); }

namespace {

View reference_table(std::string_view key) {
  return embedded::root_of(embedded::kubernetes, "rules/references.yaml").find(key);
}

// Visits what the path leads to, with the mapping that holds it.
void follow(const Node& node, const Node& holder, std::span<const std::string_view> path,
            const auto& visit) {
  if (path.empty()) return visit(node, holder);
  if (path.front() == "*") {
    for (const Node& item : node.items) follow(item, node, path.subspan(1), visit);
  } else if (const Node* next = node.find(path.front())) {
    follow(*next, node, path.subspan(1), visit);
  }
}

// A run may have thousands.
std::string first_names(std::span<const std::string_view> names) {
  constexpr std::size_t most = 20;
  if (names.size() <= most) return text::quoted_list(names);
  return fmt::format("{} and {} more", text::quoted_list(names.first(most)), names.size() - most);
}

bool says_yes(View row, std::string_view column) { return row_text(row, column) == "true"; }

bool is_name_of_variable(std::string_view text) {
  return !text.empty() && !text.starts_with("YOUR_") && !text.starts_with("REPLACE") &&
         std::ranges::all_of(
             text, [](char c) { return c == '_' || ascii::is_digit(c) || ascii::is_upper(c); });
}

void add_reference(const Node& node, const Node& holder, View row, const Text& name_space,
                   ObjectNames& names) {
  ObjectReference reference{std::string(row_text(row, "to")), claimed_name(node), name_space};
  const Node* optional = holder.find("optional");
  const auto given = text::split(row_text(row, "given"), ' ');
  const std::string_view with = row_text(row, "with");
  const Node* resources = holder.find("resources");
  const bool is_other =
      !with.empty() && (resources == nullptr || !any_of(resources->items, [&](const Node& each) {
                          return each.text_at({"name"}) == with;
                        }));
  if (is_other || !reference.name.usable() || contains(given, reference.name.value) ||
      (optional != nullptr && optional->text == "true"))
    return;
  if (const std::string_view kind = row_text(row, "kindOf"); !kind.empty()) {
    if (const Node* said = holder.find(kind)) reference.kind = said->text;
  }
  // An object of another namespace says so beside its name.
  if (const Node* other = holder.find("namespace")) reference.name_space = claimed_name(*other);
  if (const std::string_view key = row_text(row, "key"); !key.empty())
    follow(holder, holder, text::split(key, ' '), [&](const Node& said, const Node&) {
      Text& own = reference.keys.emplace_back(claimed_name(said));
      // Keys are often the names of variables, in capitals.
      if (is_name_of_variable(own.value)) own.where.placeholder = false;
    });
  reference.is_of_cluster = says_yes(row, "cluster");
  reference.is_near = says_yes(row, "near");
  reference.on_host_network = holder.text_at({"hostNetwork"}) == "true";
  names.references.push_back(std::move(reference));
}

// Selectors anywhere in the object that name the object which owns the pods.
void add_owners(const Node& node, bool selects, const Text& name_space, ObjectNames& names) {
  for (const auto& [key, value] : node.members) {
    const View owner = selects ? reference_table("owners").find(key.text) : View();
    if (owner && value.kind == yaml::Kind::scalar) {
      ObjectReference reference{std::string(owner.text()), claimed_name(value), name_space};
      reference.is_near = any_of(reference_table("madeByOthers"),
                                 [&](View kind) { return kind.text() == owner.text(); });
      if (reference.name.usable()) names.references.push_back(std::move(reference));
    }
    add_owners(value, key.text == "matchLabels" || key.text == "selector", name_space, names);
  }
  for (const Node& item : node.items) add_owners(item, false, name_space, names);
}

void add_made(const Node& object, std::string_view kind, const Text& name_space,
              ObjectNames& names) {
  MadeObject made{std::string(kind), claimed_name(object.at({"metadata", "name"})), name_space};
  if (kind == "ServiceAccount")
    made.account =
        claimed_name(object.at({"metadata", "annotations", "iam.gke.io/gcp-service-account"}));
  if (!made.name.where.given) return;
  if (kind == "ConfigMap" || kind == "Secret") {
    for (std::string_view part : {"data", "binaryData", "stringData"}) {
      const Node* data = object.find(part);
      if (data == nullptr) continue;
      made.has_all_keys = data->kind == yaml::Kind::mapping;
      for (const yaml::Member& member : data->members) made.keys.push_back(member.key.text);
    }
  }
  const Node* ports = kind == "Service" ? object.at({"spec", "ports"}) : nullptr;
  made.has_all_keys = made.has_all_keys || (ports != nullptr && !ports->items.empty());
  for (const Node& port : ports == nullptr ? std::span<const Node>() : ports->items) {
    made.keys.emplace_back(port.text_at({"port"}));
    made.has_all_keys = made.has_all_keys && text::whole_number(made.keys.back());
  }
  names.made.push_back(std::move(made));
}

bool may_be_in(const Text& one, const Text& other) {
  return !one.usable() || !other.usable() || one.value == other.value;
}

void judge_key(const ObjectReference& reference, std::span<const MadeObject* const> made,
               Sink& sink) {
  if (made.size() != 1 || !made[0]->has_all_keys) return;
  for (const Text& key : reference.keys) {
    if (!key.usable() || contains(made[0]->keys, key.value)) continue;
    Diagnostic& finding =
        reference.kind == "Service"
            ? sink.report<Code::QueueObjectMissing>(
                  key, fmt::format("port of Service `{}`", reference.name.value), key.value)
            : sink.report<Code::KeyMissing>(key, reference.kind, reference.name.value, key.value);
    const std::vector<std::string_view> keys(made[0]->keys.begin(), made[0]->keys.end());
    if (!keys.empty()) finding.note("it has {}", first_names(keys));
    diag::did_you_mean(finding, key.value, keys);
  }
}

}  // namespace

void add_names(const Node& object, std::string_view kind, std::span<const Node* const> pods,
               ObjectNames& names) {
  const Text name_space = claimed_name(object.at({"metadata", "namespace"}));
  add_made(object, kind, name_space, names);
  for (const View row : reference_table("references")) {
    const std::string_view from = row_text(row, "from");
    const auto path = text::split(row_text(row, "path"), ' ');
    const auto add = [&](const Node& node, const Node& holder) {
      add_reference(node, holder, row, name_space, names);
    };
    if (from == "pod") {
      for (const Node* pod : pods) follow(*pod, *pod, path, add);
    } else if (from == "any" || from == kind) {
      follow(object, object, path, add);
    }
  }
  for (const View row : reference_table("makes")) {
    if (row_text(row, "from") != kind) continue;
    follow(object, object, text::split(row_text(row, "path"), ' '),
           [&](const Node& node, const Node&) {
             names.made.push_back(
                 {std::string(row_text(row, "made")), claimed_name(node), name_space});
           });
  }
  const Node* spec = object.find("spec");
  if (spec != nullptr && pods.empty()) add_owners(*spec, false, name_space, names);
}

namespace {

// Two fields that name an object which nothing of the file is, by names of which one is a slip.
void judge_named_alike(std::span<const ObjectReference> references,
                       std::span<const MadeObject> made, Sink& sink) {
  std::map<std::string_view, std::vector<ScopeName>> of_kind;
  for (const ObjectReference& each : references) {
    const auto is_it = [&](const MadeObject& other) {
      return other.kind == each.kind && other.name.value == each.name.value;
    };
    if (!any_of(made, is_it)) of_kind[each.kind].push_back({"another field", each.name});
  }
  for (const auto& [kind, names] : of_kind) judge_scopes(names, kind, sink);
}

diag::Elsewhere object_elsewhere(const ObjectReference& reference) {
  const bool is_known = !reference.is_of_cluster && reference.name_space.usable();
  return {reference.kind, reference.name.value, is_known ? reference.name_space.value : ""};
}

}  // namespace

std::vector<ObjectReference> judge_references(std::span<const ObjectReference> references,
                                              std::span<const MadeObject> made,
                                              std::string_view owner, Span otherwise, Sink& sink) {
  std::vector<ObjectReference> left;
  // Other files may have one in each namespace.
  const bool is_of_file = owner == "the file";
  if (is_of_file) {
    std::vector<ScopeName> scopes;
    for (const MadeObject& each : made)
      scopes.push_back({fmt::format("{} `{}`", each.kind, each.name.value), each.name_space});
    judge_scopes(scopes, "namespace", sink);
    judge_named_alike(references, made, sink);
  }
  for (const ObjectReference& reference : references) {
    std::vector<const MadeObject*> of_kind, called;
    bool is_open = false;
    for (const MadeObject& each : made) {
      if (each.kind != reference.kind) continue;
      is_open = is_open || !each.name.usable();
      of_kind.push_back(&each);
      if (each.name.value == reference.name.value) called.push_back(&each);
    }
    if (of_kind.empty()) {
      left.push_back(reference);
      continue;
    }
    const auto is_apart = [&](const MadeObject* each) {
      return !reference.is_of_cluster && !may_be_in(each->name_space, reference.name_space);
    };
    const Span place = reference.name.where.span;
    const Span where = place == Span{} ? otherwise : place;
    if (is_open || sink.find(Code::QueueObjectMissing, where) != nullptr) continue;
    if (!called.empty()) {
      const MadeObject* other = called.front();
      const bool elsewhere = std::ranges::all_of(called, is_apart);
      const bool is_only_one = called.size() == 1;
      std::erase_if(called, is_apart);
      judge_key(reference, called, sink);
      // Kubernetes has more of these, which nobody writes.
      if (elsewhere && !reference.is_near && (is_of_file || is_only_one))
        sink.report<Code::QueueObjectMissing>(
                where, reference.kind,
                fmt::format("{}` in namespace `{}", reference.name.value,
                            reference.name_space.value))
            .note("{} has one in namespace `{}`, and a workload names one of its own", owner,
                  other->name_space.value)
            .unless = {object_elsewhere(reference)};
      continue;
    }
    std::vector<std::string_view> names;
    std::set<std::string_view> seen;
    for (const MadeObject* each : of_kind) {
      if (!is_apart(each) && seen.insert(each->name.value).second)
        names.push_back(each->name.value);
    }
    const bool is_meant = !reference.is_near || any_of(names, [&](std::string_view name) {
      return text::is_slip_of_name(reference.name.value, name);
    });
    if (names.empty() || !is_meant) continue;
    Diagnostic& finding =
        sink.report<Code::QueueObjectMissing>(where, reference.kind, reference.name.value);
    finding.note("{} has {}", owner, first_names(names));
    finding.unless = {object_elsewhere(reference)};
    diag::did_you_mean(finding, reference.name.value, names);
  }
  return left;
}

void judge_host_identities(const ObjectNames& names, Sink& sink) {
  for (const MadeObject& made : names.made) {
    if (!made.account.usable() || !made.name.usable()) continue;
    for (const ObjectReference& each : names.references) {
      if (each.on_host_network && each.kind == made.kind && each.name.value == made.name.value &&
          may_be_in(each.name_space, made.name_space))
        sink.report<Code::IdentityNeedsPodNetwork>(each.name, each.name.value)
            .also(made.account.where.span, "its account of Google Cloud is here");
    }
  }
}

void judge_metadata_keys(const Node& metadata, Sink& sink) {
  const auto judge = [&](std::string_view here, std::string_view there, const auto& report) {
    const Node* all = metadata.find(here);
    if (all == nullptr) return;
    const Node* others = metadata.find(there);
    for (const yaml::Member& member : all->members) {
      const bool is_read_there =
          any_of(reference_table(there), [&](View key) { return key.text() == member.key.text; });
      if (is_read_there && (others == nullptr || others->find(member.key.text) == nullptr))
        report(member.key).help("write it below `{}`", there);
    }
  };
  judge("annotations", "labels", [&](const Node& key) -> Diagnostic& {
    return sink.report<Code::MisspeltAnnotation>(key, key.text);
  });
  judge("labels", "annotations", [&](const Node& key) -> Diagnostic& {
    return sink.report<Code::LabelUnread>(key, key.text);
  });
}

void judge_namespace_label(const Node& metadata, std::string_view kind, Sink& sink) {
  const Node* labels = metadata.find("labels");
  if (labels == nullptr || metadata.find("namespace") != nullptr ||
      metadata.find("name") == nullptr || schema::kubernetes::is_cluster_scoped(kind))
    return;
  for (const auto& [key, value] : labels->members) {
    if (key.text == "namespace")
      sink.report<Code::LabelUnread>(key, key.text)
          .note("the object has no namespace, so kubectl takes that of its context")
          .help("write it beside `labels`");
  }
}

namespace {

// The table has the values that Kueue reads, and what becomes of others.
void judge_value_of_kueue(std::string_view key, const Node& value, Sink& sink) {
  const View row = reference_table("kueueValues").find(key);
  if (!row) return;
  const View words = row.find("words");
  const auto is_it = [&](View each) { return each.text() == value.text; };
  const auto pattern = schema::pattern_named(row_text(row, "pattern"));
  const bool is_number = text::whole_number(value.text).has_value();
  if (words ? any_of(words, is_it)
            : pattern && schema::matches(*pattern, value.text) &&
                  !(row.find("notNumber") && is_number))
    return;
  Diagnostic& finding = sink.report<Code::WrongForm>(value, value.text, key);
  finding.note(std::string(row_text(row, "note")));
  if (row_text(row, "level") == "warning") finding.level = diag::Level::warning;
}

}  // namespace

void judge_counts_in(const Node& metadata, Sink& sink) {
  for (const std::string_view list : {"labels", "annotations"}) {
    const Node* all = metadata.find(list);
    if (all == nullptr) continue;
    for (const auto& [key, value] : all->members) {
      if (is_literal(&value)) judge_value_of_kueue(key.text, value, sink);
      const auto is_it = [&, &key = key](View each) { return each.text() == key.text; };
      if (!is_literal(&value) || !any_of(reference_table("counts"), is_it)) continue;
      const auto count = text::whole_number(value.text);
      if (!count || *count < 1)
        sink.report<Code::WrongForm>(value, value.text, key.text)
            .note("Kueue takes a whole number of at least 1");
    }
  }
}

namespace {

// Returns the key that was meant; empty: the key is good, or not known.
std::string meant_key(std::string_view key) {
  // `metadata.annotations['KEY']` of a field path.
  if (const std::size_t quote = key.find("['"); quote != key.npos && key.ends_with("']")) {
    const std::size_t begin = quote + 2;
    const std::string meant = meant_key(key.substr(begin, key.size() - begin - 2));
    return meant.empty() ? meant : fmt::format("{}['{}']", key.substr(0, quote), meant);
  }
  const std::size_t slash = key.find('/');
  if (slash == key.npos || slash < 9 || key.find_first_of(" :\n") != key.npos) return {};
  const std::string_view domain = key.substr(0, slash), name = key.substr(slash + 1);
  if (domain.find('.') == domain.npos || name.empty() || name.find('/') != name.npos) return {};
  const View domains = reference_table("domains");
  const auto is_domain = [&](View each) { return each.text() == domain; };
  if (!any_of(domains, is_domain)) {
    for (const View each : domains) {
      if (text::is_slip(domain, each.text())) return fmt::format("{}/{}", each.text(), name);
    }
    return {};
  }
  // Labels of GPUs differ from those of TPUs by a letter.
  if (name.size() <= 5 || name.find("gpu") != name.npos) return {};
  std::string meant;
  for (const std::string_view table : {"labels", "annotations", "keys"}) {
    for (const View each : reference_table(table)) {
      if (each.text() == key) return {};
      if (text::is_slip(key, each.text())) meant = each.text();
    }
  }
  return meant;
}

void report_key(Span where, std::string_view key, std::string_view meant, Sink& sink) {
  sink.report<Code::NearName>(where, key, meant, "which GKE or a controller reads")
      .help("write `{}`", meant);
}

void judge_spelling_of_value(std::string_view key, const Node& value, Sink& sink) {
  const View names = reference_table("values").find(key);
  if (!names || value.kind != yaml::Kind::scalar ||
      any_of(names, [&](View name) { return name.text() == value.text; }))
    return;
  for (const View name : names) {
    if (!text::is_slip(value.text, name.text())) continue;
    // A kind that its group does not have is refused.
    if (sink.find(Code::WrongApiVersion, value.span) != nullptr) return;
    sink.report<Code::NearName>(value, value.text, name.text(), "which Kubernetes knows")
        .help("write `{}`", name.text());
    return;
  }
}

// The name of an image has no tag and no digest.
void judge_spelling_of_image(const Node& image, Sink& sink) {
  const std::string_view text = image.text;
  const std::string_view path = text.substr(0, text.find('@'));
  const std::size_t folder = path.rfind('/') == path.npos ? 0 : path.rfind('/');
  const std::string_view name = path.substr(0, path.find(':', folder));
  const View images = reference_table("images");
  if (any_of(images, [&](View known) { return known.text() == name; })) return;
  for (const View known : images) {
    if (!text::is_slip(name, known.text())) continue;
    sink.report<Code::NearName>(image, name, known.text(), "which is a public image")
        .help("write `{}{}`", known.text(), text.substr(name.size()));
    return;
  }
}

// A field of the pod that is one level too deep.
void judge_selected_fields(const Node& pod, const Node& selector, Sink& sink) {
  for (const yaml::Member& member : selector.members) {
    const auto is_it = [&](View each) { return each.text() == member.key.text; };
    if (pod.find(member.key.text) != nullptr || !any_of(reference_table("notSelectors"), is_it))
      continue;
    sink.report<Code::SelectorWithoutNodes>(
            member.key, fmt::format("{}: {}", member.key.text, member.value.text))
        .note("it is a field of the pod")
        .help("write it beside `nodeSelector`");
  }
}

}  // namespace

void judge_spelling_of_key(const Text& key, Sink& sink) {
  if (const std::string meant = meant_key(key.value); !meant.empty())
    report_key(key.where.span, key.value, meant, sink);
}

void judge_spelling_of_keys(const Node& object, Sink& sink) {
  const auto judge = [&](const Node& node, Span value) {
    // A file may have many nodes and many findings, but few slips.
    const std::string meant = meant_key(node.text);
    if (!meant.empty() && !any_of(sink.found(), [&](const Diagnostic& each) {
          return each.where == node.span || each.where == value;
        }))
      report_key(node.span, node.text, meant, sink);
  };
  for (const yaml::Member& member : object.members) {
    if (member.key.text == "image") judge_spelling_of_image(member.value, sink);
    if (member.key.text == "apiVersion" || member.key.text == "image") continue;
    judge(member.key, member.value.span);
    judge_spelling_of_value(member.key.text, member.value, sink);
    if (member.key.text == "nodeSelector") judge_selected_fields(object, member.value, sink);
    judge_spelling_of_keys(member.value, sink);
  }
  for (const Node& item : object.items) judge_spelling_of_keys(item, sink);
  if (object.kind == yaml::Kind::scalar) judge(object, object.span);
}

void judge_scopes(std::span<const ScopeName> names, std::string_view scope, Sink& sink) {
  struct CountedName {
    const ScopeName* first;
    std::size_t count = 0;
  };
  // A file has many objects in few namespaces.
  std::vector<CountedName> scopes;
  std::map<std::string_view, std::size_t> known;
  for (const ScopeName& each : names) {
    if (!each.name.usable()) continue;
    const auto [place, is_new] = known.try_emplace(each.name.value, scopes.size());
    if (is_new) scopes.push_back({&each});
    ++scopes[place->second].count;
  }
  for (const CountedName& each : scopes) {
    const Text& name = each.first->name;
    const CountedName* other =
        each.count > 1 ? nullptr : find_where(scopes, [&](const CountedName& candidate) {
          return text::is_slip_of_name(name.value, candidate.first->name.value);
        });
    // The later of two similar names is the slip: the first may say what the others name.
    if (other == nullptr || (other->count == 1 && each.first < other->first)) continue;
    const Text& meant = other->first->name;
    sink.report<Code::NearName>(name, name.value, meant.value,
                                fmt::format("the {} of {}", scope, other->first->owner))
        .also(meant.where.span, "it is here")
        .help("did you mean `{}`?", meant.value);
  }
}

PodSelection selection_of(const Node& object, std::string_view kind) {
  PodSelection selection;
  const View row = reference_table("selectors").find(kind);
  const Node* spec = object.find("spec");
  if (!row || spec == nullptr) return selection;
  follow(*spec, object, text::split(row_text(row, "labels"), ' '),
         [&](const Node& labels, const Node&) {
           for (const auto& [key, value] : labels.members)
             selection.labels.entries.push_back({claimed_name(key), claimed_name(value)});
         });
  if (row.find("ports"))
    follow(*spec, object, text::split(row_text(row, "ports"), ' '),
           [&](const Node& port, const Node&) { selection.ports.push_back(claimed_name(port)); });
  return selection;
}

std::vector<std::string_view> labels_of_owner(std::string_view kind) {
  std::vector<std::string_view> keys;
  for (const View owner : reference_table("owners")) {
    if (owner.text() == kind) keys.push_back(owner.key());
  }
  return keys;
}

bool is_named_by_others(std::string_view kind) {
  return any_of(reference_table("references"),
                [&](View row) { return row_text(row, "to") == kind; }) ||
         any_of(reference_table("makes"), [&](View row) { return row_text(row, "from") == kind; });
}

}  // namespace flexslice::rules
