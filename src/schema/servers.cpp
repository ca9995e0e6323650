#include "schema/servers.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/lists.hpp"
#include "base/text.hpp"
#include "yaml/embedded.hpp"

namespace flexslice::schema::servers {

namespace {

std::string_view whole_text() {
  return embedded::root_of(embedded::kubernetes, "schema/servers.txt").text();
}

std::string_view cut_until(std::string_view& rest, char end) {
  const std::string_view taken = rest.substr(0, rest.find(end));
  rest.remove_prefix(std::min(taken.size() + 1, rest.size()));
  return taken;
}

// The lines that begin with the letter are together.
std::string_view lines_with(char letter) {
  const std::string_view text = whole_text();
  const std::string first = {'\n', letter, ' '};
  const std::size_t begin = text.find(first);
  if (begin == text.npos) return {};
  std::size_t end = begin + 1;
  while (end < text.size() && text[end] == letter) {
    end = text.find('\n', end);
    end = end == text.npos ? text.size() : end + 1;
  }
  return text.substr(begin + 1, end - begin - 1);
}

std::vector<Release> read_releases() {
  std::vector<Release> all;
  for (std::string_view rest = lines_with('R'); !rest.empty();) {
    std::string_view line = cut_until(rest, '\n');
    line.remove_prefix(2);
    Release& release = all.emplace_back();
    release.program = cut_until(line, ' ');
    release.newest = cut_until(line, ' ');
    release.newest_date = cut_until(line, ' ');
    const std::string_view next = line.substr(0, line.find(' '));
    // A release begins with a digit, and no title does.
    if (!next.empty() && next.front() >= '0' && next.front() <= '9') {
      release.older = std::exchange(release.newest, cut_until(line, ' '));
      release.older_date = std::exchange(release.newest_date, cut_until(line, ' '));
    }
    release.title = line;
  }
  return all;
}

std::vector<ServedObject> read_objects() {
  std::vector<ServedObject> all;
  for (std::string_view rest = lines_with('O'); !rest.empty();) {
    std::string_view line = cut_until(rest, '\n');
    line.remove_prefix(2);
    ServedObject& object = all.emplace_back();
    object.version = cut_until(line, ' ');
    object.kind = cut_until(line, ' ');
    const std::string_view scope = cut_until(line, ' ');
    object.is_cluster_scoped = scope.front() == 'C';
    object.mark = scope.back();
    object.type = cut_until(line, ' ');
    object.program = line;
  }
  return all;
}

FieldRow read_field(std::string_view line) {
  FieldRow row;
  std::string_view name = cut_until(line, ' ');
  const std::size_t end = std::min(name.find_first_of("!?+-"), name.size());
  row.key = name.substr(0, end);
  row.marks = name.substr(end);
  const std::size_t by_default = line.find(" =");
  row.value = line.substr(0, by_default);
  row.has_default = by_default != line.npos;
  if (row.has_default) row.by_default = line.substr(by_default + 2);
  return row;
}

// A type begins at its first field.
struct Place {
  std::string_view name;
  std::size_t fields;
  bool of_crd, is_open;
};

// In the order of the names.
const std::vector<Place>& places() {
  static const std::vector<Place> all = [] {
    std::vector<Place> found;
    const std::string_view text = whole_text();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      if (text[at] == 'K' || text[at] == 'C') {
        std::string_view name = text.substr(at + 2, end - at - 2);
        const bool is_open = name.ends_with('*');
        if (is_open) name.remove_suffix(1);
        found.push_back({name, end + 1, text[at] == 'C', is_open});
      }
      at = end + 1;
    }
    std::ranges::sort(found, {}, &Place::name);
    return found;
  }();
  return all;
}

void add_marked(const yaml::Node& node, std::string_view value, const std::string& path,
                std::vector<MarkedField>& all) {
  if (value.starts_with('[') || value.starts_with('{')) {
    const std::string_view inner = value.substr(value.find(value.front() == '[' ? ']' : '}') + 1);
    for (const yaml::Node& item : node.items) add_marked(item, inner, path, all);
    for (const yaml::Member& member : node.members) add_marked(member.value, inner, path, all);
    return;
  }
  if (!value.starts_with('@')) return;
  const TypeRows rows = type(value.substr(1));
  if (!rows.of_crd) return;
  for (const yaml::Member& member : node.members) {
    const FieldRow* row =
        find_where(rows.fields, [&](const FieldRow& each) { return each.key == member.key.text; });
    if (row == nullptr) continue;
    std::string below = path;
    text::add_to_path(below, member.key.text);
    for (const char mark : {'+', '-'}) {
      if (row->has(mark)) all.push_back({&member.key, below, mark});
    }
    add_marked(member.value, row->value, below, all);
  }
}

}  // namespace

std::vector<MarkedField> marked_fields(const yaml::Node& object, const ServedObject& served) {
  std::vector<MarkedField> all;
  add_marked(object, "@" + std::string(served.type), {}, all);
  return all;
}

const std::vector<Release>& releases() {
  static const std::vector<Release> all = read_releases();
  return all;
}

const std::vector<ServedObject>& served_objects() {
  static const std::vector<ServedObject> all = read_objects();
  return all;
}

const ServedObject* served_object(std::string_view kind, std::string_view version) {
  return find_where(served_objects(), [&](const ServedObject& each) {
    return each.kind == kind && each.version == version;
  });
}

const Release* program_release(std::string_view program) {
  return find_where(releases(), [&](const Release& each) { return each.program == program; });
}

TypeRows type(std::string_view name) {
  TypeRows rows;
  const auto& all = places();
  const auto at = std::ranges::lower_bound(all, name, {}, &Place::name);
  if (at == all.end() || at->name != name) return rows;
  rows.is_known = true;
  rows.name = at->name;
  rows.of_crd = at->of_crd;
  rows.is_open = at->is_open;
  for (std::string_view rest = whole_text().substr(at->fields); rest.starts_with(' ');) {
    std::string_view row = cut_until(rest, '\n');
    row.remove_prefix(1);
    rows.fields.push_back(read_field(row));
  }
  return rows;
}

namespace {

// Kubernetes' types that objects of any CRD may have.
constexpr std::string_view shared_types[] = {"ObjectMeta", "PodTemplateSpec"};

// Returns whether the type, or one below it, has the field. Of a CRD, pods and metadata have not.
bool has_field_below(const TypeRows& rows, std::string_view key, bool of_crd,
                     std::vector<std::string_view>& seen) {
  if (!rows.is_known || contains(seen, rows.name) || (of_crd && contains(shared_types, rows.name)))
    return false;
  seen.push_back(rows.name);
  return any_of(rows.fields, [&](const FieldRow& row) {
    const std::size_t at = row.value.find('@');
    return row.key == key || (at != row.value.npos &&
                              has_field_below(type(row.value.substr(at + 1)), key, of_crd, seen));
  });
}

bool has_field_of(const ServedObject& object, std::string_view key) {
  std::vector<std::string_view> seen;
  const TypeRows rows = type(object.type);
  return has_field_below(rows, key, rows.of_crd, seen);
}

}  // namespace

bool is_field_in(std::string_view key, std::string_view kind) {
  if (!kind.empty())
    return any_of(served_objects(), [&](const ServedObject& object) {
      return object.kind == kind && has_field_of(object, key);
    });
  const std::string line = "\n " + std::string(key);
  const std::string_view text = whole_text();
  for (std::size_t at = 0; (at = text.find(line, at)) != text.npos;) {
    at += line.size();
    if (at < text.size() && std::string_view(" !?+-").find(text[at]) != std::string_view::npos)
      return true;
  }
  return false;
}

bool is_field_beside(std::string_view key, std::string_view kind) {
  const auto* own =
      find_where(served_objects(), [&](const ServedObject& each) { return each.kind == kind; });
  return own != nullptr && any_of(served_objects(), [&](const ServedObject& object) {
           return object.program == own->program && object.kind != kind &&
                  has_field_of(object, key);
         });
}

std::string_view pattern(std::string_view number) {
  const std::string line = "\nP " + std::string(number) + ' ';
  const std::string_view text = whole_text();
  const std::size_t at = text.find(line);
  if (at == text.npos) return {};
  const std::size_t begin = at + line.size();
  return text.substr(begin, text.find('\n', begin) - begin);
}

std::vector<Limit> limits(std::string_view text) {
  std::vector<Limit> all;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("><|~#", 1), text.size());
    all.push_back({text.front(), text.substr(1, end - 1)});
    text.remove_prefix(end);
  }
  return all;
}

}  // namespace flexslice::schema::servers
