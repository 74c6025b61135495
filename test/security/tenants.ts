import type { Entry } from "./entry.ts";

const canaries = {
  file: "host/tenancy/canaries.test.ts",
  title: "callers through one process nothing of one comes to another",
};

const replicas = {
  file: "stories/host-canaries.test.ts",
  title: "nothing of one comes to another, into a log, an event or a count",
};

export const tenantEntries: readonly Entry[] = [
  {
    id: "G1",
    attack: "What was remembered of one caller's answer is given to another who asks the same.",
    tests: [
      canaries,
      replicas,
      { file: "run/keep-by-caller.test.ts", title: "of two callers with one object of claims each has its own" },
      { file: "run/states/run-by-state.test.ts", title: "by each key for itself, with its pins" },
    ],
  },
  {
    id: "G2",
    attack:
      "Callers who wait for one request of ours get it with another's rights, or lose it when one of them goes away.",
    tests: [
      canaries,
      { file: "auth/tokens.test.ts", title: "although the one who asked first goes away" },
      {
        file: "auth/exchange.test.ts",
        title: "once for all calls of a caller, and apart for each caller and each set of scopes",
      },
      { file: "run/filter/listed-values.test.ts", title: "go on where the one who reads goes away" },
    ],
  },
  {
    id: "G3",
    attack: "A page token or a confirmation that one caller was given is used by another.",
    tests: [
      canaries,
      { file: "run/cursor/page-token.test.ts", title: "another %s is another call" },
      { file: "run/confirm/confirm.test.ts", title: "another caller with the same claims" },
    ],
  },
  {
    id: "G4",
    attack: "Log, events or counts tell one tenant of another, or anybody what a caller sent or got.",
    tests: [
      canaries,
      replicas,
      {
        file: "security/stranger.test.ts",
        title: "what is counted says nothing of who called, with which claims, or what was asked for that is not there",
      },
      {
        file: "host/app.test.ts",
        title: "what was counted is told to whoever is near, and to nobody who comes through a proxy",
      },
      { file: "stories/host.test.ts", title: "at SIGTERM it ends with 0, and has told nothing secret" },
    ],
  },
  {
    id: "G5",
    attack: "Whose call it is gets lost, or mixed up, between timers, queues and pools.",
    tests: [
      canaries,
      { file: "architecture.test.ts", title: "what belongs to a call by the way" },
      {
        file: "host/host-log.test.ts",
        title: "what is told belongs to the request that it was told in, however requests and their timers cross",
      },
    ],
  },
  {
    id: "G6",
    attack: "While one tenant's files are read anew, the calls of others fail or wait.",
    tests: [
      {
        file: "security/reload.test.ts",
        title: "while one server is written anew again and again, the callers of another get every answer",
      },
      { file: "stories/host-reload.test.ts", title: "holds up nobody for the time that it takes, and then serves it" },
      { file: "host/app.test.ts", title: "is seen by the next call, while one that runs ends on what it began with" },
    ],
  },
  {
    id: "G7",
    attack: "One caller's request goes over a connection on which another's credential or certificate was shown.",
    tests: [
      canaries,
      { file: "egress/exchange.test.ts", title: "keeps it for those of the same pool alone" },
      {
        file: "egress/client-certificate.test.ts",
        title: "is shown to the API, and to no other origin that it leads to",
      },
    ],
  },
];
