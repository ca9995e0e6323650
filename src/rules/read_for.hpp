// A file without TPUs is read for what it says of the others of its run: `readFor` of
// references.yaml.
#pragma once

#include <string_view>

namespace flexslice::rules {

enum class ReadFor {
  completes,  // pods, queues and buckets of others are judged by what it says
  makes,      // objects that others name
  creates,    // nodes of its folder, or what decides about them
};
// Fast: looks for kinds and words, and parses nothing.
bool is_read_for(ReadFor purpose, std::string_view text);

}  // namespace flexslice::rules
