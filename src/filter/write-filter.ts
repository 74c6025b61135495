import type { Condition, FilterTarget, WrittenFilter } from "../model/filter.ts";
import { type Dialect, writtenText } from "./dialect.ts";
import { findDialect } from "./find-dialect.ts";
import { fitGroups } from "./fit-groups.ts";
import { lowerLeaves } from "./lower-leaves.ts";
import { pushNegation } from "./push-negation.ts";
import { NotExpressible } from "./refusal.ts";

/**
 * First door of the room. Writes a filter in the upstream's language, `target.dialect`: one text, one JSON value, parameters of the query (names
 * and values not encoded yet), or values for places of the curation. Nothing is ever dropped or weakened: what the dialect's table, groups or
 * bounds cannot say is rewritten by a rule that keeps the meaning, or refused with `NotExpressible`, which names the place in the caller's
 * arguments (`always.…` where a condition of the curation is at fault). Throws `TypeError` for a dialect that does not exist.
 */
export function writeFilter(condition: Condition, target: FilterTarget): WrittenFilter {
  const dialect = findDialect(target);
  const limits = { ...dialect.limits, ...target.limits };
  const lowered = lowerLeaves(pushNegation(condition), dialect, target.nullOnNegation);
  const written = dialect.write(fitGroups(lowered, dialect, limits));
  const { characters = Number.POSITIVE_INFINITY } = limits;
  const length = writtenText(written).length;
  if (length > characters) throw tooLong(condition, dialect, characters, length);
  return written;
}

function tooLong({ path }: Condition, { name }: Dialect, most: number, length: number): NotExpressible {
  return new NotExpressible(path, `${name} takes at most ${most} characters, and this needs ${length}.`);
}
