import type { ServerEntry } from "../../host/hosting.ts";
import type { ToolsetRequest } from "../toolset/toolset-request.ts";

/** The toolset that a server of the host file is made of, whole: what the server and its callers do not show of it is taken out later. */
export function requestOf({ curation, root, expose }: ServerEntry): ToolsetRequest {
  return { file: curation, root, readOnly: false, ...(expose !== undefined && { expose }) };
}
