#include "view/read_commands.hpp"

#include <algorithm>
#include <span>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "base/text.hpp"
#include "catalog/flag_values.hpp"
#include "extract/terraform.hpp"
#include "schema/pattern.hpp"
#include "schema/placeholder.hpp"
#include "view/gcloud_words.hpp"
#include "view/word_claims.hpp"

namespace flexslice::view {

using catalog::CommandTable;
using extract::create_autopilot, extract::create_cluster, extract::create_policy;
using extract::Word;
using spec::Integer;
using spec::Text;

namespace {

// Word processors and some pages make such a dash of two hyphens.
bool begins_with_long_dash(std::string_view text) {
  if (!text.starts_with("\u2013") && !text.starts_with("\u2014")) return false;
  const std::size_t name = text.find_first_not_of('-', 3);
  return name < text.size() && ascii::is_lower(text[name]);
}

// `$ARGS` may be any number of words, and pages leave words out as `[--flag]` or `...`.
bool may_be_several(const Word& word) {
  return word.unknown &&
         (word.text.starts_with('$') || word.text.starts_with('[') ||
          word.text.find("...") != word.text.npos || word.text.find("…") != word.text.npos);
}

class CommandReader {
 public:
  CommandReader(const extract::Command& command, const catalog::Catalog& catalog)
      : words_(extract::all_words(command)), next_(command.next), catalog_(catalog) {
    pool_.where = {command.where, true};
    pool_.source = command.where.source;
    pool_.claims.where = pool_.where;
    pool_.block = command.block;
    pool_.complete = !command.is_open;
    if (!command.lost.empty()) {
      pool_.broken = command.broken;
      pool_.broken_by = command.broken_by;
      pool_.lost = command.lost.front().text;
    }
  }

  // Returns false if there is nothing to judge.
  bool read() {
    if (words_.empty() || contains(launcher_names(), words_.front().text)) return false;
    const bool is_slip = !words_.front().text.ends_with("gcloud");
    read_words();
    if (is_slip && !pool_.named.is_command()) return false;
    if (is_slip) pool_.program = claim_of_word(words_.front(), words_.front().text);
    find_command();
    if (pool_.unknown_word.where.given) return true;
    if (pool_.broken == Span{}) find_broken_flag();
    if (pool_.command.empty()) return pool_.named.is_command() || is_broken() || is_of_access();
    if (pool_.command != create_policy) claim_machine();
    return true;
  }

  PoolClaims take() { return std::move(pool_); }

 private:
  bool is_broken() const {
    return pool_.broken != Span{} && pool_.broken_by != extract::BrokenBy::blank_in_flag;
  }

  // The table does not have the commands of some groups.
  bool is_of_access() const {
    return pool_.path == "storage buckets create" ||
           pool_.path == "storage buckets add-iam-policy-binding" ||
           (pool_.named.is_opaque() && any_of(pool_.operands, [](const Text& word) {
              return word.value == "add-iam-policy-binding";
            }));
  }

  void read_words() {
    GcloudWords words = read_gcloud(std::span(words_).subspan(1));
    positional_ = std::move(words.arguments.operands);
    pool_.named = words.command;
    pool_.syntax = std::move(words.syntax);
    const Word* open = last_open(words);
    for (const extract::FlagWords& each : words.arguments.flags) {
      if (each.name == "--flags-file") open = std::max(open, each.word);
    }
    for (const extract::FlagWords& each : words.arguments.flags) {
      FlagClaim flag;
      flag.name = claim_of_word(*each.word, each.name);
      flag.name.where.placeholder = false;
      if (!pool_.block.type.empty()) flag.name.where.span = each.word->where;
      if (each.value != nullptr) flag.value = claim_of_word(*each.value, each.text(), each.begin);
      flag.set_at = (each.value == nullptr ? each.word : each.value)->set_at;
      if (each.value != nullptr) flag.parts = each.value->parts;
      flag.row = pool_.syntax.find(each.name);
      // Lists are read by `items`, which has a place for each.
      if (flag.row != nullptr && !flag.row->has_items() && flag.value.usable())
        flag.value.value = catalog::plain_value(flag.row->type, flag.value.value);
      flag.is_passed_on = each.word->is_passed_on;
      flag.flags_file = each.word->flags_file;
      flag.is_denied = each.word->is_denied;
      if (open != nullptr && each.word < open) flag.value.where.placeholder = true;
      if (each.name == "--flags-file" || each.name.find('$') != each.name.npos ||
          may_be_several(*each.word))
        pool_.complete = false;
      pool_.flags.push_back(std::move(flag));
    }
    std::erase_if(positional_, [&](const Word* word) {
      if (!begins_with_long_dash(word->text)) return false;
      pool_.flags.emplace_back().name =
          claim_of_word(*word, word->text.substr(0, word->text.find('=')));
      return true;
    });
  }

  // The last word that may be flags, of which the last of a name counts: `"$@"`, or `$MORE`
  // after all operands. Null: there is none.
  const Word* last_open(const GcloudWords& words) const {
    const Word* last = nullptr;
    const std::size_t most = words.command.words + words.syntax.positionals.size();
    std::size_t count = 0;
    for (const Word* word : words.arguments.operands) {
      ++count;
      const bool is_list = word->text.starts_with("$@") || word->text.starts_with("${@") ||
                           word->text.ends_with("[@]}") || word->text.ends_with("[*]}");
      if (word->unknown && (is_list || (word->may_split && count > most))) last = word;
    }
    return last;
  }

  // A command that is not known is likely to have the flags of others.
  bool knows(std::string_view flag) const {
    return (pool_.named.is_command() ? pool_.syntax.find(flag) != nullptr
                                     : CommandTable::built_in().any_flag(flag) != nullptr) ||
           catalog::find_later_flag(catalog_, pool_.path, flag) != nullptr;
  }

  // Two words that are a flag together, where the first alone is none.
  void find_broken_flag() {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const Word& word = words_[i];
      const bool is_last = i + 1 == words_.size();
      const std::string& rest = is_last ? next_ : words_[i + 1].text;
      if (!word.text.starts_with("--") || word.unknown || rest.empty() || rest.starts_with('-') ||
          !knows(word.text + rest.substr(0, rest.find('='))) || knows(word.text))
        continue;
      pool_.broken = word.where;
      pool_.broken_by = is_last ? extract::BrokenBy::in_flag : extract::BrokenBy::blank_in_flag;
      pool_.lost = rest;
    }
  }

  // `beta container node-pools create NAME`.
  void find_command() {
    const std::size_t used = std::min(pool_.named.words, positional_.size());
    std::size_t i = 0;
    if (used > 0 && pool_.named.track != 'g') pool_.release = positional_[i++]->text;
    for (; i < used; ++i) {
      std::string name = positional_[i]->text;
      std::replace(name.begin(), name.end(), '_', '-');
      pool_.path += (pool_.path.empty() ? "" : " ") + name;
    }
    for (; i < positional_.size(); ++i) {
      const Word& word = *positional_[i];
      // A variable in the place of a name is taken for one.
      if (may_be_several(word) && pool_.operands.size() >= pool_.syntax.positionals.size())
        pool_.complete = false;
      pool_.operands.push_back(claim_of_word(word, word.text));
    }
    if (!pool_.named.is_command()) return find_unknown_word(used);
    for (std::string_view command :
         {create_pool, create_cluster, create_autopilot, create_policy}) {
      if (pool_.path == command) pool_.command = command;
    }
    if (!pool_.operands.empty()) pool_.name = pool_.operands.front();
  }

  // The first word after the groups where no command or group has its name.
  void find_unknown_word(std::size_t used) {
    // An array may list programs.
    const bool is_list = !pool_.complete && used == 0;
    if (pool_.named.is_opaque() || pool_.operands.empty() || is_list) return;
    const Text& word = pool_.operands.front();
    const bool is_name = !word.value.empty() && ascii::is_lower(word.value.front()) &&
                         std::ranges::all_of(word.value, [](char c) {
                           return ascii::is_lower(c) || ascii::is_digit(c) || c == '-' || c == '_';
                         });
    if (!word.usable() || !is_name) return;
    pool_.unknown_word = word;
    const std::size_t first = pool_.release.empty() || used == 0 ? 0 : 1;
    pool_.where.span.begin = positional_[first]->where.begin;
    pool_.where.span.end = positional_[used]->where.end;
  }

  Text value_of(std::string_view flag, std::string_view label) const {
    const FlagClaim* claim = pool_.find(flag);
    Text value = claim == nullptr ? Text{} : claim->value;
    value.where.label = label;
    return value;
  }

  void claim_machine() {
    spec::Claims& claims = pool_.claims;
    claims.name = pool_.name;
    claims.tpu.machine_type = value_of("--machine-type", "--machine-type");
    claims.tpu.topology = value_of("--tpu-topology", "--tpu-topology");
    for (std::string_view flag : {"--location", "--region", "--zone"}) {
      if (const Text location = value_of(flag, flag); location.where.given)
        claims.cluster.location = location;
    }
    claims.cluster.name = value_of("--cluster", "--cluster");
    const bool is_pool = pool_.command == create_pool;
    const std::string_view version = is_pool ? "--node-version" : "--cluster-version";
    claims.cluster.version = value_of(version, version);
    claims.provisioning.max_run_duration = value_of("--max-run-duration", "--max-run-duration");
    if (!schema::duration_seconds(claims.provisioning.max_run_duration.value))
      claims.provisioning.max_run_duration.where.placeholder = true;
    claim_model();
    for (std::string_view flag : {"--num-nodes", "--max-nodes"}) {
      const Text text = value_of(flag, flag);
      const auto number = text::whole_number(text.value);
      if (number && text.usable() && pool_.command == create_pool)
        claims.provisioning.node_counts.items.push_back({text.where, *number});
    }
    const Text zones = value_of("--node-locations", "--node-locations");
    claims.provisioning.zones.where = zones.where;
    if (!zones.usable()) return;
    for (Text& zone : pool_.find("--node-locations")->items()) {
      zone.where.label = zones.where.label;
      zone.where.placeholder = schema::is_placeholder(zone.value);
      claims.provisioning.zones.items.push_back(std::move(zone));
    }
  }

  // The flags name the model. Without any, it is on demand or not known.
  void claim_model() {
    Text& model = pool_.claims.provisioning.model;
    model.where.placeholder = true;
    for (const auto& [flag, means] : model_flags) {
      const FlagClaim* claim = pool_.find(flag);
      const auto* row = find_where(
          catalog_.models, [means = means](const catalog::Model& each) { return each.*means; });
      if (claim == nullptr || row == nullptr) continue;
      model = claim->name;
      model.value = row->name;
      return;
    }
  }

  std::vector<Word> words_;
  const std::string& next_;
  const catalog::Catalog& catalog_;
  std::vector<const Word*> positional_;
  PoolClaims pool_;
};

}  // namespace

const std::vector<std::string_view>& gcloud_names() {
  static const std::vector<std::string_view> names{
      "gcloud",  "cloud",   "gloud",   "gcoud",   "gclud",   "gclod",      "gclou",
      "cgloud",  "glcoud",  "gcolud",  "gcluod",  "gclodu",  "ggcloud",    "gccloud",
      "gclloud", "gclooud", "gclouud", "gcloudd", "gclould", "googlecloud"};
  return names;
}

std::vector<Text> FlagClaim::items() const {
  const bool has_items = row == nullptr || row->has_items();
  const auto items = has_items ? catalog::list_items(value.value) : std::nullopt;
  if (!items) return {value};
  std::vector<Text> texts;
  for (const std::string_view item : *items) texts.push_back(part(item, texts.size()));
  return texts;
}

void read_command(const extract::Command& command, const catalog::Catalog& catalog, Found& found) {
  CommandReader reader(command, catalog);
  if (!reader.read()) return;
  PoolClaims pool = reader.take();
  found.pools.push_back(std::move(pool));
}

void name_arguments(const extract::ResourceBlock& block, diag::Diagnostic& finding) {
  const auto rename = [&](std::string& text) { text = extract::in_terraform(text, block); };
  rename(finding.message);
  for (auto* texts : {&finding.notes, &finding.helps}) std::ranges::for_each(*texts, rename);
  for (diag::Related& related : finding.related) rename(related.text);
}

}  // namespace flexslice::view
