import { createHash } from "node:crypto";
import { isJsonObject, type Json, ownValue } from "../../model/json.ts";
import { canonicalJson } from "../canonical-json.ts";

/** Names of a row's own ID, the likelier ones first. */
const ID_NAMES = [/^_?id$/i, /^(uuid|guid|key)$/i, /(Id|ID|_id)$/, /^(name|slug|code|number)$/i];
/** How many of these are of the row itself; the others may name another thing, or be shared. */
const OWN_NAMES = 2;
/** Begins the identity of a row without an ID, whose other values may change while it stays where it is. */
const WHOLE = "~";
/** Whether anything reads this member of a row. */
export type ReadsMember = (name: string) => boolean;

/** Of a SHA-256: few enough to be carried about, and no two rows of one list are taken for the same by chance. */
const BYTES = 6;

/**
 * Gives each of these raw rows a short identity: of its ID, where one property is a scalar in all of them and no two have the same, else of the
 * whole row, so far as its members are read: of a large body no others are kept. It stays the same when the row is read again, whatever other rows
 * are read with it.
 */
export function identifyRows(rows: readonly Json[], reads?: ReadsMember): (row: Json) => string {
  const name = findIdName(rows);
  return (row) => (name === undefined ? identityOf(row, reads) : idIdentity(row, name));
}

/** Whether an identity is that of an ID: only then is a row that is not found one that has moved. */
export function isOfId(identity: string): boolean {
  return !identity.startsWith(WHOLE);
}

/** Where the row with this identity stands: at `expected` where it is there, else where there is one alone; -1 where there is none, or several. */
export function findIdentity(rows: readonly Json[], identity: string, expected: number, reads?: ReadsMember): number {
  const isIt = (row: Json) => hasIdentity(row, identity, reads);
  const there = rows[expected];
  if (there !== undefined && isIt(there)) return expected;
  const at = rows.findIndex(isIt);
  return at !== -1 && rows.findLastIndex(isIt) === at ? at : -1;
}

/** Whether a row had been given this identity, by its ID or whole. */
function hasIdentity(row: Json, identity: string, reads: ReadsMember | undefined): boolean {
  const names = isJsonObject(row) ? Object.keys(row).filter((name) => rankOf(name) !== -1) : [];
  return names.some((name) => idIdentity(row, name) === identity) || identityOf(row, reads) === identity;
}

/** The property by which the rows are told apart; undefined where there is none. */
export function findIdName(rows: readonly Json[]): string | undefined {
  const [first] = rows;
  if (!isJsonObject(first)) return undefined;
  const names = Object.keys(first).filter((name) => rankOf(name) !== -1);
  return names.toSorted((a, b) => rankOf(a) - rankOf(b)).find((name) => isUnique(rows, name));
}

/** The same where the name says that it is the row's own ID. */
export function findOwnIdName(rows: readonly Json[]): string | undefined {
  const name = findIdName(rows);
  return name !== undefined && rankOf(name) < OWN_NAMES ? name : undefined;
}

/** Whether rows may be told apart by a member of this name. */
export function isIdName(name: string): boolean {
  return rankOf(name) !== -1;
}

function rankOf(name: string): number {
  return ID_NAMES.findIndex((pattern) => pattern.test(name));
}

function isUnique(rows: readonly Json[], name: string): boolean {
  const seen = new Set<Json>();
  for (const row of rows) {
    const id = isJsonObject(row) ? ownValue(row, name) : undefined;
    if (id === undefined || id === null || id === "" || typeof id === "object") return false;
    seen.add(id);
  }
  return seen.size === rows.length;
}

function idIdentity(row: Json, name: string): string {
  return hash(`${name}:${canonicalJson((isJsonObject(row) ? ownValue(row, name) : null) ?? null)}`);
}

function identityOf(row: Json, reads: ReadsMember | undefined): string {
  const isRead = reads !== undefined && isJsonObject(row);
  const read = isRead ? Object.fromEntries(Object.entries(row).filter(([name]) => reads(name))) : row;
  return `${WHOLE}${hash(canonicalJson(read))}`;
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest().subarray(0, BYTES).toString("base64url");
}
