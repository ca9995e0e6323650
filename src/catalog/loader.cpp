#include "catalog/loader.hpp"

#include <fmt/core.h>

#include <array>
#include <limits>
#include <string>

#include "base/text.hpp"

namespace flexslice::catalog {

namespace {

constexpr std::array evidence_fields{
    Field{"confidence",
          [](Loader& loader, const Field& field, yaml::View value, void* object) {
            loader.read(field, value, static_cast<Evidence*>(object)->confidence);
          }},
    Field{"sources",
          [](Loader& loader, const Field& field, yaml::View value, void* object) {
            loader.read(field, value, static_cast<Evidence*>(object)->sources);
          }},
    Field{"asOf",
          [](Loader& loader, const Field& field, yaml::View value, void* object) {
            loader.read(field, value, static_cast<Evidence*>(object)->as_of);
          }},
    Field{"note",
          [](Loader& loader, const Field& field, yaml::View value, void* object) {
            loader.read(field, value, static_cast<Evidence*>(object)->note);
          }},
};
constexpr Table evidence_table{"evidence", evidence_fields};

// `a list`, `the text `4``: what stands there instead of what is wanted.
std::string seen(yaml::View value) {
  switch (value->kind) {
    case yaml::Kind::null:
      return "nothing";
    case yaml::Kind::sequence:
      return "a list";
    case yaml::Kind::mapping:
      return "a mapping";
    case yaml::Kind::scalar:
      break;
  }
  return fmt::format("{}`{}`", value->quoted ? "the text " : "", value->text);
}

// Things are written in the order of their table, so the field behind the last one is the
// likeliest.
std::size_t position(std::span<const Field> fields, std::string_view key, std::size_t guess) {
  for (std::size_t i = guess; i < fields.size(); ++i) {
    if (fields[i].key == key) return i;
  }
  for (std::size_t i = 0; i < guess && i < fields.size(); ++i) {
    if (fields[i].key == key) return i;
  }
  return fields.size();
}

}  // namespace

void Loader::read_document(const Table& table, yaml::View document, Catalog& catalog) {
  if (document->kind == yaml::Kind::null) return;
  if (!document.is_mapping()) {
    sink_.report<diag::Code::WrongCatalogType>(document->span, table.noun, "a mapping",
                                               seen(document));
    return;
  }
  read_evidence(document);
  read_mapping(table, document, &catalog, false);
}

void Loader::read_mapping(const Table& table, yaml::View mapping, void* object, bool fresh) {
  std::uint32_t found = 0;
  std::size_t guess = 0;
  for (const yaml::View member : mapping) {
    const std::size_t at = position(table.fields, member->key, guess);
    guess = at + 1;
    if (at == table.fields.size()) {
      report_unknown(table, member);
      continue;
    }
    found |= 1u << at;
    const Field& field = table.fields[at];
    field.read(*this, field, member, object);
  }
  const std::uint32_t absent = fresh ? table.required & ~found : 0;
  for (std::size_t i = 0; absent >> i != 0; ++i) {
    if ((absent >> i & 1u) != 0) missing(table, mapping, table.fields[i].key);
  }
}

void Loader::missing(const Table& table, yaml::View mapping, std::string_view key) {
  sink_.report<diag::Code::MissingCatalogKey>(mapping->span, table.noun, key);
}

void Loader::report_unknown(const Table& table, yaml::View member) {
  std::vector<std::string_view> keys;
  for (const Field& field : table.fields) keys.push_back(field.key);
  auto& diagnostic =
      sink_.report<diag::Code::UnknownCatalogKey>(member->span, member->key, table.noun);
  diag::did_you_mean(diagnostic, member->key, keys);
}

void Loader::wrong_type(const Field& field, yaml::View value, std::string_view wanted) {
  sink_.report<diag::Code::WrongCatalogType>(value->span, fmt::format("`{}`", field.key), wanted,
                                             seen(value));
}

void Loader::bad_value(const Field& field, yaml::View value, std::string_view wanted) {
  sink_.report<diag::Code::BadCatalogValue>(value->span, field.key, value->text, wanted);
}

bool Loader::read_evidence(yaml::View mapping) {
  const yaml::View evidence = mapping.find("evidence");
  if (evidence) read(Field{"evidence", nullptr}, evidence, inherited_);
  return static_cast<bool>(evidence);
}

void Loader::read(const Field& field, yaml::View value, Evidence& evidence) {
  if (!value.is_mapping()) return wrong_type(field, value, "a mapping");
  evidence = inherited_;
  evidence.note = {};
  read_mapping(evidence_table, value, &evidence, false);
}

void Loader::check_choice(const Field& field, yaml::View value) {
  if (has_word(field.choices, value->text)) return;
  bad_value(field, value,
            fmt::format("one of {}", text::join(text::split(field.choices, ' '), ", ")));
}

void Loader::read(const Field& field, yaml::View value, std::int64_t& number) {
  const std::optional<std::int64_t> read =
      value.is_scalar() && !value->quoted ? text::whole_number(value->text) : std::nullopt;
  if (!read) return wrong_type(field, value, "a whole number");
  number = *read;
}

void Loader::read(const Field& field, yaml::View value, int& number) {
  constexpr std::int64_t most = 1'000'000;
  std::int64_t wide = number;
  read(field, value, wide);
  if (wide > most) return bad_value(field, value, fmt::format("at most {}", most));
  number = static_cast<int>(wide);
}

void Loader::read(const Field& field, yaml::View value, bool& truth) {
  const bool plain = value.is_scalar() && !value->quoted;
  if (!plain || (value->text != "true" && value->text != "false"))
    return wrong_type(field, value, "true or false");
  truth = value->text == "true";
}

void Loader::read(const Field& field, yaml::View value, std::optional<bool>& truth) {
  bool read_truth = truth.value_or(false);
  read(field, value, read_truth);
  truth = read_truth;
}

void Loader::read(const Field& field, yaml::View value, Texts& texts) {
  if (!value.is_sequence()) return wrong_type(field, value, "a list of texts");
  for (const yaml::View item : value) {
    if (!item.is_scalar()) return wrong_type(field, item, "a list of texts");
  }
  texts = Texts(value);
}

void Loader::read(const Field& field, yaml::View value, Topology& topology) {
  const std::optional<Topology> read =
      value.is_scalar() ? parse_topology(value->text) : std::nullopt;
  if (!value.is_scalar()) return wrong_type(field, value, "text");
  if (!read) return bad_value(field, value, "a topology such as 4x4 or 2x2x1");
  topology = *read;
}

void Loader::read(const Field& field, yaml::View value, Confidence& confidence) {
  std::string_view word;
  read(field, value, word);
  if (word == "high") {
    confidence = Confidence::high;
  } else if (word == "medium") {
    confidence = Confidence::medium;
  } else if (word == "low") {
    confidence = Confidence::low;
  } else if (!word.empty()) {
    bad_value(field, value, "one of low, medium, high");
  }
}

}  // namespace flexslice::catalog
