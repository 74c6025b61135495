import type { ToolError } from "../../model/errors.ts";

/** What the steps of a call did that cannot be undone, so that a failure can tell it. */
export interface Effects {
  /** A request of the step was answered. */
  done(step: string, operation: string): void;
  /** A request of the step failed; it may have taken effect all the same. */
  failed(step: string, operation: string, error: ToolError): void;
  /** A whole sentence; undefined where nothing took effect. Of `failing` only what is known to have taken effect is told: its own error tells the rest. */
  tell(failing: string): string | undefined;
}

interface Noted {
  readonly step: string;
  readonly operation: string;
  readonly certain: boolean;
}

const MOST_TOLD = 5;

export function noteEffects(): Effects {
  const noted: Noted[] = [];
  return {
    done: (step, operation) => void noted.push({ step, operation, certain: true }),
    failed(step, operation, error) {
      if (mayHaveActed(error)) noted.push({ step, operation, certain: false });
    },
    tell(failing) {
      const sure = describe(noted.filter(({ certain }) => certain));
      const unsure = describe(noted.filter(({ certain, step }) => !certain && step !== failing));
      const sentences = [
        ...(sure === undefined ? [] : [`${sure} took effect before, and nothing of it was undone.`]),
        ...(unsure === undefined ? [] : [`${unsure} may have taken effect.`]),
      ];
      return sentences.length === 0 ? undefined : sentences.join(" ");
    },
  };
}

/** Of a request that was never sent, or that the upstream refused, it is known that it did nothing. */
const WITHOUT_ANSWER = new Set([
  "outcome_unknown",
  "response_too_large",
  "destination_blocked",
  "upstream_bad_response",
]);

/** Whether a request that failed may have been carried out. */
export function mayHaveActed({ code, detail }: ToolError): boolean {
  const status = detail.upstream?.status;
  if (status !== undefined) return status < 400 || status >= 500;
  return WITHOUT_ANSWER.has(code) || (code === "cancelled" && detail.retryable === false);
}

function describe(noted: readonly Noted[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { step, operation } of noted) {
    const text = `\`${step}\` (${operation})`;
    counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  if (counts.size === 0) return undefined;
  const texts = [...counts].map(([text, count]) => (count === 1 ? text : `${text} ${count} times`));
  const more = texts.length > MOST_TOLD ? [`${texts.length - MOST_TOLD} more steps`] : [];
  const all = [...texts.slice(0, MOST_TOLD), ...more];
  return all.length === 1 ? all[0]! : `${all.slice(0, -1).join(", ")} and ${all.at(-1)!}`;
}
