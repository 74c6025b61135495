/** The months that the ledger covers: twelve complete ones, and the running one up to the day before `now`, all in UTC. */
export interface Calendar {
  /** First day of the first month, `YYYY-MM-DD`. */
  readonly first: string;
  /** First day of the last complete month. */
  readonly lastMonth: string;
  /** First day of the running month. */
  readonly runningMonth: string;
  /** The day of `now`: the first day without charges. */
  readonly today: string;
}

export const COMPLETE_MONTHS = 12;

export function planCalendar(now: Date): Calendar {
  const month = (offset: number) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1));
  return {
    first: day(month(-COMPLETE_MONTHS)),
    lastMonth: day(month(-1)),
    runningMonth: day(month(0)),
    today: day(now),
  };
}

const day = (date: Date): string => date.toISOString().slice(0, 10);
