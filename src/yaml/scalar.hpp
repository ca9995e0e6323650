// How a string is written as a YAML scalar: the only place that decides about quotes. The YAML writer calls it.
#pragma once

#include <string>
#include <string_view>

namespace flexslice::yaml {

enum class Form { plain, quoted, literal };

// Literal is answered only for texts with a line break, of which a literal block keeps every byte.
Form form_of(std::string_view text);
// On one line, between double quotes, with the escapes that both JSON and YAML know.
void write_quoted(std::string_view text, std::string& out);
// Whether every reader takes the code point as it is inside a scalar.
bool is_safe(char32_t point);

}  // namespace flexslice::yaml
