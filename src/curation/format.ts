import * as z from "zod";
import type { Json } from "../model/json.ts";
import type { SourcePosition } from "../model/problem.ts";
import { INPUT_NAME } from "./entry-names.ts";
import { ApiEntry, Pins } from "./format-api.ts";
import { Duration, Flag, key, may, Text } from "./format-scalar.ts";
import { Entities, States } from "./format-steps.ts";
import { ToolEntry } from "./format-tool.ts";

const SERVER_NAME = /^[a-z][a-z0-9-]{0,14}$/;

const ServerEntry = z
  .strictObject({
    name: key(
      z
        .string()
        .regex(
          SERVER_NAME,
          "is not a server's name\nUse 1 to 15 lower-case letters, digits and dashes, a letter first.",
        ),
      "The server's name.",
    ),
    title: may(Text, "A name for people."),
    prefix: may(
      z
        .string()
        .regex(
          /^[a-z][a-z0-9_]*$/,
          "is not a prefix\nUse lower-case letters, digits and _, a letter first, for example ledger_.",
        ),
      "Stands before every tool's name.",
    ),
    instructions: may(Text, "What cannot be read off the schemas."),
    expose: may(
      z.union([
        z.enum(["flat", "grouped"]),
        z.strictObject({
          as: key(z.enum(["flat", "grouped"]), "One tool an entry, or one a namespace."),
          discriminator: may(
            z.string().regex(INPUT_NAME, "is not the name of an input"),
            "The input that chooses the action.",
            "action",
          ),
          separator: may(
            z.string().regex(/^[a-z0-9_]{1,4}$/, "cannot stand in a tool's name\nUse _ or another of a-z, 0-9 and _."),
            "What a dot in a name becomes.",
            "_",
          ),
        }),
      ]),
      "How tools are shown.",
      "flat",
    ),
    descriptions: may(z.enum(["full", "compact"]), "The form of descriptions.", "full"),
    writes: may(Flag, "False makes a tool that does more than read an error.", false),
    structured: may(Flag, "False gives neither outputSchema nor structuredContent.", true),
    explore: may(Flag, "Adds three tools that search, describe and call any safe operation.", false),
    pageTokenTtl: may(Duration, "How long a page token is good.", "15m"),
    lint: may(z.record(z.string(), Text), "Rules that are waived for the whole curation, each with the reason."),
  })
  .meta({ id: "Server", description: "The server that callers see." });

/** Version 1 of the curation file, whole. Top-level keys that begin with `x-` are taken off before. */
export const CurationFile = z
  .strictObject({
    vitrine: key(z.literal(1), "The version of this format."),
    api: key(ApiEntry, "The upstream API."),
    server: key(ServerEntry, "The server: its name, and its rules for every tool."),
    pins: may(Pins, "Values that no caller chooses, by name."),
    entities: may(Entities, "Where identifiers come from, by kind."),
    states: may(States, "States of the upstream, by name."),
    tools: key(z.record(z.string(), ToolEntry), "The tools by name; a dot ends a namespace."),
  })
  .meta({ title: "A vitrine curation", description: "One YAML file that describes one server." });
export type CurationFile = z.infer<typeof CurationFile>;
export type { ApiSection, CredentialEntry, PageStyle, PinEntry } from "./format-api.ts";
export type { FieldSourceEntry, FilterEntry, FilterFieldEntry } from "./format-filter.ts";
export type {
  FieldEntry,
  GroupEntry,
  OrderEntry,
  RestEntry,
  ResultEntry,
  TotalsEntry,
  ValueEntry,
} from "./format-result.ts";
export type { CallStepEntry, StepsEntry, ValueStepEntry } from "./format-steps.ts";
export type { ErrorEntry, InputEntry, ToolEntry } from "./format-tool.ts";

/** A curation whose shape and expressions were found right; nothing is known of the spec yet. Sizes are bytes, durations milliseconds. */
export interface Curation {
  readonly file: string;
  readonly content: CurationFile;
  /** Entries that were found wrong and are not in `content`; where there are any, the curation is good only to look for more mistakes. */
  readonly leftOut: readonly LeftOut[];
  /** Hex, of the file's text in UTF-8. */
  readonly sha256: string;
  /**
   * Where the node at this path of `content` stands: a mapping's entry at its key, unless its value is asked for; what does not exist at
   * its nearest ancestor that does. `part` is a piece of the text there that is meant.
   */
  locate(path: readonly (string | number)[], at?: "key" | "value", part?: string): SourcePosition;
}

/** An entry that was found wrong. */
export interface LeftOut {
  readonly path: readonly (string | number)[];
  /** What it held. */
  readonly value: Json;
}
