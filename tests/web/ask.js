// Asks the page's engine, without a browser. usage: node ask.js ENGINE <QUESTIONS >ANSWERS, both JSON:
// of [task, text in base64] for each, [answer, milliseconds of CPU].
"use strict";

require(process.argv[2])().then((program) => {
  const questions = JSON.parse(require("fs").readFileSync(0));
  const answers = questions.map(([task, encoded]) => {
    const bytes = Buffer.from(encoded, "base64"), word = Buffer.from(task + "\0");
    const at = program._malloc(bytes.length + word.length);
    program.HEAPU8.set(bytes, at);
    program.HEAPU8.set(word, at + bytes.length);
    const begin = process.cpuUsage();
    const answer = program.UTF8ToString(program._flexslice_answer(at, bytes.length, at + bytes.length));
    const took = process.cpuUsage(begin).user / 1000;
    program._free(at);
    return [JSON.parse(answer), took];
  });
  process.stdout.write(JSON.stringify(answers));
});
