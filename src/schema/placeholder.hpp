// Placeholders in values: what documentation and templates write where the reader's own value goes.
#pragma once

#include <string_view>

namespace flexslice::schema {

// The first `$X`, `${X}`, `<x>`, `YOUR_X`, `{{ x }}`, `{ZONE}` or `[ZONE]` of the text; empty when
// it has none.
std::string_view placeholder_in(std::string_view text);

// The first word such as `CLUSTER_NAME`, which documentation writes for values. Tags and names of
// variables look alike: it is a placeholder only where it fits nothing else.
std::string_view capital_word_in(std::string_view text);
// The first word such as `CLUSTER-NAME`, of which the same holds.
std::string_view hyphenated_word_in(std::string_view text);

// `MAIN` or `A_B`: capitals of which no word says what is to be filled in, as `POOL` does.
bool is_plain_in_capitals(std::string_view text);

// `$X`, `<x>`, `{{ x }}`, `TPU_TOPOLOGY`, `your-pool`, `changeme`, `...`: no value to judge. It is
// one by its form: `example-svc` is a name like any other.
bool is_placeholder(std::string_view text);

}  // namespace flexslice::schema
