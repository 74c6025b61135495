import { pick, roll } from "./dice.ts";
import type { Span } from "./report.ts";

export const LEVELS = ["debug", "info", "warn", "error"] as const;

export interface ConsoleEntry {
  readonly id: string;
  readonly at: string;
  readonly level: (typeof LEVELS)[number];
  readonly message: string;
  readonly source: string;
  readonly stack?: readonly string[];
  readonly arguments: readonly string[];
}

const PRODUCT = "Cannot read the price of product";

const MESSAGES: Readonly<Record<ConsoleEntry["level"], readonly string[]>> = {
  debug: ["[store] action basket/itemAdded", "[store] action ui/drawerOpened", "[router] prefetch /product"],
  info: ["Price list loaded", "Service worker is up to date", "Consent: analytics off"],
  warn: ["Image has no alt text", "Deprecated prop `size` on <Badge>", "Slow network: retrying in 1000 ms"],
  error: [
    "Failed to load resource: net::ERR_BLOCKED_BY_CLIENT",
    "Warning: Each child in a list should have a unique key",
    "ResizeObserver loop completed with undelivered notifications",
    "Failed to load resource: the server responded with a status of 404 ()",
    PRODUCT,
  ],
};

const CAUSE = "Unhandled rejection: PaymentError: currency_mismatch (basket CHF, terminal EUR)";

/** Where in the recording of the story the payment failed, as a share of its length. */
export const FAILED_AT = 0.9878;

export function makeConsole({
  id,
  start,
  durationMs,
  isStory,
  count,
}: Span & { readonly count: number }): ConsoleEntry[] {
  const failing = Math.ceil(count * FAILED_AT);
  return Array.from({ length: count }, (_, index) => {
    const isCause = isStory && index === failing;
    const level = isCause ? "error" : levelOf(roll(id, index, "level"));
    const file = `https://shop.example.com/assets/${pick(["app", "vendor", "checkout"], id, index, "file")}-9f3c2a71.js`;
    const source = `${file}:1:${1000 + Math.floor(roll(id, index, "column") * 90_000)}`;
    const drawn = pick(MESSAGES[level], id, index, "message");
    const plain = drawn === PRODUCT ? `${drawn} p-${Math.floor(roll(id, index, "product") * 20)}` : drawn;
    const message = isCause ? CAUSE : plain;
    return {
      id: `c-${index + 1}`,
      at: new Date(start + Math.floor((durationMs * index) / count)).toISOString(),
      level,
      message,
      source,
      ...(level === "error" && { stack: [source, `${file}:1:8812`, `${file}:1:90211`, `${file}:1:411`] }),
      arguments: [JSON.stringify({ entry: index + 1, session: id, build: "2026.41.3" })],
    };
  });
}

function levelOf(share: number): ConsoleEntry["level"] {
  if (share < 0.55) return "debug";
  if (share < 0.8) return "info";
  return share < 0.93 ? "warn" : "error";
}
