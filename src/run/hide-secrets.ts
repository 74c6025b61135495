import { isJsonObject, type Json } from "../model/json.ts";

export interface SecretHider {
  text(text: string): string;
  /** In texts and keys at any depth. */
  json<T extends Json>(value: T): T;
}

const LEAST_LENGTH = 4;
const MASK = "***";

/**
 * Replaces every secret of four or more characters by `***`, also where it is percent-encoded, form-encoded, in base64 or escaped in JSON. What is
 * shorter is left: it would stand in any text.
 */
export function createSecretHider(secrets: readonly string[]): SecretHider {
  const forms = new Set(secrets.filter(({ length }) => length >= LEAST_LENGTH).flatMap(formsOf));
  // The longest first: one secret may hold another.
  const ordered = [...forms].sort((a, b) => b.length - a.length);
  const text = (shown: string): string => ordered.reduce((hidden, form) => hidden.replaceAll(form, MASK), shown);
  const json = (value: Json): Json => {
    if (typeof value === "string") return text(value);
    if (Array.isArray(value)) return value.map(json);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), json(inner)]));
  };
  return ordered.length === 0
    ? { text: (shown) => shown, json: (value) => value }
    : { text, json: (value) => json(value) as typeof value };
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const encoded = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, "\uFFFD"));
  const strict = encoded.replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  const percent = [encoded, strict, encoded.replaceAll("%20", "+"), strict.replaceAll("%20", "+")];
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    ...percent,
    ...percent.map((form) => form.replace(/%[0-9A-F]{2}/g, (triple) => triple.toLowerCase())),
    json,
    json.replaceAll("/", "\\/"),
    ...base64Forms(bytes),
  ].filter(({ length }) => length >= LEAST_LENGTH);
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
  const all = [whole, ...sure];
  return [...all, ...all.map((form) => form.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""))];
}
