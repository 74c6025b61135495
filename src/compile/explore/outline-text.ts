import type { PortableSchema } from "../../model/schema.ts";

/** An outline of names as few tokens say it: `list of {id, owner {login}}`. Empty where nothing is known. */
export function outlineText(schema: PortableSchema): string {
  const { items, properties = {} } = schema;
  const names = Object.entries(properties).map(([name, below]) => {
    const inner = outlineText(below);
    return inner === "" ? name : `${name} ${inner}`;
  });
  const object = names.length === 0 ? "" : `{${names.join(", ")}}`;
  if (items === undefined) return object;
  const list = `list of ${outlineText(items) || "values"}`;
  return object === "" ? list : `${list} or ${object}`;
}
