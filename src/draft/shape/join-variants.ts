import { columnName } from "../choose/find-identity.ts";
import { isScalar, type View, type ViewSchema } from "../survey/view-schema.ts";
import { pathStep } from "./path-step.ts";
import { valueOfField } from "./value-of-field.ts";

export interface Column {
  readonly name: string;
  readonly path: string;
  readonly points: number;
  readonly view: View;
  /** Names beside it, by which amounts find their currency. */
  readonly beside: ReadonlySet<string>;
}

/** Between the paths of one column, of which the first that has a value is shown. */
export const OR = " || ";

/** `card` and `eps` beside a `type` of these words: each row has one of them. */
export function variantsOf({ properties }: View, viewOf: ViewSchema): ReadonlySet<string> {
  const kind = properties.get("type") ?? properties.get("kind");
  const values = kind === undefined ? [] : (viewOf(kind).schema.enum ?? []);
  const found = values.filter((value) => typeof value === "string" && properties.has(value)) as string[];
  return new Set(found.length >= FEWEST_VARIANTS ? found : []);
}

const FEWEST_VARIANTS = 4;
/** Points below which what variants share says little. */
const TELLS = 9;
const TELLS_ALONE = 14;
const MOST_SHARED = 3;
/** Variants in one column. */
const MOST_JOINED = 12;

/** What several variants have, of whichever a row is: the last digits of a card or of a bank account. */
export function joinVariants(
  { properties }: View,
  variants: ReadonlySet<string>,
  viewOf: ViewSchema,
  within: string,
): Column[] {
  const shared = new Map<string, { readonly paths: string[]; readonly view: View; readonly beside: Set<string> }>();
  for (const variant of variants) {
    const own = viewOf(properties.get(variant)!).properties;
    for (const [name, schema] of own) {
      const view = viewOf(schema);
      if (!isScalar(view) || valueOfField(name, view) < TELLS) continue;
      const one = shared.get(name) ?? { paths: [], view, beside: new Set(own.keys()) };
      one.paths.push(`${within}${pathStep(variant)}.${pathStep(name)}`);
      shared.set(name, one);
    }
  }
  return [...shared]
    .filter(([name, { paths, view }]) => paths.length > 1 || valueOfField(name, view) >= TELLS_ALONE)
    .toSorted(([, one], [, other]) => other.paths.length - one.paths.length)
    .slice(0, MOST_SHARED)
    .map(([name, { paths, view, beside }]) => {
      const path = paths.slice(0, MOST_JOINED).join(OR);
      return { name: columnName(name), path, points: valueOfField(name, view), view, beside };
    });
}
