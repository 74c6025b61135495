export const VIEWS = ["tools", "cost", "chain", "findings", "calls"] as const;
export type View = (typeof VIEWS)[number];
export const TABS = ["agent", "try", "cost", "clients"] as const;
export type Tab = (typeof TABS)[number];

/** Where a person is; it stands in the address behind `#`, so that it can be sent to others. Arguments never do. */
export interface Route {
  readonly view: View;
  readonly tool?: string;
  readonly action?: string;
  readonly tab: Tab;
}

export function readRoute(hash: string): Route {
  const said = new URLSearchParams(hash.replace(/^#/, ""));
  const [tool, action] = [said.get("tool"), said.get("action")];
  const view = VIEWS.find((one) => one === said.get("view")) ?? "tools";
  const tab = TABS.find((one) => one === said.get("tab")) ?? "agent";
  return { view, tab, ...(tool !== null && { tool }), ...(action !== null && { action }) };
}

type PartOfRoute = { readonly [Key in keyof Route]?: Route[Key] | undefined };

export function writeRoute({ view, tool, action, tab }: PartOfRoute): string {
  const said = new URLSearchParams();
  if (view !== undefined && view !== "tools") said.set("view", view);
  if (tool !== undefined) said.set("tool", tool);
  if (action !== undefined) said.set("action", action);
  if (tab !== undefined && tab !== "agent") said.set("tab", tab);
  return `#${said}`;
}
