import type { ApiSection } from "../../curation/format.ts";
import type { Api, Operation, Server } from "../../model/api.ts";
import { nearestNames } from "../../model/nearest.ts";
import { hintFor, type Report } from "../open-report.ts";

type Variables = NonNullable<ApiSection["serverVariables"]>;

/** The URL of an operation's first server with its variables filled in; empty where there is none or it is no base to which a path can be added. */
export function fillServer(operation: Pick<Operation, "servers">, variables: Variables = {}): string {
  const [server] = operation.servers;
  if (server === undefined) return "";
  const url = server.url.replace(/\{([^{}]+)\}/g, (whole, name: string) => {
    const given = Object.hasOwn(variables, name) ? variables[name] : undefined;
    return String(given ?? server.variables.find((one) => one.name === name)?.default ?? whole);
  });
  return isBase(url) ? url : "";
}

/** As a curation's `baseUrl`: absolute, without query and fragment, in which the path would be lost, and without a user. */
function isBase(url: string): boolean {
  if (!/^https?:\/\/[^/{}?#]/i.test(url) || /[?#]/.test(url) || !URL.canParse(url)) return false;
  const { username, password } = new URL(url);
  return username === "" && password === "";
}

/** Without a base URL of the curation the spec's own servers have to do. */
export function checkServers(entry: ApiSection, api: Api, operations: readonly Operation[], report: Report): void {
  const isRemote = /^https?:\/\//i.test(api.source);
  const lost = operations.find((operation) => fillServer(operation, entry.serverVariables) === "");
  if (isRemote)
    report.add(
      "error",
      "base_url_needed",
      ["api", "spec"],
      "A spec that was read from a URL does not decide where requests go.",
      "Add `baseUrl`.",
    );
  else if (lost !== undefined) {
    const stated = lost.servers[0]?.url;
    const said = stated === undefined ? "states no server" : `states \`${stated}\``;
    const why = /^https?:\/\//i.test(stated ?? "") ? "no base to which a path can be added" : "not absolute";
    report.add(
      "error",
      "base_url_needed",
      ["api"],
      `The spec ${said} for \`${lost.key}\`, which is ${why}.`,
      "Add `baseUrl`.",
    );
  }
  checkVariables(
    entry.serverVariables ?? {},
    [...api.servers, ...operations.flatMap(({ servers }) => servers)],
    report,
  );
}

function checkVariables(variables: Variables, servers: readonly Server[], report: Report): void {
  const known = servers.flatMap((server) => server.variables);
  const names = [...new Set(known.map(({ name }) => name))];
  for (const [name, value] of Object.entries(variables)) {
    const at = ["api", "serverVariables", name];
    const same = known.filter((one) => one.name === name);
    const allowed = same.flatMap((one) => one.enum ?? []);
    if (same.length === 0)
      report.add(
        "error",
        "unknown_server_variable",
        at,
        `The spec's servers have no variable \`${name}\`.`,
        hintFor(nearestNames(name, names), names),
      );
    else if (String(value).includes("${"))
      report.add(
        "error",
        "base_url_needed",
        at,
        "A server's variable cannot be read when serving.",
        "Write the whole URL as `baseUrl`, with ${…} in it.",
      );
    else if (allowed.length > 0 && !allowed.includes(String(value)))
      report.add(
        "error",
        "bad_value",
        at,
        `\`${name}\` cannot be \`${value}\`.`,
        hintFor(nearestNames(String(value), allowed), allowed),
      );
  }
}
