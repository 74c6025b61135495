import type { Api } from "../../model/api.ts";
import { onceFor } from "../../model/once-for.ts";
import { rememberBounded } from "../../model/remember.ts";
import type { Discriminator, Schema } from "../../model/schema.ts";

/** The choices of discriminators, each an object of its own, so that one is told from a reference to the same schema. */
const choices = new WeakSet<Schema>();

/** Whether a schema is one choice of a discriminator: then it stands for itself and not for what is below it, which are choices too. */
export function isSubtype(schema: Schema): boolean {
  return choices.has(schema);
}

/**
 * What may stand where a parent does: what its discriminator maps to, and the schemas that include it by `allOf`, in all generations (OAS 3.1
 * 4.8.25.4). Without a mapping the parent too, whose name is a value like the others (Swagger 2.0, Schema Object, `discriminator`).
 */
export function subtypesOf(
  { mapping, defaultMapping }: Discriminator,
  through: readonly string[],
  api: Api,
): readonly Schema[] {
  const below = listNames(through, api);
  const mapped = [...Object.values(mapping ?? {}), ...(defaultMapping === undefined ? [] : [defaultMapping])];
  const parent = mapping === undefined && below.length > 0 ? through.slice(-1) : [];
  return asChoices(new Set([...parent, ...mapped, ...below]));
}

/** A schema and all that include it, by its name; worked out once, as many places ask for the same. */
export function listSubtypes(name: string, api: Api): readonly Schema[] {
  return listingOf(api)(name);
}

/** More than whole APIs have. */
const MOST_KNOWN = 10_000;

const listingOf = onceFor((api: Api) =>
  rememberBounded(MOST_KNOWN, (name) => asChoices(new Set([name, ...listNames([name], api)]))),
);

function listNames(above: readonly string[], api: Api): string[] {
  const found = new Set(above.flatMap((name) => api.subtypesOf(name)));
  for (const name of found) for (const further of api.subtypesOf(name)) found.add(further);
  return [...found];
}

function asChoices(names: ReadonlySet<string>): readonly Schema[] {
  return [...names].map(($ref) => {
    const choice: Schema = { $ref };
    choices.add(choice);
    return choice;
  });
}
