import type { Attributes, HrTime, SpanContext, SpanKind, SpanStatus } from "@opentelemetry/api";
import type { IdGenerator, ReadableSpan, Sampler } from "@opentelemetry/sdk-trace-base";
import { limitAttributes } from "./limit-attributes.ts";
import type { SpanLimits } from "./span-settings.ts";
import { toHrTime } from "./to-hr-time.ts";

/** What spans have in common, and where they go. */
export interface SpanSink {
  readonly sampler: Sampler;
  readonly ids: IdGenerator;
  readonly resource: ReadableSpan["resource"];
  readonly scope: ReadableSpan["instrumentationScope"];
  readonly limits?: SpanLimits;
  /** Is given each span that has ended. */
  take(span: MadeSpan): void;
}

/** Attributes that many spans have, so that they need to be written once only. */
export interface SharedAttributes {
  readonly attributes: Attributes;
  /** By whoever writes spans. */
  written?: Uint8Array;
}

export interface SpanFacts {
  readonly name: string;
  readonly kind: SpanKind;
  readonly context: SpanContext;
  readonly parent: SpanContext | undefined;
  /** In milliseconds of the epoch, with their fraction. */
  readonly start: number;
  readonly end: number;
  readonly failed: boolean;
  readonly shared: SharedAttributes;
  /** Behind those, and of other names. */
  readonly own: Attributes;
}

const NONE: never[] = [];
/** Of the API's `SpanStatusCode`. */
const UNSET: SpanStatus = { code: 0 };
const FAILED: SpanStatus = { code: 2 };

/** As exporters read it, and as it was made. */
export type MadeSpan = ReadableSpan & Pick<EndedSpan, "sink" | "facts">;

/** A span that has ended: those of the SDK, which can be changed in many ways until then, take several times as long. */
export function makeSpan(sink: SpanSink, facts: SpanFacts): MadeSpan {
  return new EndedSpan(sink, facts) as MadeSpan;
}

/** A class since hundreds wait for their batch: what is the same for all, or follows from what they hold, is not kept with each. */
class EndedSpan implements Omit<ReadableSpan, "parentSpanContext"> {
  readonly sink: SpanSink;
  readonly facts: SpanFacts;
  constructor(sink: SpanSink, facts: SpanFacts) {
    this.sink = sink;
    this.facts = facts;
  }
  get attributes(): Attributes {
    const all = allOf(this.facts);
    return this.sink.limits === undefined ? all : limitAttributes(all, this.sink.limits).kept;
  }
  get droppedAttributesCount(): number {
    return this.sink.limits === undefined ? 0 : limitAttributes(allOf(this.facts), this.sink.limits).dropped;
  }
  spanContext(): SpanContext {
    return this.facts.context;
  }
  get name(): string {
    return this.facts.name;
  }
  get kind(): SpanKind {
    return this.facts.kind;
  }
  get parentSpanContext(): SpanContext | undefined {
    return this.facts.parent;
  }
  get startTime(): HrTime {
    return toHrTime(this.facts.start);
  }
  get endTime(): HrTime {
    return toHrTime(this.facts.end);
  }
  get duration(): HrTime {
    return toHrTime(this.facts.end - this.facts.start);
  }
  get status(): SpanStatus {
    return this.facts.failed ? FAILED : UNSET;
  }
  get resource(): ReadableSpan["resource"] {
    return this.sink.resource;
  }
  get instrumentationScope(): ReadableSpan["instrumentationScope"] {
    return this.sink.scope;
  }
  get ended(): boolean {
    return true;
  }
  get links(): never[] {
    return NONE;
  }
  get events(): never[] {
    return NONE;
  }
  get droppedEventsCount(): number {
    return 0;
  }
  get droppedLinksCount(): number {
    return 0;
  }
}

function allOf({ shared, own }: SpanFacts): Attributes {
  return { ...shared.attributes, ...own };
}
