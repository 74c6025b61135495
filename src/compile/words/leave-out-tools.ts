import type { Tool } from "../../model/tool.ts";

/** A tool whose texts name none of these tools, by the names that callers see: what named one is left out with its sentence. */
export function leaveOutTools<T extends Pick<Tool, "description" | "errors">>(tool: T, hidden: ReadonlySet<string>): T {
  if (hidden.size === 0) return tool;
  const errors = tool.errors.map((rule) => ({
    ...rule,
    recover: withoutTools(rule.recover, hidden) || "Try without.",
  }));
  return { ...tool, description: withoutTools(tool.description, hidden), errors };
}

/** Sentences that name a hidden tool go; of a `Next:`, or an order of calls, only the part between semicolons does. */
export function withoutTools(text: string, hidden: ReadonlySet<string>): string {
  const namesHidden = (part: string) => [...part.matchAll(/`([^`\n]+)`/g)].some(([, name]) => hidden.has(name!));
  const sentences = text.split(/(?<=[.!?](?:["')]|`(?=\s))?)(?=\s)/);
  const kept = sentences.flatMap((sentence) => {
    if (!namesHidden(sentence)) return sentence;
    const [, space = "", head = "", list = ""] = /^(\s*)(Next: )([\s\S]*?)\.?$/.exec(sentence) ?? [];
    const parts = list.split("; ").filter((part) => part !== "" && !namesHidden(part));
    return head === "" || parts.length === 0 ? [] : `${space}${head}${parts.join("; ")}.`;
  });
  return kept.join("").trim();
}
