import { counted } from "../../../model/counted.ts";
import type { PageCost } from "../../page-data.ts";
import { formatCount, formatShare } from "../parts/numbers.ts";

interface SquaresProps {
  readonly cost: PageCost;
  readonly tools: number;
  readonly isPending: boolean;
}

const SIDE = 220;

/** Areas in the proportion of tokens: all endpoints of the spec, and in its corner this list. */
export function Squares({ cost: { list, endpoints }, tools, isPending }: SquaresProps) {
  if (endpoints === undefined || endpoints.tokens === 0)
    return (
      <p class="big">
        <strong>{formatCount(list.tokens)}</strong> tokens
        {isPending && <span class="help"> · One tool for each endpoint of the spec is being counted.</span>}
      </p>
    );
  const most = Math.max(list.tokens, endpoints.tokens);
  const side = (tokens: number): number => Math.max(2, SIDE * Math.sqrt(tokens / most));
  const [ours, theirs] = [side(list.tokens), side(endpoints.tokens)];
  const atLeast = endpoints.isAtLeast ? "at least " : "";
  return (
    <figure class="squares">
      <svg viewBox={`0 0 ${SIDE} ${SIDE}`} aria-hidden="true">
        <rect class="theirs" y={SIDE - theirs} width={theirs} height={theirs} />
        <rect class="ours" y={SIDE - ours} width={ours} height={ours} />
      </svg>
      <figcaption>
        <p class="big">
          <span class="swatch ours" aria-hidden="true" /> <strong>{formatCount(list.tokens)}</strong> tokens:{" "}
          {counted(tools, "tool")} of this list
        </p>
        <p class="big">
          <span class="swatch theirs" aria-hidden="true" /> <strong>{atLeast + formatCount(endpoints.tokens)}</strong>{" "}
          tokens: one tool for each of {counted(endpoints.operations, "endpoint")} of the spec
        </p>
        <p>
          The list is {endpoints.isAtLeast && "at most "}
          <strong>{formatShare(list.tokens, endpoints.tokens)}</strong> of that. An agent reads it at the beginning of
          every conversation.
        </p>
      </figcaption>
    </figure>
  );
}
