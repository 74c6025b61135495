import * as z from "zod";
import {
  AnyValue,
  Count,
  Duration,
  ExpressionText,
  FileName,
  isSendable,
  key,
  may,
  Names,
  PlaceText,
  Scalar,
  Size,
  Text,
  UNSENDABLE,
  ValueText,
} from "./format-scalar.ts";

const ApiKey = z
  .strictObject({
    value: key(ValueText, "The key itself."),
    in: key(z.enum(["header", "query", "cookie"]), "Where it is sent."),
    name: key(Text, "The name of the header, parameter or cookie."),
  })
  .refine(isSendable, { path: ["name"], message: UNSENDABLE });

const MaybeEmpty = z
  .string()
  .meta({ id: "MaybeEmpty", description: "Text, also none, in which ${…} is an expression." });

const Basic = z.strictObject({
  username: key(MaybeEmpty, "The user's name; some APIs take their key as the password, and an empty name."),
  password: key(MaybeEmpty, "The password; some APIs take their key as the name, and an empty password."),
});

const ClientCredentials = z.strictObject({
  clientId: key(ValueText, "The client's ID."),
  clientSecret: key(ValueText, "The client's secret."),
  tokenUrl: may(ValueText, "Where tokens are fetched; by default what the spec's scheme says."),
  scopes: may(Names, "The scopes to ask for; by default those of the operation."),
  audience: may(ValueText, "The audience to ask for."),
});

const TokenExchange = z.strictObject({
  tokenUrl: key(ValueText, "Where the caller's token is exchanged (RFC 8693)."),
  audience: may(ValueText, "The audience of the exchanged token."),
  resource: may(ValueText, "The resource that the exchanged token is for."),
  scopes: may(Names, "The scopes to ask for; by default those of the operation."),
  clientId: may(ValueText, "The client's ID, where the exchange asks for one."),
  clientSecret: may(ValueText, "The client's secret, where the exchange asks for one."),
});

const CredentialEntry = z
  .strictObject({
    apiKey: may(z.union([ValueText, ApiKey]), "A key; with `in` and `name` where no security scheme says them."),
    bearer: may(ValueText, "A bearer token."),
    basic: may(Basic, "User name and password."),
    clientCredentials: may(ClientCredentials, "OAuth 2.0 client credentials."),
    tokenExchange: may(TokenExchange, "The caller's own token, exchanged (RFC 8693)."),
  })
  .meta({ id: "Credential", description: "One credential, of exactly one kind.", minProperties: 1, maxProperties: 1 });

const Tls = z.strictObject({
  ca: may(FileName, "The certificates to trust, PEM."),
  cert: may(FileName, "Our own certificate, PEM."),
  key: may(FileName, "The key of our own certificate, PEM."),
});

const common = {
  size: may(PlaceText, "The place of the number of rows a page."),
  sizeMax: may(Count, "The most rows that the upstream gives a page."),
  more: may(ExpressionText, "Over the body: whether there is another page."),
};

const PageStyle = z
  .discriminatedUnion("style", [
    z.strictObject({
      style: key(z.literal("page"), "Pages are numbered."),
      send: key(PlaceText, "The place of the page's number."),
      first: may(z.int().min(0), "The number of the first page.", 1),
      ...common,
    }),
    z.strictObject({
      style: key(z.literal("offset"), "Rows are counted from the first."),
      send: key(PlaceText, "The place of the number of rows to skip."),
      ...common,
    }),
    z.strictObject({
      style: key(z.literal("token"), "The body names the next page."),
      send: key(PlaceText, "The place of the token."),
      next: key(ExpressionText, "Over the body: the token of the next page."),
      ...common,
    }),
    z.strictObject({
      style: key(z.literal("last"), "The last row names the next page."),
      send: key(PlaceText, "The place of what the last row says."),
      next: key(ExpressionText, "Over the last row: where the next page begins."),
      ...common,
    }),
    z.strictObject({ style: key(z.literal("link"), "A Link header names the next page (RFC 8288)."), ...common }),
    z.strictObject({
      style: key(z.literal("range"), "Range and Content-Range count the rows."),
      unit: may(Text, "The range unit.", "items"),
      ...common,
      size: may(z.union([Count, PlaceText]), "The number of rows to ask for at once."),
    }),
  ])
  .meta({ id: "PageStyle", description: "How the upstream cuts a list into pages." });
const Pages = z
  .array(PageStyle)
  .meta({ id: "Pages", description: "The first style whose places an operation has is used." });

/** `none`, one style or several, on a tool or a step. */
export const OwnPages = z.union([z.literal("none"), PageStyle, Pages]);

const BodyErrors = z.strictObject({
  message: may(ExpressionText, "Over the body of an error: the upstream's own words."),
  code: may(ExpressionText, "Over the body of an error: the upstream's own code."),
});

export const ApiEntry = z
  .strictObject({
    spec: key(Text, "The OpenAPI document: a file or an https URL."),
    overlays: may(Names, "OpenAPI Overlays, applied in this order before anything else."),
    baseUrl: may(ValueText, "Overrides the spec's servers; required where they are absent or relative."),
    serverVariables: may(z.record(z.string(), Scalar), "Values of the variables in the server's URL."),
    auth: may(z.record(z.string(), CredentialEntry), "Credentials by the spec's security scheme, or `default`."),
    headers: may(z.record(z.string(), ValueText), "Headers of every request."),
    tls: may(Tls, "Certificates for the connection."),
    timeout: may(Duration, "The longest that one upstream request may take, whole.", "20s"),
    retries: may(z.int().min(0).max(10), "How often a read is sent again after a failure that may pass.", 2),
    maxResponse: may(Size, "Decoded bytes of the largest answer.", "20MB"),
    concurrency: may(z.int().min(1).max(1_000), "How many requests may be under way at once.", 16),
    redirects: may(Names, "Hosts beyond the origin to which a read may be redirected, then without credentials."),
    pages: may(Pages, "How the upstream cuts lists into pages."),
    errors: may(BodyErrors, "Where the upstream's own words are in the body of an error."),
    idempotencyKey: may(PlaceText, "The place of a key that makes a write safe to repeat."),
  })
  .meta({ id: "Api", description: "The upstream API: where it is, how to be let in, and its habits." });

const PinEntry = z
  .union([
    z.string(),
    z.number(),
    z.boolean(),
    z.array(Scalar),
    z.strictObject({
      value: key(AnyValue, "The value."),
      places: may(z.array(PlaceText).min(1), "Further places that carry the value, where names differ."),
    }),
  ])
  .meta({ id: "Pin", description: "A value that no caller chooses: literal, ${env.NAME} or ${key.NAME}." });
export const Pins = z.record(z.string(), PinEntry);
export type PinEntry = z.infer<typeof PinEntry>;
export type PageStyle = z.infer<typeof PageStyle>;
export type CredentialEntry = z.infer<typeof CredentialEntry>;
export type ApiSection = z.infer<typeof ApiEntry>;
