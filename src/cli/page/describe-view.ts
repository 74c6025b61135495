import { exposeToolset } from "../../model/group/expose-toolset.ts";
import type { Toolset } from "../../model/tool.ts";
import type { PageData, PageState } from "../../web/page-data.ts";
import { digest } from "../toolset/digest-file.ts";
import { version } from "../version.ts";
import { describeTools } from "./describe-tools.ts";
import { drawChain } from "./draw-chain.ts";
import type { PageLook } from "./look-at-curation.ts";
import { measureOnce } from "./measure-apart.ts";

/** What one person sees at a time. */
export interface View {
  /** Without what this caller does not see now. */
  readonly seen: Toolset;
  /** Beyond the toolset; only of the operator's own curation. */
  readonly look?: PageLook;
  readonly own: Pick<PageData, "kind" | "watches" | "hasCalls" | "pending" | "states" | "isOutdated"> & {
    readonly file?: string;
  };
}

/** The data of the page. What is measured of a toolset is measured once. */
export async function describeView({ seen, look, own }: View): Promise<PageData> {
  const measured = await measureOnce(seen);
  const { name, title, instructions } = exposeToolset(seen).server;
  const { file, ...further } = own;
  const data: Omit<PageData, "revision"> = {
    ...further,
    server: {
      name,
      ...(title !== undefined && { title }),
      version,
      instructions,
      ...(file !== undefined && { file }),
    },
    tools: describeTools(seen, measured.tools, new Map(look?.entries)),
    cost: {
      list: measured.list,
      instructions: measured.instructions,
      ...(look?.endpoints !== undefined && { endpoints: look.endpoints }),
    },
    clients: measured.clients,
    chain: drawChain(seen),
    ...(look !== undefined && { findings: look.findings }),
    ...(look !== undefined && look.furtherFindings > 0 && { furtherFindings: look.furtherFindings }),
    isBroken: look?.isBroken ?? false,
  };
  return { ...data, revision: digest(JSON.stringify(data)).slice(0, 16) };
}

/** The states of the upstream, and whether each holds by what is seen: of a tool that is there all do, and one that needs a single state tells of it alone. */
export function listStates(whole: Toolset, seen: Toolset): readonly PageState[] {
  const there = new Set(seen.tools.map(({ name }) => name));
  return (whole.states ?? []).map(({ name }) => {
    const tools = whole.tools.filter(({ states }) => states?.includes(name) === true);
    const holds = tools.some((tool) => there.has(tool.name));
    const isKnown = holds || tools.some(({ states }) => states?.length === 1);
    const shown = [...new Set(tools.map((tool) => tool.group?.tool ?? tool.name))];
    return { name, ...(isKnown && { holds }), tools: shown };
  });
}
