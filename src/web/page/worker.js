// Runs the program. The page starts it from a blob, so that it inherits the page's policy, and gives
// the address of its folder; a worker from a file would have no policy of its own.
"use strict";

// The engine holds its program in itself and must not look for it elsewhere.
for (const name of ["fetch", "XMLHttpRequest", "WebSocket", "EventSource", "WebTransport"]) self[name] = undefined;
importScripts(self.folder + "engine.js");

const engine = createEngine();
// An exception outside of a promise is an error of the worker, which the page sees.
engine.then(() => self.postMessage({loaded: true}), (error) => setTimeout(() => { throw error; }));

// A question is {id, task, text}, its answer {id, answer}. Before the first, {loaded: true} says that the program is there.
self.onmessage = async ({data: {id, task, text}}) => {
  const program = await engine;
  const [bytes, word] = [text, task].map((each) => new TextEncoder().encode(each));
  const at = program._malloc(bytes.length + word.length + 1);
  program.HEAPU8.set(bytes, at);
  program.HEAPU8.set(word, at + bytes.length);
  program.HEAPU8[at + bytes.length + word.length] = 0;
  const answer = program.UTF8ToString(program._flexslice_answer(at, bytes.length, at + bytes.length));
  program._free(at);
  self.postMessage({id, answer: JSON.parse(answer)});
};
