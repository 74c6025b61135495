/** JSON whose numbers keep the digits that they were written with. */
export type ExactJson = null | boolean | number | string | ExactNumber | readonly ExactJson[] | ExactObject;
export interface ExactObject {
  readonly [name: string]: ExactJson;
}

/** A number that a JavaScript number would show otherwise than it was written. */
export class ExactNumber {
  readonly written: string;
  constructor(written: string) {
    this.written = written;
  }
}

const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** As `JSON.parse`, digit for digit. Throws SyntaxError. */
export function parseAsWritten(text: string): ExactJson {
  // No text of others can begin so.
  const mark = `${Math.random()}:`;
  const marked = text.replace(STRING_OR_NUMBER, (token) =>
    token.startsWith('"') || JSON.stringify(Number(token)) === token ? token : JSON.stringify(mark + token),
  );
  return JSON.parse(marked, (_, value: unknown) =>
    typeof value === "string" && value.startsWith(mark) ? new ExactNumber(value.slice(mark.length)) : value,
  ) as ExactJson;
}
