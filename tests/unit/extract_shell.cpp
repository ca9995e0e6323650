#include "../catch.hpp"
#include "base/text.hpp"
#include "extract/shell.hpp"

namespace flexslice::extract {
namespace {

// Words with a bar between them and a `?` after each that is not known; a line for each command.
std::string words(const std::vector<Word>& list) {
  std::string shown;
  for (const Word& word : list)
    shown += (shown.empty() ? "" : "|") + word.text + (word.unknown ? "?" : "");
  return shown;
}

struct Read {
  explicit Read(std::string_view from)
      : text(from), script(read_shell(text, 7, variables, {"gcloud"})) {}

  std::string_view at(Span span) const { return text.substr(span.begin, span.end - span.begin); }
  std::string commands() const {
    std::string shown;
    for (const Command& command : script.commands) {
      CHECK(command.where == command.words[0].where);
      shown += (shown.empty() ? "" : "\n") + words(command.words);
    }
    return shown;
  }

  std::string_view text;
  Variables variables = {};
  Script script;
};

std::string commands(std::string_view text) {
  CAPTURE(text);
  return Read(text).commands();
}

TEST_CASE("words of a command") {
  CHECK(commands("gcloud a --b=c --d e\n") == "gcloud|a|--b=c|--d|e");
  CHECK(commands("gcloud a \\\n  --b=c \\\r\n\t--d") == "gcloud|a|--b=c|--d");
  CHECK(commands("gcloud 'a b' \"c d\" e\\ f g'h'\"i\" '' $'j'") == "gcloud|a b|c d|e f|ghi||j");
  CHECK(commands("gcloud a # b\n# gcloud c\ngcloud d#e") == "gcloud|a\ngcloud|d#e");
  CHECK(commands("gcloud a >b 2>&1 <c &>d e >> f 2> /dev/null") == "gcloud|a|e");
  CHECK(commands("gcloud \"a\\\nb\" c\\\nd") == "gcloud|ab|cd");
}

TEST_CASE("commands are found where a shell has them") {
  CHECK(commands("a; gcloud b && gcloud c || gcloud d | gcloud e & gcloud f") ==
        "gcloud|b\ngcloud|c\ngcloud|d\ngcloud|e\ngcloud|f");
  CHECK(commands("if ! gcloud a; then gcloud b; else gcloud c; fi") ==
        "gcloud|a\ngcloud|b\ngcloud|c");
  CHECK(commands("for z in a b; do gcloud c; done; while gcloud d; do :; done") ==
        "gcloud|c\ngcloud|d");
  CHECK(commands("(gcloud a) { gcloud b; }; f() { gcloud c; }\nfunction g {\n gcloud d\n}\n") ==
        "gcloud|a\ngcloud|b\ngcloud|c\ngcloud|d");
  CHECK(commands("X=$(gcloud a) Y=\"$(gcloud b \"c d\")\" Z=`gcloud e` diff <(gcloud f) g") ==
        "gcloud|a\ngcloud|b|c d\ngcloud|e\ngcloud|f");
  CHECK(commands("sudo -E gcloud a; sudo -u me gcloud b; env X=1 gcloud c; X=1 gcloud d; time "
                 "gcloud e; timeout 60 gcloud f; run gcloud g; exec gcloud h") ==
        "gcloud|a\ngcloud|b\ngcloud|c\ngcloud|d\ngcloud|e\ngcloud|f\ngcloud|g\ngcloud|h");
  CHECK(commands("python3 -u ./gcloud a; python /opt/gcloud b; python3 x.py gcloud c") ==
        "./gcloud|a\n/opt/gcloud|b");
  CHECK(commands("$ gcloud a\n/usr/bin/gcloud b") == "gcloud|a\n/usr/bin/gcloud|b");
  CHECK(commands("case $x in\n a) gcloud b ;;\nesac") == "gcloud|b");
  CHECK(commands("echo gcloud a; echo \"$ gcloud b\"; 'gcloud c'; kubectl gcloud") == "");
  CHECK(commands("gcloud a --b=$(gcloud c) d") == "gcloud|a|--b=$(gcloud c)?|d\ngcloud|c");
}

TEST_CASE("words have their places") {
  const Read read("  sudo gcloud --a='b c' \\\n   d");
  const Command& command = read.script.commands.at(0);
  CHECK(read.at(command.where) == "gcloud");
  CHECK(read.at(command.words[1].where) == "--a='b c'");
  CHECK(read.at(command.words[2].where) == "d");
  CHECK(command.words[2].where.source == 7);
  CHECK(read.at(read.script.strings.at(0)) == "'b c'");
}

TEST_CASE("literal values of variables are known") {
  CHECK(commands("export Z=us-east5-b\ngcloud a --zone=$Z --zone \"${Z}\" ${Z:-x}") ==
        "gcloud|a|--zone=us-east5-b|--zone|us-east5-b|us-east5-b");
  CHECK(commands("A=x B='y z'\ngcloud $A $B \"$B\"") == "gcloud|x|y|z|y z");
  CHECK(commands("R=us-east5\nZ=$R-b\ngcloud $Z") == "gcloud|us-east5-b");
  CHECK(commands("f() {\n local T=4x4\n gcloud $T\n}\nreadonly M=\"m\"; gcloud $M") ==
        "gcloud|4x4\ngcloud|m");
  CHECK(commands("G=gcloud\n$G a") == "gcloud|a");
  CHECK(commands("X=1\nX=2\ngcloud $X '$X'") == "gcloud|2|$X?");
  CHECK(commands("E=\ngcloud a $E b ${E:-c} \"$E\"") == "gcloud|a|b|c|");
}

TEST_CASE("a fallback is the value of what is not set to something else") {
  CHECK(commands("C=${C:-tpu}\ngcloud $C ${Z:-us-east5-b} \"${P-\"a b\"}\" ${L:-a b}") ==
        "gcloud|tpu|us-east5-b|a b|a|b");
  CHECK(commands(": ${C:=tpu}; gcloud $C") == "gcloud|tpu");
  CHECK(commands("C=x\nC=${C:-tpu}\nE=\ngcloud $C ${E-d} ${E:-d} ${E:?d}") ==
        "gcloud|x|d|${E:?d}?");
  CHECK(commands("R=us-east5\ngcloud ${Z:-$R-b} ${Z:-${Y:-${R}-a}}") ==
        "gcloud|us-east5-b|us-east5-a");
  CHECK(commands("Z=$(date)\nread Y\ngcloud ${Z:-a} ${Y:-b} ${W:-$(c)} ${V:-$U} ${T:-} ${S:+a}") ==
        "gcloud|${Z:-a}?|${Y:-b}?|${W:-$(c)}?|${V:-$U}?|${T:-}?|${S:+a}?");
  CHECK(
      commands("gcloud ${Z:-<zone>} ${Z:-YOUR_ZONE} ${1:-us-east5-b} ${Z:-'a'} ${Z:-a\ngcloud b") ==
      "gcloud|${Z:-<zone>}?|${Z:-YOUR_ZONE}?|us-east5-b|${Z:-'a'}?|${Z:-a?\ngcloud|b");
  CHECK(commands("gcloud ${A:-${A:-${A:-${A:-${A:-${A:-x}}}}}}") ==
        "gcloud|${A:-${A:-${A:-${A:-${A:-${A:-x}}}}}}?");
  const Read read("gcloud --zone=${Z:-us-east5-b}");
  CHECK(read.at(read.script.commands.at(0).words.at(1).set_at) == "${Z:-us-east5-b}");
}

TEST_CASE("what is appended to a variable") {
  CHECK(commands("X=1\nX+=2\ngcloud $X") == "gcloud|12");
  CHECK(commands("X+=2\ngcloud $X") == "gcloud|$X?");
  CHECK(commands("X=1\nX+=$(date)\ngcloud $X") == "gcloud|$X?");
  CHECK(commands("X=1\nX+=(2)\ngcloud $X") == "gcloud|$X?");
  CHECK(commands("X=1\nif a; then X+=2; fi\ngcloud $X") == "gcloud|$X?");
  CHECK(commands("X=1\nfor a in b c; do X+=2; done\ngcloud $X") == "gcloud|$X?");
  CHECK(commands("X=1\nwhile a; do X+=2; done\ngcloud $X") == "gcloud|$X?");
  CHECK(commands("f() { X+=2; }\nX=1\nf\ngcloud $X") == "gcloud|12");
}

TEST_CASE("words of an array") {
  CHECK(commands("Z=us-east5-b\nA=(--zone $Z\n --b # c\n)\ngcloud \"${A[@]}\" $A") ==
        "gcloud|--zone|us-east5-b|--b|--zone");
  CHECK(commands("A=(a \"b c\")\nA+=(d)\ngcloud x ${A[@]} y") == "gcloud|x|a|b c|d|y");
  CHECK(commands("A=()\ngcloud x \"${A[@]}\" y") == "gcloud|x|y");
  CHECK(commands("A=(a $X)\ngcloud \"${A[@]}\"") == "gcloud|a|$X?");
  CHECK(commands("f() { A=(a); }\nf\ngcloud \"${A[@]}\"") == "gcloud|a");
  CHECK(commands("A[0]=a\nA[${#A[@]}]=b\ngcloud \"${A[@]}\" ${A[1]}") == "gcloud|a|b|b");
  for (const char* text :
       {"A+=(a)", "b && A=(a)", "A[2]=a", "declare -A A\nA[x]=a", "for X in 1 2; do A=(a); done"})
    CHECK(commands(std::string(text) + "\ngcloud \"${A[@]}\"") == "gcloud|${A[@]}?");
  CHECK(commands("A=(a)\nif b; then A+=(c); fi\ngcloud \"${A[@]}\"") == "gcloud|a|$_?");
  CHECK(commands("A=(a)\nif b; then A+=(c); else A+=(d); fi\ngcloud \"${A[@]}\"") ==
        "gcloud|${A[@]}?");
}

TEST_CASE("a value that is not literal is not known") {
  CHECK(commands("gcloud $A ${B} ${C:-$D} $1 \"$@\" ${A[0]} ${#A}") ==
        "gcloud|$A?|${B}?|${C:-$D}?|$1?|$@?|${A[0]}?|${#A}?");
  CHECK(commands("X=1\nX=$(date)\ngcloud $X") == "gcloud|$X?");
  CHECK(commands("Y=1\nread -r Y\ngcloud $Y ${X%2}") == "gcloud|$Y?|${X%2}?");
  CHECK(commands("for Z in a b; do gcloud $Z; done") == "gcloud|$Z?");
  CHECK(commands("X=1 gcloud $X") == "gcloud|$X?");
  CHECK(commands("gcloud a$((1 << 2))b ${{ inputs.zone }} c") ==
        "gcloud|a4b|${{ inputs.zone }}?|c");
}

TEST_CASE("what may not be run is not known") {
  for (const char* text : {"if a; then T=1; fi; gcloud $T", "T=1; if a\nthen\n  T=2\nfi\ngcloud $T",
                           "T=1; case $1 in a) T=2;; esac; gcloud $T", "T=1; a && T=2; gcloud $T",
                           "T=1; a || { T=2; }; gcloud $T", "while a; do T=1; done; gcloud $T",
                           "T=1; while a; do gcloud $T; T=2; done",
                           "f() { if a; then T=2; return; fi; T=3; }; f; gcloud $T",
                           "T=1; for i in $X; do T=2; done; gcloud $T"})
    CHECK(commands(text) == "gcloud|$T?");
  CHECK(commands("if a; then T=1; fi; T=2; gcloud $T") == "gcloud|2");
  CHECK(commands("T=1; if a; then gcloud $T; fi; f() { gcloud $T; }; (gcloud $T)") ==
        "gcloud|1\ngcloud|$T?\ngcloud|1");
}

TEST_CASE("branches, functions and subshells have values of their own") {
  for (const char* text :
       {"if a; then T=1; gcloud $T; fi", "if a; then T=1; else T=1; fi; gcloud $T",
        "case $1 in a) T=1;; *) T=1;; esac; gcloud $T", "T=1; f() { T=2; }; gcloud $T",
        "f() { T=1; }; T=2; f; gcloud $T", "T=1; (T=2); gcloud $T", "T=1; X=$(T=3) gcloud $T",
        "T=1; T=2 true; gcloud $T", "T=1; echo 2 | read T; gcloud $T", "T=1; T=2 & gcloud $T",
        "T=1; f() { local T=2; }; f; gcloud $T", "a && T=1 && gcloud $T",
        "T=1; if false; then T=2; fi; gcloud $T", "case a in b) T=2;; a) T=1;; esac; gcloud $T",
        "f() { gcloud $1; }; f 1", "f() { shift; gcloud $1; }; f 2 1",
        "[ -z \"$T\" ] && T=1; gcloud $T"})
    CHECK(commands(text) == "gcloud|1");
  CHECK(commands("f() { gcloud --a=1 \"$@\"; }; f --a=2; f") == "gcloud|--a=1|--a=2\ngcloud|--a=1");
  CHECK(commands("run() { \"$@\"; }; run gcloud a") == "gcloud|a");
}

TEST_CASE("a command that may set anything leaves nothing known") {
  for (const char* text : {"source x",
                           ". x",
                           "eval \"$X\"",
                           "export $(cat x)",
                           "source <(x)",
                           "read T",
                           "mapfile T",
                           "printf -v T $X",
                           "printf -v $X 2",
                           "declare \"$X=2\"",
                           "let T=$X",
                           "((T = x))",
                           ": $((T = X))",
                           "read $X",
                           "while read -r K; do export \"$K\"; done",
                           "f() { . x; }; f",
                           "\"$@\"",
                           "trap 'T=2' DEBUG",
                           "declare -n R=$X; R=2",
                           "source x; T=1; set_up",
                           "[ -f x ] && . x"})
    CHECK(commands("T=1; " + std::string(text) + "\ngcloud $T") == "gcloud|$T?");
  CHECK(commands("T=1; . x\ngcloud ${T:-2} ${U:-3}") == "gcloud|${T:-2}?|${U:-3}?");
  CHECK(commands("T=1; . x\nT=2\ngcloud $T") == "gcloud|2");
}

TEST_CASE("builtins set what they say") {
  for (const char* text :
       {"let T=4", "((T = 2 * 2))", "T=2; ((T *= 2))", ": $((T = 4))", "declare -i T=2; T+=2",
        "printf -v T %d 4", "declare -n R=T; R=4", "read -r T <<< 4", "eval T=4", "T=$(echo 4)",
        "set -- a 4; T=$2", "T=2; T=$((T << 1))", "unset T; T=${T:-4}", "V=T; export \"$V=4\"",
        "export A=1 && \\\n  export T=4", "T=3; ((T++))", "readonly T=4"})
    CHECK(commands(std::string(text) + "\ngcloud $T") == "gcloud|4");
}

TEST_CASE("settings beside a script are read") {
  const auto in = [](std::string_view text) {
    const ReadBeside beside = [](const std::string& name) -> std::optional<std::string> {
      if (name == "./a" || name == "a") return "# a\nexport T=4\n";
      if (name == "b") return "T=4\nset_up\n";
      return std::nullopt;
    };
    Variables variables;
    return words(
        read_shell(text, 7, variables, {"gcloud"}, Loops::once, beside).commands.at(0).words);
  };
  CHECK(in("T=1; . ./a; gcloud $T") == "gcloud|4");
  CHECK(in("T=1; source \"$(dirname \"$0\")/a\"; gcloud $T") == "gcloud|4");
  for (const char* text : {". b", ". c", "cd x; . ./a", ". $X/a", ". \"$X\""})
    CHECK(in("T=1; " + std::string(text) + "; gcloud $T") == "gcloud|$T?");
}

TEST_CASE("a value has the place where it is set") {
  const Read read("Z=us-east5-b\ngcloud --zone=$Z");
  const Word& word = read.script.commands.at(0).words.at(1);
  CHECK(read.at(word.where) == "--zone=$Z");
  CHECK(read.at(word.set_at) == "Z=us-east5-b");
  CHECK(read.script.commands[0].words[0].set_at == Span());
  CHECK(read.variables.look_up("Z").variable->value == "us-east5-b");
}

TEST_CASE("placeholders are not known") {
  CHECK(commands("gcloud <name> --zone=<your zone> --a=<b>-c d") ==
        "gcloud|<name>?|--zone=<your zone>?|--a=<b>-c?|d");
  CHECK(commands("gcloud CLUSTER_NAME --zone=ZONE --project [PROJECT] --region={REGION}") ==
        "gcloud|CLUSTER_NAME?|--zone=ZONE?|--project|[PROJECT]?|--region={REGION}?");
  CHECK(commands("gcloud YOUR_NAME ... --type=HIGH_THROUGHPUT --logging=SYSTEM v4-8") ==
        "gcloud|YOUR_NAME?|...?|--type=HIGH_THROUGHPUT|--logging=SYSTEM|v4-8");
  CHECK(commands("Z=YOUR_ZONE\ngcloud --zone=$Z") == "gcloud|--zone=$Z?");
}

TEST_CASE("blanks after a backslash end a command too early") {
  const Read read("gcloud a \\\n  --b \\ \t\n  --c=d \\\n  --e\ngcloud f\n");
  CHECK(read.commands() == "gcloud|a|--b\ngcloud|f");
  const Command& command = read.script.commands[0];
  CHECK(read.at(command.broken) == " \t");
  CHECK(command.broken_by == BrokenBy::blanks);
  CHECK(words(command.lost) == "--c=d|--e");
  CHECK(read.script.commands[1].lost.empty());
  CHECK(words(Read("gcloud a \\ \n -b \\ \n -c\n -d").script.commands[0].lost) == "-b|-c");
}

TEST_CASE("so does a comment") {
  const Read read("gcloud a \\\n  # b\n  # c\n  --d \\\n  --e\n");
  const Command& command = read.script.commands.at(0);
  CHECK(read.at(command.broken) == "# b");
  CHECK(command.broken_by == BrokenBy::comment);
  CHECK(words(command.lost) == "--d|--e");
  const Read behind("gcloud a \\ # b\n  --c\n");
  CHECK(behind.at(behind.script.commands.at(0).broken) == " # b");
  CHECK(behind.script.commands[0].broken_by == BrokenBy::comment);
}

TEST_CASE("so does a line without a backslash before an option") {
  const Read read("gcloud a \\\n  b=c\n  --d=e \\\n  --f\n  --g\ngcloud h\n");
  CHECK(read.commands() == "gcloud|a|b=c\ngcloud|h");
  const Command& command = read.script.commands[0];
  CHECK(read.at(command.broken) == "b=c");
  CHECK(command.broken_by == BrokenBy::missing);
  CHECK(words(command.lost) == "--d=e|--f|--g");
  CHECK(read.script.commands[1].lost.empty());

  const Read crlf("x=$(gcloud a  \r\n\t--b)\r\n");
  CHECK(crlf.at(crlf.script.commands.at(0).broken) == "a  ");
  CHECK(words(crlf.script.commands[0].lost) == "--b");

  const Read comment("gcloud a # b\n  --c\n");
  CHECK(comment.at(comment.script.commands.at(0).broken) == "a");
  CHECK(comment.script.commands[0].broken_by == BrokenBy::missing_at_comment);
}

TEST_CASE("what ends a command where it ends is not too early") {
  for (const char* text : {"gcloud a \\ \nkubectl b\n", "gcloud a \\ \n", "gcloud a \\\n# b\nc\n",
                           "gcloud a # b\n  -c\n", "gcloud a \\\n\n--b\n", "gcloud a \\",
                           "gcloud a\n\n  --b\n", "gcloud a\n-----\n", "gcloud a\n# b\n--c\n",
                           "gcloud a\n--\n", "gcloud a | b\n", "gcloud a; c \n --b"}) {
    const Read read(text);
    CAPTURE(text);
    CHECK(read.commands() == "gcloud|a");
    CHECK(read.script.commands[0].broken == Span());
    CHECK(read.script.commands[0].lost.empty());
  }
}

std::string unrolled(std::string_view text) {
  CAPTURE(text);
  Variables variables;
  std::string shown;
  for (const Command& command :
       read_shell(text, 7, variables, {"gcloud"}, Loops::unrolled).commands)
    shown += (shown.empty() ? "" : "\n") + words(command.words) +
             (command.loop == Span{} ? "" : " in a loop");
  return shown;
}

TEST_CASE("a loop over words of the script is read for each of them") {
  CHECK(unrolled("for i in 0 'b c'; do gcloud $i \"$i\"; done; gcloud $i") ==
        "gcloud|0|0\ngcloud|b|c|b c\ngcloud|b|c");
  CHECK(unrolled("Z='a b'\nfor i in $Z c\r\ndo\r\n gcloud $i\r\n gcloud x-$i\r\ndone") ==
        "gcloud|a\ngcloud|b\ngcloud|c\ngcloud|x-a\ngcloud|x-b\ngcloud|x-c");
  CHECK(unrolled("for i in $(seq 2) `seq 8 -2 6`; do gcloud $i; done") ==
        "gcloud|1\ngcloud|2\ngcloud|8\ngcloud|6");
  CHECK(unrolled("for i in {a,b}-x {4..0..2}; do gcloud $i; done") ==
        "gcloud|a-x\ngcloud|b-x\ngcloud|4\ngcloud|2\ngcloud|0");
  CHECK(unrolled("declare -A M=([a]=1 [b]=2)\nfor i in \"${!M[@]}\"; do gcloud ${M[$i]}; done") ==
        "gcloud|1\ngcloud|2");
  CHECK(unrolled("for i in 1 2 3; do gcloud a && break; gcloud b$i; done") ==
        "gcloud|a\ngcloud|b1\ngcloud|b2\ngcloud|b3");
  CHECK(unrolled("for i in a b; do cat <<E\ngcloud $i\nE\ngcloud $i; done <<E\nx\nE\n") ==
        "gcloud|a\ngcloud|b");
  CHECK(unrolled("for i in a b; do gcloud $i; done\nfor i in c d; do gcloud $i; done") ==
        "gcloud|a\ngcloud|b\ngcloud|c\ngcloud|d");
  CHECK(unrolled("for i in a b; do\nX=\"it\ngcloud $i\ndone") == "gcloud|a\ngcloud|b");
  CHECK(commands("for i in a b; do gcloud $i; done") == "gcloud|$i?");
}

TEST_CASE("other loops are read once") {
  CHECK(unrolled("for i in a $B; do gcloud $i; gcloud $C; done; gcloud $i") ==
        "gcloud|$i? in a loop\ngcloud|$C?\ngcloud|$i?");
  CHECK(unrolled("for ((i = 0; i < 4; ++i)); do gcloud p-${i}-x $i; done") ==
        "gcloud|p-${i}-x?|$i? in a loop");
  CHECK(unrolled("while read -r A B; do gcloud $B; gcloud $BB; done") ==
        "gcloud|$B? in a loop\ngcloud|$BB?");
  CHECK(unrolled("for i in a b; do for j in c d; do gcloud $i $j; done; done") ==
        "gcloud|a|c\ngcloud|a|d\ngcloud|b|c\ngcloud|b|d");
  CHECK(unrolled("while x; do for i in a b; do gcloud $i; done; done") == "gcloud|a\ngcloud|b");
  for (const char* list :
       {"*.yaml", "{01..03}", "{1..$N}", "$(seq -w 2)", "$(seq 99)", "YOUR_ZONE", "\"${A[@]}\""})
    CHECK(unrolled("for i in " + std::string(list) + "; do gcloud $i; done") ==
          "gcloud|$i? in a loop");
  CHECK(unrolled("for i in '{a,b}'; do gcloud $i; done") == "gcloud|{a,b}");
  CHECK(unrolled("for setting this up\ngcloud $setting") == "gcloud|$setting?");
}

// The text of the first here-document as a shell expands it.
std::string expanded(std::string_view text) {
  CAPTURE(text);
  const Read read(text);
  const HereText& here = read.script.here_documents.at(0);
  std::string result;
  std::size_t at = here.begin;
  for (const Replacement& each : here.replacements) {
    result += read.text.substr(at, each.begin - at);
    result += each.text;
    at = each.end;
  }
  return result + std::string(read.text.substr(at, here.end - at));
}

TEST_CASE("a here-document is expanded unless its delimiter is quoted") {
  constexpr std::string_view set = "P=my-proj N=4 E= U=$(date) L=YOUR_ZONE\n";
  const auto in = [&](std::string_view delimiter, std::string_view body) {
    return expanded(std::string(set) + "cat <<" + std::string(delimiter) + "\n" +
                    std::string(body) + "\nEOF\n");
  };
  CHECK(in("EOF", "a: $P-${N}${E}, ${P:-x} ${Z:-y} '$P' \"$P\"") ==
        "a: my-proj-4, my-proj y 'my-proj' \"my-proj\"\n");
  CHECK(in("-EOF", "\\$P \\${P} \\\\ \\` \\$(hostname) \\n \\\"") ==
        "$P ${P} \\ ` $(hostname) \\n \\\"\n");
  CHECK(in("EOF", "a \\\n  b \\\r\n c\\ \nd \\\\\ne") == "a   b  c\\ \nd \\\ne\n");
  CHECK(in("EOF", "$U ${U} $L $Z ${Z} ${Z:-} ${P%-*} ${#P} $1 $@ $$ $ a$") ==
        "$U ${U} $L $Z ${Z} ${Z:-} my 7 $1 $@ $$ $ a$\n");
  CHECK(in("EOF", "$(echo $P \\$P $(b)) `echo $P` $P $((N + 1))") ==
        "$(echo $P \\$P $(b)) `echo $P` my-proj $((N + 1))\n");
  CHECK(in("EOF", "$(echo $P `a $N") == "$(echo my-proj `a 4\n");
  for (const char* quoted : {"'EOF'", "\"EOF\"", "\\EOF", "-'EOF'"})
    CHECK(in(quoted, "$P \\$P \\\\ \\\n") == "$P \\$P \\\\ \\\n\n");
  CHECK(expanded("cat <<EOF\n$P\nEOF\nP=x\n") == "$P\n");
  CHECK(expanded("P=1\nf <<EOF; P=2\n$P\nEOF\n") == "2\n");
  CHECK(expanded("for P in a b; do\ncat <<EOF\n$P\nEOF\ndone") == "$P\n");
}

TEST_CASE("nor are lines that PowerShell and cmd continue, or that leave something out") {
  for (const char* text :
       {"gcloud a `\n  --b `\n  --c `\n  --d\n", "gcloud a ^\n  --b ^\n  --c\n",
        "gcloud a ...\n  --b\n", "gcloud a | b\n  --c\n", "a=(\n  gcloud\n  --b\n)\n",
        "gcloud a \"\n  --b\n\"\n", "other a\n  --b\n", "gcloud a <<X\n  --b\nX\n"}) {
    CAPTURE(text);
    for (const Command& command : Read(text).script.commands) CHECK(command.broken == Span());
  }
}

TEST_CASE("here-documents") {
  const auto documents = [](std::string_view text) {
    const Read read(text);
    CAPTURE(text);
    std::vector<std::string> found;
    for (const HereText& here : read.script.here_documents)
      found.emplace_back(read.text.substr(here.begin, here.end - here.begin));
    CHECK(read.commands() == "gcloud|z");
    return found;
  };
  using Texts = std::vector<std::string>;
  CHECK(documents("cat <<EOF >f\na\ngcloud b\nEOF\ngcloud z") == Texts{"a\ngcloud b\n"});
  CHECK(documents("kubectl apply -f - <<'EOF'\na's\nEOF\ngcloud z") == Texts{"a's\n"});
  CHECK(documents("if x; then\n\tcat <<-\"E F\"\n\ta\n\tE F\nfi; gcloud z") == Texts{"\ta\n"});
  CHECK(documents("a <<A b <<\\B\n1\nA\n2\nB\ngcloud z") == Texts{"1\n", "2\n"});
  CHECK(documents("X=\"$(cat <<EOF\na\"b\nEOF\n)\"\ngcloud z") == Texts{"a\"b\n"});
  CHECK(documents("cat <<EOF\n EOF\nEOF\ngcloud z") == Texts{" EOF\n"});
  CHECK(documents("  cat <<EOF\n  a\n  EOF\n  gcloud z") == Texts{"  a\n"});
  CHECK(documents("cat <<EOF\na\ngcloud z") == Texts{});
  CHECK(documents("cat <<<a; x=$((1<<2)); gcloud z\n2\n") == Texts{});
}

TEST_CASE("what is not closed hides nothing") {
  CHECK(commands("gcloud a --b=\"c\ngcloud d\n") == "gcloud|a|--b=\"c?\ngcloud|d");
  CHECK(commands("I don't\ngcloud a\nYou don't\ngcloud b\n") == "gcloud|a\ngcloud|b");
  CHECK(commands("echo 'a\ngcloud b") == "gcloud|b");
  CHECK(commands("gcloud a $(b\ngcloud c ${d\ngcloud e") ==
        "gcloud|a|$(b?\ngcloud|c|${d?\ngcloud|e");
  std::string many;
  for (int i = 0; i < 50; ++i) many += "a \" b $( ( \n";
  CHECK(commands(many + "gcloud c") == "gcloud|c");
}

TEST_CASE("time and memory are linear in the size of a script") {
  const auto repeat = [](std::string_view text) {
    std::string many;
    while (many.size() < (1u << 15)) many += text;
    return many;
  };
  for (const char* text :
       {"$(", "${", "\"", "'",  "`",   "(",    "<<a\n",  "$((",  "\\ \n#", "X=$X$X\n",
        "[",  "{",  "<a", "$'", "a=(", "X[$a", "don't ", "\"$(", "<<-",    "\\\n"}) {
    const std::string many = repeat(text);
    CAPTURE(text);
    const std::string script = "gcloud " + many;
    CHECK(Read(script).script.commands.size() <= script.size());
  }
  std::string distinct;
  for (int i = 0; i < 5'000; ++i) distinct += "<<a" + std::to_string(i) + "\n";
  CHECK(Read(distinct).script.here_documents.empty());
  const std::string values = "X=" + std::string(4000, 'x') + "\n" + repeat("gcloud $X\n");
  CHECK_FALSE(Read(values).script.commands.empty());
}

}  // namespace
}  // namespace flexslice::extract
