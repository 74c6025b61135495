/** The one function that is used of a package without types. */
declare module "swagger2openapi" {
  interface Options {
    readonly patch?: boolean;
    readonly warnOnly?: boolean;
    readonly anchors?: boolean;
    readonly resolve?: boolean;
  }
  export function convertObj(document: unknown, options: Options): Promise<{ readonly openapi: unknown }>;
}
