import { Ajv2020 } from "ajv/dist/2020.js";
import { Decimal } from "decimal.js";
import { expect } from "vitest";
import type { Answer, Session } from "../../setup/clients.ts";

/** What a summary says of one unit. */
export interface Sum {
  readonly measure?: string;
  readonly currency?: string;
  readonly unit?: string;
  readonly total?: number;
  readonly sumReturned?: number;
  readonly pctOfTotalShown?: number;
  readonly gross?: { readonly positive: number; readonly negative: number };
}

export interface Summary extends Sum {
  readonly returned?: number;
  readonly totals?: readonly Sum[];
  readonly totalWithheld?: { readonly code: string; readonly reason: string };
  readonly caveats?: readonly { readonly code: string; readonly note: string }[];
}

export interface Rest {
  readonly currency?: string;
  readonly unit?: string;
  readonly sum: number;
  readonly pct?: number;
}

export const summaryOf = (answer: Answer): Summary => (answer.json["summary"] ?? {}) as Summary;

/** The sums of a reply, one a unit, whether it has one unit or several. */
export function sumsOf(answer: Answer): readonly Sum[] {
  const summary = summaryOf(answer);
  return summary.totals ?? (summary.total === undefined ? [] : [summary]);
}

export function restsOf(answer: Answer): readonly Rest[] {
  const other = answer.json["other"];
  if (other === undefined) return [];
  return (Array.isArray(other) ? other : [other]) as Rest[];
}

/** The head of a reply, in the contract's order, so that who cuts the text still has the facts. */
const ORDER = "summary other rowCount hasMore nextPageToken note appliedFilter omitted data".split(" ");

/** What holds of the numbers of every list reply (contract sections 4 and 5), whatever was asked. */
export function expectToClose(answer: Answer, columns: { measure: string; unit?: string; round: number }): void {
  const { json } = answer;
  const rows = json.data ?? [];
  expect(answer.isError, answer.text).toBe(false);
  expect(Object.keys(json)).toStrictEqual(ORDER.filter((key) => key in json));
  expect(json["rowCount"]).toBe(rows.length);
  expect(json["hasMore"]).toBeTypeOf("boolean");
  expect("nextPageToken" in json, "a token where there is more").toBe(json["hasMore"] === true);
  const summary = summaryOf(answer);
  if (summary.returned !== undefined) expect(summary.returned).toBe(rows.length);
  const sums = sumsOf(answer);
  const rests = restsOf(answer);
  expect(rests.length).toBeLessThanOrEqual(sums.length);
  for (const sum of sums) {
    if (sum.sumReturned === undefined) continue;
    const shown = rows.filter((row) => columns.unit === undefined || row[columns.unit] === (sum.currency ?? sum.unit));
    // The cells are rounded each for itself, the sum once: they agree to half a unit of the last place a row.
    const added = shown.reduce((all, row) => all.plus(Number(row[columns.measure])), new Decimal(0));
    const slack = new Decimal(10).pow(-columns.round).times(0.5 * shown.length + 0.5);
    expect(added.minus(sum.sumReturned).abs().lte(slack), `${added} shown, ${sum.sumReturned} said`).toBe(true);
    if (sum.pctOfTotalShown !== undefined) expect(sum.pctOfTotalShown).toBeLessThanOrEqual(100);
    const rest =
      rests.length === 1 && sums.length === 1
        ? rests[0]
        : rests.find((one) => (one.currency ?? one.unit) === (sum.currency ?? sum.unit));
    if (rest === undefined) continue;
    expect(new Decimal(sum.sumReturned).plus(rest.sum).toNumber(), "shown and other are the total").toBe(sum.total);
    if (rest.pct !== undefined && sum.pctOfTotalShown !== undefined)
      expect(new Decimal(sum.pctOfTotalShown).plus(rest.pct).toNumber()).toBe(100);
  }
}

/** Holds the replies of a session's tools to the schemas that they were listed with. */
export async function openSchemas(session: Session): Promise<(tool: string, answer: Answer) => void> {
  const { tools } = await session.client.listTools();
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const schemas = new Map(tools.map(({ name, outputSchema }) => [name, ajv.compile(outputSchema as object)]));
  return (tool, { result, text }) => {
    const isValid = schemas.get(tool);
    if (isValid === undefined) throw new Error(`No tool ${tool} is listed`);
    expect(isValid(result.structuredContent), `${JSON.stringify(isValid.errors)} in ${text.slice(0, 500)}`).toBe(true);
    expect(result.structuredContent).toStrictEqual(JSON.parse(text));
  };
}
