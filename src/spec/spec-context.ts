import type { SchemaLift } from "./lift-schema.ts";
import type { SpecDocument } from "./read-document.ts";
import type { ResolveSchema } from "./resolve-schema.ts";

/** What every reader of an operation's parts needs. */
export interface SpecContext {
  readonly document: SpecDocument;
  readonly schemas: SchemaLift;
  readonly resolve: ResolveSchema;
}
