import type { ToolReply } from "../../model/exchange.ts";
import { exposeToolset } from "../../model/group/expose-toolset.ts";
import { onceFor } from "../../model/once-for.ts";
import type { Tool, Toolset } from "../../model/tool.ts";
import type { Runner } from "../run-tool.ts";
import type { StateWatch } from "./watch-states.ts";

/** A runner whose tools come and go: each call is one of the toolset that its caller sees now. `open` makes the runner of such a toolset. */
export function runByState(toolset: Toolset, open: (seen: Toolset) => Runner, watch: StateWatch): Runner {
  const runnerOf = onceFor(open);
  return {
    ...runnerOf(toolset),
    seenBy: watch.seenBy,
    onChange: watch.onChange,
    async call(name, args, caller) {
      // Before the name is looked at: one that is out of its state must take no other time than one that there never was.
      const seen = await watch.seenBy(caller);
      const isWrite = writes(seen, name);
      let reply: ToolReply | undefined;
      try {
        reply = await runnerOf(seen).call(name, args, caller);
        return reply;
      } finally {
        if (isWrite && !isQuestion(reply)) watch.wrote(caller);
      }
    },
  };
}

function writes(seen: Toolset, name: string): boolean {
  const isNamed = (tool: Tool) => tool.name === name || tool.aliases?.includes(name) === true;
  const tool = seen.tools.find(isNamed) ?? exposeToolset(seen).tools.find(isNamed);
  return tool?.annotations.readOnlyHint === false;
}

/** Nothing was done yet. */
function isQuestion(reply: ToolReply | undefined): boolean {
  return reply?.isError === false && reply.confirmation !== undefined;
}
