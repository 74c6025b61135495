import { PageRefusal } from "../../web/page-refusal.ts";

/** What is loaded late, of a program that may have been replaced since it began. Throws `PageRefusal` where it was. */
export async function loadHere<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND") throw REPLACED;
    throw error;
  }
}

const REPLACED = new PageRefusal(
  503,
  "program_replaced",
  "The program was replaced by another one since this server began: start the server again.",
);
