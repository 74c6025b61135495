import type { SpecFile } from "../../model/api.ts";
import { UnreadableInput } from "../../model/errors.ts";
import type { Upstream } from "../../model/tool.ts";
import { boundPath, rootOf } from "./bound-path.ts";
import { digestFile } from "./digest-file.ts";
import { readFile } from "./read-file.ts";
import type { ToolsetRequest } from "./toolset-request.ts";

type Files = NonNullable<Upstream["tls"]>;
/** Of those the PEM texts, a private key among them. */
export type Certificates = Files;

/** The files that `api.tls` names, as they are now; those outside of the root are not opened. */
export function listCertificates(files: Files, { file, root: given }: ToolsetRequest): readonly SpecFile[] {
  const root = rootOf(file, given);
  return Object.values(files).flatMap((name): readonly SpecFile[] => {
    const { path, inside } = boundPath(name, file, root);
    if (!inside) return [];
    const sha256 = digestFile(path);
    return [{ path, ...(sha256 !== undefined && { sha256 }) }];
  });
}

/** The PEM texts of the files that `api.tls` names. Throws `UnreadableInput`, also for a file outside of the root. */
export function readCertificates(files: Files, { file, root: given }: ToolsetRequest): Certificates {
  const root = rootOf(file, given);
  const read = (name: string): string => {
    const { path, inside } = boundPath(name, file, root);
    if (!inside)
      throw new UnreadableInput(`${path}: lies outside of ${root}; name a folder that holds it with --root.`);
    const { text } = readFile(path);
    if (!/^-----BEGIN [A-Z ]+-----\r?$/m.test(text)) throw new UnreadableInput(`${path}: is no PEM file.`);
    return text;
  };
  return Object.fromEntries(Object.entries(files).map(([part, name]) => [part, read(name)]));
}
