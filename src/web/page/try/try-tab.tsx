import type { JsonObject } from "../../../model/json.ts";
import type { PageTool } from "../../page-data.ts";
import { askTry, type Server } from "../ask.ts";
import { describeFailure } from "../ask-failed.ts";
import type { Route } from "../route.ts";
import { type Form, formOf } from "./form-of.ts";
import { Outcome } from "./outcome.tsx";
import { fillFields } from "./read-fields.ts";
import { sayAnswer } from "./say-answer.ts";
import { type Trials, useTrial } from "./trials.ts";
import { TryForm } from "./try-form.tsx";

interface TryTabProps {
  readonly tool: PageTool;
  readonly action: string | undefined;
  readonly server: Server;
  readonly trials: Trials;
  go(next: Partial<Route>): void;
  say(words: string): void;
}

export function TryTab({ tool, action, server, trials, go, say }: TryTabProps) {
  const form = formOf(tool, action);
  const choose = (next: string): void => go({ tool: tool.listed.name, action: next, tab: "try" });
  return (
    <>
      {tool.actions.length > 0 && (
        <div class="field">
          <label for="action">
            <code>{tool.discriminator}</code>
          </label>
          <select id="action" value={form.action} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {tool.actions.map((one) => (
              <option key={one.action} value={one.action}>
                {one.action}: {one.title}
              </option>
            ))}
          </select>
        </div>
      )}
      <Trying key={form.key} form={form} server={server} trials={trials} say={say} />
    </>
  );
}

interface TryingProps extends Pick<TryTabProps, "server" | "trials" | "say"> {
  readonly form: Form;
}

function Trying({ form, server, trials, say }: TryingProps) {
  const [trial, update] = useTrial(trials, form.key, () => fillFields(form.schema, form.examples[0] ?? {}));
  const run = async (given: JsonObject): Promise<void> => {
    const leaving = new AbortController();
    update({ outcome: { kind: "running", stop: () => leaving.abort() } });
    say("Running.");
    try {
      const answer = await askTry(server, { tool: form.tool, arguments: form.complete(given) }, leaving.signal);
      update({ outcome: { kind: "answered", answer } });
      say(sayAnswer(answer));
    } catch (error) {
      const message = leaving.signal.aborted ? "Stopped." : describeFailure(error);
      update({ outcome: { kind: "failed", message } });
      say(message);
    }
  };
  return (
    <>
      <TryForm form={form} trial={trial} onFields={(fields) => update({ fields })} onRun={run} />
      <Outcome outcome={trial.outcome} runs={form.runs} />
    </>
  );
}
