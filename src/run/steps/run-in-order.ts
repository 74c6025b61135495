/**
 * Runs what has so many positions, each once all that it needs (positions before its own) have ended, all others at the same time. After a failure nothing
 * begins any more: `stop` is told of it at once, what still runs is waited for, and the first failure is thrown.
 */
export async function runInOrder(
  needs: readonly (readonly number[])[],
  run: (at: number) => Promise<void>,
  stop: (failure: unknown) => void,
): Promise<void> {
  const failures: unknown[] = [];
  const begin = async (at: number): Promise<void> => {
    if (failures.length > 0) return;
    try {
      await run(at);
    } catch (error) {
      failures.push(error);
      if (failures.length === 1) stop(error);
    }
  };
  const ended: Promise<void>[] = [];
  for (const [at, before] of needs.entries()) {
    if (before.some((one) => one >= at)) throw new Error(`What comes at ${at} needs what comes later.`);
    ended.push(Promise.all(before.map((one) => ended[one])).then(() => begin(at)));
  }
  await Promise.all(ended);
  if (failures.length > 0) throw failures[0];
}
