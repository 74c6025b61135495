import type { PageTool } from "../../page-data.ts";
import { findDifference } from "../parts/find-difference.ts";
import { formatCount } from "../parts/numbers.ts";

interface ChangeNoteProps {
  readonly before: PageTool;
  readonly now: PageTool;
}

/** What an edit did: the description before and after, inputs by name, tokens. */
export function ChangeNote({ before, now }: ChangeNoteProps) {
  const [was, is] = [before.listed, now.listed];
  const inputs = compareInputs(before, now);
  const tokens = now.cost.tokens - before.cost.tokens;
  return (
    <section class="change" aria-label="What changed">
      <h3>What changed</h3>
      {was.title !== is.title && <BeforeAfter what="Title" before={was.title} after={is.title} />}
      {was.description !== is.description && (
        <BeforeAfter what="Description" before={was.description} after={is.description} />
      )}
      <ul>
        {inputs.map((words) => (
          <li key={words}>{words}</li>
        ))}
        <li>
          {formatCount(before.cost.tokens)} → {formatCount(now.cost.tokens)} tokens
          {tokens !== 0 && ` (${tokens > 0 ? "+" : "−"}${formatCount(Math.abs(tokens))})`}
        </li>
      </ul>
    </section>
  );
}

function BeforeAfter({
  what,
  before,
  after,
}: {
  readonly what: string;
  readonly before: string;
  readonly after: string;
}) {
  const { head, gone, come, tail } = findDifference(before, after);
  return (
    <dl class="before-after">
      <dt>{what} before</dt>
      <dd>
        {head}
        <del>{gone}</del>
        {tail}
      </dd>
      <dt>{what} now</dt>
      <dd>
        {head}
        <ins>{come}</ins>
        {tail}
      </dd>
    </dl>
  );
}

function compareInputs(before: PageTool, now: PageTool): readonly string[] {
  const [old, fresh] = [before, now].map(({ listed }) => new Map(Object.entries(listed.inputSchema.properties ?? {})));
  if (old === undefined || fresh === undefined) return [];
  const same = (name: string): boolean => JSON.stringify(old.get(name)) === JSON.stringify(fresh.get(name));
  const [wanted, wants] = [before, now].map(({ listed }) => new Set(listed.inputSchema.required));
  return [
    ...[...fresh.keys()].filter((name) => !old.has(name)).map((name) => `New input ${name}`),
    ...[...old.keys()].filter((name) => !fresh.has(name)).map((name) => `No more input ${name}`),
    ...[...fresh.keys()].filter((name) => old.has(name) && !same(name)).map((name) => `Input ${name} changed`),
    ...[...fresh.keys()]
      .filter((name) => old.has(name) && wanted?.has(name) !== wants?.has(name))
      .map((name) => `Input ${name} is ${wants?.has(name) ? "now" : "no more"} required`),
  ];
}
