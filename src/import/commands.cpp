#include "import/commands.hpp"

#include <algorithm>
#include <utility>

#include "base/ascii.hpp"
#include "base/lists.hpp"
#include "catalog/flag_values.hpp"
#include "view/gcloud_words.hpp"
#include "view/launch.hpp"

namespace flexslice::imports {

namespace {

constexpr std::string_view gcloud_names[] = {create_pool,   create_cluster, create_autopilot,
                                             create_policy, describe_pool,  list_pools};

// A script that sets these to nothing asks its reader to fill them in.
constexpr std::string_view with_value[] = {"--project", "--zone", "--cluster"};

std::string_view program_of(std::string_view word) { return word.substr(word.rfind('/') + 1); }

// `$DISK_SIZE` for what another command prints.
std::string placeholder_for(std::string_view flag) {
  std::string name = "$";
  for (const char c : flag.substr(std::min(flag.find_first_not_of('-'), flag.size())))
    name += c == '-' ? '_' : ascii::is_lower(c) ? static_cast<char>(c - 'a' + 'A') : c;
  return name;
}

// The text takes the output of another command.
bool has_output(std::string_view text) { return text.find("$(") != text.npos; }

class CommandWords {
 public:
  explicit CommandWords(const extract::Command& command) : words_(extract::all_words(command)) {
    result_.where = command.where;
    result_.loop = command.loop;
    result_.block = command.block;
  }

  std::optional<NodeCommand> read() {
    take_check();
    if (at_ >= words_.size()) return std::nullopt;
    if (program_of(words_[at_].text) != "gcloud") return std::nullopt;
    ++at_;
    read_flags();
    if (!take_name()) return std::nullopt;
    return std::move(result_);
  }

 private:
  // `expect CONDITION… -- gcloud …`, `expect_pools COUNT CONDITION… -- gcloud …`.
  void take_check() {
    const std::string_view first = words_.empty() ? "" : std::string_view(words_.front().text);
    if (first != "expect" && first != "expect_pools") return;
    for (at_ = 1; at_ < words_.size() && words_[at_].text != "--"; ++at_)
      result_.conditions.push_back(words_[at_].text);
    ++at_;
  }

  // `--zone=$ZONE` and `--zone $ZONE`, where ZONE is set to nothing.
  static bool has_empty_variable(const extract::FlagWords& flag) {
    if (flag.value == nullptr)
      return flag.word->text == flag.name && contains(with_value, flag.name);
    return flag.text().empty() && flag.value->set_at != Span{};
  }

  void read_flags() {
    view::GcloudWords gcloud = view::read_gcloud(std::span(words_).subspan(at_));
    operands_ = std::move(gcloud.arguments.operands);
    for (extract::FlagWords& each : gcloud.arguments.flags) {
      const bool is_empty = has_empty_variable(each);
      const catalog::FlagRow* row = gcloud.syntax.find(each.name);
      std::string value = row == nullptr || each.value == nullptr || each.value->unknown
                              ? each.text()
                              : catalog::plain_value(row->type, each.text());
      Flag flag{std::move(each.name), std::move(value), each.word->where, {}, is_empty};
      if (has_output(flag.value))
        flag.by_shell = std::exchange(flag.value, placeholder_for(flag.name));
      result_.flags.push_back(std::move(flag));
    }
  }

  bool take_name() {
    std::string all;
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const std::string& word = operands_[i]->text;
      if (all.empty() && (word == "beta" || word == "alpha")) continue;
      all += (all.empty() ? "" : " ") + word;
      if (!contains(gcloud_names, all)) continue;
      result_.name = all;
      if (i + 1 < operands_.size()) result_.operand = operands_[i + 1]->text;
      find_unread(i + 2);
      return true;
    }
    return false;
  }

  void find_unread(std::size_t first) {
    for (std::size_t i = first; i < operands_.size(); ++i) {
      const extract::Word& word = *operands_[i];
      if (word.unknown && word.text.starts_with('$'))
        result_.unread.push_back({word.text, word.where});
    }
  }

  std::vector<extract::Word> words_;
  std::size_t at_ = 0;
  std::vector<const extract::Word*> operands_;
  NodeCommand result_;
};

}  // namespace

const Flag* NodeCommand::find(std::string_view flag) const {
  const auto found = std::find_if(flags.rbegin(), flags.rend(),
                                  [&](const Flag& each) { return each.name == flag; });
  return found == flags.rend() ? nullptr : &*found;
}

std::string NodeCommand::value(std::string_view flag) const {
  const Flag* found = find(flag);
  return found == nullptr ? "" : found->value;
}

const std::vector<std::string_view>& programs() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all{"gcloud", "expect", "expect_pools", "echo"};
    all.insert(all.end(), view::launcher_names().begin(), view::launcher_names().end());
    return all;
  }();
  return names;
}

std::optional<NodeCommand> node_command(const extract::Command& command) {
  std::optional<NodeCommand> read = CommandWords(command).read();
  // Modules take no topology without this type.
  if (read && read->block.type.starts_with("module.") && read->has("--tpu-topology"))
    std::erase_if(read->flags, [](const Flag& flag) {
      return flag.name == "--placement-type" && text::lower(flag.value) == "compact";
    });
  return read;
}

}  // namespace flexslice::imports
