import { isJsonObject, type Json } from "../model/json.ts";
import { once } from "../model/once.ts";
import { anySpelling } from "./any-spelling.ts";

export interface SecretHider {
  text(text: string): string;
  /** Whether it is certain that `json` would change nothing of the value that this JSON text is: found without looking at the value. */
  isFree(text: string): boolean;
  /** In texts and keys at any depth, and a number that is a secret of digits. */
  json<T extends Json>(value: T): T;
  /** Further secrets, for example an access token: of these the latest are remembered. */
  add(secrets: readonly string[]): void;
}

const LEAST_LENGTH = 4;
const MASK = "***";
/** Tokens of several clients and scopes, and of each the one before; every body is searched for all of them. */
const MOST_ADDED = 16;

/**
 * Replaces every secret of four or more characters by `***`, also where some or all of it is percent-encoded (once or twice), form-encoded or
 * escaped in JSON or HTML, and in base64. What is shorter is left: it would stand in any text.
 */
export function createSecretHider(secrets: readonly string[]): SecretHider {
  const added = new Set<string>();
  let known = openForms(secrets);
  const text = (shown: string): string =>
    known.forms.reduce(
      (hidden, { needle, pattern }) => (hidden.includes(needle) ? hidden.replaceAll(pattern(), MASK) : hidden),
      shown,
    );
  // Fewer digits, or digits inside a larger number, would be there by chance.
  const isSecretNumber = (value: number) => Math.abs(value) >= 100_000 && known.texts.has(String(value));
  const json = (value: Json): Json => {
    if (typeof value === "string") return text(value);
    if (typeof value === "number") return isSecretNumber(value) ? MASK : value;
    if (Array.isArray(value)) return value.map(json);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), json(inner)]));
  };
  return {
    text,
    // Where nothing is escaped, strings stand in the text as they are.
    isFree: (shown) =>
      !known.maybeNumber && !shown.includes("\\") && known.forms.every(({ needle }) => !shown.includes(needle)),
    json: <T extends Json>(value: T) => (known.forms.length === 0 ? value : (json(value) as T)),
    add(more) {
      if (more.every((secret) => added.has(secret))) return;
      for (const secret of more) added.add(secret);
      for (const secret of added) if (added.size > MOST_ADDED) added.delete(secret);
      known = openForms([...secrets, ...added]);
    },
  };
}

interface Form {
  readonly length: number;
  /** Stands in every spelling of it. To look for it is far cheaper: a pattern of a whole access token takes milliseconds to be made ready. */
  readonly needle: string;
  readonly pattern: () => RegExp | string;
}

/** The longest first: one secret may hold another. */
function openForms(secrets: readonly string[]): {
  readonly texts: ReadonlySet<string>;
  readonly forms: readonly Form[];
  /** One is what a number may be written as, and JSON writes a number in many ways. */
  readonly maybeNumber: boolean;
} {
  const texts = new Set(secrets.filter(({ length }) => length >= LEAST_LENGTH));
  const encoded = new Set([...texts].flatMap((secret) => base64Forms(Buffer.from(secret))));
  const forms = [
    ...[...texts].map((secret) => ({
      length: secret.length,
      needle: longestWord(secret),
      pattern: once(() => anySpelling(secret)),
    })),
    ...[...encoded].map((form) => ({ length: form.length, needle: form, pattern: () => form })),
  ];
  const maybeNumber = [...texts].some((secret) => String(Number(secret)) === secret);
  return { texts, forms: forms.sort((a, b) => b.length - a.length), maybeNumber };
}

/** Letters and digits are written as they are in every spelling. */
function longestWord(secret: string): string {
  return (secret.match(/[A-Za-z0-9]+/g) ?? []).reduce(
    (longest, word) => (word.length > longest.length ? word : longest),
    "",
  );
}

/** In base64 a text looks otherwise by where it begins, modulo three: of each the characters that only the secret makes. */
function base64Forms(bytes: Buffer): string[] {
  const inner = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString("base64")
      .replace(/=+$/, "");
    const skipped = before === 0 ? 0 : before + 1;
    const sure = Math.floor(((before + bytes.length) * 8) / 6);
    return whole.slice(skipped, sure);
  });
  // Too short a piece would be found by chance.
  const sure = inner.filter(({ length }) => length >= 8);
  const whole = bytes.toString("base64");
  const all = [whole, ...sure].filter(({ length }) => length >= LEAST_LENGTH);
  return [...all, ...all.map((form) => form.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""))];
}
