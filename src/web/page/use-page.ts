import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { PageData } from "../page-data.ts";
import { askData, type Server } from "./ask.ts";
import type { AskFailed } from "./ask-failed.ts";
import { askLatest, isRefusal } from "./ask-latest.ts";
import { type Changes, findChanges } from "./find-changes.ts";
import { followChanges } from "./follow-changes.ts";

export type PageState =
  | { readonly kind: "loading" }
  | {
      readonly kind: "failed";
      readonly message: string;
      /** It is not asked again by itself. */
      readonly isRefused: boolean;
      askAgain(): void;
    }
  | {
      readonly kind: "shown";
      readonly data: PageData;
      readonly changes: Changes;
      readonly isConnected: boolean;
      /** Takes the marks away. */
      markSeen(): void;
    };

/** The data of a server, asked for again whenever it may be another, and until it has come. */
export function usePage(server: Server): PageState {
  const [data, setData] = useState<PageData>();
  const [baseline, setBaseline] = useState<PageData>();
  const [failure, setFailure] = useState<AskFailed>();
  const [isConnected, setConnected] = useState(true);
  const askAgain = useRef(() => {});
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const onData = (next: PageData): void => {
      setData(next);
      setBaseline((first) => first ?? next);
      setFailure(undefined);
    };
    const latest = askLatest(() => askData(server), { onData, onFailure: setFailure }, signal);
    let isFollowing = false;
    const begin = (): void => {
      latest.ask();
      if (isFollowing) return;
      isFollowing = true;
      const followed = { onRevision: latest.ask, onConnection: setConnected, onRefused: setFailure };
      void followChanges(server, followed, signal).finally(() => {
        isFollowing = false;
      });
    };
    askAgain.current = begin;
    begin();
    return () => leaving.abort();
  }, [server]);
  const changes = useMemo(() => data && baseline && findChanges(baseline, data), [data, baseline]);
  if (failure !== undefined && (data === undefined || failure.status === 401))
    return {
      kind: "failed",
      message: failure.message,
      isRefused: isRefusal(failure),
      askAgain: () => askAgain.current(),
    };
  if (data === undefined || changes === undefined) return { kind: "loading" };
  // What is shown may be no more what is served.
  const isCurrent = isConnected && failure === undefined;
  return { kind: "shown", data, changes, isConnected: isCurrent, markSeen: () => setBaseline(data) };
}
