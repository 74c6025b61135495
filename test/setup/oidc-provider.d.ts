/** What the tests use of a package without types. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http";

  interface FoundToken {
    readonly scope?: string;
    readonly clientId: string;
    readonly isExpired: boolean;
    destroy(): Promise<void>;
  }
  export default class Provider {
    constructor(issuer: string, configuration: object);
    callback(): RequestListener;
    readonly ClientCredentials: { find(value: string): Promise<FoundToken | undefined> };
  }
}
