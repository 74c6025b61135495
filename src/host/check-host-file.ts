import type { Finding } from "../curation/read-settings.ts";
import { isNeverReached } from "../egress/judge-address.ts";
import { nearestNames } from "../model/nearest.ts";
import { isAddressBlock, isServerName, isStoreUrl, readAddress, readExpiry, readOrigin } from "./read-host-values.ts";
import type { HostSettings } from "./settings.ts";

/** What the schema cannot say of a host file. */
export function checkHostFile(content: HostSettings): Finding[] {
  return [...checkPlaces(content), ...checkServers(content), ...checkKeys(content), ...checkOauth(content)];
}

type Fault = readonly [
  path: Finding["path"],
  message: string,
  hint: string,
  more?: Partial<Pick<Finding, "at" | "code">>,
];

function need(isMet: boolean, ...[path, message, hint, more]: Fault): Finding[] {
  return isMet ? [] : [{ code: "bad_value", path, at: "value", message, hint, ...more }];
}

const PUBLIC_URL =
  "Write scheme and host alone, for example https://tools.example.com; http is for this machine's own names.";

export function checkPublicUrl({ publicUrl }: HostSettings): Finding[] {
  const isOrigin = readOrigin(publicUrl) !== undefined;
  return need(isOrigin, ["publicUrl"], "`publicUrl` is not the https URL of an origin.", PUBLIC_URL);
}

/** As it was read, with what was found wrong in that already. */
export function checkShared(shared: string | undefined, found: readonly Finding[]): Finding[] {
  const hint = "For example shared: redis://127.0.0.1:6379; in a password #, / and ? are percent-encoded.";
  const isGood = shared === undefined || found.some(({ path }) => path[0] === "shared") || isStoreUrl(shared);
  return need(isGood, ["shared"], "`shared` is not a redis:// or rediss:// URL.", hint);
}

function checkPlaces(content: HostSettings): Finding[] {
  const { listen, origins = [], proxies = 0, addressConnections } = content;
  return [
    ...need(readAddress(listen).port <= 65_535, ["listen"], "There is no such port.", "Ports end at 65535."),
    ...checkPublicUrl(content),
    ...need(
      proxies === 0 || addressConnections === undefined,
      ["addressConnections"],
      "Behind proxies every connection is one of theirs.",
      "Bound the connections of each address in the first proxy, and leave this out.",
    ),
    ...origins.flatMap((one, at) =>
      need(
        readOrigin(one) !== undefined,
        ["origins", at],
        `\`${one.slice(0, 60)}\` is not the https URL of an origin.`,
        "Name each page's own, for example https://app.example.com; http is for this machine's own names.",
      ),
    ),
  ];
}

function checkServers({ servers }: HostSettings): Finding[] {
  const named = Object.entries(servers);
  return [
    ...need(named.length > 0, ["servers"], "There is no server.", "Add one, with its curation."),
    ...named.flatMap(([name, { allowPrivate = [] }]) => [
      ...need(
        isServerName(name),
        ["servers", name],
        `\`${name.slice(0, 40)}\` is not a server's name.`,
        "Use 1 to 15 lower-case letters, digits and dashes, a letter first.",
        { at: "key" },
      ),
      ...allowPrivate.flatMap((block, at) => checkBlock(block, ["servers", name, "allowPrivate", at])),
    ]),
  ];
}

function checkBlock(block: string, path: Finding["path"]): Finding[] {
  const isBlock = isAddressBlock(block);
  return [
    ...need(
      isBlock,
      path,
      `\`${block.slice(0, 60)}\` is not a block of addresses.`,
      "Write CIDR, for example 10.0.0.0/8 or 127.0.0.1/32.",
    ),
    ...need(
      !isBlock || !isNeverReached(block),
      path,
      `Nothing in \`${block}\` is ever reached, whatever is allowed.`,
      "Link-local addresses, those of metadata services, unspecified and multicast ones stay shut: take it out.",
    ),
  ];
}

const KEY_NAME = /^[A-Za-z0-9][\w.-]{0,63}$/;

function checkKeys({ keys = {}, servers }: HostSettings): Finding[] {
  const names = Object.keys(servers);
  const first = new Map<string, string>();
  return Object.entries(keys).flatMap(([id, { hash, server, expires, credentials = {} }]) => {
    const same = first.get(hash);
    first.set(hash, same ?? id);
    const [nearest] = nearestNames(server, names);
    return [
      ...need(
        KEY_NAME.test(id),
        ["keys", id],
        "This is not a key's name.",
        "Use letters, digits, _, - and ., at most 64 characters.",
        { at: "key" },
      ),
      ...need(
        Object.hasOwn(servers, server),
        ["keys", id, "server"],
        `There is no server \`${server.slice(0, 40)}\`.`,
        nearest === undefined ? `Servers: ${names.join(", ")}.` : `Did you mean \`${nearest}\`?`,
        { code: "unknown_server" },
      ),
      ...need(
        same === undefined,
        ["keys", id, "hash"],
        `This is the key of \`${same}\` too.`,
        "A key has one server and one set of claims: make a new one.",
        { code: "duplicate_key" },
      ),
      ...need(
        expires === undefined || readExpiry(expires) !== undefined,
        ["keys", id, "expires"],
        "`expires` is neither a day nor a moment.",
        "For example expires: 2027-06-30",
      ),
      ...Object.entries(credentials).flatMap(([scheme, one]) =>
        need(
          Object.keys(one).length === 1,
          ["keys", id, "credentials", scheme],
          "A credential is of exactly one kind.",
          "Keep one of apiKey, bearer and basic.",
          { at: "key" },
        ),
      ),
    ];
  });
}

function checkOauth({ oauth }: HostSettings): Finding[] {
  if (oauth === undefined) return [];
  const url = URL.canParse(oauth.issuer) ? new URL(oauth.issuer) : undefined;
  // RFC 8414 2: https, no query, no fragment.
  const isIssuer =
    url !== undefined &&
    url.username === "" &&
    url.search === "" &&
    url.hash === "" &&
    !/\s/.test(oauth.issuer) &&
    readOrigin(url.origin) !== undefined;
  return need(
    isIssuer,
    ["oauth", "issuer"],
    "`oauth.issuer` is no https URL without query and fragment.",
    "Copy it from the issuer's own metadata.",
  );
}
