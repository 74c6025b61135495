import { counted } from "../../model/counted.ts";
import type { PageData } from "../page-data.ts";
import { writeRoute } from "./route.ts";

interface NoticesProps {
  readonly data: PageData;
  /** What changed, in words. */
  readonly news: string | undefined;
  onSeen(): void;
}

/** What stands above every view. */
export function Notices({ data, news, onSeen }: NoticesProps) {
  const errors = data.findings?.filter(({ severity }) => severity === "error").length ?? 0;
  return (
    <>
      {data.isBroken && (
        <p class="notice broken" role="alert">
          The file as it stands does not compile{errors > 0 && `: ${counted(errors, "error")}`}. These are the tools of
          the last one that did. <a href={writeRoute({ view: "findings" })}>See what is wrong</a>
        </p>
      )}
      {news !== undefined && (
        <p class="notice news">
          <span>{news}</span>{" "}
          <button type="button" onClick={onSeen}>
            Take the marks away
          </button>
        </p>
      )}
    </>
  );
}
