// The page: an editor on one side, what the program says about its text on the other. All knowledge
// is in the engine, which a worker runs; here is only what is shown, and how.
"use strict";

const byId = (id) => document.getElementById(id);
const source = byId("text"), panel = byId("panel");

// An element with properties and children, `make("button", {textContent: "Copy"})`. Attributes with a
// dash, and `role`, are set as such.
function make(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role") element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children.filter((child) => child != null));
  return element;
}
// Backticks hold code.
const rich = (text) => text.split(/`([^`]+)`/).map((part, i) => (i % 2 ? make("code", {textContent: part}) : part));
const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

// ---------------------------------------------------------------- the engine

const mostBytes = 1 << 20;            // of a text; the program reads no larger document either
const mostEdited = 200000;            // characters; editors of browsers stand still over larger ones
const mostImported = 200000;          // characters that are imported while somebody types
const patience = 10000;               // milliseconds that an answer may take, once the program is loaded

// Asks the worker one question at a time. One that takes too long ends with the worker, which is
// started again, so that the page always answers. A download takes as long as the line needs.
const engine = {
  worker: null, isLoaded: false, waiting: new Map(), next: 0, timer: null,
  start() {
    const folder = new URL(".", document.baseURI).href;
    const code = `self.folder = ${JSON.stringify(folder)}; importScripts(self.folder + "worker.js");`;
    this.isLoaded = false;
    this.worker = new Worker(URL.createObjectURL(new Blob([code], {type: "text/javascript"})));
    this.worker.onmessage = ({data}) => {
      if (!data.loaded) return this.settle(data.id, data.answer);
      this.isLoaded = true;
      this.watch();
    };
    this.worker.onerror = () => this.restart(this.isLoaded ? "The program ended without an answer. The page goes on with the next change."
      : "The program could not be loaded. The page tries again with the next change.");
  },
  // The worker answers in order, so the time is that of the first question.
  watch() {
    clearTimeout(this.timer);
    if (this.isLoaded && this.waiting.size > 0) this.timer = setTimeout(() => this.restart(), patience);
  },
  restart(reason = `No answer within ${patience / 1000} seconds, so the program was stopped. The page goes on with the next change.`) {
    this.worker.terminate();
    this.worker = null;
    for (const id of [...this.waiting.keys()]) this.settle(id, {failure: true, reason});
  },
  settle(id, answer) {
    const resolve = this.waiting.get(id);
    if (!resolve) return;
    this.waiting.delete(id);
    this.watch();
    resolve(answer);
  },
  ask(task, text) {
    if (!this.worker) this.start();
    const id = ++this.next;
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      if (this.waiting.size === 1) this.watch();
      this.worker.postMessage({id, task, text});
    });
  },
};

// ---------------------------------------------------------------- what is known

const state = {
  text: null,          // that `answer` is about
  answer: null,        // of the text in the editor
  made: null,          // with workloads: `answer`, or that of the spec which was imported
  imported: null,      // {spec, report}
  failure: null,       // why there is no answer
  tab: "manifests", workload: 0, file: {manifests: "manifests", scripts: "provision", picture: "fit"},
  others: new Map(),   // artifacts that are made only when they are looked at
};
const isSpec = () => state.answer?.type === "spec";
const errors = () => state.answer.findings.filter((finding) => finding.level === "error").length;

// Asks the engine about a text. A spec whose pools are somebody else's may name no cluster, which
// only scripts need: then there is what `--emit manifests` and `picture` give.
async function judged(text) {
  const answer = await engine.ask("", text);
  // An editor that is empty has no mistake yet.
  if (!text.trim() && !answer.failure) return {...answer, findings: [], count: 0};
  if (answer.failure || answer.type !== "spec" || answer.workloads.length > 0) return answer;
  const [made, pictures] = await Promise.all([engine.ask("manifests", text), engine.ask("picture", text)]);
  if (made.failure || pictures.failure || made.workloads.length === 0) return answer;
  made.workloads.forEach((each, i) => each.files.push(...pictures.workloads[i].files));
  return made;
}

// A text that is too large for the editor is judged all the same.
let large = null;
const current = () => large ?? source.value;
const readable = () => (large === null ? state.answer?.findings ?? [] : []);  // findings with a place in the editor

let linked = null;  // the text that the link in the address holds
let timer = null, running = false, took = 0;
function changed(wait = Math.min(800, Math.max(80, took))) {
  draw();
  clearTimeout(timer);
  timer = setTimeout(judge, wait);
  try { sessionStorage.text = source.value.slice(0, mostEdited); } catch { /* storage may be switched off */ }
  // A reload opens the link of the address, which is of an older text.
  if (location.hash && current() !== linked) history.replaceState(null, "", location.pathname + location.search);
}

// Readers of the screen say each change, so there is none where the words are the same.
function showBusy() {
  const words = engine.isLoaded ? "Working…" : "Loading the program…";
  if (byId("status").textContent !== words) byId("status").replaceChildren(make("span", {textContent: words}));
}

async function judge() {
  if (running) return;
  running = true;
  const text = current(), begin = performance.now();
  const busy = setInterval(showBusy, 400);
  state.failure = text.length > mostBytes ? "The text is larger than 1 MiB. The program itself reads larger files." : null;
  const answer = state.failure ? {failure: true} : await judged(text);
  clearInterval(busy);
  took = performance.now() - begin;
  Object.assign(state, {text, answer, made: answer, imported: null, others: new Map()});
  if (answer.failure) {
    state.failure ??= answer.reason ?? "The program failed on this text. The page goes on with the next change.";
    Object.assign(state, {answer: {type: "text", findings: [], count: 0, workloads: [], codes: {}, report: ""}});
    state.made = state.answer;
  }
  show();
  if (!answer.failure && answer.type !== "spec" && text.length < mostImported && /tpu/i.test(text)) {
    const imported = await engine.ask("import", text);
    if (!imported.failure && imported.spec) {
      const made = await judged(imported.spec);
      if (current() === text) Object.assign(state, {imported, made: made.failure ? answer : made});
    } else if (!imported.failure && current() === text) {
      state.imported = imported;
    }
    if (current() === text) show();
  }
  running = false;
  document.documentElement.dataset.answered = ++answers;
  if (current() !== text) changed();
}
let answers = 0;

// ---------------------------------------------------------------- the editor

const lineHeight = 20, padding = 8, longest = 2000;
let lines = [""];

const token = {
  yaml: /(?<comment>(?<=^|\s)#.*)|(?<string>"(?:[^"\\]|\\.)*"|'(?:[^']|'')*')|(?<key>[\w$./-]+(?=:(?:\s|$)))|(?<flag>^---$)/g,
  shell: /(?<comment>(?<=^|\s)#.*)|(?<string>"(?:[^"\\]|\\.)*"|'[^']*')|(?<flag>(?<=\s)--?[\w-]+)|(?<key>\$\{?[\w@#?]+\}?)/g,
  json: /(?<key>"(?:[^"\\]|\\.)*"(?=\s*:))|(?<string>"(?:[^"\\]|\\.)*")/g,
};
function coloured(line, pattern) {
  if (!pattern || line.length > longest) return [line.slice(0, longest * 5)];
  const parts = [];
  let at = 0;
  for (const match of line.matchAll(pattern)) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    parts.push(line.slice(at, match.index), make("span", {className: kind, textContent: match[0]}));
    at = match.index + match[0].length;
  }
  parts.push(line.slice(at));
  return parts;
}

// The program counts code points, the editor UTF-16 units.
function unit(line, column) {
  let at = 0;
  for (let point = 1; point < column && at < line.length; ++point) at += line.codePointAt(at) > 0xffff ? 2 : 1;
  return at;
}
function offsetOf(line, column) {
  let at = 0;
  for (let i = 0; i < line - 1 && i < lines.length; ++i) at += lines[i].length + 1;
  return Math.min(source.value.length, at + unit(lines[line - 1] ?? "", column));
}

// Draws the lines in view. Findings that are older than the text keep their places until the next
// answer, which takes a moment only.
function draw() {
  lines = source.value.split("\n");
  const first = Math.max(0, Math.floor((source.scrollTop - padding) / lineHeight));
  const last = Math.min(lines.length, first + Math.ceil(source.clientHeight / lineHeight) + 2);
  const type = state.answer?.type;
  const pattern = type === "script" || type === "makefile" ? token.shell : type === "page" ? null : token.yaml;
  const numbers = [], texts = [], marks = [];
  const place = (element, i) => {
    element.style.top = `${padding + i * lineHeight - source.scrollTop}px`;
    return element;
  };
  let plain = false;
  for (let i = first; i < last; ++i) {
    const line = lines[i];
    plain ||= line.length > longest;
    const here = readable().filter(({line: from, endLine}) => from !== null && from <= i + 1 && i + 1 <= (endLine ?? from));
    const level = here.some((finding) => finding.level === "error") ? "error" : here.length ? "warning" : "";
    numbers.push(place(make("div", {textContent: i + 1, className: here.some((finding) => finding.line === i + 1) ? level : ""}), i));
    texts.push(place(make("div", {}, ...coloured(line, pattern)), i));
    for (const finding of line.length > longest ? [] : here) {
      const begin = finding.line === i + 1 ? unit(line, finding.column) : 0;
      const end = finding.endLine === i + 1 ? unit(line, finding.endColumn) : line.length;
      marks.push(place(make("div", {}, line.slice(0, begin), make("mark", {className: finding.level, textContent: line.slice(begin, Math.max(end, begin + 1)) || " "})), i));
    }
  }
  byId("gutter").replaceChildren(...numbers);
  byId("syntax").replaceChildren(...(plain ? [] : texts));
  byId("marks").replaceChildren(...marks);
  source.classList.toggle("plain", plain);
  const shift = `translateX(${-source.scrollLeft}px)`;
  byId("syntax").style.transform = byId("marks").style.transform = shift;
}

function select(begin, end) {
  source.focus();
  source.setSelectionRange(begin, end);
  const line = source.value.slice(0, begin).split("\n").length;
  source.scrollTop = Math.max(0, padding + (line - 1) * lineHeight - source.clientHeight / 3);
  byId("editor").scrollIntoView({block: "nearest"});
  draw();
}
function goTo({line, column, endLine, endColumn}) {
  if (line === null || large !== null) return source.focus();
  const begin = offsetOf(line, column);
  select(begin, Math.max(begin, offsetOf(endLine ?? line, endColumn ?? column)));
}

// As if it were typed, so that it can be undone.
function replace(begin, end, text) {
  source.focus();
  source.setSelectionRange(begin, end);
  const done = text === "" ? document.execCommand("delete") : document.execCommand("insertText", false, text);
  if (!done) {
    source.setRangeText(text, begin, end, "end");
    changed();
  }
}
const editsOf = (finding) => finding.fixes.filter((fix) => fix.line !== null)
  .map((fix) => ({begin: offsetOf(fix.line, fix.column), end: offsetOf(fix.endLine, fix.endColumn), text: fix.text}));
function fix(finding) {
  for (const edit of editsOf(finding).sort((a, b) => b.begin - a.begin)) replace(edit.begin, edit.end, edit.text);
}
// All in one change; findings whose edits overlap those of an earlier one wait for the next answer.
function fixAll() {
  let text = source.value;
  const taken = [];
  for (const finding of state.answer.findings) {
    const edits = editsOf(finding);
    if (!edits.some((edit) => taken.some((other) => edit.begin < other.end && other.begin < edit.end || edit.begin === other.begin))) taken.push(...edits);
  }
  for (const edit of taken.sort((a, b) => b.begin - a.begin)) text = text.slice(0, edit.begin) + edit.text + text.slice(edit.end);
  const caret = source.selectionStart;
  replace(0, source.value.length, text);
  select(Math.min(caret, text.length), Math.min(caret, text.length));
}

// ---------------------------------------------------------------- the result

const tabs = [["spec", "Spec"], ["manifests", "Manifests"], ["scripts", "Scripts"], ["explain", "Explain"], ["picture", "Picture"], ["findings", "Findings"]];
const choices = {
  manifests: [["manifests", "Manifests"], ["queues", "Queues"], ["volumes", "Volumes"], ["terraform", "Terraform"], ["config-connector", "Config Connector"], ["plan", "Plan"]],
  scripts: [["preflight", "Preflight"], ["provision", "Provision"], ["verify", "Verify"], ["status", "Status"], ["cleanup", "Clean up"]],
};
const onDemand = new Set(["terraform", "config-connector"]);
const typeNames = {spec: "Spec", manifest: "Manifest", page: "Page", script: "Script", makefile: "Makefile", text: "Text"};

function show() {
  const {answer} = state;
  byId("type").replaceChildren(typeNames[answer.type],
    make("small", {textContent: isSpec() || state.failure ? "" : "checked as lint does"}));
  const fixable = readable().filter((finding) => finding.fixes.length > 0).length;
  byId("fix-all").hidden = fixable === 0;
  byId("fix-all").textContent = fixable === 1 ? "Fix it" : `Fix all ${fixable}`;
  if (answer.version) byId("about").textContent = `flexslice ${answer.version}, facts of ${answer.catalog}`;
  showStatus();
  showTabs();
  showPanel();
  draw();
}

function showStatus() {
  const {answer} = state;
  const wrong = errors(), rest = answer.count - wrong;
  const parts = [];
  if (state.failure) parts.push(make("span", {className: "error", textContent: state.failure}));
  else if (answer.count === 0) parts.push(make("span", {className: "good", textContent: current().trim() ? "No findings" : "Type or paste a spec, a manifest, a script or a page"}));
  else if (answer.count > answer.findings.length) parts.push(make("span", {className: "error", textContent: counted(answer.count, "finding")}));
  else {
    if (wrong) parts.push(make("span", {className: "error", textContent: counted(wrong, "error")}));
    if (rest) parts.push(make("span", {className: "warning", textContent: counted(rest, "warning")}));
  }
  if (answer.specs > 1) parts.push(make("span", {textContent: counted(answer.specs, "spec")}));
  if (!state.failure) parts.push(make("span", {className: "time", textContent: `${Math.round(took)} ms`, "aria-hidden": "true"}));
  byId("status").replaceChildren(...parts);
}

function showTabs() {
  const shown = tabs.filter(([id]) => id !== "spec" || !isSpec() && state.imported);
  if (!shown.some(([id]) => id === state.tab)) state.tab = "manifests";
  const focused = document.activeElement?.closest("#tabs") !== null && document.activeElement !== document.body;
  byId("tabs").replaceChildren(...shown.map(([id, label]) => {
    const button = make("button", {id: `tab-${id}`, role: "tab", textContent: label, "aria-selected": String(id === state.tab), "aria-controls": "panel", tabIndex: id === state.tab ? 0 : -1, onclick: () => choose(id)});
    if (id === "findings" && state.answer.count > 0)
      button.append(make("span", {className: `count ${errors() ? "error" : "warning"}`, textContent: state.answer.count.toLocaleString("en")}));
    return button;
  }));
  panel.setAttribute("aria-labelledby", `tab-${state.tab}`);
  byId(`tab-${state.tab}`).scrollIntoView({block: "nearest", inline: "nearest"});
  if (focused) byId(`tab-${state.tab}`).focus();
}
function choose(id) {
  state.tab = id;
  showTabs();
  showPanel();
}

function showPanel() {
  panel.replaceChildren(...{spec: specPanel, manifests: filePanel, scripts: filePanel, explain: explainPanel, picture: picturePanel, findings: findingsPanel}[state.tab]());
}

function empty(title, text, ...more) {
  return [make("div", {className: "empty"}, make("b", {textContent: title}), make("p", {}, ...rich(text)), ...more)];
}
// Shows a text where no workload compiles.
function nothing() {
  if (state.failure) return empty("No answer", state.failure);
  const first = state.answer.findings.find((finding) => finding.level === "error");
  if (first) {
    return empty(counted(errors(), "error"), first.message,
      make("button", {className: "main", textContent: "Show findings", onclick: () => choose("findings")}));
  }
  if (isSpec() && !current().trim()) return empty("Nothing here yet", "Pick an example, or type a spec.");
  return empty("Nothing to compile", state.imported?.report ? "No spec could be made of this text. The tab Spec says why." : "No TPU workload was found in this text.");
}
// The chosen workload, or the first that has what is asked for: the points of a sweep leave their scripts to it, and it has no picture.
const workload = (has) => {
  const {workloads} = state.made, chosen = workloads[Math.min(state.workload, workloads.length - 1)];
  return has(chosen) ? chosen : workloads.find(has) ?? chosen;
};
const hasFile = (...emits) => (each) => each.files.some((file) => emits.includes(file.emit));

// Several workloads, or several files of one, and buttons for the text that is shown.
function tools(current, options, chosen, pick, text, name) {
  const {workloads} = state.made;
  const bar = make("div", {className: "tools"});
  if (workloads.length > 1) {
    const list = make("select", {"aria-label": "Workload", onchange: () => { state.workload = list.selectedIndex; showPanel(); }},
      ...workloads.map((each) => make("option", {textContent: each.name})));
    list.selectedIndex = workloads.indexOf(current);
    bar.append(list);
  }
  if (options.length > 0) {
    bar.append(make("div", {className: "choice", role: "group", "aria-label": "Shown"}, ...options.map(([id, label]) =>
      make("button", {textContent: label, "aria-pressed": String(id === chosen), "data-file": id, onclick: () => {
        pick(id);
        panel.querySelector(`[data-file="${id}"]`)?.focus();
      }}))));
  }
  if (text) {
    bar.append(make("div", {className: "right"},
      make("button", {textContent: "Copy", id: "copy", onclick: () => copy(text, "Copied")}),
      make("button", {textContent: "Download", id: "download", title: name, onclick: () => download(text, name)})));
  }
  return bar;
}
function limited() {
  const {specs} = state.answer;
  return specs > 100 ? make("p", {className: "note", textContent: `The first 100 of ${specs.toLocaleString("en")} specs are shown here; the program compiles all.`}) : null;
}
const present = (list) => list.filter((each) => each != null);
const code = (text, pattern, extra = "") => make("pre", {className: `body ${extra}`, tabIndex: 0, "aria-label": "Text"},
  ...(text.length > 150000 ? [text] : text.split("\n").flatMap((line, i, all) => [...coloured(line, pattern), i + 1 < all.length ? "\n" : ""])));

function filePanel() {
  if (state.made.workloads.length === 0) return nothing();
  const kind = state.tab, current = workload(hasFile(...choices[state.tab].map(([id]) => id)));
  const find = (emit) => current.files.find((file) => file.emit === emit) ?? state.others.get(`${emit} ${state.made.workloads.indexOf(current)}`);
  const options = choices[kind].filter(([id]) => onDemand.has(id) || find(id));
  if (options.length === 0) return empty("No scripts", "They need `cluster.name` and `cluster.location`, which this spec does not say.");
  if (!options.some(([id]) => id === state.file[kind])) state.file[kind] = options[0][0];
  const id = state.file[kind], file = find(id);
  const pick = (chosen) => { state.file[kind] = chosen; showPanel(); };
  const name = `${current.name}-${file?.name}`.replace(/^.*-NAME/, current.name);
  const bar = tools(current, options, id, pick, file?.text, name);
  if (!file) {
    demand(id);
    return [bar, make("p", {className: "empty", textContent: "Working…"})];
  }
  if (!file.text) return [bar, make("pre", {className: "body wrapped", tabIndex: 0, textContent: file.report || "There is nothing that it would create."})];
  return present([limited(), bar, code(file.text, kind === "scripts" ? token.shell : /json$/.test(file.name) ? token.json : token.yaml)]);
}
async function demand(emit) {
  const {text, made, others} = state;
  const answer = await engine.ask(emit, isSpec() ? text : state.imported.spec);
  made.workloads.forEach((each, i) => {
    const found = answer.workloads?.find((other) => other.name === each.name)?.files[0];
    others.set(`${emit} ${i}`, found ?? {text: "", report: answer.report ?? ""});
  });
  if (state.others === others) showPanel();
}

function explainPanel() {
  if (state.made.workloads.length === 0) return nothing();
  const current = workload((each) => each.explanation !== "");
  return present([limited(), tools(current, [], "", null, current.explanation, `${current.name}.txt`), code(current.explanation, null)]);
}

const plainText = (xml) => make("textarea", {innerHTML: xml}).value;
function picturePanel() {
  if (state.made.workloads.length === 0) return nothing();
  const current = workload(hasFile("picture")), svg = current.files.find((file) => file.emit === "picture").text;
  const [title, text] = ["title", "desc"].map((tag) => plainText(svg.match(new RegExp(`<${tag} [^>]*>([^<]*)<`))?.[1] ?? ""));
  const image = make("img", {alt: `${title}. ${text}`, src: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`});
  const size = state.file.picture, pick = (chosen) => { state.file.picture = chosen; showPanel(); };
  return present([limited(), tools(current, [["fit", "Fit"], ["whole", "Full size"]], size, pick, svg, `${current.name}.svg`),
    make("div", {className: `body picture ${size}`, tabIndex: 0, "aria-label": "Picture"}, image)]);
}

function specPanel() {
  const {spec, report} = state.imported;
  const bar = make("div", {className: "tools"}, make("span", {textContent: spec ? "The spec that compiles to this text" : "No spec could be made of this text"}));
  if (spec) {
    bar.append(make("div", {className: "right"},
      make("button", {className: "main", textContent: "Edit this spec", id: "adopt", onclick: () => { replace(0, source.value.length, spec); select(0, 0); }}),
      make("button", {textContent: "Copy", id: "copy", onclick: () => copy(spec, "Copied")}),
      make("button", {textContent: "Download", id: "download", onclick: () => download(spec, "spec.yaml")})));
  }
  return present([bar, spec ? code(spec, token.yaml) : null, report && !spec ? make("pre", {className: "body wrapped", tabIndex: 0, textContent: report}) : null,
    report && spec ? make("details", {className: "note"}, make("summary", {textContent: "What import says about it"}), make("pre", {className: "wrapped", textContent: report})) : null]);
}

const mostShown = 100;
function findingsPanel() {
  const {findings, count, codes, report} = state.answer;
  if (state.failure || !current().trim()) return nothing();
  if (count === 0) return [make("div", {className: "empty"}, make("span", {className: "tick", textContent: "✓", "aria-hidden": "true"}), make("b", {textContent: "No findings"}), make("p", {textContent: isSpec() ? "The spec is valid." : "Nothing in this text is wrong, as far as flexslice can see."}))];
  const cards = findings.slice(0, mostShown).map((finding) => {
    const where = finding.line === null ? "" : `line ${finding.line}, column ${finding.column}`;
    const items = [["note", finding.notes], ["note", finding.related.map((each) => `${each.line === null ? "" : `line ${each.line}: `}${each.message}`)], ["help", finding.helps]]
      .flatMap(([word, texts]) => texts.map((text) => make("li", {}, make("i", {textContent: word}), ...rich(text))));
    return make("article", {className: `finding ${finding.level}`},
      make("button", {className: "place", title: "Go to its line", onclick: () => goTo(finding)},
        make("span", {}, make("span", {className: "level", textContent: `${finding.level} ${finding.code}`}), make("span", {textContent: where})),
        make("b", {}, ...rich(finding.message))),
      make("ul", {}, ...items),
      make("div", {className: "more"},
        large === null && finding.fixes.length > 0 ? make("button", {className: "main fix", textContent: "Apply fix", onclick: () => fix(finding)}) : null,
        make("details", {}, make("summary", {textContent: `What ${finding.code} means`}), make("pre", {textContent: codes[finding.code]}))));
  });
  if (count > cards.length) cards.push(make("p", {textContent: `${(count - cards.length).toLocaleString("en")} more are not shown.`}));
  const bar = make("div", {className: "tools"}, make("span", {textContent: counted(count, "finding")}),
    make("div", {className: "right"}, make("button", {textContent: "Copy", id: "copy", onclick: () => copy(report, "Copied")}),
      make("button", {textContent: "Download", id: "download", onclick: () => download(report, "findings.txt")})));
  return present([limited(), bar, make("div", {className: "body list"}, ...cards)]);
}

// ---------------------------------------------------------------- copy, download, share

let toastTimer = null;
function toast(text) {
  byId("toast").textContent = text;
  byId("toast").classList.add("shown");
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => byId("toast").classList.remove("shown"), 2000);
}

async function copy(text, said) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without the right to the clipboard, as on a page without https.
    const back = document.activeElement, box = make("textarea", {value: text, className: "hidden"});
    document.body.append(box);
    box.select();
    document.execCommand("copy");
    box.remove();
    back?.focus();
  }
  toast(said);
}

function download(text, name) {
  const link = make("a", {href: URL.createObjectURL(new Blob([text], {type: "text/plain"})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  toast(`Saved ${name}`);
}

// The text, compressed, in the fragment, which browsers send to nobody.
async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}
// Nothing where the link holds no text, or too long a one: a small link can hold a large text.
async function unpacked(letters) {
  const bytes = Uint8Array.from(atob(letters.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, {stream: true});
    if (text.length > mostBytes) throw new RangeError("too long");
  }
}
async function share() {
  const text = current();
  const link = new URL(`#${await packed(text)}`, location.href).href;
  if (text === current()) {
    linked = text;
    history.replaceState(null, "", link);
  }
  await copy(link, link.length > 8000 ? "Link copied; it is long, and some programs cut it" : "Link copied");
}
async function fromLink() {
  if (location.hash.length < 2 || byId(location.hash.slice(1))) return false;
  try {
    linked = await unpacked(location.hash.slice(1));
    load(linked, "");
    return true;
  } catch {
    toast("The link holds no text that can be read");
    return false;
  }
}

// ---------------------------------------------------------------- start

function load(text, example) {
  large = text.length > mostEdited ? text : null;
  source.readOnly = large !== null;
  source.value = large === null ? text : `# ${counted(text.length, "character")}, too many to edit here.\n# The findings name their lines. Pick an example to go on.\n`;
  byId("example").value = example;
  source.scrollTop = source.scrollLeft = 0;
  state.workload = 0;
  changed(0);
}
async function openFile(file) {
  if (!file) return;
  if (file.size > mostBytes) return toast("The file is larger than 1 MiB");
  const text = new TextDecoder().decode(await file.arrayBuffer());
  if (text.includes("\0")) return toast("The file is binary");
  load(text, "");
}

const themes = ["auto", "light", "dark"];
function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  byId("theme").textContent = `Theme: ${theme}`;
  try { localStorage.theme = theme; } catch { /* storage may be switched off */ }
}

function listExamples() {
  const option = ({name, text}) => make("option", {value: name, textContent: name.replace(/^sample-/, "").replace(/-/g, " "), title: text.split("\n").find((line) => /^# /.test(line))?.slice(2) ?? ""});
  const [samples, specs] = [true, false].map((wanted) => examples.filter(({name}) => name.startsWith("sample-") === wanted));
  byId("example").append(make("option", {value: "", textContent: "Your text", hidden: true}),
    make("optgroup", {label: "Specs"}, ...specs.map(option)), make("optgroup", {label: "To be checked"}, ...samples.map(option)));
}

async function start() {
  try { setTheme(themes.includes(localStorage.theme) ? localStorage.theme : "auto"); } catch { setTheme("auto"); }
  listExamples();
  source.addEventListener("input", () => { byId("example").value = ""; changed(); });
  source.addEventListener("paste", (event) => {
    const text = event.clipboardData.getData("text/plain");
    if (text.length <= mostEdited) return;
    event.preventDefault();
    load(text, "");
  });
  source.addEventListener("scroll", draw);
  new ResizeObserver(draw).observe(source);
  source.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const before = source.value.slice(0, source.selectionStart), line = before.slice(before.lastIndexOf("\n") + 1);
    document.execCommand("insertText", false, "\n" + line.match(/^ */)[0] + (/(^|\s)[\w.-]+:$/.test(line) ? "  " : ""));
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "F8" || !state.answer) return;
    event.preventDefault();
    const all = readable().filter((finding) => finding.line !== null).map((finding) => ({finding, at: offsetOf(finding.line, finding.column)})).sort((a, b) => a.at - b.at);
    const here = source.selectionStart;
    const next = event.shiftKey ? all.findLast(({at}) => at < here) ?? all.at(-1) : all.find(({at}) => at > here) ?? all[0];
    if (next) goTo(next.finding);
  });
  byId("tabs").addEventListener("keydown", (event) => {
    const ids = [...byId("tabs").children].map((tab) => tab.id.slice(4)), at = ids.indexOf(state.tab);
    const to = {ArrowRight: (at + 1) % ids.length, ArrowLeft: (at + ids.length - 1) % ids.length, Home: 0, End: ids.length - 1}[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(ids[to]);
    byId(`tab-${ids[to]}`).focus();
  });
  byId("example").addEventListener("change", (event) => load(examples.find(({name}) => name === event.target.value).text, event.target.value));
  byId("fix-all").addEventListener("click", fixAll);
  byId("share").addEventListener("click", share);
  byId("theme").addEventListener("click", () => setTheme(themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length]));
  byId("open").addEventListener("click", () => byId("file").click());
  byId("file").addEventListener("change", (event) => { openFile(event.target.files[0]); event.target.value = ""; });
  for (const kind of ["dragover", "drop"]) {
    document.addEventListener(kind, (event) => {
      if (![...event.dataTransfer.types].includes("Files")) return;
      event.preventDefault();
      if (kind === "drop") openFile(event.dataTransfer.files[0]);
    });
  }
  document.querySelector(".skip").addEventListener("click", (event) => { event.preventDefault(); source.focus(); });
  window.addEventListener("hashchange", fromLink);
  // Without https there is none, and then the page needs the network.
  navigator.serviceWorker?.register("offline.js").catch(() => {});
  if (await fromLink()) return;
  let kept = "";
  try { kept = sessionStorage.text ?? ""; } catch { /* storage may be switched off */ }
  if (kept) load(kept, examples.find(({text}) => text === kept)?.name ?? "");
  else load(examples[0].text, examples[0].name);
}
start();
