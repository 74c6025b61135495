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
  take(span: ReadableSpan): void;
}

export interface SpanFacts {
  readonly name: string;
  readonly kind: SpanKind;
  readonly context: SpanContext;
  readonly parent: SpanContext | undefined;
  /** In milliseconds of the epoch, with their fraction. */
  readonly start: number;
  readonly end: number;
  readonly status: SpanStatus;
  readonly attributes: Attributes;
}

/** A span that has ended, as exporters read it: those of the SDK, which can be changed in many ways until then, take several times as long. */
export function makeSpan(sink: SpanSink, facts: SpanFacts): ReadableSpan {
  return new EndedSpan(sink, facts) as ReadableSpan;
}

const NONE: never[] = [];

/** A class since hundreds wait for their batch: what is the same for all, or follows from what they hold, is not kept with each. */
class EndedSpan implements Omit<ReadableSpan, "parentSpanContext"> {
  readonly sink: SpanSink;
  readonly facts: SpanFacts;
  readonly attributes: Attributes;
  readonly droppedAttributesCount: number;
  constructor(sink: SpanSink, facts: SpanFacts) {
    this.sink = sink;
    this.facts = facts;
    if (sink.limits === undefined) {
      this.attributes = facts.attributes;
      this.droppedAttributesCount = 0;
    } else {
      const { kept, dropped } = limitAttributes(facts.attributes, sink.limits);
      this.attributes = kept;
      this.droppedAttributesCount = dropped;
    }
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
    return this.facts.status;
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
