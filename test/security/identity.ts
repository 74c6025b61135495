import type { Entry } from "./entry.ts";

export const identityEntries: readonly Entry[] = [
  {
    id: "F1",
    attack:
      "Who shows nothing is let in, or is told that something is wrong when a client only wants to know where to log in.",
    tests: [
      { file: "security/stranger.test.ts", title: "who shows nothing is told where a token is to be had" },
      { file: "host/app.test.ts", title: "without a key no %s is answered" },
      { file: "host/callers/challenges.test.ts", title: "of nothing shown has no error, and every scope" },
    ],
  },
  {
    id: "F2",
    attack: "A key in the URL, in Basic or in a second header is taken for good, or is written into the log.",
    tests: [
      { file: "security/stranger.test.ts", title: "is good in its header alone: not %s; and it is not logged" },
      { file: "cli/host.test.ts", title: "a second Authorization header is seen behind any number of others" },
      {
        file: "host/callers/keys.test.ts",
        title: "is asked for by a bare challenge where nothing, or another scheme, is shown",
      },
    ],
  },
  {
    id: "F3",
    attack:
      "A token that nobody signed, or that says itself how and by which key it is to be checked, is believed or has something fetched.",
    tests: [
      { file: "host/callers/tokens.test.ts", title: "signed with the public key as a secret" },
      { file: "host/callers/tokens.test.ts", title: "that names a set of keys" },
      { file: "host/callers/tokens.test.ts", title: "with a critical header that is not known" },
      {
        file: "host/callers/tokens.test.ts",
        title: "is refused when it is signed by a secret that the issuer published by mistake",
      },
    ],
  },
  {
    id: "F4",
    attack: "A token for another server, another purpose or of another issuer is good here.",
    tests: [
      { file: "host/callers/tokens.test.ts", title: "for the URL with a slash behind" },
      { file: "host/callers/tokens.test.ts", title: "of another type (an ID token)" },
      {
        file: "host/callers/tokens.test.ts",
        title: "that is good at one server is good at no other, also after it was",
      },
      {
        file: "host/callers/oidc-provider.test.ts",
        title: "its tokens are good at the server that they are for, with the scopes that they have",
      },
    ],
  },
  {
    id: "F5",
    attack: "A token is good after its end, before its beginning, or without any end.",
    tests: [
      { file: "host/callers/tokens.test.ts", title: "expired by more than the skew" },
      { file: "host/callers/tokens.test.ts", title: "exactly 30 s after its end" },
      { file: "host/callers/tokens.test.ts", title: "is not known any more after its end, however often it was good" },
      { file: "host/callers/oidc-provider.test.ts", title: "its tokens end, and those that say nothing are not good" },
    ],
  },
  {
    id: "F6",
    attack:
      "An issuer that is down, slow or lies, or a flood of tokens of unknown keys, keeps good callers out or has it asked without end.",
    tests: [
      { file: "host/callers/issuer.test.ts", title: "is no fault of the caller: %s" },
      { file: "host/callers/issuer.test.ts", title: "costs a call a second at most when it hangs" },
      { file: "host/callers/issuer.test.ts", title: "may be down for a day, and not longer" },
      { file: "host/callers/issuer.test.ts", title: "may sign with a new key at once" },
      { file: "host/callers/issuer.test.ts", title: "is asked once in 30 s about keys that it does not have" },
    ],
  },
  {
    id: "F7",
    attack: "A token that lacks a scope is let in, or its client has to find out one scope after the other.",
    tests: [
      { file: "host/callers/challenges.test.ts", title: "of a token without a scope names all that are needed" },
      { file: "host/callers/on-behalf.test.ts", title: "refuses a token %s" },
    ],
  },
  {
    id: "F8",
    attack: "Some key or token calls a tool that it is not shown, by its name, a former one, a group or explore.",
    tests: [
      {
        file: "security/access-matrix.test.ts",
        title: "is listed exactly what it may call, and calls exactly that, by any name",
      },
      {
        file: "security/access-matrix.test.ts",
        title: "explores only where nothing is hidden from it, and then only reads",
      },
      { file: "security/access-matrix.test.ts", title: "is nobody at another server" },
    ],
  },
  {
    id: "F9",
    attack: "A wrong, cut, expired, revoked or foreign key is good, or is told from another by the answer or its time.",
    tests: [
      { file: "host/callers/keys.test.ts", title: "is refused like any other: %s" },
      {
        file: "host/callers/find-key.test.ts",
        title: "once, whole, by digests of one length, and in constant time: one %s",
      },
      {
        file: "host/app.test.ts",
        title: "a server that does not exist is like one for which nobody has a key, byte for byte",
      },
      {
        file: "host/replicas.test.ts",
        title: "refuse a key that was revoked on one as one that was never known, all within two seconds",
      },
    ],
  },
  {
    id: "F10",
    attack: "Keys are guessed without end, or whoever guesses has those shut out who share the address.",
    tests: [
      { file: "security/stranger.test.ts", title: "who guesses five hundred keys is shut out after twenty" },
      { file: "host/limits/open-limiter.test.ts", title: "of IPv6 is the network of a subscriber" },
      {
        file: "host/shared/redis.test.ts",
        title: "an address that others have refused too often is shut out here with its first failure",
      },
    ],
  },
  {
    id: "F11",
    attack: "One key stands for two callers or servers, or for none.",
    tests: [
      { file: "host/host-file.test.ts", title: "one key may not stand for two callers" },
      { file: "host/host-file.test.ts", title: "a key for no server" },
      { file: "host/callers/keys.test.ts", title: "that stands in the file twice is good nowhere" },
    ],
  },
  {
    id: "F12",
    attack: "The caller's own key or token is sent on to the API.",
    tests: [
      { file: "security/stranger.test.ts", title: "that is good is never sent to the API, nor logged" },
      {
        file: "host/callers/on-behalf.test.ts",
        title: "sends for each caller the token that was given in exchange for the caller's own",
      },
      {
        file: "auth/on-behalf.test.ts",
        title: "sees for each caller the token that was given for that caller, and never the caller's own",
      },
    ],
  },
  {
    id: "F13",
    attack:
      "The metadata of a server are those of another, tell of servers that are not there, or ask for more than is needed.",
    tests: [
      { file: "host/callers/challenges.test.ts", title: "are what RFC 9728 says, at the URL that the challenge names" },
      { file: "host/callers/challenges.test.ts", title: "do not exist for a server that does not" },
      { file: "security/stranger.test.ts", title: "who shows nothing is told where a token is to be had" },
    ],
  },
  {
    id: "F14",
    attack: "A web page of somebody else calls tools with what a browser holds.",
    tests: [
      { file: "security/stranger.test.ts", title: "a page of %s is allowed nothing, before and after it asks" },
      { file: "host/app.test.ts", title: "a web page under another name gets nothing" },
      { file: "host/cross-origin.test.ts", title: "is never allowed to send cookies" },
      { file: "host/cross-origin.test.ts", title: "is refused by every host that names none" },
    ],
  },
  {
    id: "F15",
    attack: "A yes is forged, changed, sent twice, sent late, or sent by another or for another call.",
    tests: [
      { file: "mcp/confirm.test.ts", title: "%s: nothing is written" },
      {
        file: "mcp/confirm.test.ts",
        title: "a yes with the state of this very call is carried out once, however often it is sent",
      },
      { file: "run/confirm/confirm.test.ts", title: "another caller with the same claims" },
      {
        file: "run/confirm/law.test.ts",
        title: "a write is sent exactly where its own question was answered, in time, for the first time",
      },
    ],
  },
];
