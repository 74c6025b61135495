import type { Manifest, ManifestServer, ManifestUpstream } from "../../manifest-format.ts";
import type { Change } from "../change.ts";
import { compareKeys, differ, type KeyTable, members, skip } from "./compare-keys.ts";
import { compareText } from "./compare-words.ts";
import { changeSaying } from "./make-change.ts";
import type { Sayings } from "./open-sayings.ts";
import { sameValue } from "./same-value.ts";

/** The list as a whole, and the server that gives it; not its tools. */
export function* compareServer(base: Manifest, head: Manifest, sayings: Sayings): Iterable<Change> {
  for (const one of compareKeys(base, head, LIST, { tool: null, path: "" })) {
    const isRenaming =
      one.rule === "instructions_changed" && sayings.sameText(String(one.before ?? ""), String(one.after ?? ""));
    if (!isRenaming) yield one;
  }
}

const UPSTREAM: KeyTable<ManifestUpstream> = {
  timeoutMs: differ("upstream_settings_changed", "the time that one request may take in milliseconds"),
  retries: differ("upstream_settings_changed", "how often a read is sent again"),
  maxResponseBytes: differ("upstream_settings_changed", "the largest answer that is read in bytes"),
  concurrency: differ("upstream_settings_changed", "how many requests may be under way at once"),
  headers: differ("upstream_settings_changed", "what the curation sends with every request (a digest)"),
  tls: differ("upstream_settings_changed", "the certificates of the connection (a digest)"),
  address: differ("upstream_address_changed", "where the upstream is (a digest)"),
  answers: differ("upstream_settings_changed", "how its errors are read and where it may lead (a digest)"),
};

const SERVER: KeyTable<ManifestServer> = {
  name: differ("server_name_changed", "the name of the server"),
  title: (before, after, spot) => compareText("server_title_changed", spot, before, after, "The title of the server"),
  instructions: (before, after, spot) =>
    compareText("instructions_changed", spot, before, after, "The text of the instructions"),
  structured: function* (before, after, spot) {
    if (before === after) return;
    const [rule, words] =
      after === true
        ? (["structured_added", "now carry"] as const)
        : (["structured_removed", "no longer carry"] as const);
    yield changeSaying(rule, spot, before, after, `Replies ${words} structured content, and tools an output schema.`);
  },
  upstream: (before, after, spot) => compareKeys(before!, after!, UPSTREAM, spot),
  pageTokenTtlMs: differ("page_token_ttl_changed", "the lifetime of page tokens in milliseconds"),
};

const LIST: KeyTable<Manifest> = {
  manifest: differ("unclassified_change", "the version of the manifest"),
  made: skip,
  server: (before, after, spot) => compareKeys(before!, after!, SERVER, spot),
  tokens: function* (before = 0, after = 0, spot) {
    // A tenth or more, in whole numbers.
    if (before === after || Math.abs(after - before) * 10 < before) return;
    const by =
      before === 0 ? "" : ` (${after > before ? "+" : "-"}${Math.round((Math.abs(after - before) * 100) / before)} %)`;
    yield changeSaying(
      "list_tokens_changed",
      spot,
      before,
      after,
      `The list had ${before} tokens and has ${after}${by}.`,
    );
  },
  pins: members("pin_added", "pin_removed", "what is pinned"),
  tools: function* (before = [], after = [], spot) {
    const [old, now] = [before.map(({ name }) => name), after.map(({ name }) => name)];
    const [kept, left] = [old.filter((name) => now.includes(name)), now.filter((name) => old.includes(name))];
    if (!sameValue(kept, left))
      yield changeSaying("tool_order_changed", spot, kept, left, "The tools are listed in another order.");
  },
};
