import type { SpecFault } from "../model/api.ts";

/** A part of the spec cannot be read. Thrown inside this room only: its doors hand it on as a `SpecFault`. */
export class BrokenSpec extends Error {
  readonly code = "BROKEN_SPEC";
  readonly pointer: string;
  constructor(message: string, pointer: string) {
    super(message);
    this.name = "BrokenSpec";
    this.pointer = pointer;
  }
}

/** Runs a reading and gives its fault as a value; anything that is not the spec's fault is thrown on. */
export function faultOf<T>(read: () => T): T | SpecFault {
  try {
    return read();
  } catch (error) {
    if (error instanceof BrokenSpec) return { fault: error.message, pointer: error.pointer };
    throw error;
  }
}
