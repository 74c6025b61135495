import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, posix, relative, resolve, sep } from "node:path";
import { UnreadableInput } from "../../model/errors.ts";
import { visibleText } from "../../surface/formats/visible-text.ts";
import type { Shell } from "../command.ts";

const MOST_BYTES = 64 * 1024 * 1024;

/** The files of a revision, by their paths from the root of the repository (`/` between names). */
export interface GitTree {
  /** Undefined where there is no such file; a symbolic link is followed within the tree. Throws `UnreadableInput` for what is too large. */
  read(path: string): Uint8Array | undefined;
  /** The path from the root of what stands at `file` as seen from the working directory. Throws `UnreadableInput` for what lies outside. */
  pathOf(file: string): string;
}

/** A revision of the repository in which `file` lies, or lay. Throws `UnreadableInput` where there is no git, repository or such revision. */
export function openGitTree(revision: string, file: string, env: Shell["env"]): GitTree {
  const folder = folderOf(resolve(file));
  const git = openGit(folder, env);
  const prefix = git(["rev-parse", "--show-prefix"]).toString().replace(/\n$/, "");
  const tree = readTree(git, revision);
  return {
    read: (path) => readBlob(git, tree, path),
    pathOf: (other) => {
      const path = relative(folder, resolve(other)).split(sep).join("/");
      const plain = posix.join(prefix, path);
      if (plain === ".." || plain.startsWith("../"))
        throw new UnreadableInput(`${visibleText(other)}: it lies outside of the git repository.`);
      return plain;
    },
  };
}

/** The nearest that still exists. */
function folderOf(path: string): string {
  const parent = dirname(path);
  return parent === path || existsSync(parent) ? parent : folderOf(parent);
}

type Git = (args: readonly string[], input?: string) => Buffer;

/** Without a shell: arguments stay arguments. */
function openGit(cwd: string, env: Shell["env"]): Git {
  const quiet = { ...env, LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0" };
  return (args, input = "") => {
    try {
      return execFileSync("git", args, { cwd, env: quiet, input, maxBuffer: MOST_BYTES + 1, stdio: "pipe" });
    } catch (error) {
      throw new UnreadableInput(explain(error), { cause: error });
    }
  };
}

function explain(error: unknown): string {
  const { code, stderr } = error as { code?: unknown; stderr?: Uint8Array };
  if (code === "ENOENT") return "git: this program is not installed, and `git:REV:path` needs it.";
  const words = stderr === undefined ? "" : new TextDecoder().decode(stderr).trim().split("\n")[0];
  return `git: ${visibleText((words ?? "").replace(/^(fatal|error): /, "") || String(code), 300)}`;
}

function readTree(git: Git, revision: string): string {
  const name = visibleText(revision, 200);
  // No name of git's begins so, and an option must not come in as one.
  if (revision === "" || revision.startsWith("-")) throw new UnreadableInput(`git:${name}: this is no revision.`);
  try {
    return git(["rev-parse", "--verify", "--quiet", `${revision}^{tree}`])
      .toString()
      .trim();
  } catch (error) {
    const hint = "In a shallow clone it may have to be fetched first.";
    throw new UnreadableInput(`git:${name}: there is no such revision. ${hint}`, { cause: error });
  }
}

function readBlob(git: Git, tree: string, path: string): Uint8Array | undefined {
  // A line each is how git is asked.
  if (/[\n\0]/.test(path)) return undefined;
  const answer = git(["cat-file", "--batch-check", "--follow-symlinks"], `${tree}:${path}\n`).toString();
  const [, id, size = "0"] = /^([0-9a-f]{40,64}) blob (\d+)\n$/.exec(answer) ?? [];
  if (id === undefined) return undefined;
  if (Number(size) > MOST_BYTES)
    throw new UnreadableInput(`${visibleText(path)}: it is larger than ${MOST_BYTES} bytes.`);
  return git(["cat-file", "blob", id]);
}
