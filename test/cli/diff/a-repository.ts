import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export interface Repository {
  readonly folder: string;
  path(name: string): string;
  write(files: Readonly<Record<string, string>>): void;
  git(...args: string[]): string;
  commit(files?: Readonly<Record<string, string>>): void;
}

/** Nothing of the machine's own git settings. */
export const GIT_ENV = {
  PATH: process.env.PATH ?? "",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_AUTHOR_NAME: "a",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "a",
  GIT_COMMITTER_EMAIL: "a@example.com",
};

export function openRepository(): Repository {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "vitrine-diff-")));
  const path = (name: string) => join(folder, name);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, env: GIT_ENV, encoding: "utf8" });
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(path(name)), { recursive: true });
      writeFileSync(path(name), text);
    }
  };
  git("init", "-q", "-b", "main");
  const commit = (files: Readonly<Record<string, string>> = {}) => {
    write(files);
    git("add", "-A");
    git("commit", "-q", "-m", "x");
  };
  return { folder, path, write, git, commit };
}

export interface Shop {
  /** Of the spec. */
  readonly most?: number;
  readonly summary?: string;
  /** Of the curation. */
  readonly use?: string;
  readonly max?: number;
  readonly spec?: string;
}

/** A list of items, its schemas in a further file. */
export function shopSpec({ most = 20, summary = "How much to show" }: Shop = {}): string {
  return `openapi: 3.1.0
info: { title: Shop, version: "1" }
servers: [{ url: https://shop.example }]
paths:
  /items:
    get:
      operationId: listItems
      parameters:
        - { name: size, in: query, description: ${summary}, schema: { type: integer, maximum: ${most} } }
        - { name: colour, in: query, schema: { $ref: "parts/items.yaml#/Colour" } }
      responses:
        "200": { description: OK, content: { application/json: { schema: { $ref: "parts/items.yaml#/Items" } } } }
`;
}

export const shopParts = `Items:
  type: object
  properties:
    items: { type: array, items: { $ref: "one.yaml#/Item" } }
Colour: { $ref: "one.yaml#/Colour" }
`;

export const shopPart = (colours = "red, blue"): string =>
  `Item: { type: object, properties: { id: { type: string }, name: { type: string } } }
Colour: { type: string, enum: [${colours}] }
`;

export function shopCuration({ use = "Find items", max = 50, spec = "../specs/shop.yaml" }: Shop = {}): string {
  return `vitrine: 1
api: { spec: ${spec} }
server: { name: shop, prefix: shop_ }
tools:
  list_items:
    operation: listItems
    use: ${use}.
    input:
      size: {}
      colour: {}
    result:
      rows: items
      fields: { id: id, name: name }
      limit: { default: 10, max: ${max} }
`;
}

export function shopFiles(shop: Shop = {}): Record<string, string> {
  return {
    "specs/shop.yaml": shopSpec(shop),
    "specs/parts/items.yaml": shopParts,
    "specs/parts/one.yaml": shopPart(),
    "curation/shop.yaml": shopCuration(shop),
  };
}
