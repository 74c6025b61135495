import type { PageLook } from "./look-at-curation.ts";

/** The latest look at a curation that changes. Nothing is done before somebody asks. */
export interface Looking {
  /** Undefined until the first look is done. Begins to look where that is due. */
  latest(): { readonly look?: PageLook; readonly isPending: boolean };
  /** What was looked at has changed. */
  again(): void;
}

/** `done` hears of each new look; one that fails is told to `report`, and leaves the one before. */
export function keepLooking(
  lookOnce: () => Promise<PageLook>,
  done: () => void,
  report: (error: unknown) => void,
): Looking {
  let look: PageLook | undefined;
  let isDue = true;
  let isLooking = false;
  const begin = async (): Promise<void> => {
    isLooking = true;
    isDue = false;
    try {
      look = await lookOnce();
    } catch (error) {
      report(error);
    } finally {
      isLooking = false;
    }
    // What changed meanwhile is seen by whoever asks then.
    done();
  };
  return {
    latest() {
      if (isDue && !isLooking) void begin();
      return { ...(look !== undefined && { look }), isPending: isLooking };
    },
    again() {
      isDue = true;
      done();
    },
  };
}
