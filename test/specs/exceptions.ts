/** One operation that did not come through, and why. */
export interface Exception {
  /** `METHOD /path` as in the document. */
  readonly operation: string;
  readonly stage: "compile" | "draw" | "send" | "validate";
  /** Of which kind of draw. */
  readonly from?: "spec" | "types";
  readonly reason: string;
}

interface Known {
  /** All documents where absent. */
  readonly document?: string;
  readonly operations?: readonly string[];
  readonly stage: Exception["stage"];
  readonly from?: Exception["from"];
  /** In the reason. */
  readonly says: RegExp;
  readonly because: string;
}

/** Before the reason where all that does not fit is which of a union's choices go together. */
export const CHOICE_ALONE = "No one choice fits: ";

/** Everything that does not come through and is no fault of ours. Whatever is not here fails the run. */
const KNOWN: readonly Known[] = [
  {
    document: "square",
    operations: ["POST /v2/catalog/batch-upsert", "POST /v2/catalog/images", "POST /v2/catalog/object"],
    stage: "compile",
    says: /CatalogModifierToggleOverrideType" leads nowhere/,
    because: "the document refers to a schema that it does not have",
  },
  {
    document: "box",
    operations: ["PUT /files/upload_sessions/{upload_session_id}"],
    stage: "compile",
    says: /required_unfilled `header\.content-range`/,
    because: "a required Content-Range is nothing that a caller may send (contract, Places)",
  },
  {
    document: "box",
    operations: ["GET /search"],
    stage: "validate",
    says: /mdfilters\/0 must be object/,
    because:
      "OpenAPI says nothing of lists of objects in a query (3.1.1 4.8.12.4), and the validator does not read our JSON",
  },
  {
    document: "okta-management",
    operations: [
      "POST /api/v1/apps/{appId}/users/{userId}",
      "POST /api/v1/inlineHooks/{inlineHookId}/execute",
      "POST /api/v1/users/{userId}/factors/{factorId}/lifecycle/activate",
    ],
    stage: "validate",
    says: /exactly one schema in oneOf/,
    because: "both choices of the document's oneOf take any object, so that never exactly one fits",
  },
  {
    document: "openai-3.1",
    operations: ["GET /chat/completions"],
    stage: "validate",
    says: /req\.parameter\.mutator/,
    because: "the validator crashes on an anyOf with a map in a query parameter",
  },
  {
    document: "digitalocean-multi",
    operations: ["PUT /<upload_url>"],
    stage: "validate",
    says: /not found/,
    because:
      "the path is no path: the document means a URL that another operation gives, and the validator's router does not decode `<`",
  },
  {
    document: "digitalocean-multi",
    operations: ["POST /v2/droplets/actions"],
    stage: "validate",
    says: /exactly one schema in oneOf/,
    because:
      "the second choice of the document's oneOf only adds an optional property, so that whatever fits the one fits the other",
  },
  {
    document: "msgraph-v1",
    stage: "validate",
    from: "types",
    says: /must match format \\"time\\"/,
    because: "the document's own pattern for a time has no zone, which the format `time` of JSON Schema asks for",
  },
  {
    stage: "validate",
    from: "types",
    says: new RegExp(`^${CHOICE_ALONE}`),
    because:
      "a portable type says the choices of a union together; what goes with what is in words, and left to the upstream where it is large",
  },
  {
    stage: "draw",
    from: "types",
    says: /./,
    because: "the type says JSON as text and no more",
  },
];

/** Why an exception is none of ours; undefined where it is. */
export function explainException(document: string, exception: Exception): string | undefined {
  const known = KNOWN.find(
    (one) =>
      (one.document ?? document) === document &&
      one.operations?.includes(exception.operation) !== false &&
      one.stage === exception.stage &&
      (one.from ?? exception.from) === exception.from &&
      one.says.test(exception.reason),
  );
  return known?.because;
}
