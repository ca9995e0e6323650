"""Random scripts that set a number of nodes in every form, order and scope, and then create a pool or a Job with it."""
import random
import re

TOPOLOGY = {"2x4": 2, "4x4": 4, "2x2": 1}
NUMBERS = (1, 2, 4, 8)

POOL = ("gcloud container node-pools create p --cluster=c --location=us-east5 --node-locations=us-east5-b --machine-type=ct6e-standard-4t")
JOB = """apiVersion: batch/v1
kind: Job
metadata: {name: j}
spec:
  completionMode: Indexed
  completions: %s
  parallelism: %s
  backoffLimit: 0
  template:
    spec:
      restartPolicy: Never
      subdomain: s
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v6e-slice
        cloud.google.com/gke-tpu-topology: %s
      containers:
      - name: c
        image: busybox:1.36
        command: ["true"]
        ports: [{containerPort: 8471}]
        resources: {limits: {google.com/tpu: 4}}
"""


class Script:
    """Lines of bash, and the files beside it."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.files = {}
        self.lines = ["#!/bin/bash"]
        self.topology, self.hosts = self.random.choice([("2x4", 2), ("4x4", 4)])
        self.count = 0
        self.is_unknowable = 0  # what is set may not be run, and nothing tells
        if self.random.random() < 0.7:
            self.lines.append(self.literal())
        for _ in range(self.random.randint(1, 4)):
            self.lines.append(self.statement())
        self.lines += self.consumer()

    def value(self):
        """The right number in half of the scripts, and nearly always where nobody can know it."""
        if self.is_unknowable:
            return self.hosts if self.random.random() < 0.95 else self.random.choice(NUMBERS)
        return self.hosts if self.random.random() < 0.55 else self.random.choice(NUMBERS)

    def name(self, stem):
        self.count += 1
        return f"{stem}{self.count}"

    def unknowable(self, depth):
        self.is_unknowable += 1
        inner = self.statement(depth + 1)
        self.is_unknowable -= 1
        return inner

    def before_unknowable(self):
        """The value that stays where the branch is not taken: nobody can know that either."""
        return f"N={self.hosts}\n" if self.random.random() < 0.9 else ""

    def file(self, stem, text):
        name = self.name(stem)
        self.files[name] = re.sub(r"\bN\b", "HOSTS", text)
        return name

    def statement(self, depth=0):
        """What sets N, may set it, or only looks as if it did."""
        forms = [each for each in dir(self) if each.startswith("set_")]
        weights = [3 if each.startswith("set_plain") else 1 for each in forms]
        if depth > 1:
            forms = [each for each in forms if not each.startswith("set_in_")]
            weights = [1] * len(forms)
        return getattr(self, self.random.choices(forms, weights)[0])(depth)

    def literal(self):
        value = self.value()
        return self.random.choice([f"N={value}", f'N="{value}"', f"N='{value}'", f"export N={value}", f"declare N={value}", f"X=1 N={value} Y=2"])

    def set_plain(self, _):
        return self.literal()

    def set_plain_again(self, _):
        return self.literal()

    def set_fallback(self, _):
        value = self.value()
        return self.random.choice([f"N=${{N:-{value}}}", f': "${{N:={value}}}"', f": ${{N:={value}}}", f'[ -z "$N" ] && N={value}',
                                   f'if [ -z "$N" ]; then N={value}; fi', f'[ -n "$N" ] || N={value}', f"export N=${{N-{value}}}"])

    def set_from_another(self, _):
        value = self.value()
        return self.random.choice([f"M={value} N=$M", f"M={value}\nN=$M", f'M={value}; N="${{M}}"', f"N={value} M=$N; N=$M", f"export M={value} && \\\n  export N=$M",
                                   f"export A=1 && \\\nexport N={value} && \\\nexport B=2"])

    def set_arithmetic(self, _):
        value = self.value()
        return self.random.choice([f"N=$(({value} * 2 / 2))", f"let N={value}", f"let 'N = {value}'", f"((N = {value}))", f": $((N = {value}))", f"N={value}; ((N *= 2))", f"N={value}; ((N++))",
                                   f"N={value}\nN=$((N * 2))", f"N={value}; let N+=1", f"declare -i N={value}\nN+=1", f"N={value}\nN=$((N > 2 ? N / 2 : N))", f"N={value}; ((N <<= 1))", "((N *= 1))", "N=$((N))"])

    def set_edited(self, _):
        value = self.value()
        return self.random.choice([f"M={value}-x\nN=${{M%-*}}", f"M=a/b/{value}\nN=${{M##*/}}", f"M=v{value}\nN=${{M#v}}", f"M={value}{value}\nN=${{M:0:1}}", f"M=x{value}x\nN=${{M//x/}}", f"M=x{value}\nN=${{M/x}}",
                                   f"A=({' '.join('x' * value)})\nN=${{#A[@]}}", f"M={'x' * value}\nN=${{#M}}", f"M=ab-{value}\nN=${{M: -1}}", f"M={value}.old.old\nN=${{M%%.*}}", f"M=1-{value}-2\nN=${{M#*-}}; N=${{N%-?}}",
                                   f"M=x{value}\nN=${{M/[a-z]/}}", f"M={value}a\nX=a\nN=${{M%$X}}", f"M={value}\nN=${{M,,}}", f"M={value}x\nN=${{M:0:${{#M}}-1}}"])

    def set_builtin(self, _):
        value = self.value()
        return self.random.choice([f"printf -v N %d {value}", f"printf -v N '%s' {value}", f"read -r N <<< {value}", f"declare -n R=N\nR={value}", f'eval "N={value}"',
                                   f"eval N={value}", f"set -- x {value}\nN=$2", f"A=(x {value})\nN=${{A[1]}}", f"A[0]={value}\nN=${{A[0]}}", f"A=()\nA+=({value})\nN=${{A[0]}}",
                                   f"N=$(echo {value})", f"unset N\nN=${{N:-{value}}}", f"N={value}\nunset M", "unset N", f"N=`echo {value}`",
                                   f"V=N\nprintf -v \"$V\" %s {value}", f"V=N\nexport \"$V={value}\"", f"V=N\neval \"$V={value}\"", f"declare -l N={value}", f"readonly N={value}"])

    def set_by_name(self, _):
        """Arithmetic that says by a value which variable it sets."""
        value, name = self.value(), self.name("by")
        return self.random.choice([f"{name}() {{ (( $1 = $2 )); }}\n{name} N {value}", f"{name}() {{ let \"$1 = {value}\"; }}\n{name} N", f"V=N\n(( $V = {value} ))", f"N={value}\nV=N\n(( $V++ ))",
                                   f"N={value}\nV=N\n(( ++$V ))", f"V='N = {value}'\n(( V ))", f"V=N\nX=$(( ${{V}} += {value} ))", f"N={value}\nV=M\n(( $V = 9 ))", f"N={value}\nV=3\n(( $V == 3 ))", f"N={value}\nV=3\n(( $V <= 4 && $V >= 1 )) && true"])

    def set_map(self, _):
        value, other = self.value(), self.random.choice(NUMBERS)
        return self.random.choice([f"declare -A W=([v6e]={value} [v5e]={other})\nN=${{W[v6e]}}", f"declare -A W\nW[a]={other}\nW[a]={value}\nN=${{W[a]}}", f"declare -A W=([a]={value})\nK=a\nN=${{W[$K]}}",
                                   f"declare -A W\nW[\"a\"]={value}\nN=\"${{W['a']}}\"", f"declare -A W=([a]={other})\nW+=([b]={value})\nN=${{W[b]}}", f"declare -A W=([a]={value})\nfor K in \"${{!W[@]}}\"; do N=${{W[$K]}}; done",
                                   f"declare -A W=([a]={other})\nW=([b]={value})\nN=${{W[a]:-{value}}}", f"declare -A W=([a]={value})\nunset 'W[a]'\nN=${{W[a]-{other}}}", f"f() {{ local -A W=([a]={value}); N=${{W[a]}}; }}\nf",
                                   f"declare -A W=([a]={value} [b]={other})\nif [ -f missing ]; then W[a]={other}; fi\nN=${{W[b]}}", f"declare -A W=([a]={value})\nN=${{#W[@]}}", f"declare -A W=([a]={self.hosts} [b]={self.hosts})\nfor V in \"${{W[@]}}\"; do N=$V; done"])

    def set_by_counting(self, _):
        value, first = self.value(), self.random.choice((1, 2))
        return self.random.choice([f"for N in $(seq 1 {value}); do :; done", f"for N in {{1..{value}}}; do :; done", f"for N in $(seq {value}); do :; done", f"for N in `seq {first} 2 9`; do :; done", f"for N in {{8..{value}}}; do :; done",
                                   f"for N in {{1..8..{first}}}; do :; done", f"L={value}\nfor N in {{1..$L}}; do :; done\nN={value}", f"for I in \"{{1..2}}\"; do N={value}; done", f"for I in v{{1,{value}}}; do N=${{I#v}}; done",
                                   f"N=0\nfor I in $(seq 1 {value}); do N=$((N + 1)); done", f"for N in $(seq 9 -1 {value}); do :; done", f"for N in $(seq -w 1 {self.hosts}); do :; done", f"for N in {{01..0{value}}}; do :; done\nN={value}"])

    def set_after_test(self, _):
        value, other = self.value(), self.random.choice(NUMBERS)
        return self.random.choice([f"[[ -n {value} ]]\nN={value}", f"if [[ {value} -gt 0 ]]\nthen\n  N={value}\nfi", f"[[ x == y ]] 2>/dev/null\nN={value}", f"N={other}\nis() {{\n  [[ $1 == {value} ]]\n}}\nis {value} && N={value}",
                                   f'[[ a{value} =~ ^(a|b)[0-9]+$ ]]\nN={value}', f"[[ x == x &&\n  -n {value} ]]\nN={value}", f"while [[ x == y ]]\ndo\n  N={other}\ndone\nN={value}", f"( [[ -z x ]] )\nN={value}"])

    def set_file(self, _):
        value = self.value()
        text = self.random.choice([f"N={value}\n", f"# settings\nexport N={value}\nZ=1\n", f"M={value}\nN=$M\n", "Z=1\n", f"N=${{N:-{value}}}\n"])
        file = self.file("env", text)
        return self.random.choice([f"source ./{file}", f". ./{file}", f"set -a\nsource ./{file}\nset +a", f'source "$(dirname "$0")/{file}"', f'. "${{BASH_SOURCE%/*}}/{file}"',
                                   f"[ -f {file} ] && . ./{file}", f"if [ -f ./{file} ]; then source ./{file}; fi"])

    def set_opaque(self, _):
        """Only a run tells the value, so lint has to be silent: it is the right one as often as not."""
        value = self.hosts if self.random.random() < 0.9 else self.value()
        lines = self.file("vars", f"N={value}\n")
        number = self.file("number", f"{value}\n")
        old = self.file("old", f"N={self.random.choice(NUMBERS)}\n")
        return self.random.choice([f"source <(echo N={value})", f"echo N={value} > {old}\n. ./{old}", f"cp {lines} {old}; source ./{old}", f"export $(cat {lines} | xargs)", f"export $(grep -v '^#' {lines} | xargs)", f'eval "$(cat {lines})"', f"read -r N < {number}",
                                   f"mapfile -t A < {number}\nN=${{A[0]}}", f"readarray -t A < {number}\nN=${{A[0]}}", f"while IFS== read -r K V; do export \"$K=$V\"; done < {lines}",
                                   f"N=$(cat {number})", f"F={lines}\nsource \"./$F\"", f"cat {lines} > /dev/null; . \"$PWD/{lines}\"", f"N=$(< {number})", f"IFS== read -r _ N < {lines}",
                                   f"source /dev/stdin <<< N={value}", f"while getopts n: O -n {value}; do N=$OPTARG; done", f"declare $(cat {lines})",
                                   f"f() {{ . ./{lines}; }}\nf"])

    def set_nowhere(self, _):
        """It sets nothing in this shell."""
        value = self.random.choice(NUMBERS)
        return self.random.choice([f"(N={value})", f"N={value} true", f"echo {value} | read -r N", f"{{ N={value}; }} | cat", f"X=$(N={value}; echo $N)", f"N={value} &\nwait",
                                   f"f{self.count}() {{ local N={value}; }}\nf{self.count}", f"g{self.count}() {{ N={value}; }}", f"trap 'N={value}' EXIT", f"false && N={value}", f"true || N={value}",
                                   f"cat > /dev/null <<END\nN={value}\nEND", f"# N={value}\n:", f"echo N={value} > /dev/null", f"env N={value} true", f"bash -c 'N={value}'",
                                   f"if false; then N={value}; fi", f"case a in b) N={value};; esac", f"while false; do N={value}; done"])

    def set_in_branch(self, depth):
        known = self.random.choice(["true", "[ 1 = 1 ]", "[[ 2 -gt 1 ]]", "! true", "[ x != x ]", "test -z ''", "! [ 3 -lt 2 ]", "(( 2 > 1 ))", "true && ! false"])
        unknown = self.random.choice(["[ -f missing ]", "test -d /", "grep -q x /dev/null", "[[ $N == 2 && -d / ]]", "[ $# -gt 3 ]"])
        depends = self.random.choice(['[ "$N" = 2 ]', "(( N > 2 ))", '[[ $N -ge 2 ]]', '[[ -n "$N" ]]', '[ "$N" -eq 4 ]'])
        if self.random.random() < 0.4:
            inner, other = self.unknowable(depth), self.unknowable(depth)
            return self.before_unknowable() + self.random.choice([f"if {unknown}; then\n{inner}\nfi", f"if {unknown}; then\n{inner}\nelse\n{other}\nfi", f"if {unknown}\nthen\n{inner}\nfi"])
        inner, other, condition = self.statement(depth + 1), self.statement(depth + 1), self.random.choice([known, depends])
        return self.random.choice([f"if {condition}; then\n{inner}\nfi", f"if {condition}; then\n{inner}\nelse\n{other}\nfi", f"if false; then\n:\nelif {condition}; then\n{inner}\nelse\n{other}\nfi",
                                   f"if {condition}\nthen\n{inner}\nfi", f"if true; then\n{inner}\nelse\nexit 1\nfi"])

    def set_in_list(self, _):
        value = self.value()
        if self.random.random() < 0.3:
            condition = self.random.choice(["test -d /", "[ -f missing ]", "grep -q x /dev/null"])
            return self.before_unknowable() + self.random.choice([f"{condition} && N={self.hosts}", f"{condition} || N={self.hosts}", f"{condition} && {{ N={self.hosts}; }}", f"test -d / && export N={self.hosts} && \\\n  true"])
        condition = self.random.choice(["true", '[ "$N" = 2 ]', "(( N > 2 ))", "[ a = a ]", "[[ a == b ]]"])
        return self.random.choice([f"{condition} && N={value}", f"{condition} || N={value}", f"{condition} && {{ N={value}; }}", f"{condition} && N={value} || N={self.value()}"])

    def set_in_case(self, depth):
        inner, other = self.statement(depth + 1), self.statement(depth + 1)
        subject = self.random.choice(["a", "b", "c", '"$N"', "2"])
        if self.random.random() < 0.2:
            return f"case $(uname) in\n  Linux)\n{self.unknowable(depth)}\n;;\n  *) N={self.hosts};;\nesac"
        return f"{self.literal()}\ncase {subject} in\n  a)\n{inner}\n;;\n  b|2) {other.strip() if chr(10) not in other else 'N=' + str(self.value())} ;;\n  *) N={self.value()};;\nesac"

    def set_in_loop(self, depth):
        first, second = self.value(), self.value()
        if self.random.random() < 0.5:
            inner = self.statement(depth + 1)
            return self.random.choice([f"for I in a b; do\n{inner}\ndone", f"for N in {first} {second}; do :; done", f"for I in {first} {second}; do N=$I; done", f"N={first}\nfor I in 1 2; do\nN=$((N + 1))\ndone"])
        inner = self.unknowable(depth)
        return self.before_unknowable() + self.random.choice([f"for ((I = 0; I < 2; I++)); do\n{inner}\ndone", f"I=0\nwhile [ $I -lt 2 ]; do\n{inner}\nI=$((I + 1))\ndone", f"for I in 1 2; do\n[ $I = 2 ] && break\n{inner}\ndone",
                                   f"until true; do\n{inner}\ndone", f"ls / | while read -r I; do\n{inner}\ndone"])

    def set_in_function(self, depth):
        name = self.name("f")
        inner = self.statement(depth + 1)
        value = self.value()
        return self.random.choice([f"{name}() {{\n{inner}\n}}\n{name}", f"function {name} {{\n{inner}\n}}\n{name}", f"{name}() {{ N=$1; }}\n{name} {value}", f"{name}() {{\n{inner}\n}}",
                                   f"{name}() {{ local N=1; N={value}; }}\n{name}", f"{name}() {{ N={value}; return; N=1; }}\n{name}", f"{name}() (\n{inner}\n)\n{name}", f"{name}() {{ shift; N=$1; }}\n{name} 1 {value}",
                                   f"{name}() {{ if [ -d / ]; then N={self.hosts}; return; fi; N=1; }}\n{name}", f"{name}() {{ local -n R=$1; R={value}; }}\n{name} N", f"{name}() {{ N={value}; }}\n{name} | cat",
                                   f"{name}() {{ N={value}; }}\nX=$({name})", f"{name}() {{ N={value}; }}\n{name} && true", f"{name}() {{ printf -v \"$1\" %s \"$2\"; }}\n{name} N {value}"])

    def set_in_group(self, depth):
        inner = self.statement(depth + 1)
        return self.random.choice([f"{{\n{inner}\n}}", f"(\n{inner}\n)", f"{{\n{inner}\n}} > /dev/null", f"time {{\n{inner}\n}} 2> /dev/null"])

    def consumer(self):
        topology = self.topology
        if self.random.random() < 0.25:
            job = JOB % ("$N", "${N}", topology)
            quoted = job.replace('"', '\\"')
            return [self.random.choice([f'kubectl apply -f - <<< "{quoted}"', f'T="{quoted}"\necho "$T" | kubectl apply -f -', f'echo "{quoted}" | kubectl apply -f -', f'printf "%s" "{quoted}" | kubectl apply -f -',
                                        f"kubectl apply -f - <<EOF\n{job}EOF", f"cat <<EOF | kubectl apply -f -\n{job}EOF", f"mk() {{\nkubectl apply -f - <<EOF\n{job}EOF\n}}\nmk"])]
        pool = f"{POOL} --tpu-topology={topology}"
        wrong = self.random.choice(NUMBERS)
        value = self.value()
        return [self.random.choice([
            f"{pool} --num-nodes=$N", f'{pool} --num-nodes="$N"', f"{pool} --num-nodes ${{N}}", f'{pool} \\\n  --num-nodes="${{N:-{value}}}"', f'{pool} --num-nodes="${{N}}" --spot',
            f'FLAGS="--num-nodes=$N --spot"\n{pool} $FLAGS', f"ARGS=(--num-nodes=$N)\nARGS+=(--spot)\n{pool} \"${{ARGS[@]}}\"", f"A[0]=--num-nodes=$N\n{pool} \"${{A[@]}}\"",
            f'mk() {{ {pool} --num-nodes={wrong} "$@"; }}\nmk --num-nodes=$N', f'mk() {{ {pool} "$@"; }}\nmk --num-nodes="$N" --spot', f'mk() {{\n  local n=$1\n  {pool} --num-nodes="$n"\n}}\nmk $N',
            f"mk() {{ {pool} --num-nodes=$N; }}\nmk", f"mk() {{ {pool} --num-nodes=$N; }}\nN={value}\nmk", f"mk() {{ {pool} --num-nodes=$N; }}\nN={value} mk", f"run() {{ \"$@\"; }}\nrun {pool} --num-nodes=$N",
            f"({pool} --num-nodes=$N)", f"X=$({pool} --num-nodes=$N)", f"if ! {pool} --num-nodes=$N; then exit 1; fi", f"true && {pool} --num-nodes=$N", f"true && N={value} && {pool} --num-nodes=$N", f"test -d / && N={value} && {pool} --num-nodes=$N",
            f"{pool} --num-nodes=$N | cat", f"for I in $N; do {pool} --num-nodes=$I; done", f"N={value} {pool} --num-nodes=$N", f"{{ N={value}; {pool} --num-nodes=$N; }}", f"(N={value}; {pool} --num-nodes=$N)",
            f'CMD="{pool} --num-nodes=$N"\n$CMD', f'set -- --num-nodes=$N\n{pool} "$@"', f"{pool} --num-nodes=$N || true", f"case x in x) {pool} --num-nodes=$N;; esac",
            f"{pool} --num-nodes=$N \\\n  --spot", f"main() {{\n  mk\n}}\nmk() {{\n  {pool} --num-nodes=$N\n}}\nmain \"$@\"", f"{pool} --num-nodes=$((N))", f"T={topology}\n{POOL} --tpu-topology=$T --num-nodes=$N",
            f'DRY="$1"\n$DRY {pool} --num-nodes=$N', f"DRY=\n$DRY {pool} --num-nodes=$N", f'bash <<< "{pool} --num-nodes=$N"', f'echo "{pool} --num-nodes=$N" | bash'])]

    def text(self):
        return re.sub(r"\bN\b", "HOSTS", "\n".join(self.lines)) + "\n"
