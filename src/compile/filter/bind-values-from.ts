import { ownValue } from "../../model/json.ts";
import type { Input } from "../../model/tool.ts";
import type { SideContext } from "../calls/bind-side-call.ts";
import { asSentence } from "../words/plain-text.ts";
import { bindValueSource } from "./bind-value-source.ts";

/** The inputs, those whose values the upstream lists with where it does; a caller is told the tool that shows the same list. */
export function bindValuesFrom(side: SideContext): Input[] {
  return side.inputs.map((input) => {
    const entry = ownValue(side.tool.input ?? {}, input.name)?.valuesFrom;
    if (entry === undefined) return input;
    const at = [...side.at, "input", input.name, "valuesFrom"];
    if (!isListable(input)) {
      const message = `The values of \`${input.name}\` are no texts or numbers, which a list could name.`;
      side.report.add("error", "bad_value", at, message, "Take `valuesFrom` out, or set `type`.");
    }
    const valuesFrom = bindValueSource(entry, at, side);
    return valuesFrom === undefined ? input : { ...withLister(input, valuesFrom.tool), valuesFrom };
  });
}

function isListable({ type }: Input): boolean {
  const { kind } = type.kind === "array" ? type.items : type;
  return kind !== "object" && kind !== "map" && kind !== "array";
}

function withLister(input: Input, tool: string | undefined): Input {
  const { description = "" } = input.type;
  if (tool === undefined || description.includes(`\`${tool}\``)) return input;
  const lead = description === "" ? "" : `${asSentence(description)} `;
  const many = input.type.kind === "array" ? "values" : "value";
  return { ...input, type: { ...input.type, description: `${lead}Exact ${many} of \`${tool}\`.` } };
}
