import { fileURLToPath } from "node:url";
import { build } from "../version.ts";

/** Where the files of the page are: beside the program, and where the source runs unbuilt, where a build puts them. */
export function findPage(): string {
  return fileURLToPath(new URL(build === undefined ? "../../../dist/page/" : "./page/", import.meta.url));
}
