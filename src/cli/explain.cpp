// flexslice explain: the plan of a spec in words, what a diagnostic means, what the catalog knows
// about a word.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cxxopts.hpp>
#include <filesystem>

#include "base/text.hpp"
#include "cli/batch.hpp"
#include "cli/cli.hpp"
#include "cli/command.hpp"
#include "cli/io.hpp"
#include "cli/parse_options.hpp"
#include "explain/codes/codes.hpp"
#include "explain/topics/topics.hpp"

namespace flexslice::cli {

namespace {

bool looks_like_file(std::string_view word) {
  return word == "-" || word.find('/') != std::string_view::npos || word.ends_with(".yaml") ||
         word.ends_with(".yml") || word.ends_with(".json");
}

class Explainer {
 public:
  explicit Explainer(const Run& run) : run_(run), batch_(run) {}

  int all(const std::vector<std::string>& words) {
    int status = fine;
    for (std::size_t i = 0; i < words.size(); ++i) {
      // `topology 1x1`: a category in front asks one table.
      const auto categories = explain::topic_categories();
      const bool category = i + 1 < words.size() && std::find(categories.begin(), categories.end(),
                                                              words[i]) != categories.end();
      status = std::max(status, category ? topic(words[i + 1], words[i]) : word(words[i]));
      if (category) ++i;
    }
    return std::max({status, batch_.status(), flush()});
  }

 private:
  int word(const std::string& word) {
    if (looks_like_file(word)) return spec(word);
    if (const diag::Row* row = diag::find_row(word)) return say(explain::code_text(*row));
    return topic(word, {});
  }

  int spec(const std::string& path) {
    CompileOptions options;
    options.explain = true;
    return batch_.file(path, options, [&](const Checked& checked) {
      print_error(checked.findings);
      return checked.compiled.ok ? say(checked.compiled.explanation) : fine;
    });
  }

  int topic(const std::string& word, std::string_view category) {
    const catalog::Catalog& catalog = run_.knowledge.catalog;
    if (const auto text = explain::topic_text(catalog, word, category)) return say(*text);
    std::error_code ignored;
    if (category.empty() && std::filesystem::exists(word, ignored)) return spec(word);
    const std::vector<std::string> known = explain::topic_words(catalog, category);
    const std::vector<std::string_view> views(known.begin(), known.end());
    const auto near = text::nearest(word, views);
    const std::string what =
        category.empty() ? "nothing is known about" : "there is no " + std::string(category);
    return wrong_usage(fmt::format("{} `{}`{}", what, word,
                                   near ? fmt::format("; did you mean `{}`?", *near) : ""));
  }

  int say(std::string_view text) {
    const int status = said_ ? print("\n") : fine;
    said_ = true;
    return std::max(status, print(text));
  }

  const Run& run_;
  Batch batch_;
  bool said_ = false;
};

}  // namespace

int run_explain(Arguments arguments) {
  const auto declare = [](cxxopts::Options& options) {
    add_sources(options);
    add_common(options);
  };
  return with_options(arguments, declare, [](const cxxopts::ParseResult& parsed) {
    if (parsed.count("words") == 0)
      return wrong_usage(
          "explain what? a spec, a code such as FS3002, or a topic such as v6e or 4x4");
    Run run;
    if (auto status = read_run(parsed, STDERR_FILENO, run)) return *status;
    return Explainer(run).all(run.files);
  });
}

}  // namespace flexslice::cli
