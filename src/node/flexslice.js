#!/usr/bin/env node
// The command `flexslice` of the npm package: the native program of this platform if npm has
// installed its package, else the same program as WebAssembly. The syntax is old, so that every
// node can read the messages.
'use strict';
var fs = require('fs');
var path = require('path');

var again = 'install it again with `npm install --global --force flexslice`';

function stop(message) {
  console.error('flexslice: ' + message);
  process.exit(3);
}

// Returns what a package.json says, or nothing outside of packages.
function manifest(name) {
  try {
    return require(name);
  } catch (error) {
    return {};
  }
}

// A program whose download or disk was cut off crashes without a reason.
function check_size(file, bytes) {
  if (bytes === undefined || bytes === null) return;
  var found = 0;
  try {
    found = fs.statSync(file).size;
  } catch (error) {
    // Its size is 0.
  }
  if (found !== bytes) stop(file + ' has ' + found + ' of ' + bytes + ' bytes; ' + again);
}

// The native program, or nothing.
function native_program() {
  var name = 'flexslice-' + process.platform + '-' + process.arch;
  var own = manifest('../package.json').version;
  var other = manifest(name + '/package.json');
  if (own === undefined || other.version !== own) return undefined;
  var file = path.join(path.dirname(require.resolve(name + '/package.json')), 'bin', 'flexslice');
  check_size(file, other.bytes);
  return file;
}

// The program takes the place of node where node can do that, and is its child elsewhere.
function run_native(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
  } catch (error) {
    stop(file + ' does not start (' + error.code + '); ' + again);
  }
  try {
    if (process.execve) process.execve(file, [file].concat(process.argv.slice(2)), process.env);
  } catch (error) {
    // A policy may forbid it.
  }
  run_child(file);
}

// Signals reach both. Where node alone is killed, the program sees it by FLEXSLICE_PARENT.
function run_child(file) {
  var environment = Object.assign({}, process.env, {FLEXSLICE_PARENT: String(process.pid)});
  var child = require('child_process').spawn(file, process.argv.slice(2), {stdio: 'inherit', env: environment});
  ['SIGHUP', 'SIGINT', 'SIGTERM'].forEach(function(signal) {
    process.on(signal, function() { child.kill(signal); });
  });
  child.on('error', function(error) { stop(file + ' does not start (' + error.code + '); ' + again); });
  child.on('exit', function(status, signal) {
    if (signal === null) process.exit(status);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function run_wasm() {
  var file = path.join(__dirname, 'program.wasm');
  if (parseInt(process.versions.node, 10) < 18)
    stop('node ' + process.versions.node + ' is too old: install node 18 or later');
  check_size(file, manifest('../package.json').bytes);
  var module, start;
  try {
    start = require('./program.js');
    module = new WebAssembly.Module(fs.readFileSync(file));
  } catch (error) {
    stop(error.message.split('\n')[0] + '; ' + again);
  }
  start({
    arguments: process.argv.slice(2),
    thisProgram: 'flexslice',
    instantiateWasm: function(imports, ready) {
      ready(new WebAssembly.Instance(module, imports));
      return {};
    }
  });
}

var file = native_program();
if (file === undefined) run_wasm();
else run_native(file);
