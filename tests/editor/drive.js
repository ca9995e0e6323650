// What test_vscode.py has node do: the client library of VS Code opens a spec, asks about it, and checks the forms of the answers.
const assert = require("assert");
const { spawn } = require("child_process");
const lsp = require("vscode-languageserver-protocol/node");

const [program, text] = process.argv.slice(2);
const server = spawn(program, ["lsp"], { stdio: ["pipe", "pipe", "inherit"] });
const connection = lsp.createMessageConnection(new lsp.StreamMessageReader(server.stdout), new lsp.StreamMessageWriter(server.stdin));
const uri = "file:///specs/train.yaml";
const line = text.split("\n").findIndex((each) => each.includes("topology:"));
const at = (character) => ({ textDocument: { uri }, position: { line, character } });

async function drive() {
  const published = new Promise((resolve) => connection.onNotification(lsp.PublishDiagnosticsNotification.type, resolve));
  connection.listen();
  const started = await connection.sendRequest(lsp.InitializeRequest.type, { processId: null, rootUri: null, capabilities: {} });
  assert.strictEqual(started.capabilities.positionEncoding, lsp.PositionEncodingKind.UTF16);
  await connection.sendNotification(lsp.InitializedNotification.type, {});
  await connection.sendNotification(lsp.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId: "yaml", version: 1, text } });
  const { diagnostics } = await published;
  assert(diagnostics.length > 0 && diagnostics.every(lsp.Diagnostic.is));
  const hover = await connection.sendRequest(lsp.HoverRequest.type, at(4));
  assert(lsp.Hover.is(hover));
  const items = await connection.sendRequest(lsp.CompletionRequest.type, at(12));
  assert(items.length > 0 && items.every((each) => lsp.TextEdit.is(each.textEdit)));
  const symbols = await connection.sendRequest(lsp.DocumentSymbolRequest.type, { textDocument: { uri } });
  assert(symbols.length > 0 && symbols.every(lsp.DocumentSymbol.is));
  const actions = await connection.sendRequest(lsp.CodeActionRequest.type, { textDocument: { uri }, range: diagnostics[0].range, context: { diagnostics } });
  assert(actions.length > 0 && actions.every(lsp.CodeAction.is));
  await assert.rejects(connection.sendRequest("textDocument/rename", at(4)), { code: lsp.ErrorCodes.MethodNotFound });
  await connection.sendRequest(lsp.ShutdownRequest.type);
  await connection.sendNotification(lsp.ExitNotification.type);
  const status = await new Promise((resolve) => server.on("exit", resolve));
  console.log(JSON.stringify({
    status, codes: diagnostics.map((each) => each.code), offered: items.map((each) => each.label), hover: hover.contents.value,
    actions: actions.map((each) => each.title),
  }));
}

drive().then(() => process.exit(0), (error) => { console.error(error); process.exit(1); });
