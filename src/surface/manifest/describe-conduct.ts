import type { Call, PagePlan } from "../../model/call.ts";
import { callsOf, mapEntityCalls } from "../../model/map-calls.ts";
import { placeText } from "../../model/place.ts";
import type { ErrorRule, Suggestion, Tool, Toolset } from "../../model/tool.ts";
import type { Conduct } from "../manifest-format.ts";
import { describeAccess, findUnpinned } from "./describe-access.ts";
import { describeOwnAddresses } from "./describe-addresses.ts";
import { describeFilter } from "./describe-filter.ts";
import { describeDefaults, describeInputs } from "./describe-inputs.ts";
import { describeReply } from "./describe-reply.ts";
import { digestReplies } from "./digest-replies.ts";
import { digestRequests, entitiesOf } from "./digest-requests.ts";
import { makePart } from "./make-part.ts";
import { valueJson, valueText } from "./value-text.ts";

/** A call of another tool, by its name as callers see it, and the arguments that are not part of that. */
export type SayCall = (
  name: string,
  args: Suggestion["args"],
) => { readonly tool: string; readonly args: Suggestion["args"] };

/** What a caller feels of a tool beside its schemas; `tool` is none that stands for a group. `sayCall` tells a call of another tool. */
export function describeConduct(tool: Tool, toolset: Toolset, sayCall: SayCall): Conduct {
  const own = callsOf(tool);
  const calls = [...own, ...identifyingCalls(tool, toolset)];
  const keyOf = (call: Call) => toolset.operations[call.operation]?.key ?? "";
  const { filter, states = [], errors, confirm, suggest = [], deadlineMs } = tool;
  const asking = (toolset.states ?? []).flatMap(({ name, call }) => (states.includes(name) ? [call] : []));
  return {
    operations: isCallingAny(tool) ? [ANY] : [...new Set(calls.map(keyOf))],
    access: describeAccess(calls, toolset),
    requests: digestRequests(tool, toolset),
    replies: digestReplies(tool.shape, sayCall),
    deadlineMs,
    ...describeReply(tool.shape, keyOf),
    ...(tool.said !== undefined && { said: tool.said }),
    ...unlessEmpty({
      states: states.toSorted(),
      unpinned: findUnpinned(tool, calls, toolset),
      addresses: describeOwnAddresses(tool.plan, [...calls, ...asking], toolset),
      defaults: describeDefaults(tool),
      inputs: describeInputs(tool, keyOf),
      pages: [...new Set(own.flatMap((call) => (call.pages ? [`${keyOf(call)}: ${pageText(call.pages)}`] : [])))],
      errors: errors.map((rule) => ({ on: failureText(rule), error: rule.error, recover: rule.recover })),
      suggest: suggest.map(({ tool: name, args, when, why }) => {
        const call = sayCall(name, args);
        const told = [call.args.map(([arg, value]) => [arg, valueJson(value)]), when?.jmespath ?? null, why];
        return makePart(told, { tool: call.tool });
      }),
    }),
    ...(filter !== undefined && { filter: describeFilter(filter, calls, keyOf) }),
    ...(tool.shape.kind === "list" && tool.shape.emptyNote !== undefined && { emptyNote: tool.shape.emptyNote }),
    ...(confirm !== undefined && { confirm: { text: valueText(confirm.text), human: confirm.human } }),
    ...(calls.some((call) => call.idempotencyKey !== undefined) && { keyed: true as const }),
  };
}

/** What `call_operation` sends is in no toolset. */
const ANY = "* (any operation that only reads)";

function isCallingAny({ plan }: Tool): boolean {
  return plan.kind === "explore" && plan.does === "call";
}

/** The requests by which the identifiers among a tool's arguments are found. */
function identifyingCalls(tool: Tool, toolset: Toolset): readonly Call[] {
  const calls: Call[] = [];
  for (const entity of entitiesOf(tool, toolset))
    mapEntityCalls(entity, (call) => {
      calls.push(call);
      return call;
    });
  return calls;
}

function failureText({ status, when }: ErrorRule): string {
  const failure = status ?? "any failure";
  return when === undefined ? failure : `${failure} when ${when.jmespath}`;
}

function pageText(plan: PagePlan): string {
  const { size, sizeFixed, sizeMax, more } = plan;
  const next = plan.style === "token" || plan.style === "last" ? ` from ${plan.next.jmespath}` : "";
  return [
    `${plan.style}${"send" in plan ? ` ${placeText(plan.send.place)}` : ""}${next}`,
    ...(plan.style === "page" ? [`first ${plan.first}`] : []),
    ...(plan.style === "range" ? [`unit ${plan.unit}`] : []),
    ...(size === undefined ? [] : [`size ${placeText(size.place)}`]),
    ...(sizeFixed === undefined ? [] : [`size ${sizeFixed}`]),
    ...(sizeMax === undefined ? [] : [`at most ${sizeMax}`]),
    ...(more === undefined ? [] : [`more when ${more.jmespath}`]),
  ].join(", ");
}

/** Without the lists and maps that hold nothing. */
function unlessEmpty<T extends object>(values: T): Partial<T> {
  return Object.fromEntries(Object.entries(values).filter(([, one]) => Object.keys(one).length > 0)) as Partial<T>;
}
