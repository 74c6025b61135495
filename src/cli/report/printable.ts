import { visibleText } from "../../surface/formats/visible-text.ts";

const MOST_CHARACTERS = 80;
const MOST_OF_LINE = 400;

/** A name that others chose, for one line of a log or a table: what is not seen is spelt out, and the end is cut. */
export const printable = (text: string): string => shorten(visibleText(text), MOST_CHARACTERS);

/** Text of several lines in which others' words stand: its lines stay lines, and what is not seen is spelt out in each. */
export const printableLines = (text: string): string =>
  text
    .split("\n")
    .map((line) => visibleText(line, MOST_OF_LINE))
    .join("\n");

/** A text for another program, whole, and with its tabs and line breaks; anything else that would act on a terminal is spelt out. */
export const visibleCell = (text: string): string =>
  text
    .split(/([\t\r\n]+)/)
    .map((part, at) => (at % 2 === 1 ? part : visibleText(part, part.length)))
    .join("");

/** The beginning of a text. */
export function shorten(text: string, most: number): string {
  const signs = Array.from(text);
  return signs.length <= most ? text : `${signs.slice(0, most - 1).join("")}…`;
}
