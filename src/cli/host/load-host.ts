import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { HostFile, ServerEntry } from "../../host/hosting.ts";
import type { OpenedServer, Served } from "../../host/opened-server.ts";
import { readHostFile } from "../../host/read-host-file.ts";
import type { SpecFile } from "../../model/api.ts";
import { UnreadableInput } from "../../model/errors.ts";
import type { Problem } from "../../model/problem.ts";
import type { Toolset } from "../../model/tool.ts";
import { isInside, isUnchangedSlowly } from "../toolset/digest-file.ts";
import { loadToolset } from "../toolset/load-toolset.ts";
import { fromPlain } from "../toolset/plain-toolset.ts";
import { type Certificates, listCertificates, readCertificates } from "../toolset/read-certificates.ts";
import { readFile } from "../toolset/read-file.ts";
import type { LoadedToolset } from "../toolset/toolset-request.ts";
import { checkServer, checkTags } from "./check-server.ts";
import type { Locate } from "./check-values.ts";
import { compileApart } from "./compile-apart.ts";
import type { KeptHost, KeptServer } from "./kept-host.ts";
import type { HostRunning } from "./open-host-runner.ts";
import { openServer, servedToolset } from "./open-server.ts";
import { requestOf } from "./server-request.ts";

/** A host file with everything that it names, or why it cannot be served. */
export interface LoadedHost {
  /** Absent beside any error. */
  readonly served?: Served;
  readonly problems: readonly Problem[];
  /** The host file, and SHA-256 of its bytes. */
  readonly text: string;
  readonly sha256: string;
  /** Every local file that it was made from, or that was looked for. */
  readonly files: readonly string[];
  /** SHA-256 of those that were read whole, as they were then. */
  readonly digests: ReadonlyMap<string, string | undefined>;
  /** What a next loading takes over where nothing of it has changed. */
  readonly parts: ReadonlyMap<string, ServerPart>;
}

interface ServerPart {
  readonly entry: string;
  readonly loaded: LoadedToolset;
  readonly certificates: readonly SpecFile[];
  readonly tls: Certificates;
  readonly opened: OpenedServer;
}

const NOTHING: ReadonlyMap<string, ServerPart> = new Map();

/**
 * Reads the host file and compiles all its servers: all of it is good, or nothing is served of it. Servers of `before` are taken over as they are
 * where their entry and files are the same; what another worker has read (`kept`) is taken in place of the files. Throws `UnreadableInput` for a host
 * file that cannot be read.
 */
export async function loadHost(
  file: string,
  running: HostRunning,
  before: ReadonlyMap<string, ServerPart> = NOTHING,
  kept?: KeptHost,
): Promise<LoadedHost> {
  const { text, sha256 } = kept ?? readFile(file);
  const { host, incomplete, problems, locate } = readHostFile(file, text, running.env);
  const own = [resolve(file)];
  const failed = { text, sha256, digests: new Map(), parts: NOTHING };
  const read = new Map(kept?.servers);
  const seen = host ?? incomplete;
  if (seen === undefined) return { problems, files: own, ...failed };
  const loadings: Loading[] = [];
  // One after the other: each takes the processor, and calls are served meanwhile.
  for (const entry of seen.servers.values())
    loadings.push(await loadServer(entry, seen, { running, locate, before, kept: read.get(entry.name) }));
  const files = [...new Set([...own, ...loadings.flatMap(({ files }) => files)])];
  const found = [
    ...problems,
    ...(kept === undefined ? checkEvents(seen, locate) : []),
    ...loadings.flatMap(({ problems }) => problems),
  ];
  const ready = loadings.flatMap(({ name, part }) => (part === undefined ? [] : [[name, part] as const]));
  const isGood = ready.length === loadings.length && !found.some(({ code }) => code === NO_FOLDER);
  if (host === undefined || !isGood) return { problems: found, files, ...failed };
  const parts = new Map(ready.map(([name, part]) => [name, part()]));
  const servers = new Map([...parts].map(([name, { opened }]) => [name, opened]));
  const made = [...parts.values()].flatMap((part) => [...part.loaded.files().filter(isInside), ...part.certificates]);
  const digests = new Map([[resolve(file), sha256], ...made.map((one) => [one.path, one.sha256] as const)]);
  return { served: { host, servers }, problems: found, text, sha256, files, digests, parts };
}

const NO_FOLDER = "no_folder";

/** Any other trouble with the file may pass. */
function checkEvents({ events }: HostFile, locate: Locate): Problem[] {
  if (events === undefined || existsSync(dirname(events))) return [];
  const message = "The folder of the events file does not exist.";
  return [
    { code: NO_FOLDER, severity: "error", ...locate(["events"]), message, hint: "Make it, or name another one." },
  ];
}

interface Loading {
  readonly name: string;
  readonly files: readonly string[];
  readonly problems: readonly Problem[];
  /** Opens it, once all others are known to be good as well. */
  readonly part?: () => ServerPart;
}

interface LoadingServer {
  readonly running: HostRunning;
  readonly locate: Locate;
  readonly before: ReadonlyMap<string, ServerPart>;
  readonly kept: KeptServer | undefined;
}

async function loadServer(
  entry: ServerEntry,
  host: HostFile,
  { running, locate, before, kept }: LoadingServer,
): Promise<Loading> {
  const { name } = entry;
  const described = JSON.stringify(entry);
  const known = before.get(name);
  const isSame = known?.entry === described && (await areUnchanged([...known.loaded.files(), ...known.certificates]));
  const seen: string[] = [];
  const load = before === NOTHING ? loadToolset : compileApart;
  const read = () => (kept === undefined ? tryLoading(entry, running, locate, seen, load) : fromPlain(kept.loaded));
  const loaded = isSame ? known.loaded : await read();
  if ("message" in loaded) return { name, files: [resolve(entry.curation), ...seen], problems: [loaded] };
  const { toolset } = loaded;
  const tls = toolset?.upstream.tls ?? {};
  const certificates = kept?.certificates ?? listCertificates(tls, requestOf(entry));
  const files = [...seen, ...[...loaded.files().filter(isInside), ...certificates].map(({ path }) => path)];
  const errors = loaded.problems.filter(({ severity }) => severity === "error");
  const served = toolset && servedToolset(entry, toolset);
  if (toolset === undefined || served === undefined || served.tools.length === 0) {
    const empty = {
      code: "no_tools",
      severity: "error" as const,
      ...locate(["servers", name]),
      message: `Nothing of \`${name}\` can be served.`,
    };
    return { name, files, problems: errors.length > 0 ? errors : [empty] };
  }
  const pems = kept?.tls ?? tryCertificates(entry, tls, locate);
  const unfit = [
    ...checkTags(entry, toolset, host, locate),
    ...checkServer(entry, served, host, running.env, locate),
    ...("problem" in pems ? [pems.problem] : []),
  ];
  const problems = [...errors, ...unfit];
  if (unfit.length > 0 || "problem" in pems) return { name, files, problems };
  const open = (): ServerPart => {
    if (isSame) return known;
    const opened = openServer(entry, { ...loaded, toolset }, pems, running);
    return { entry: described, loaded, certificates, tls: pems, opened };
  };
  return { name, files, problems, part: open };
}

async function areUnchanged(files: readonly SpecFile[]): Promise<boolean> {
  for (const file of files) if (!(await isUnchangedSlowly(file))) return false;
  return true;
}

function tryCertificates(
  entry: ServerEntry,
  tls: NonNullable<Toolset["upstream"]["tls"]>,
  locate: Locate,
): Certificates | { readonly problem: Problem } {
  try {
    return readCertificates(tls, requestOf(entry));
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error;
    const at = locate(["servers", entry.name, "curation"]);
    const hint = "The curation names it under `api.tls`.";
    return { problem: { code: "unreadable_certificate", severity: "error", ...at, message: error.message, hint } };
  }
}

/** A curation that cannot be read at all is a mistake of the host file too. */
async function tryLoading(
  entry: ServerEntry,
  { env }: HostRunning,
  locate: Locate,
  seen: string[],
  load: typeof compileApart,
): Promise<LoadedToolset | Problem> {
  try {
    return await load({ ...requestOf(entry), reading: (path) => seen.push(path) }, env);
  } catch (error) {
    if (!(error instanceof UnreadableInput)) throw error;
    const at = locate(["servers", entry.name, "curation"]);
    return { code: "unreadable_curation", severity: "error", ...at, message: error.message };
  }
}
