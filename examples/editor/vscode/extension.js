const { LanguageClient } = require("vscode-languageclient/node");

const languages = ["yaml", "json", "markdown", "shellscript", "makefile", "terraform"];
// npm on Windows installs flexslice.cmd, which only a shell starts.
const server = { command: "flexslice", args: ["lsp"], options: { shell: process.platform === "win32" } };
const client = new LanguageClient("flexslice", server, {
  documentSelector: languages.map((language) => ({ scheme: "file", language })),
  synchronize: { configurationSection: "flexslice" },
});

exports.activate = () => client.start();
exports.deactivate = () => client.stop();
