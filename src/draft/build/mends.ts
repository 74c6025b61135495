/** What the compiler or a rule has found against one tool, by which it is drafted otherwise. */
export interface ToolMends {
  /** Optional places that are left out. */
  readonly droppedInputs: Set<string>;
  readonly droppedFields: Set<string>;
  /** A type that has to be said, by place. */
  readonly inputTypes: Map<string, string>;
  /** Places whose description in the document is not to be shown. */
  readonly distrustedInputs: Set<string>;
  distrustedUse: boolean;
  unchecked: boolean;
  withoutTotals: boolean;
  withoutPages: boolean;
  withoutFilter: boolean;
  /** The default of `limit` is lowered. */
  fewRows: boolean;
}

/** All that is known against a draft. What is dropped is an operation's key. */
export interface Mends {
  readonly tools: Map<string, ToolMends>;
  readonly dropped: Set<string>;
  readonly droppedErrors: Set<string>;
  readonly droppedAuth: Set<string>;
  readonly droppedEntities: Set<string>;
  needsBaseUrl: boolean;
  /** Of a curation that is there: what it says under `api` is left as it is. */
  keepsApi: boolean;
}

/** How dearly tools are shown; a draft that costs too much takes the next step down. */
export interface Manner {
  readonly compact: boolean;
  readonly structured: boolean;
  /** The most optional inputs of a tool. */
  readonly inputs: number;
  /** The most columns of a row. */
  readonly columns: number;
  /** The most tools with a filter, which costs as much as a tool. */
  readonly filters: number;
}

export function openMends(): Mends {
  return {
    tools: new Map(),
    dropped: new Set(),
    droppedErrors: new Set(),
    droppedAuth: new Set(),
    droppedEntities: new Set(),
    needsBaseUrl: false,
    keepsApi: false,
  };
}

export function mendsOf(mends: Mends, key: string): ToolMends {
  const known = mends.tools.get(key) ?? {
    droppedInputs: new Set(),
    droppedFields: new Set(),
    inputTypes: new Map(),
    distrustedInputs: new Set(),
    distrustedUse: false,
    unchecked: false,
    withoutTotals: false,
    withoutPages: false,
    withoutFilter: false,
    fewRows: false,
  };
  mends.tools.set(key, known);
  return known;
}
