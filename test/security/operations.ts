import type { Entry } from "./entry.ts";

export const operationEntries: readonly Entry[] = [
  {
    id: "H1",
    attack: "A process that is told to end cuts calls that run, or takes new ones that it cannot finish.",
    tests: [
      {
        file: "security/host-process.test.ts",
        title: "finishes two hundred calls that run, takes no others, and ends with 0",
      },
      { file: "security/host-process.test.ts", title: "ends at once where it is told so twice" },
      { file: "stories/host-rolling.test.ts", title: "are noticed by no client of either era" },
      {
        file: "cli/host.test.ts",
        title: "before it takes no more connections, it tells whoever still comes to come again",
      },
    ],
  },
  {
    id: "H2",
    attack: "One of several processes is killed, and more is lost than what it was doing.",
    tests: [
      {
        file: "stories/host-replicas.test.ts",
        title: "lose with one that is killed only what was on its way there, and write nothing twice",
      },
    ],
  },
  {
    id: "H3",
    attack:
      "A file that is wrong, half written, gone, exchanged or written again and again stops the service, or grows its memory.",
    tests: [
      { file: "security/reload.test.ts", title: "whatever it is, and when it is mended it is served" },
      {
        file: "security/reload.test.ts",
        title: "a folder that is exchanged behind a link, as Kubernetes does, is seen",
      },
      {
        file: "security/reload.test.ts",
        title: "what was served before is let go of, however often files are read anew",
      },
      {
        file: "cli/host.test.ts",
        title: "asked many times at once to read its files again, it does so once more than it began",
      },
    ],
  },
  {
    id: "H4",
    attack: "While one replica has read its files anew and another has not, callers who meet both lose their place.",
    tests: [
      { file: "security/reload.test.ts", title: "a page token goes on where another tool was changed meanwhile" },
      { file: "stories/host-replicas.test.ts", title: "give the pages of one walk, each of them another replica" },
      { file: "host/app.test.ts", title: "nobody between may keep a list" },
    ],
  },
  {
    id: "H5",
    attack: "A full, broken or missing disk beneath the events fails calls, holds them up, or leaves pieces of lines.",
    tests: [
      { file: "telemetry/log-file.test.ts", title: "a disk that is full" },
      { file: "telemetry/log-file.test.ts", title: "holds whole lines only, and takes more when there is room" },
      {
        file: "telemetry/processes.test.ts",
        title: "leaves a whole line for every call that was answered, of 32 at a time",
      },
      {
        file: "stories/events.test.ts",
        title: "a file that takes nothing costs no call anything, and the loss is told",
      },
    ],
  },
  {
    id: "H6",
    attack:
      "A Redis that is down, hangs, is full, read-only, emptied or locked fails calls, or what is counted there counts no more.",
    tests: [
      {
        file: "stories/host-chaos.test.ts",
        title: "give no wrong answer: pages go on, confirmations count at most once",
      },
      {
        file: "host/shared/redis.test.ts",
        title: "leaves each replica with its share; nobody waits, no call fails, and it is told once",
      },
      {
        file: "host/shared/redis.test.ts",
        title: "costs the calls that meet it a tenth of a second, and those after them nothing",
      },
      {
        file: "host/shared/redis.test.ts",
        title: "for a password: its name for it is told, and neither the password nor the address",
      },
      {
        file: "host/shared/redis.test.ts",
        title: "because it is full: limits go on by replica, and a confirmation is not counted",
      },
      { file: "host/shared/read-only.test.ts", title: "takes nothing: calls go on by this replica's own count" },
    ],
  },
  {
    id: "H7",
    attack: "A clock that is wrong, or is set back, admits more, revives what is over, or ends what is not.",
    tests: [
      {
        file: "host/shared/redis.test.ts",
        title: "are kept for as long as a replica whose clock is late may believe in them",
      },
      {
        file: "stories/host-chaos.test.ts",
        title: "give no wrong answer: pages go on, confirmations count at most once",
      },
      { file: "stories/host-replicas.test.ts", title: "admit together what the limit says, within two percent" },
      { file: "host/callers/tokens.test.ts", title: '["issued in the future"' },
    ],
  },
  {
    id: "H8",
    attack: "More comes than can be done, and the process answers nobody in time or is killed for its memory.",
    tests: [
      {
        file: "security/host-process.test.ts",
        title: "a process that is held up refuses new calls and says when to come again, but answers whether it lives",
      },
      { file: "host/limits/shed-load.test.ts", title: "a heap that is nearly full" },
      { file: "host/limits/shed-load.test.ts", title: "takes calls again when it has caught up" },
    ],
  },
  {
    id: "H9",
    attack: "A defect of ours in one call ends the others, or shows its caller how we are made.",
    tests: [
      { file: "security/host-process.test.ts", title: "an error of ours that nothing caught (%s) ends no call" },
      { file: "host/app.test.ts", title: "a fault of ours is told there and not to the caller" },
      { file: "mcp/open-call.test.ts", title: "does not feel a watcher that throws" },
      { file: "mcp/http.test.ts", title: "an error carries no trace of the program" },
    ],
  },
  {
    id: "H10",
    attack: "All file descriptors are taken, and the process ends or never serves again.",
    tests: [
      { file: "security/open-files.test.ts", title: "files left for its API, and takes others when those have gone" },
    ],
  },
  {
    id: "H11",
    attack: "A secret stands in an error, a log, a crash, an event, a trace or a reply.",
    tests: [
      { file: "stories/secrets.test.ts", title: "nothing of it is shown" },
      {
        file: "security/secrets-shown.test.ts",
        title: "a test whose program shows a secret that it was given fails, whatever it looks for",
      },
      { file: "security/host-process.test.ts", title: "is told without a secret, and has another process take over" },
      { file: "host/host-file.test.ts", title: "nothing secret is told" },
      { file: "stories/traces.test.ts", title: "over stdio, and nothing of what they said" },
    ],
  },
  {
    id: "H12",
    attack: "What a stranger writes becomes another line of the log, or moves the terminal of whoever reads it.",
    tests: [
      {
        file: "host/host-log.test.ts",
        title: "is one line of JSON, in which no text of others is another line or moves a cursor",
      },
      { file: "host/app.test.ts", title: "has a line for each request, with what it may be found by, and no secret" },
      { file: "telemetry/write-event.test.ts", title: "is one line, with the contract's keys in its order" },
    ],
  },
  {
    id: "H13",
    attack: "A collector that is down, slow or refuses holds up calls or the end of the process.",
    tests: [
      { file: "stories/traces.test.ts", title: "and %s changes no call, and the process ends in time" },
      {
        file: "stories/traces.test.ts",
        title: "a collector that is stopped in the midst of it changes no call either",
      },
    ],
  },
  {
    id: "H14",
    attack: "Names that callers make up fill the memory of what is counted.",
    tests: [
      { file: "telemetry/open-metrics.test.ts", title: "stay few, whatever names callers send" },
      { file: "telemetry/open-metrics.test.ts", title: "stay few, whatever codes a curation gives" },
      { file: "host/limits/open-limiter.test.ts", title: "holds no more windows than it may: the oldest begin anew" },
    ],
  },
  {
    id: "H15",
    attack: "A package that is installed with us is another than it was, or runs something while it is installed.",
    tests: [
      { file: "security/supply-chain.test.ts", title: "every package is pinned to its bytes" },
      {
        file: "security/supply-chain.test.ts",
        title: "nothing that users install runs a script of its own when it is installed",
      },
      { file: "security/supply-chain.test.ts", title: "CI installs what is locked and nothing else" },
      { file: "stories/package.test.ts", title: "every package whose code is bundled is named in NOTICE" },
    ],
  },
];
