import { rememberBounded } from "../../model/remember.ts";
import type { Schema } from "../../model/schema.ts";
import type { View } from "../survey/view-schema.ts";
import { snakeOf } from "../word/nouns.ts";

/** What an agent gets from a column, by its name: points, the first pattern that fits counts. */
const BY_NAME: readonly (readonly [pattern: RegExp, points: number])[] = [
  // What must not be shown, or says nothing to anyone.
  [
    /(^|_)(password|secret|private_key|access_token|refresh_token|api_key|client_secret|credential|passphrase|ssn)s?($|_)/,
    -100,
  ],
  [
    /^(etag|_?links?|_embedded|self|node_id|cursor|nonce|checksum|md5|sha256|signature|hash|digest|raw|blob|resource_version|managed_fields|self_link|object|odata_type|additional_data|api_version|livemode|request_id)$/,
    -20,
  ],
  [/(^|_)(url|urls|uri|href|link|permalink|avatar|icon|thumbnail|image|photo|logo|gravatar)(_\d+|_url)?$/, -8],
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
  [/^(id|sid|gid|uuid|uid|guid)$/, 16],
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
    /(^|_)(amount|total|price|cost|balance|currency|quantity|subtotal|fee|tax|net|revenue|spend|value|score|rate|usage|percent(age)?)($|_)/,
    14,
  ],
  [
    /(^|_)(count|size|bytes|replicas|duration|minutes|seconds|hours|cpu|memory|vcpus|disk|capacity|limit|ttl|serial)$/,
    9,
  ],
  // When.
  [
    /^(created|updated|modified|date|time|timestamp|due|start|end|started|ended|begin)(_(at|on|time|date|timestamp|datetime))?$/,
    14,
  ],
  [/(^|_)(at|on|date|time|timestamp|datetime|ts)$/, 9],
  // Who.
  [
    /^(owner|author|user|assignee|creator|created_by|customer|requester|sender|from|to|actor|account|organization|project|team|workspace|company|repository|parent|group)(_(name|email|id))?$/,
    10,
  ],
  // What it says.
  [/^(description|message|text|body|content|note|notes|comment|details|bio|error|error_message)$/, 11],
  [/^(labels|tags|topics|scopes|roles|members|assignees|categories)$/, 7],
  [
    /^(is_|has_)?(enabled|active|archived|disabled|private|public|draft|closed|locked|completed|paid|verified|default|deleted|stale|dnssec|published)$/,
    8,
  ],
  [/(^|_)(name|title|label)$/, 9],
  [/(^|_)(id|sid|gid|uuid|ids)$/, 3],
  [/^(is|has|can|allow|enable|disable)_/, 1],
];

const readName = rememberBounded(10_000, (name) => {
  const snake = snakeOf(name);
  return { snake, points: BY_NAME.find(([pattern]) => pattern.test(snake))?.[1] };
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
  const { snake, points: own } = readName(name);
  const points = own ?? (type === "boolean" ? 1 : 4);
  const { format = "", deprecated, enum: values, writeOnly, contentEncoding } = schema;
  if (isSame(snake, schema)) return SAME;
  if (/\b(secret|private|actual) key\b|\bpassword\b|\bdo not share\b/i.test(schema.description ?? "")) return -100;
  if (writeOnly === true || /^(password|byte|binary)$/.test(format) || contentEncoding !== undefined) return -100;
  const isLink = /^(uri|url|uri-template|iri)$/.test(format);
  return (
    points +
    (values !== undefined && values.length > 1 ? 4 : 0) -
    (deprecated === true ? 12 : 0) -
    (isLink && points > -8 ? 10 : 0)
  );
}
