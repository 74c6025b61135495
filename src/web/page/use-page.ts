import { useEffect, useMemo, useState } from "preact/hooks";
import type { PageData } from "../page-data.ts";
import { AskFailed, askData, describeFailure, type Server } from "./ask.ts";
import { type Changes, findChanges } from "./find-changes.ts";
import { followChanges } from "./follow-changes.ts";

export type PageState =
  | { readonly kind: "loading" }
  | { readonly kind: "failed"; readonly message: string }
  | {
      readonly kind: "shown";
      readonly data: PageData;
      readonly changes: Changes;
      readonly isConnected: boolean;
      /** Takes the marks away. */
      markSeen(): void;
    };

/** The data of a server, asked for again whenever it may be another. */
export function usePage(server: Server): PageState {
  const [data, setData] = useState<PageData>();
  const [baseline, setBaseline] = useState<PageData>();
  const [failure, setFailure] = useState<AskFailed>();
  const [isConnected, setConnected] = useState(true);
  useEffect(() => {
    const leaving = new AbortController();
    const latest = askLatest(server, (next) => {
      setData(next);
      setBaseline((first) => first ?? next);
      setFailure(undefined);
    });
    const failed = (error: unknown): void =>
      setFailure(error instanceof AskFailed ? error : new AskFailed(0, describeFailure(error)));
    latest.ask().catch(failed);
    const onRevision = (revision: string): void => void latest.ask(revision).catch(failed);
    void followChanges(server, { onRevision, onConnection: setConnected, onRefused: failed }, leaving.signal);
    return () => leaving.abort();
  }, [server]);
  const changes = useMemo(() => data && baseline && findChanges(baseline, data), [data, baseline]);
  if (failure !== undefined && (data === undefined || failure.status === 401))
    return { kind: "failed", message: failure.message };
  if (data === undefined || changes === undefined) return { kind: "loading" };
  return { kind: "shown", data, changes, isConnected, markSeen: () => setBaseline(data) };
}

/** Asks once at a time; a revision that came meanwhile is asked for after. */
function askLatest(server: Server, onData: (data: PageData) => void) {
  let [shown, wanted]: (string | undefined)[] = [];
  let running: Promise<void> | undefined;
  const askAll = async (): Promise<void> => {
    do {
      const asked = wanted;
      const data = await askData(server);
      shown = data.revision;
      onData(data);
      if (wanted === asked) return;
    } while (wanted !== shown);
  };
  return {
    async ask(revision?: string): Promise<void> {
      if (revision !== undefined && revision === shown) return;
      wanted = revision ?? wanted;
      running ??= askAll().finally(() => {
        running = undefined;
      });
      await running;
    },
  };
}
