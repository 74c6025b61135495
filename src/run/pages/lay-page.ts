import type { Call, PagePlan } from "../../model/call.ts";
import { placeText } from "../../model/place.ts";
import { type AskedPage, fillPlace, placePage } from "./page-styles.ts";

/** The call that asks for one page: the page and its size stand over the call's own values, and under its pins. */
export function layPage(call: Call, plan: PagePlan, asked: AskedPage): Call {
  const { bindings, target } = placePage(plan, asked);
  const size = plan.size !== undefined && asked.size !== undefined ? [fillPlace(plan.size, asked.size)] : [];
  return { ...call, bindings: [...call.bindings, ...size, ...bindings], ...(target !== undefined && { target }) };
}

/** Whether we say how many rows a page has: not where a pin or the curation does. */
export function canSize({ bindings }: Call, plan: PagePlan): boolean {
  if (plan.sizeFixed !== undefined) return plan.style === "range";
  if (plan.style === "range") return true;
  const { size } = plan;
  return size !== undefined && !bindings.some((one) => one.pinned && placeText(one.place) === placeText(size.place));
}
