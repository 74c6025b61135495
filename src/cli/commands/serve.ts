import { type Command, parseCommand, UsageError } from "../command.ts";
import { type Address, isLoopback, parseAddress } from "../parse-address.ts";
import { readClaims } from "../read-claims.ts";
import { EXPOSE_HELP, readExpose } from "../read-expose.ts";
import { readTags, TAG_HELP, TAG_OPTIONS } from "../read-tags.ts";
import { canServe } from "../toolset/can-serve.ts";
import { loadToolset } from "../toolset/load-toolset.ts";
import { serveToolset } from "../toolset/serve-toolset.ts";
import { readRequest } from "../toolset/spec-request.ts";

const HELP = `vitrine serve CURATION: serve the tools of a curation over stdio
vitrine serve --spec SPEC: explore an API without one: search, describe and call whatever only reads

  --http HOST:PORT     serve over HTTP instead, at /mcp, with /healthz beside it; port 0 takes a free one
  --allow-host NAME    a Host name to accept beside localhost; needed where HOST is not loopback; may be repeated
  --watch              reload when the curation or its spec changes; the last good toolset stays on any error
  --as FILE            YAML with \`claims:\`, what the curation reads as \${key.NAME}
  --read-only          leave out every tool that writes
${EXPOSE_HELP}
${TAG_HELP}
  --spec SPEC          an OpenAPI document in place of a curation: a file or an https URL; no credential is sent
  --base-url URL       with --spec: where the API is, where the spec does not say it
  --root DIR           the folder that bounds the files a curation names (default: the parent of its folder)

  VITRINE_SECRET       in the environment: what page tokens are sealed with, at least 16 characters, so that several processes read each
                       other's; two with a comma between them while it is changed, the new one first (default: a random one a process)`;

const LATER = ["events", "explore", "lock", "profile"];

export const serve: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseCommand(args, {
      positionals: "[CURATION]",
      options: {
        http: { type: "string" },
        "allow-host": { type: "string", multiple: true, default: [] },
        watch: { type: "boolean", default: false },
        as: { type: "string" },
        "read-only": { type: "boolean", default: false },
        root: { type: "string" },
        spec: { type: "string" },
        "base-url": { type: "string" },
        expose: { type: "string" },
        ...TAG_OPTIONS,
      },
      later: LATER,
    });
    const allowHosts = values["allow-host"];
    const address = values.http === undefined ? undefined : boundAddress(values.http, allowHosts);
    const tags = readTags(values);
    if (tags && values.spec !== undefined)
      throw new UsageError("Tags choose among the tools of a curation, and --spec has none.");
    const expose = readExpose(values.expose);
    const request = { ...readRequest(positionals[0], values), ...(tags && { tags }), ...(expose && { expose }) };
    const key = await readClaims(values.as);
    let later = (): void => {};
    const loaded = await loadToolset(request, shell.env, (work) => {
      later = work;
    });
    if (!(await canServe(loaded, shell))) return 1;
    return serveToolset(
      {
        loaded,
        request,
        key,
        env: shell.env,
        watch: values.watch,
        later,
        ...(address && { http: { address, allowHosts } }),
      },
      shell,
    );
  },
};

function boundAddress(text: string, allowHosts: readonly string[]): Address {
  const address = parseAddress(text);
  if (isLoopback(address) || allowHosts.length > 0) return address;
  throw new UsageError(
    `${address.hostname} can be reached by others, and serve knows no callers: say with --allow-host NAME which Host names are accepted, and let only callers that you trust reach it (\`vitrine host\`, which knows its callers, comes in a later version).`,
  );
}
