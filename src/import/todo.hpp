// Required facts that the input lacks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "yaml/value.hpp"

namespace flexslice::imports {

// A placeholder with the comment `TODO: zone of the pool`; `todo` gets the words.
yaml::Value missing(std::string_view placeholder, std::string_view words,
                    std::vector<std::string>& todo);

// Sets the field to that, unless the record has it.
void require(yaml::Value& record, std::string_view key, std::string_view placeholder,
             std::string_view words, std::vector<std::string>& todo);

}  // namespace flexslice::imports
