import type { Rate } from "../../host/hosting.ts";
import type { Taken } from "../../host/limits/count-here.ts";

// What processes of one program ask each other. Everything here is plain data, and goes through the pipe between them alone.

/** What a worker asks of the process that started it. */
export interface FirstAnswers {
  /** Who it is, and what it has in common with the others. */
  join(): Joining;
  /** It listens; what it says of that is told when all do. */
  listening(said: Listening): void;
  /** It ends by itself, since nobody knows what state it is in: another one should take its place. */
  failing(): void;
  /** Whether a confirmation is used for the first time. */
  use(one: Used): Promise<boolean>;
  count(one: Counted): Taken;
  /** What all of them have counted, as text of Prometheus. */
  metrics(): Promise<string>;
  /** The upstream of a server was written to. */
  wrote(server: string): void;
  /** It serves this from now on. */
  serves(one: Serves): void;
  /** What it serves from now on was made from files of this mark: those of another have another. */
  reads(mark: string): void;
}

/** What the first process answers whichever worker asks. */
export type CommonAnswers = Omit<FirstAnswers, "join" | "listening" | "failing" | "wrote" | "serves" | "reads">;

/** What the first process asks of a worker. */
export interface WorkerAnswers {
  /** All listen. */
  ready(): void;
  /** It is to finish what runs, and to end. */
  end(): void;
  /** What it has counted itself. */
  metrics(): string;
  /** Another one wrote to the upstream of a server. */
  wrote(server: string): void;
  /** It is to read its files again, for all; answered when that is done, whatever came of it. */
  reload(): Promise<void>;
  /** It is to serve what another one has read. */
  take(good: LastGood): Promise<void>;
}

/**
 * What one serves, as plain data of its program's own: whoever begins with it serves the same, whatever has become of the files. It may hold private keys,
 * and goes through the pipe alone.
 */
export type LastGood = object;

export interface Serves {
  readonly good: LastGood;
  /** The others are to serve it too: they do not read the files by themselves. */
  readonly isForAll: boolean;
}

export interface Joining {
  /** From 1; whoever takes the place of another has its number. */
  readonly number: number;
  readonly of: number;
  /** Of which page tokens and confirmations are made where the environment has no VITRINE_SECRET. */
  readonly secret: string;
  /** Confirmations of another run are none of this one's. */
  readonly mark: string;
  /** The others listen already. */
  readonly areReady: boolean;
  /** What is served already. */
  readonly lastGood?: LastGood;
}

/** For the operator. */
export type Listening = Readonly<Record<string, string | number>>;

export interface Used {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly until: number;
  readonly mark: string;
}

export interface Counted {
  readonly of: "callers" | "addresses";
  readonly key: string;
  readonly rate: Rate;
}
