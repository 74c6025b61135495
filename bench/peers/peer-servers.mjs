// How each peer serves a document: as its own instructions say.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { transformSync } from "esbuild";
import { peerName } from "./install-peers.mjs";

/** Of a document that lies in `spec`, the API at `url`. Over HTTP where there is a `port`. Some prepare a folder first. */
export function peerServers(folder, { spec, url, port }) {
  const inFolder = (path) => join(folder, "node_modules", path);
  return [
    {
      name: peerName("@ivotoby/openapi-mcp-server"),
      args: () => [
        inFolder("@ivotoby/openapi-mcp-server/bin/mcp-server.js"),
        ...["--api-base-url", url, "--openapi-spec", spec, "--verbose", "false"],
        ...(port === undefined ? [] : ["--transport", "http", "--port", String(port)]),
      ],
    },
    {
      name: peerName("openapi-mcp-generator"),
      args: () => [
        generate(folder, { spec, url, port }),
        ...(port === undefined ? [] : ["--transport=streamable-http"]),
      ],
    },
    {
      name: peerName("fastmcp"),
      args: () => [join(folder, "serve-fastmcp.mjs"), spec, url, ...(port === undefined ? [] : [String(port)])],
    },
    // It speaks stdio only, and reads folders of YAML, which JSON is.
    ...(port === undefined
      ? [
          {
            name: peerName("@twilio-alpha/openapi-mcp-server"),
            args: () => [
              inFolder("@twilio-alpha/openapi-mcp-server/build/simple.js"),
              "--apiPath",
              asYaml(folder, spec),
            ],
          },
        ]
      : []),
  ];
}

/** A server that it wrote. Its own build is tsc, which takes minutes where there are many operations; this one makes the same JavaScript. */
function generate(folder, { spec, url, port }) {
  const made = mkdtempSync(join(folder, "generated-"));
  const program = join(folder, "node_modules/openapi-mcp-generator/bin/openapi-mcp-generator.js");
  const http = port === undefined ? [] : ["--transport", "streamable-http", "--port", String(port)];
  const args = [program, "--input", spec, "--output", join(made, "project"), "--base-url", url, ...http];
  execFileSync(process.execPath, args, { stdio: "ignore" });
  mkdirSync(join(made, "build"));
  for (const name of port === undefined ? ["index"] : ["index", "streamable-http"]) {
    const source = readFileSync(join(made, "project/src", `${name}.ts`), "utf8");
    writeFileSync(join(made, "build", `${name}.js`), transformSync(source, { loader: "ts" }).code);
  }
  return join(made, "build/index.js");
}

function asYaml(folder, spec) {
  const home = mkdtempSync(join(folder, "generated-"));
  copyFileSync(spec, join(home, "api.yaml"));
  return home;
}
