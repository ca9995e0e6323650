"""examples/assistants: each client's configuration has the shape that the client reads, and the command in it is one that works."""
import json
import re
import textwrap
import tomllib
import unittest

from assistant import ROOT, call, request, talk

PAGE = (ROOT / "examples/assistants/README.md").read_text()
# The client's heading: the file that it names, the syntax, where the server is, and what its entry must have.
CLIENTS = {
    "Claude Code": (".mcp.json", "json", "mcpServers", {}),
    "Claude Desktop": ("claude_desktop_config.json", "json", "mcpServers", {}),
    "Cursor": (".cursor/mcp.json", "json", "mcpServers", {}),
    "Gemini CLI": (".gemini/settings.json", "json", "mcpServers", {}),
    "VS Code": (".vscode/mcp.json", "json", "servers", {"type": "stdio"}),
    "Codex": ("~/.codex/config.toml", "toml", "mcp_servers", {}),
}


class Configurations(unittest.TestCase):
    def test_blocks(self):
        sections = dict(re.findall(r"^## ([^\n]+)\n\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S))
        self.assertEqual(set(CLIENTS), set(sections) - {"What it offers"})
        for client, (file, syntax, key, more) in CLIENTS.items():
            self.assertIn(f"`{file}`", sections[client])
            (language, block), = re.findall(r"```(\w+)\n(.*?)```", sections[client], re.S)
            self.assertEqual(syntax, language)
            parsed = (json if syntax == "json" else tomllib).loads(block)
            entry = {"command": "npx", "args": ["--yes", "flexslice", "mcp"], **more}
            self.assertEqual({key: {"flexslice": entry}}, parsed, client)

    def test_the_index_beside_the_page(self):
        """Its spec compiles, and the commands that it names exist."""
        index = (ROOT / "src/web/page/llms.txt").read_text()
        spec = re.search(r"^    apiVersion.*?(?=^\S)", index, re.M | re.S).group()
        self.assertTrue(call("check", specs=[{"text": textwrap.dedent(spec)}])["structuredContent"]["ok"])
        commands = re.findall(r"^- name: (\w+)$", (ROOT / "src/cli/help/commands.yaml").read_text(), re.M)
        self.assertLessEqual(set(re.findall(r"`flexslice (\w+)", index)), set(commands))

    def test_what_it_offers(self):
        tools = [tool["name"] for tool in talk(request(1, "tools/list"))[0]["result"]["tools"]]
        self.assertEqual(tools, re.findall(r"^\| `(\w+)` \|", PAGE, re.M))
        package = json.loads((ROOT / "tools/packaging/npm/package.json.in").read_text().replace("@BYTES@", "0"))
        self.assertEqual(("flexslice", ["flexslice"]), (package["name"], list(package["bin"])))


if __name__ == "__main__":
    unittest.main()
