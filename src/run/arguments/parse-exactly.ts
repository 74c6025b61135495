import { randomBytes } from "node:crypto";
import type { Json } from "../../model/json.ts";
import { rewriteNumbers } from "../exchange/parse-lossless.ts";
import { exactNumber } from "../request/exact-number.ts";

/** Stands before the digits while a text is parsed; no caller knows it. */
const MARK = `number:${randomBytes(12).toString("hex")}:`;

/**
 * What a JSON text says, each number that JavaScript would write in another way as an exact number: `9007199254740993`, `1.10`. Undefined where the
 * text is no JSON.
 */
export function parseExactly(text: string): Json | undefined {
  try {
    const parsed = JSON.parse(text) as Json;
    if (typeof parsed === "string" || !/\d/.test(text)) return parsed;
    const marked = rewriteNumbers(text, (number) =>
      String(Number(number)) === number ? number : `"${MARK}${number}"`,
    );
    return marked === text ? parsed : makeExact(JSON.parse(marked) as Json);
  } catch {
    return undefined;
  }
}

/** Puts exact numbers in the place of the marks; without recursion, as nothing has bounded the depth yet. */
function makeExact(root: Json): Json {
  const whole: { root: Json } = { root };
  const open: object[] = [whole];
  for (let holder = open.pop(); holder; holder = open.pop()) {
    for (const [key, value] of Object.entries(holder) as [string, Json][]) {
      if (typeof value === "object" && value !== null) open.push(value);
      else if (typeof value === "string" && value.startsWith(MARK)) {
        const exact = exactNumber(value.slice(MARK.length));
        // As a property of its own, also where it is called `__proto__`.
        Object.defineProperty(holder, key, { value: exact, enumerable: true, writable: true, configurable: true });
      }
    }
  }
  return whole.root;
}
