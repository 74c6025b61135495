import { rememberBounded } from "../../model/remember.ts";
import type { Schema } from "../../model/schema.ts";
import type { View } from "../survey/view-schema.ts";
import { snakeOf } from "../word/nouns.ts";

/** What an agent gets from a column, by its name: points, the first pattern that fits counts. */
const BY_NAME: readonly (readonly [pattern: RegExp, points: number])[] = [
  // What must not be shown, or says nothing to anyone.
  [
    /(^|_)(password|secret|(private|access|secret|signing|encryption|api)_key|(access|refresh|auth)_token|access_cert|client_secret|credential|passphrase|ssn)s?($|_)/,
    -100,
  ],
  [
    /^(e_?tag|c_tag|change_key|_?links?|_embedded|self|node_id|annotations|cursor|nonce|checksum|md5|sha256|signature|hash|digest|raw|blob|resource_version|managed_fields|self_link|object|odata_type|additional_data|api_version|livemode|request_id)$/,
    -20,
  ],
  [
    /(^|_)(url|urls|uri|uris|href|link|permalink|avatar|icon|thumbnail|photo|logo|gravatar(_id)?|banner|splash|image_url)(_\d+|_url)?$/,
    -8,
  ],
  [/(^|_)(hash|digest|checksum|etag|fingerprint|token|cursor|signature)$/, -8],
  [
    /^(generate_name|generation|finalizers|revision|(resource|object)_type|(deletion|termination)_.*|.*_grace_period.*)$/,
    -1,
  ],
  // What it is called.
  [
    /^(name|title|display_name|full_name|subject|label|summary|login|username|user_principal_name|email|mail|number|slug)$/,
    20,
  ],
  [/^names$/, 18],
  [/^(id|sid|gid|uuid|guid)$/, 16],
  [/^key$/, 3],
  // How it is.
  [/^(status|state|phase|stage|conclusion|result|health|severity|priority|outcome|lifecycle)$/, 18],
  [/(^|_)(status|state|severity|priority|health|phase)$/, 13],
  [
    /^(type|kind|category|class|mode|level|role|plan|tier|region|location|environment|language|version|branch|method|event|action|reason|channel|source)$/,
    13,
  ],
  // How much.
  [
    /^(amount|total|net|gross)_|(^|_)(amount|total|price|cost|balance|currency|quantity|subtotal|fee|tax|net|revenue|spend|value|score|rate|usage|percent(age)?|money)$/,
    14,
  ],
  // How people tell one from another.
  [/^(last_?4|last_?four|brand)$/, 14],
  // How it is set, and not how it is.
  [/(^|_)(deadline|timeout|history_limit|grace)_?|^(min|max|default)_|[a-z]_limit$/, 2],
  // When it was taken away: what is read is seldom gone.
  [/^(deleted|deletion)_/, 4],
  [
    /(^|_)(count|size|bytes|replicas|duration|minutes|seconds|hours|cpu|memory|vcpus|disk|capacity|limit|ttl|serial)$/,
    9,
  ],
  // When.
  [
    /^(created|updated|modified|last_updated|last_modified|date|time|timestamp|due|start|end|started|ended|begin|sent|received|published|merged|closed|completed)(_(at|on|time|date|timestamp|date_?time))?$|^(date|time)_(created|updated|modified|sent|received)$|^(creation_timestamp|ts)$/,
    14,
  ],
  [/(^|_)(at|on|date|time|timestamp|datetime|ts)$/, 9],
  // Who.
  [/^(assignee|owner|author|user)$/, 15],
  [
    /^(owner|author|user|assignee|creator|created_by|customer|requester|sender|from|to|actor|account|organization|project|team|workspace|company|repository|parent|group)(_(name|email|id))?$/,
    10,
  ],
  // What it says.
  [/^(description|message|text|body|content|note|notes|comment|details|bio|error|error_message)$/, 11],
  [/(^|_)(preview|snippet|excerpt)$/, 10],
  [/^(labels|tags|topics|scopes|roles|members|assignees|categories)$/, 7],
  [
    /^(is_|has_)?(enabled|active|archived|disabled|private|public|draft|closed|locked|completed|paid|verified|default|deleted|stale|dnssec|published)$/,
    8,
  ],
  [/(^|_)(name|title|label)$/, 9],
  // A place in the machine that answers.
  [/(^|_)path$/, 1],
  [/(^|_)(id|sid|gid|uuid|ids)$/, 3],
  [/^(is|has|can|allow|enable|disable)_/, 1],
];

/** Words; what has no shorter name is a detail. */
const LONG_NAME = 3;

const readName = rememberBounded(10_000, (name) => {
  const snake = snakeOf(name);
  const over = Math.max(0, snake.split("_").length - LONG_NAME);
  return { snake, over, points: BY_NAME.find(([pattern]) => pattern.test(snake))?.[1] };
});

/** What stands alike in every row. */
const SAME = -20;

/** The document allows one value, or says that it is always one; a kind that has no choice names a schema. */
function isSame(name: string, { const: only, enum: values, description = "" }: Schema): boolean {
  if (only !== undefined || values?.length === 1) return true;
  if (values === undefined && name === "kind") return true;
  return /^(type|kind|object)$/.test(name) && /\b(set|equal|always|fixed)( is| be)?( to)? ["'“‘`\\]/i.test(description);
}

/** How much a property is worth as a column; below 0 it is left out. */
export function valueOfField(name: string, { type, schema }: View): number {
  const { snake, over, points: own } = readName(name);
  const points = own ?? (type === "boolean" ? 1 : 4);
  const { format = "", deprecated, enum: values, writeOnly, contentEncoding } = schema;
  if (isSame(snake, schema)) return SAME;
  if (/\b(secret|private|actual) key\b|\bpassword\b|\bdo not share\b/i.test(schema.description ?? "")) return -100;
  if (writeOnly === true || /^(password|byte|binary)$/.test(format) || contentEncoding !== undefined) return -100;
  if (/^base64/.test(format) || (type === "string" && /\bbase64\b/i.test(schema.description ?? ""))) return -100;
  const isLink = /^(uri|url|uri-template|iri)$/.test(format);
  return (
    points +
    (values !== undefined && values.length > 1 && over === 0 ? 4 : 0) -
    3 * over -
    (deprecated === true ? 12 : 0) -
    (isLink && points > -8 ? 10 : 0)
  );
}
