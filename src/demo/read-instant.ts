const INSTANT = /^[12]\d{3}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/;

/** An RFC 3339 date-time as DuckDB's TIMESTAMP in UTC (`YYYY-MM-DD HH:MM:SS.mmm`), or undefined when it is none. */
export function readInstant(text: unknown): string | undefined {
  if (typeof text !== "string" || !INSTANT.test(text)) return undefined;
  const time = Date.parse(text.replace(" ", "T").toUpperCase());
  // Date.parse moves 31 April to 1 May; a day that does not exist is refused instead.
  if (Number.isNaN(time) || !existsInCalendar(text)) return undefined;
  return new Date(time).toISOString().slice(0, -1).replace("T", " ");
}

function existsInCalendar(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split("-").map(Number);
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}
