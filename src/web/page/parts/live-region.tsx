import { useCallback, useState } from "preact/hooks";

/** What a screen reader says at the next pause. The same words twice are said twice. */
export function useSay(): readonly [said: readonly [words: string, count: number], say: (words: string) => void] {
  const [said, setSaid] = useState<readonly [string, number]>(["", 0]);
  const say = useCallback((words: string) => setSaid(([, count]) => [words, count + 1]), []);
  return [said, say];
}

export function LiveRegion({ said: [words, count] }: { readonly said: readonly [string, number] }) {
  return (
    <div role="status" aria-live="polite" class="unseen">
      <span key={count}>{words}</span>
    </div>
  );
}
