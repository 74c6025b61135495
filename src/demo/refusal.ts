/** The codes of the API's error envelope, each with its HTTP status. */
const STATUS = {
  UNAUTHENTICATED: 401,
  UNKNOWN_TENANT: 404,
  UNKNOWN_ROUTE: 404,
  INVALID_JSON: 400,
  INVALID_REQUEST: 400,
  INVALID_RANGE: 400,
  UNKNOWN_FIELD: 400,
  FIELD_NOT_GROUPABLE: 400,
  INVALID_FILTER: 400,
  UNKNOWN_OPERATOR: 400,
  INVALID_VALUE: 400,
  INVALID_PAGE_TOKEN: 400,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  INTERNAL: 500,
} as const;

export type RefusalCode = keyof typeof STATUS;

/** A request that the ledger answers with its error envelope. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly status: number;
  /** The field names that the refusal is about. */
  readonly fields: readonly string[] | undefined;
  constructor(code: RefusalCode, message: string, fields?: readonly string[]) {
    super(message);
    this.name = "Refusal";
    this.code = code;
    this.status = STATUS[code];
    this.fields = fields;
  }
}

export const writeEnvelope = ({ code, message, fields }: Refusal) => ({
  error: { code, message, ...(fields && { fields }) },
});
