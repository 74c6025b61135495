import type { Binding, Call, FilledPlace, FilterDestination, OperationPlan, PagePlan } from "../../model/call.ts";
import { planOperation } from "../places/plan-operation.ts";
import type { Target } from "../places/request-places.ts";

/** One request to be, and what is needed of its operation to send it. */
export interface CallDraft {
  readonly target: Target;
  readonly plan: OperationPlan;
}

/** The calls of one tool, as they are compiled; `Call.operation` is the position here until the toolset is put together. */
export interface CallList {
  readonly drafts: readonly CallDraft[];
  add(call: Omit<Call, "operation">, target: Target, choices: CallChoices): Call;
}

export interface CallChoices {
  readonly accept?: string;
  readonly contentType?: string;
  /** Absolute, or empty. */
  readonly server: string;
  readonly safe: boolean;
}

export function openCalls(): CallList {
  const drafts: CallDraft[] = [];
  return {
    drafts,
    add(call, target, choices) {
      const filled = [...filterPlaces(call.filter), ...pagePlaces(call.pages)].map(asBinding);
      drafts.push({ target, plan: planOperation(target, [...call.bindings, ...filled], choices) });
      return { operation: drafts.length - 1, ...call };
    },
  };
}

/** The places that a filter fills while running. */
export function filterPlaces(filter: FilterDestination | undefined): FilledPlace[] {
  if (filter === undefined) return [];
  return [...(filter.to === undefined ? [] : [filter.to]), ...(filter.places ?? []).map(([, place]) => place)];
}

/** The places that paging fills while running. */
export function pagePlaces(pages: PagePlan | undefined): FilledPlace[] {
  if (pages === undefined) return [];
  return [...("send" in pages ? [pages.send] : []), ...(pages.size === undefined ? [] : [pages.size])];
}

/** As far as the plan of an operation is concerned: something may stand there. */
function asBinding({ place, type }: FilledPlace): Binding {
  return { place, type, value: { kind: "literal", value: null }, pinned: false, required: false, nullable: true };
}
