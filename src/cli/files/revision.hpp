// Files of a git revision, which are read without the filters of the repository.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace flexslice::cli {

// REV:PATH. git reads the path from the root of the repository, or from the current directory if it
// begins with a dot.
struct RevisionPath {
  std::string revision, path;
};

// Nothing where the word names a file, or has no colon.
std::optional<RevisionPath> revision_path(const std::string& word);

struct RevisionFile {
  std::string name;  // REV:PATH, the path from the root
  std::string text;
};

// The file at the path, or the specs below it without those of `layers`, of which there may be
// none. These throw Failure without a repository, a revision or a file there.
std::vector<RevisionFile> specs_at(const RevisionPath& place,
                                   const std::vector<std::string>& layers);
RevisionFile file_at(const RevisionPath& place);

// Says whether the revision has a file there, or files below. Throws Failure as the others.
bool is_at(const RevisionPath& place);

// The place of a file of the work tree in a revision; nothing for a file outside of it.
std::optional<RevisionPath> in_revision(const std::string& revision, const std::string& file);
// Nothing if the revision has no such file.
std::optional<RevisionFile> find_file_at(const RevisionPath& place);

}  // namespace flexslice::cli
