import type { ToolEntry } from "../../../curation/format.ts";
import { ownValue } from "../../../model/json.ts";
import type { Tool } from "../../../model/tool.ts";
import type { LintRule, LintSubject } from "../lint-rule.ts";
import { splitWords } from "../rules-words/words.ts";

const LOSES =
  "delete remove destroy purge wipe drop erase truncate cancel refund void revoke terminate kill uninstall unpublish";
/** Not `create`: what is created may be the answer alone. */
const CHANGES =
  "add insert update edit modify patch replace set put upsert save write rename move send publish pay charge transfer approve reject close archive restore enable disable start stop restart trigger assign merge upload import reset";
/** First words of operations that take something away. */
const DESTROYS = new Set(LOSES.split(" "));
/** First words of operations that change something. */
const WRITES = new Set([...CHANGES.split(" "), ...DESTROYS]);

interface Sent {
  /** In the curation, where the effect is declared. */
  readonly at: readonly (string | number)[];
  readonly effect: "read" | "write" | "destroy" | undefined;
  readonly method: string;
  /** As people know it: its ID, else method and path. */
  readonly called: string;
}

const declaredAgainstName: LintRule = {
  code: "declared_against_name",
  severity: "warning",
  title: "An effect that the operation's name denies",
  why: "Clients skip a question for what only reads or destroys nothing; a `cancelOrder` that is declared to read is then sent unasked.",
  *check(subject) {
    for (const [name] of subject.tools) {
      for (const { at, effect, method, called } of requestsOf(name, subject)) {
        if (effect === undefined || effect === "destroy") continue;
        const verb = splitWords(called)[0] ?? "";
        const isSafe = ["GET", "HEAD", "OPTIONS", "QUERY"].includes(method);
        const denies = method === "DELETE" || (!isSafe && (effect === "read" ? WRITES : DESTROYS).has(verb));
        if (!denies) continue;
        const said = effect === "read" ? "only read" : "destroy nothing";
        const message = `Declared to ${said}, though it sends \`${called}\`${method === "DELETE" ? " with DELETE" : ""}.`;
        const hint = `Write \`effect: ${method === "DELETE" || DESTROYS.has(verb) ? "destroy" : "write"}\`, or take \`effect\` out.`;
        yield { severity: "warning", at, tool: name, message, hint };
      }
    }
  },
};

const destroysUnasked: LintRule = {
  code: "destroys_unasked",
  severity: "warning",
  title: "A loss that nobody is asked about",
  why: "What is destroyed on an agent's mistake is gone; `confirm` shows a person the exact requests first.",
  *check(subject) {
    for (const [name, tool] of subject.tools) {
      if (!tool.annotations.destructiveHint || tool.confirm !== undefined) continue;
      const sent = requestsOf(name, subject);
      const entry = ownValue(subject.curation.content.tools, name);
      const destroys =
        entry?.effect === "destroy" || sent.some(({ method, effect }) => method === "DELETE" || effect === "destroy");
      const hint = destroys
        ? "Write `confirm`, with what will be lost."
        : "Write `effect: write` where it only adds; else `confirm`, with what will be changed.";
      const message = destroys
        ? "This destroys something, and nobody is asked before."
        : "This may overwrite or destroy something as far as its method tells, and nobody is asked before.";
      const at = entry?.effect === undefined ? ["tools", name] : ["tools", name, "effect"];
      yield { severity: destroys ? "warning" : "note", at, tool: name, message, hint };
    }
  },
};

const modeSwitchesEffect: LintRule = {
  code: "mode_switches_effect",
  severity: "warning",
  title: "A tool that reads or writes by an argument",
  why: "Clients ask by tool: who lets it read has let it write. Directories refuse tools that do both.",
  *check({ tools, curation }) {
    for (const [name, tool] of tools) {
      const unsafe = unsafeSteps(tool);
      const modes = unsafe.map(({ when }) => MODE.exec(when?.jmespath ?? "")?.[1]);
      const [mode] = modes;
      const reads = callSteps(tool).some(({ safe }) => safe);
      if (mode === undefined || !reads || modes.some((one) => one === undefined)) continue;
      const { steps } = ownValue(curation.content.tools, name) ?? {};
      const index = Array.isArray(steps) ? steps.findIndex(({ id }) => id === unsafe[0]?.id) : -1;
      const at = index < 0 ? ["tools", name] : ["tools", name, "steps", index, "when"];
      const message = `Whether this tool writes depends on \`${mode}\` alone.`;
      yield {
        severity: "warning",
        at,
        tool: name,
        message,
        hint: "Make two tools, one that reads and one that writes; `confirm` shows what would be sent.",
      };
    }
  },
};
/** A condition over one argument and nothing else. */
const MODE = /^!?\(?\s*\$?\.?input\.(\w+)\s*(?:[!=]=\s*(?:'[^']*'|`[^`]*`)\s*)?\)?$/;

/** Words by which a text says what stands where only a part was done. */
const SAYS_PARTS =
  /\b(?:fail|partial|partly|in part|already|rolled? back|undo|undone|again|retry|resume|stops?|all or nothing|either|done so far|took effect)/i;

const partialFailureUnsaid: LintRule = {
  code: "partial_failure_unsaid",
  severity: "warning",
  title: "Several writes, and no word on what a failure leaves",
  why: "Where the second of two writes fails the first one stands: an agent that does not know does it again, or never undoes it.",
  *check({ tools, curation }) {
    for (const [name, tool] of tools) {
      const unsafe = unsafeSteps(tool);
      const writes = unsafe.reduce((sum, { forEach }) => sum + (forEach === undefined ? 1 : 2), 0);
      const { use = "", notFor = "", returns = "" } = ownValue(curation.content.tools, name) ?? {};
      if (writes < 2 || SAYS_PARTS.test(`${use} ${notFor} ${returns}`)) continue;
      const message = `The tool writes several times (${unsafe.map(({ id }) => `\`${id}\``).join(", ")}), and no text says what stands where a later one fails.`;
      const hint =
        "Say in `returns` what was done then and whether the call may be made again, for example: Where a step fails, what was done before it stays; the error names it.";
      yield { severity: "warning", at: ["tools", name], tool: name, message, hint };
    }
  },
};

function callSteps({ plan }: Tool) {
  return plan.kind === "steps" ? plan.steps.filter((step) => step.kind === "call") : [];
}

function unsafeSteps(tool: Tool) {
  return callSteps(tool).filter(({ safe }) => !safe);
}

/** What the tool, or each of its steps, sends, with the effect that is declared for it. */
function requestsOf(name: string, { curation, api }: LintSubject): readonly Sent[] {
  const entry = ownValue(curation.content.tools, name);
  if (entry === undefined) return [];
  const look = (operation: string, effect: Sent["effect"], at: Sent["at"]): Sent[] => {
    const found = api.find(operation);
    return found === undefined ? [] : [{ at, effect, method: found.method, called: found.id ?? found.key }];
  };
  const at = ["tools", name];
  if (entry.operation !== undefined) return look(entry.operation, entry.effect, [...at, "effect"]);
  return stepsOf(entry).flatMap((step, index) => {
    if (!("operation" in step)) return [];
    const own = step.effect !== undefined;
    return look(
      step.operation,
      step.effect ?? entry.effect,
      own ? [...at, "steps", index, "effect"] : [...at, "effect"],
    );
  });
}

function stepsOf({ steps }: ToolEntry) {
  return Array.isArray(steps) ? steps : [];
}

export const EFFECT_RULES: readonly LintRule[] = [
  declaredAgainstName,
  destroysUnasked,
  modeSwitchesEffect,
  partialFailureUnsaid,
];
