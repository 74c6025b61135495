import type { ManifestPart } from "../manifest-format.ts";

/** A piece that a list of tools tells by a digest alone. */
export interface Part {
  /** Of an operation its `METHOD /path`, of what is sent as given `GIVEN`. */
  readonly digest: string;
  /** The inputs that it reads, in the order in which it does. */
  readonly inputs: readonly string[];
  readonly tool?: string;
}

/** An input that is sent as it is given. */
export const GIVEN = "as-given";

export function partText({ digest, inputs, tool }: Part): ManifestPart {
  return [digest, ...inputs.map((name) => `$${name}`), ...(tool === undefined ? [] : [`@${tool}`])].join(" ");
}

export function readPart(text: ManifestPart): Part {
  const words = text.split(" ");
  const inputs = words.filter((word) => word.startsWith("$")).map((word) => word.slice(1));
  const tool = words.find((word) => word.startsWith("@"))?.slice(1);
  return {
    digest: words.filter((word) => !/^[$@]/.test(word)).join(" "),
    inputs,
    ...(tool !== undefined && { tool }),
  };
}
