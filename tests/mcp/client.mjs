// The official client of the Model Context Protocol: node client.mjs FLEXSLICE PLAN, a JSON file
// with a list of calls. Prints what it got as JSON.
import {readFileSync} from "node:fs";
import {Client} from "@modelcontextprotocol/sdk/client/index.js";
import {StdioClientTransport} from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, plan] = process.argv.slice(2);
const client = new Client({name: "test", version: "1"});
const faults = [];
client.onerror = (error) => faults.push(String(error));
await client.connect(new StdioClientTransport({command, args: ["mcp"]}));
const got = {
  server: client.getServerVersion(),
  capabilities: client.getServerCapabilities(),
  instructions: client.getInstructions(),
  tools: (await client.listTools()).tools,
  resources: (await client.listResources()).resources,
  language: (await client.readResource({uri: "flexslice://language"})).contents,
  results: [],
};
for (const call of JSON.parse(readFileSync(plan, "utf8"))) {
  try {
    // The client compares structured content with the tool's schema.
    got.results.push(await client.callTool(call));
  } catch (error) {
    got.results.push({failed: String(error)});
  }
}
await client.ping();
await client.close();
console.log(JSON.stringify({...got, faults}));
