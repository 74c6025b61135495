import { useMemo, useState } from "preact/hooks";
import { counted } from "../../../model/counted.ts";
import type { Cost, ReplyMark, TriedReply } from "../../page-data.ts";
import { JsonText } from "../parts/json-text.tsx";
import { formatBytes, formatTokens } from "../parts/numbers.ts";
import { JsonTree } from "./json-tree.tsx";
import { type ExactJson, parseAsWritten } from "./parse-as-written.ts";

interface ReplyProps {
  readonly reply: TriedReply;
  readonly cost: Cost;
}

/** What the agent gets, with what was cut marked. */
export function Reply({ reply, cost }: ReplyProps) {
  const [isRaw, setRaw] = useState(false);
  const { text, marks, isError, isCut, blocks } = reply;
  const value = useMemo(() => exactValue(reply), [reply]);
  return (
    <section aria-label="Reply">
      <h3>What the agent gets {isError && <span class="tag error">error</span>}</h3>
      <CutList marks={marks} />
      {value !== undefined && (
        <label class="row">
          <input type="checkbox" checked={isRaw} onChange={({ currentTarget }) => setRaw(currentTarget.checked)} /> As
          it is sent: {formatBytes(cost.bytes)}, {formatTokens(cost)}
        </label>
      )}
      {value === undefined || isRaw ? (
        <JsonText text={text} label="Text of the reply" />
      ) : (
        <JsonTree value={value} marks={marks} label="Reply" />
      )}
      {isCut && <p class="help">The rest of it is not shown here.</p>}
      {blocks.map(({ mediaType, bytes }, at) => (
        <p key={`${at}`} class="help">
          And {mediaType}, {formatBytes(bytes)}.
        </p>
      ))}
    </section>
  );
}

/** The value that was sent has lost digits, where it has many. */
function exactValue({ value, text }: TriedReply): ExactJson | undefined {
  if (value === undefined) return undefined;
  try {
    return parseAsWritten(text);
  } catch {
    return value as ExactJson;
  }
}

function CutList({ marks }: Pick<TriedReply, "marks">) {
  const said = groupMarks(marks);
  if (marks.length === 0) return null;
  return (
    <div class="cut-list">
      <h4>What was cut</h4>
      <ul>
        {said.map(({ pointer, kind, words, others }) => (
          <li key={pointer + words}>
            <mark class={kind}>{pointer === "" ? "reply" : pointer}</mark>
            {others > 0 && ` and ${counted(others, "more place")}:`} {words}
          </li>
        ))}
        {said.length === 0 && <li>The marked places of the reply tell it.</li>}
      </ul>
    </div>
  );
}

interface MarkGroup extends ReplyMark {
  /** How many places more are told of in the same words. */
  readonly others: number;
}

function groupMarks(marks: readonly ReplyMark[]): readonly MarkGroup[] {
  const groups = new Map<string, MarkGroup>();
  for (const mark of marks) {
    if (mark.words === undefined) continue;
    const key = JSON.stringify([mark.kind, mark.words]);
    const known = groups.get(key);
    groups.set(key, known === undefined ? { ...mark, others: 0 } : { ...known, others: known.others + 1 });
  }
  return [...groups.values()];
}
