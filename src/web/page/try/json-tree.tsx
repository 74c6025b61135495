import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { counted } from "../../../model/counted.ts";
import { escapeToken } from "../../../model/json-pointer.ts";
import type { ReplyMark } from "../../page-data.ts";
import { ScrollBox } from "../parts/scroll-box.tsx";
import { type ExactJson, ExactNumber } from "./parse-as-written.ts";

interface JsonTreeProps {
  readonly value: ExactJson;
  readonly marks: readonly ReplyMark[];
  readonly label: string;
}

/** JSON laid out line by line, with marks at their places. Long lists are shown in parts. */
export function JsonTree({ value, marks, label }: JsonTreeProps) {
  const byPointer = new Map(marks.map((mark) => [mark.pointer, mark]));
  return (
    <ScrollBox class="text tree" label={label}>
      <Node value={value} pointer="" depth={0} after="" marks={byPointer} />
    </ScrollBox>
  );
}

interface NodeProps {
  readonly value: ExactJson;
  readonly pointer: string;
  readonly depth: number;
  /** The name before it. */
  readonly name?: string;
  /** The comma behind it. */
  readonly after: string;
  readonly marks: ReadonlyMap<string, ReplyMark>;
}

const FIRST = 40;
const MORE = 200;

function Node({ value, pointer, depth, name, after, marks }: NodeProps) {
  const [shown, setShown] = useState(FIRST);
  const mark = marks.get(pointer);
  const before = name === undefined ? null : <span class="key">{JSON.stringify(name)}: </span>;
  const isList = Array.isArray(value);
  const entries = entriesOf(value);
  if (entries.length === 0)
    return (
      <Line depth={depth} mark={mark}>
        {before}
        <Leaf value={value} />
        {after}
      </Line>
    );
  const [open, close] = isList ? "[]" : "{}";
  const hidden = entries.length - shown;
  return (
    <Marked mark={mark}>
      <Line depth={depth} mark={undefined}>
        {before}
        {open}
        <MarkWords mark={mark} />
      </Line>
      {entries.slice(0, shown).map(([key, inner], at) => (
        <Node
          key={key}
          value={inner}
          pointer={`${pointer}/${escapeToken(key)}`}
          depth={depth + 1}
          after={at < entries.length - 1 ? "," : ""}
          marks={marks}
          {...(!isList && { name: key })}
        />
      ))}
      {hidden > 0 && (
        <button type="button" onClick={() => setShown(shown + MORE)}>
          Show {counted(Math.min(MORE, hidden), "more entry", "more entries")}
        </button>
      )}
      <Line depth={depth} mark={undefined}>
        {close}
        {after}
      </Line>
    </Marked>
  );
}

function entriesOf(value: ExactJson): readonly (readonly [string, ExactJson])[] {
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return [];
  return Object.entries(value) as [string, ExactJson][];
}

function Leaf({ value }: { readonly value: ExactJson }) {
  if (value instanceof ExactNumber) return <span class="number">{value.written}</span>;
  return <span class={typeof value}>{JSON.stringify(value)}</span>;
}

/** Deeper lines are not indented further. */
const DEEPEST = 12;

function Line({ depth, mark, children }: { depth: number; mark: ReplyMark | undefined; children: ComponentChildren }) {
  const indent = "  ".repeat(Math.min(depth, DEEPEST));
  return (
    <div class="line">
      {indent}
      {mark === undefined ? children : <mark class={mark.kind}>{children}</mark>}
      <MarkWords mark={mark} />
    </div>
  );
}

function Marked({ mark, children }: { mark: ReplyMark | undefined; children: ComponentChildren }) {
  return <div class={mark && `marked ${mark.kind}`}>{children}</div>;
}

function MarkWords({ mark }: { mark: ReplyMark | undefined }) {
  if (mark === undefined) return null;
  if (mark.kind === "told") return <span class="unseen"> (tells what was cut)</span>;
  return <span class="mark-words"> cut</span>;
}
