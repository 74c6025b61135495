import { PROFILE_NAMES } from "../surface/apply-profile.ts";
import { UsageError } from "./command.ts";

/** The name of a client that `--profile` says. Throws `UsageError`. */
export function readProfile(name: string | undefined): string | undefined {
  if (name === undefined || PROFILE_NAMES.includes(name)) return name;
  throw new UsageError(`There is no profile "${name}". There are: ${PROFILE_NAMES.join(", ")}`);
}
