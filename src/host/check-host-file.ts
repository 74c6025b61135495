import type { Finding } from "../curation/read-settings.ts";
import { nearestNames } from "../model/nearest.ts";
import { isAddressBlock, readAddress, readExpiry, readOrigin } from "./read-host-values.ts";
import type { HostSettings } from "./settings.ts";

/** What the schema cannot say of a host file. */
export function checkHostFile(content: HostSettings): Finding[] {
  return [...checkPlaces(content), ...checkServers(content), ...checkKeys(content), ...checkOauth(content)];
}

function wrong(path: Finding["path"], message: string, hint: string, at: Finding["at"] = "value"): Finding {
  return { code: "bad_value", path, at, message, hint };
}

const PUBLIC_URL =
  "Write scheme and host alone, for example https://tools.example.com; http is for this machine's own names.";

function checkPlaces({ listen, publicUrl, shared }: HostSettings): Finding[] {
  return [
    ...(readAddress(listen).port <= 65_535 ? [] : [wrong(["listen"], "There is no such port.", "Ports end at 65535.")]),
    ...(readOrigin(publicUrl) === undefined
      ? [wrong(["publicUrl"], "`publicUrl` is not the https URL of an origin.", PUBLIC_URL)]
      : []),
    ...(shared === undefined || /^(?:rediss?:\/\/|\$\{env\.)/.test(shared)
      ? []
      : [
          wrong(
            ["shared"],
            "`shared` is not a redis:// or rediss:// URL.",
            "For example shared: redis://127.0.0.1:6379",
          ),
        ]),
  ];
}

const SERVER_NAME = /^[a-z][a-z0-9-]{0,14}$/;

function checkServers({ servers }: HostSettings): Finding[] {
  const named = Object.entries(servers);
  if (named.length === 0) return [wrong(["servers"], "There is no server.", "Add one, with its curation.")];
  return named.flatMap(([name, { allowPrivate = [] }]) => [
    ...(SERVER_NAME.test(name)
      ? []
      : [
          wrong(
            ["servers", name],
            `\`${name.slice(0, 40)}\` is not a server's name.`,
            "Use 1 to 15 lower-case letters, digits and dashes, a letter first.",
            "key",
          ),
        ]),
    ...allowPrivate.flatMap((block, at) =>
      isAddressBlock(block)
        ? []
        : [
            wrong(
              ["servers", name, "allowPrivate", at],
              `\`${block.slice(0, 60)}\` is not a block of addresses.`,
              "Write CIDR, for example 10.0.0.0/8 or 127.0.0.1/32.",
            ),
          ],
    ),
  ]);
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
      ...(KEY_NAME.test(id)
        ? []
        : [
            wrong(
              ["keys", id],
              "This is not a key's name.",
              "Use letters, digits, _, - and ., at most 64 characters.",
              "key",
            ),
          ]),
      ...(Object.hasOwn(servers, server)
        ? []
        : [
            {
              ...wrong(
                ["keys", id, "server"],
                `There is no server \`${server.slice(0, 40)}\`.`,
                nearest === undefined ? `Servers: ${names.join(", ")}.` : `Did you mean \`${nearest}\`?`,
              ),
              code: "unknown_server",
            },
          ]),
      ...(same === undefined
        ? []
        : [
            {
              ...wrong(
                ["keys", id, "hash"],
                `This is the key of \`${same}\` too.`,
                "A key has one server and one set of claims: make a new one.",
              ),
              code: "duplicate_key",
            },
          ]),
      ...(expires === undefined || readExpiry(expires) !== undefined
        ? []
        : [
            wrong(
              ["keys", id, "expires"],
              "`expires` is neither a day nor a moment.",
              "For example expires: 2027-06-30",
            ),
          ]),
      ...Object.entries(credentials).flatMap(([scheme, one]) =>
        Object.keys(one).length === 1
          ? []
          : [
              wrong(
                ["keys", id, "credentials", scheme],
                "A credential is of exactly one kind.",
                "Keep one of apiKey, bearer and basic.",
                "key",
              ),
            ],
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
    readOrigin(url.origin) !== undefined;
  return isIssuer
    ? []
    : [
        wrong(
          ["oauth", "issuer"],
          "`oauth.issuer` is no https URL without query and fragment.",
          "Copy it from the issuer's own metadata.",
        ),
      ];
}
