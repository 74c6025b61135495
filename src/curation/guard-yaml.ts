import { CORE_SCHEMA, load, YAMLException } from "js-yaml";
import { UnreadableInput } from "../model/errors.ts";
import { DEEPEST, LARGEST_BYTES } from "./yaml-bounds.ts";

/** `maxDepth` is of js-yaml 4.3; its published types do not know it yet. */
const OPTIONS = { schema: CORE_SCHEMA, json: true, maxDepth: DEEPEST };

/** How js-yaml words what nearly always is a text that lacks its quotes. */
const UNQUOTED =
  /bad indentation of a mapping entry|cannot start any token|end of the stream or a document separator|unknown alias|unidentified alias/;
const QUOTE = 'a text that holds ": ", or begins with @, * or a backtick, must stand in quotes';

/**
 * Refuses what must not reach the `yaml` package: deep nesting makes it abort the whole process, and what one anchor after the other
 * multiplies would fill the memory. Throws `UnreadableInput` with the place where the text does not parse.
 */
export function guardYaml(file: string, text: string): void {
  if (Buffer.byteLength(text) > LARGEST_BYTES) throw new UnreadableInput(`${file}: larger than 1 MB.`);
  try {
    load(text, OPTIONS);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw new UnreadableInput(`${file}: not YAML.`, { cause: error });
    const mark: { line: number; column: number } | undefined = error.mark;
    const place = mark === undefined ? "" : `:${mark.line + 1}:${mark.column + 1}`;
    const hint = UNQUOTED.test(error.reason) ? ` (${QUOTE})` : "";
    // Without the error itself, whose message quotes the lines: they may hold a secret, and causes go to the log.
    throw new UnreadableInput(`${file}${place}: not YAML: ${error.reason}${hint}.`);
  }
}
