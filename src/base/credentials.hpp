// Tokens and private keys in texts: what a rule warns of, and what nothing that is reported shows.
#pragma once

#include <string>
#include <string_view>

namespace flexslice {

// Says whether the text has a token of a form that is known, a private key, a password in an
// address, or the value of a name such as `API_KEY=` or `--password `. Placeholders, references
// such as `$NAME`, and examples of one repeated character are none.
bool has_credential(std::string_view text);

// The text with `*` in place of the characters of each, so that every byte stays where it is. What
// a token begins with stays, and of a private key its first line.
std::string masked(std::string text);

}  // namespace flexslice
