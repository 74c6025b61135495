/** Callers come in pairs with equal claims: only who they are tells them apart. */
export interface CanaryCaller {
  readonly n: number;
  /** Of its pair. */
  readonly pair: number;
  readonly server: "own" | "shared" | "behalf";
}

const SERVERS = ["own", "shared", "behalf"] as const;

export function makeCallers(most: number): CanaryCaller[] {
  return Array.from({ length: most }, (_, n) => {
    const pair = Math.floor(n / 2);
    return { n, pair, server: SERVERS[pair % SERVERS.length]! };
  });
}

/** Of one caller, or of a pair; the secret ones are for the upstream alone. */
const KINDS = {
  arg: { of: "n", isSecret: false },
  data: { of: "n", isSecret: false },
  cred: { of: "n", isSecret: true },
  subj: { of: "n", isSecret: true },
  tok: { of: "n", isSecret: true },
  tenant: { of: "pair", isSecret: false },
  share: { of: "pair", isSecret: false },
  client: { of: "pair", isSecret: true },
} as const;
export type Kind = keyof typeof KINDS;

export function canary(kind: Kind, caller: Pick<CanaryCaller, "n" | "pair">): string {
  return `cnry${kind}${String(caller[KINDS[kind].of]).padStart(4, "0")}z`;
}

interface Found {
  readonly kind: Kind;
  readonly number: number;
}

export function findCanaries(text: string): Found[] {
  return [...text.matchAll(/cnry([a-z]+)(\d{4})z/g)].map(([, kind, number]) => ({
    kind: kind as Kind,
    number: Number(number),
  }));
}

/** What a text that a caller is shown holds and must not. */
export function findLeaks(text: string, caller: CanaryCaller): string[] {
  return findCanaries(text)
    .filter(({ kind, number }) => KINDS[kind].isSecret || number !== caller[KINDS[kind].of])
    .map(({ kind, number }) => `${kind} of ${number} shown to ${caller.n} (${caller.server})`);
}

/** Whose a request is by what it carries; undefined where it is of several. */
export function ownerOf(text: string): { readonly n?: number; readonly pair?: number } | undefined {
  const found = findCanaries(text);
  const numbers = (of: "n" | "pair") => [
    ...new Set(found.filter(({ kind }) => KINDS[kind].of === of).map(({ number }) => number)),
  ];
  const [[n, ...others], [pair, ...pairs]] = [numbers("n"), numbers("pair")];
  const isMixed = others.length > 0 || pairs.length > 0;
  if (isMixed || (n !== undefined && pair !== undefined && Math.floor(n / 2) !== pair)) return undefined;
  return { ...(n !== undefined && { n }), ...(pair !== undefined && { pair }) };
}
