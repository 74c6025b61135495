import { counted } from "../../model/counted.ts";
import type { Shell } from "../command.ts";
import { formatFindings } from "../commands/format-findings.ts";
import { digestFile, isInside } from "./digest-file.ts";
import type { LiveToolset, OpenedCaller } from "./live-toolset.ts";
import { loadToolset } from "./load-toolset.ts";
import { listCertificates } from "./read-certificates.ts";
import type { LoadedToolset, ToolsetRequest } from "./toolset-request.ts";
import { watchFiles } from "./watch-files.ts";

/**
 * Loads the toolset again whenever one of its files has other bytes, and serves it; on any error it says so and the last good one stays.
 * Returns the function that ends the watching. `attempted` is told after each time that it was tried.
 */
export function reloadOnChange<Opened extends OpenedCaller>(
  live: LiveToolset<Opened>,
  first: LoadedToolset,
  request: ToolsetRequest,
  open: (loaded: LoadedToolset) => Promise<Opened>,
  shell: Shell,
  attempted: () => void = () => {},
): () => void {
  let files: readonly string[] = madeOf(first);
  let tried = digests(files);
  const watch = watchFiles(async () => {
    // Again where something changed while we were loading.
    for (let now = digests(files); now !== tried; now = digests(files)) {
      tried = now;
      const seen = await attempt();
      attempted();
      const known = new Set(files);
      const added = seen.filter((path) => !known.has(path));
      // Also those of a failed attempt: the file that was missing may come.
      files = [...files, ...added];
      if (added.length > 0) tried = `${now}\n${digests(added)}`;
      watch.follow(files);
    }
  });
  watch.follow(files);
  return watch.close;

  async function attempt(): Promise<string[]> {
    const seen: string[] = [];
    try {
      const loaded = await loadToolset({ ...request, reading: (path) => seen.push(path) }, shell.env);
      seen.push(...madeOf(loaded));
      await swap(loaded);
    } catch (error) {
      shell.note(
        `vitrine: ${error instanceof Error ? error.message : String(error)}\nStill serving the last good toolset.`,
      );
    }
    return [...new Set(seen)];
  }

  function madeOf({ files, toolset }: LoadedToolset): readonly string[] {
    const certificates = listCertificates(toolset?.upstream.tls ?? {}, request);
    return [...files().filter(isInside), ...certificates].map(({ path }) => path);
  }

  async function swap(loaded: LoadedToolset): Promise<void> {
    const errors = loaded.problems.filter((problem) => problem.severity === "error");
    if (errors.length > 0) shell.note(formatFindings(errors, false));
    if (loaded.toolset === undefined) return shell.note("Still serving the last good toolset.");
    live.replace(loaded.toolset, await open(loaded));
    shell.note(`Reloaded: ${counted(live.current().tools.length, "tool")}.`);
  }
}

function digests(files: readonly string[]): string {
  return files.map((file) => `${file} ${digestFile(file)}`).join("\n");
}
