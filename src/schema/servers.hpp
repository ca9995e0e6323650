// The table of servers.txt: which fields API servers know, of Kubernetes' own kinds and of CRDs, as
// two releases of each have them. It is one text, of which a type is read when it is asked for.
//
//   R NAME RELEASE DATE [RELEASE DATE] TITLE     a program, with its older and its newest release
//   O VERSION KIND SCOPE TYPE NAME               an object; SCOPE is N or C (in no namespace), then
//                                                `=`, or `+` and `-` of the newest or older alone
//   P NUMBER EXPRESSION                          a pattern of CRDs
//   K TYPE, or C TYPE                            a type of Kubernetes, or of a CRD; with `*` it has
//                                                other fields too. Its fields follow:
//    FIELD[MARKS] VALUE [=DEFAULT]               `!` required, `?` nullable, `+` and `-` as above
//
// A VALUE is `*` any, `b` flag, `i` integer, `j` of 32 bits, `s` text, `t` time, `q` quantity, `u`
// quantity of a CRD, `o` integer or text, `@TYPE`, `[BOUNDS#KEYS]VALUE` list, `{BOUNDS}VALUE` map.
// Bounds are `>LEAST` and `<MOST`, of a text its length; `|WORD` is a choice, `~NUMBER` a pattern.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "yaml/node.hpp"

namespace flexslice::schema::servers {

struct Release {
  std::string_view program, title;
  std::string_view older, older_date;  // empty: one release is known
  std::string_view newest, newest_date;
};

struct ServedObject {
  std::string_view version, kind, type, program;
  bool is_cluster_scoped = false;
  char mark = '=';
};

struct FieldRow {
  std::string_view key, marks, value, by_default;
  bool has_default = false;

  bool has(char mark) const { return marks.find(mark) != marks.npos; }
};

struct TypeRows {
  std::string_view name;
  bool is_known = false, is_open = false, of_crd = false;
  std::vector<FieldRow> fields;
};

// In the order of the text.
const std::vector<Release>& releases();
const std::vector<ServedObject>& served_objects();
// Null where the table has no such object.
const ServedObject* served_object(std::string_view kind, std::string_view version);
const Release* program_release(std::string_view program);

TypeRows type(std::string_view name);
// Returns whether some type has the field, or one below the kind.
bool is_field_in(std::string_view key, std::string_view kind);
// Returns whether one below another kind of the same program has it.
bool is_field_beside(std::string_view key, std::string_view kind);
std::string_view pattern(std::string_view number);

// A field of an object that only one of the two releases has.
struct MarkedField {
  const yaml::Node* key;
  std::string path;
  char mark;  // `+`, `-`
};
std::vector<MarkedField> marked_fields(const yaml::Node& object, const ServedObject& served);

// One of the bounds, choices and the like behind the letter of a value.
struct Limit {
  char sign;  // `>`, `<`, `|`, `~`, `#`
  std::string_view text;
};
std::vector<Limit> limits(std::string_view text);

}  // namespace flexslice::schema::servers
