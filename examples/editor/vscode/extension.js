const { LanguageClient } = require("vscode-languageclient/node");

const languages = ["yaml", "json", "markdown", "shellscript", "makefile", "terraform"];
const client = new LanguageClient("flexslice", { command: "flexslice", args: ["lsp"] }, {
  documentSelector: languages.map((language) => ({ scheme: "file", language })),
  synchronize: { configurationSection: "flexslice" },
});

exports.activate = () => client.start();
exports.deactivate = () => client.stop();
