import { ToolError, type ToolErrorDetail } from "../../model/errors.ts";
import { sayTool } from "../../model/group/say-tool.ts";
import type { Entity } from "../../model/tool.ts";
import type { Asking } from "../exchange/ask-upstream.ts";
import { nearIdentifiers } from "./near-identifiers.ts";
import type { Candidate } from "./read-candidates.ts";
import { MOST_CANDIDATES, tellApart } from "./tell-apart.ts";

/** One value that names nothing, or not one thing. */
export interface Misnomer {
  readonly entity: Entity;
  readonly text: string;
  /** Where in the arguments, for example `tasks[1]`. */
  readonly path: string;
}

const MOST_SHOWN = 64;
const MOST_NAMED = 5;

/** `unknown_id`: the first of the values that name nothing, with what there is that is like it, and the names of the others. */
export async function refuseUnknown(
  unknown: readonly Misnomer[],
  asking: Omit<Asking, "roots" | "wire">,
  more: { readonly why?: string; readonly detail?: Partial<ToolErrorDetail> } = {},
): Promise<ToolError> {
  const [first] = unknown as [Misnomer];
  const { entity, text, path } = first;
  const near = await nearIdentifiers(text, entity, asking);
  const names = [...new Set(unknown.map((one) => `\`${one.text.slice(0, MOST_SHOWN)}\``))];
  const rest = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : "";
  const what = `There is no ${entity.name} ${names.slice(0, MOST_NAMED).join(", ")}${rest}.`;
  return new ToolError("unknown_id", {
    message: more.why === undefined ? what : `${what} ${more.why}`,
    recover: recoverBy(entity, near, asking),
    retryable: false,
    path,
    got: text,
    ...near,
    ...more.detail,
  });
}

/** What to do next: the tool that lists such things, or the candidates where no tool does that the caller may see. */
function recoverBy(
  { tool, field }: Entity,
  near: Pick<ToolErrorDetail, "nearest" | "allowed">,
  { toolset }: Pick<Asking, "toolset">,
): string {
  const see = near.nearest === undefined ? (near.allowed === undefined ? "" : " See `allowed`.") : " See `nearest`.";
  const lister = toolset.tools.find(({ name }) => name === tool);
  if (lister !== undefined) return `Call ${sayTool(lister)} and use exact ${field} values.${see}`;
  return `Use an exact ${field}; ask the user for it where you have none.${see}`;
}

/** `ambiguous_id`: a value that names several things, with the first of them and what tells them apart. */
export function refuseAmbiguous(
  { entity, text, path }: Misnomer,
  candidates: readonly Candidate[],
  { toolset }: Pick<Asking, "toolset">,
): ToolError {
  const { tool, field, name } = entity;
  const isMore = candidates.length > MOST_CANDIDATES;
  const lister = isMore ? toolset.tools.find((one) => one.name === tool) : undefined;
  const shown = isMore ? `; the first ${MOST_CANDIDATES} are in \`allowed\`` : "";
  const others = lister === undefined ? "" : `; ${sayTool(lister)} lists the others`;
  return new ToolError("ambiguous_id", {
    message: `\`${text.slice(0, MOST_SHOWN)}\` stands for ${candidates.length} things of the kind ${name}${shown}.`,
    recover: `Call again with the ${field} of the one that is meant, out of \`allowed\`${others}. Ask the user where you cannot tell.`,
    retryable: false,
    path,
    got: text,
    allowed: tellApart(candidates),
  });
}
