#include "lsp/server.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "base/lists.hpp"
#include "base/utf8.hpp"
#include "lsp/open_text.hpp"
#include "rpc/peer.hpp"

namespace flexslice::lsp {

namespace {

using rpc::json, rpc::RpcError;
using std::size_t;

constexpr int not_initialized = -32002;

constexpr size_t max_open_bytes = 16u << 20;  // of one text
constexpr size_t max_findings = 1000;         // of one text: editors stand still over more

// The path of a `file:` address, which says what the text is; others as they are.
std::string path_of_uri(std::string_view uri) {
  constexpr std::string_view scheme = "file://";
  if (uri.starts_with(scheme)) uri.remove_prefix(scheme.size());
  const auto digit = [](char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    return digits.find(static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c));
  };
  std::string name;
  for (size_t i = 0; i < uri.size(); ++i) {
    const size_t high = uri[i] == '%' && i + 2 < uri.size() ? digit(uri[i + 1]) : uri.npos;
    const size_t low = high == uri.npos ? uri.npos : digit(uri[i + 2]);
    name += low == uri.npos ? uri[i] : static_cast<char>(high * 16 + low);
    if (low != uri.npos) i += 2;
  }
  return name;
}

// As `explain` prints it, so that columns stay.
json markup(std::string_view text) {
  return {{"kind", "markdown"}, {"value", fmt::format("```text\n{}```", text)}};
}

int severity(diag::Level level) {
  constexpr int severities[] = {1, 1, 2, 3};
  return severities[static_cast<size_t>(level)];
}

}  // namespace

class Server::Impl {
  struct Open {
    OpenText text;
    std::string name;
    json version;
    bool is_new = true;  // its findings have not been published
    std::optional<std::vector<diag::Diagnostic>> found = std::nullopt;
  };

 public:
  Impl(Settings settings, std::string_view version, std::function<void(std::string_view)> send)
      : settings_(std::move(settings)),
        base_(settings_.policy),
        version_(version),
        peer_(std::move(send)) {}

  void handle(std::string_view body) {
    peer_.handle(body, [this](const rpc::Message& message) { return dispatch(message); });
  }

  void refuse(std::string_view error) { peer_.refuse(error); }

  void publish() {
    for (auto& [uri, open] : texts_) {
      if (!std::exchange(open.is_new, false)) continue;
      json list = json::array();
      for (const diag::Diagnostic& finding : found(open))
        list.push_back(diagnostic(uri, open, finding));
      json params{{"uri", uri}, {"diagnostics", std::move(list)}};
      if (open.version.is_number_integer()) params["version"] = open.version;
      peer_.notify("textDocument/publishDiagnostics", std::move(params));
    }
  }

  bool has_ended() const { return ended_; }
  int status() const { return shut_down_ ? 0 : 1; }

 private:
  struct Method {
    std::string_view name;
    json (Impl::*answer)(const json& params);
    bool is_request;
  };

  static std::span<const Method> methods() {
    static constexpr Method rows[] = {
        {"initialize", &Impl::initialize, true},
        {"shutdown", &Impl::shut_down, true},
        {"textDocument/didOpen", &Impl::open, false},
        {"textDocument/didChange", &Impl::change, false},
        {"textDocument/didClose", &Impl::close, false},
        {"workspace/didChangeConfiguration", &Impl::configure, false},
        {"textDocument/hover", &Impl::hover_at, true},
        {"textDocument/completion", &Impl::complete, true},
        {"textDocument/codeAction", &Impl::fixes, true},
        {"textDocument/documentSymbol", &Impl::outline, true},
    };
    return rows;
  }

  json dispatch(const rpc::Message& message) {
    if (message.method == "exit") {
      ended_ = true;
      return nullptr;
    }
    if (!initialized_ && message.method != "initialize")
      throw RpcError(not_initialized, "initialize comes first");
    if (shut_down_) throw RpcError(rpc::invalid_request, "the server is shut down");
    const Method* method = find_where(methods(), [&](const Method& row) {
      return row.name == message.method && row.is_request == message.is_request;
    });
    if (method == nullptr)
      throw RpcError(rpc::unknown_method, fmt::format("unknown method {}", message.method));
    return (this->*method->answer)(message.params);
  }

  json initialize(const json& params) {
    const auto offered = params.find("capabilities");
    const json encodings =
        offered == params.end()
            ? json::array()
            : offered->value("/general/positionEncodings"_json_pointer, json::array());
    const bool has_utf8 = std::ranges::count(encodings, json("utf-8")) > 0;
    encoding_ = has_utf8 ? Encoding::utf8 : Encoding::utf16;
    if (const auto options = params.find("initializationOptions"); options != params.end())
      read_settings(*options);
    initialized_ = true;
    return {
        {"serverInfo", {{"name", "flexslice"}, {"version", version_}}},
        {"capabilities",
         {{"positionEncoding", has_utf8 ? "utf-8" : "utf-16"},
          {"textDocumentSync", {{"openClose", true}, {"change", 2}}},
          {"hoverProvider", true},
          {"completionProvider", {{"triggerCharacters", {" ", ":"}}}},
          {"codeActionProvider", {{"codeActionKinds", {"quickfix", "source.fixAll.flexslice"}}}},
          {"documentSymbolProvider", true}}}};
  }

  json shut_down(const json&) {
    shut_down_ = true;
    return nullptr;
  }

  // `allow`, `deny` and `notes` as the options of those names, on top of the command line's.
  void read_settings(const json& options) {
    if (!options.is_object()) return;
    settings_.policy = base_;
    const auto add = [&](const char* key, diag::Action action) {
      for (const json& word : options.value(key, json::array())) {
        const auto refusal =
            diag::add_rule(settings_.policy, action, word.get<std::string>(), true);
        if (refusal) peer_.notify("window/showMessage", {{"type", 2}, {"message", *refusal}});
      }
    };
    add("deny", diag::Action::deny);
    add("allow", diag::Action::allow);
    settings_.rules.notes = options.value("notes", settings_.rules.notes);
  }

  json configure(const json& params) {
    const json& all = params.at("settings");
    if (!all.is_object() || !all.contains("flexslice")) return nullptr;
    read_settings(all.at("flexslice"));
    for (auto& [uri, open] : texts_) renew(open);
    return nullptr;
  }

  static void renew(Open& open) {
    open.found.reset();
    open.is_new = true;
  }

  static std::string uri_of(const json& params) {
    return params.at("textDocument").at("uri").get<std::string>();
  }
  Open& text_of(const json& params) {
    const auto found = texts_.find(uri_of(params));
    if (found == texts_.end()) throw std::invalid_argument("the text is not open");
    return found->second;
  }
  static OpenFile named(const Open& open) { return {open.name, open.text.text()}; }

  json open(const json& params) {
    const json& document = params.at("textDocument");
    auto text = document.at("text").get<std::string>();
    const std::string uri = uri_of(params);
    if (text.size() > max_open_bytes) text.clear();
    texts_.insert_or_assign(
        uri, Open{OpenText(std::move(text)), path_of_uri(uri), document.value("version", json())});
    return nullptr;
  }

  json change(const json& params) {
    Open& open = text_of(params);
    for (const json& edit : params.at("contentChanges")) {
      const auto& text = edit.at("text").get_ref<const std::string&>();
      if (open.text.text().size() + text.size() > max_open_bytes) continue;
      const auto range = edit.find("range");
      if (range == edit.end()) {
        open.text = OpenText(text);
      } else {
        open.text.replace(offset(open, range->at("start")), offset(open, range->at("end")), text);
      }
    }
    open.version = params.at("textDocument").value("version", json());
    renew(open);
    return nullptr;
  }

  json close(const json& params) {
    const std::string uri = uri_of(params);
    if (texts_.erase(uri) > 0)
      peer_.notify("textDocument/publishDiagnostics",
                   {{"uri", uri}, {"diagnostics", json::array()}});
    return nullptr;
  }

  size_t offset(const Open& open, const json& position) const {
    return open.text.offset(
        {position.at("line").get<std::uint32_t>(), position.at("character").get<std::uint32_t>()},
        encoding_);
  }
  json position(const Open& open, size_t offset) const {
    const ClientPosition place = open.text.position(offset, encoding_);
    return {{"line", place.line}, {"character", place.character}};
  }
  json range(const Open& open, size_t begin, size_t end) const {
    return {{"start", position(open, begin)}, {"end", position(open, end)}};
  }

  const std::vector<diag::Diagnostic>& found(Open& open) const {
    if (!open.found) {
      open.found = findings(settings_, named(open));
      if (open.found->size() > max_findings)
        open.found->erase(open.found->begin() + max_findings, open.found->end());
    }
    return *open.found;
  }

  json diagnostic(const std::string& uri, const Open& open, const diag::Diagnostic& finding) const {
    std::string text = finding.message;
    for (const std::string& note : finding.notes) text += "\nnote: " + note;
    for (const std::string& help : finding.helps) text += "\nhelp: " + help;
    json related = json::array();
    for (const diag::Related& other : finding.related) {
      if (other.file.empty()) {
        const json where{{"uri", uri}, {"range", range(open, other.where.begin, other.where.end)}};
        related.push_back({{"location", where}, {"message", other.text}});
      } else {
        text += fmt::format("\nnote: {}:{}:{}: {}", other.file, other.position.line,
                            other.position.column, other.text);
      }
    }
    json made{{"range", range(open, finding.where.begin, finding.where.end)},
              {"severity", severity(finding.level)},
              {"code", diag::code_text(finding.code)},
              {"source", "flexslice"},
              {"message", std::move(text)}};
    if (!related.empty()) made["relatedInformation"] = std::move(related);
    return made;
  }

  json hover_at(const json& params) {
    Open& open = text_of(params);
    const auto hover =
        lsp::hover(settings_, named(open), offset(open, params.at("position")), found(open));
    if (!hover) return nullptr;
    return {{"contents", markup(hover->text)}, {"range", range(open, hover->begin, hover->end)}};
  }

  json complete(const json& params) {
    const Open& open = text_of(params);
    const Completions made =
        completions(settings_, named(open), offset(open, params.at("position")));
    const json where = range(open, made.begin, made.end);
    json items = json::array();
    for (const Completion& each : made.items) {
      constexpr int property = 10, value = 12;
      json& entry =
          items.emplace_back(json{{"label", each.label},
                                  {"kind", each.is_field ? property : value},
                                  {"sortText", fmt::format("{:04}", items.size())},
                                  {"filterText", each.label},
                                  {"textEdit", {{"range", where}, {"newText", each.text}}}});
      if (!each.type.empty()) entry["detail"] = each.type;
      if (!each.about.empty())
        entry["documentation"] = {{"kind", "markdown"}, {"value", each.about}};
    }
    return items;
  }

  json fixes(const json& params) {
    Open& open = text_of(params);
    const std::string uri = uri_of(params);
    const size_t begin = offset(open, params.at("range").at("start"));
    const size_t end = offset(open, params.at("range").at("end"));
    json actions = json::array();
    if (is_wanted(params, "quickfix")) {
      for (const diag::Diagnostic& finding : found(open)) {
        if (finding.where.begin > end || finding.where.end < begin) continue;
        const auto shown = finding.shown_fixes();
        const std::string code = diag::code_text(finding.code);
        if (!shown.empty())
          actions.push_back(action(uri, open, finding, shown,
                                   finding.helps.empty()
                                       ? "Fix " + code
                                       : fmt::format("{} ({})", finding.helps.front(), code),
                                   true));
        for (const diag::Edit& choice : finding.choices)
          actions.push_back(action(uri, open, finding, {&choice, 1},
                                   fmt::format("write {} ({})", choice.text, code), false));
      }
    }
    if (is_wanted(params, "source.fixAll.flexslice")) add_fix_all(uri, open, actions);
    return actions;
  }

  json action(const std::string& uri, Open& open, const diag::Diagnostic& finding,
              std::span<const diag::Edit> changes, const std::string& title, bool is_preferred) {
    json edits = json::array();
    for (const diag::Edit& edit : changes)
      edits.push_back(
          {{"range", range(open, edit.where.begin, edit.where.end)}, {"newText", edit.text}});
    return {{"title", title},
            {"kind", "quickfix"},
            {"isPreferred", is_preferred},
            {"diagnostics", {diagnostic(uri, open, finding)}},
            {"edit", {{"changes", {{uri, std::move(edits)}}}}}};
  }

  // True if the client asks for actions of that kind or of one above it.
  static bool is_wanted(const json& params, std::string_view kind) {
    const json only = params.value("/context/only"_json_pointer, json());
    if (!only.is_array()) return true;
    return std::ranges::any_of(only, [&](const json& asked) {
      const auto& word = asked.get_ref<const std::string&>();
      return kind == word || kind.starts_with(word + ".");
    });
  }

  // One edit, from the first byte that differs to the last one.
  void add_fix_all(const std::string& uri, Open& open, json& actions) const {
    if (std::ranges::all_of(found(open), [](const auto& each) { return each.fixes.empty(); }))
      return;
    const std::string& old = open.text.text();
    const std::string text = fixed(settings_, named(open), found(open));
    size_t same = 0, same_end = 0;
    const size_t most = std::min(old.size(), text.size());
    while (same < most && old[same] == text[same]) ++same;
    while (same > 0 && same < old.size() && utf8::continues(old[same])) --same;
    while (same_end < most - same &&
           old[old.size() - 1 - same_end] == text[text.size() - 1 - same_end])
      ++same_end;
    while (same_end > 0 && utf8::continues(old[old.size() - same_end])) --same_end;
    if (same == old.size() && same == text.size()) return;
    const json edit{{"range", range(open, same, old.size() - same_end)},
                    {"newText", text.substr(same, text.size() - same_end - same)}};
    actions.push_back({{"title", "Apply all safe fixes"},
                       {"kind", "source.fixAll.flexslice"},
                       {"edit", {{"changes", {{uri, json::array({edit})}}}}}});
  }

  json outline(const json& params) {
    const Open& open = text_of(params);
    json all = json::array();
    for (const Symbol& symbol : symbols(named(open))) all.push_back(symbol_json(open, symbol));
    return all;
  }

  json symbol_json(const Open& open, const Symbol& symbol) const {
    constexpr int function = 12, object = 19, key = 20;
    const json start = position(open, symbol.begin), name_end = position(open, symbol.name_end);
    json made{{"name", symbol.name.empty() ? "-" : symbol.name},
              {"detail", symbol.detail},
              {"kind", symbol.is_command  ? function
                       : symbol.is_object ? object
                                          : key},
              {"range", {{"start", start}, {"end", position(open, symbol.end)}}},
              {"selectionRange", {{"start", start}, {"end", name_end}}}};
    if (symbol.inner.empty()) return made;
    json& inner = made["children"] = json::array();
    for (const Symbol& each : symbol.inner) inner.push_back(symbol_json(open, each));
    return made;
  }

  Settings settings_;
  diag::Policy base_;  // of the command line
  std::string version_;
  rpc::Peer peer_;
  Encoding encoding_ = Encoding::utf16;
  bool initialized_ = false, shut_down_ = false, ended_ = false;
  std::map<std::string, Open> texts_;  // by their addresses
};

Server::Server(Settings settings, std::string_view version,
               std::function<void(std::string_view)> send)
    : impl_(std::make_unique<Impl>(std::move(settings), version, std::move(send))) {}
Server::~Server() = default;

void Server::handle(std::string_view body) { impl_->handle(body); }
void Server::refuse(std::string_view error) { impl_->refuse(error); }
void Server::publish() { impl_->publish(); }
bool Server::has_ended() const { return impl_->has_ended(); }
int Server::status() const { return impl_->status(); }

}  // namespace flexslice::lsp
