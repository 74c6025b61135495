import type { Fact } from "../survey/read-fact.ts";
import type { Survey } from "../survey/survey-api.ts";

/** Of all paths with keys; a key that is in fewer is one of a kind of thing, and not of the whole API. */
const NEARLY_ALL = 0.6;
const FEWEST = 6;

/** Keys that nearly every path begins with: whoever has one only of them can fix it for all tools. */
export function readTenants(facts: readonly Fact[], { keys, reading }: Pick<Survey, "keys" | "reading">): string[] {
  const used = new Set(facts.flatMap(({ resource }) => resource.keys.map(({ name }) => name)));
  return [...keys]
    .filter(
      ([name, count]) =>
        used.has(name) && reading >= FEWEST && count >= reading * NEARLY_ALL && /^[A-Za-z][A-Za-z0-9_]*$/.test(name),
    )
    .map(
      ([name, count]) =>
        `\`${name}\` stands in the path of ${count} of the ${reading} operations that read. Where callers have one only, fix it for all tools and take it out of every input: pins: { ${name}: … }, a literal, \${env.NAME} or \${key.NAME}.`,
    );
}
