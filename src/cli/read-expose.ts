import { UsageError } from "./command.ts";

export const EXPOSE_HELP = "  --expose FORM        flat or grouped, in place of what the curation says";

/** How tools are to be shown; undefined where nothing is said. Throws `UsageError`. */
export function readExpose(form: string | undefined): "flat" | "grouped" | undefined {
  if (form === undefined || form === "flat" || form === "grouped") return form;
  throw new UsageError(`--expose is flat or grouped, not "${form}"`);
}
