import { useRef, useState } from "preact/hooks";
import { isJsonObject, type JsonObject } from "../../../model/json.ts";
import { JsonText } from "../parts/json-text.tsx";
import { Field } from "./field.tsx";
import type { Form } from "./form-of.ts";
import { type Fields, fillFields, readFields } from "./read-fields.ts";
import type { Trial } from "./trials.ts";

interface TryFormProps {
  readonly form: Form;
  readonly trial: Trial;
  onFields(fields: Fields): void;
  onRun(given: JsonObject): void;
}

/** A form made from the schema. */
export function TryForm({ form, trial, onFields, onRun }: TryFormProps) {
  const element = useRef<HTMLFormElement>(null);
  const [isAsked, setAsked] = useState(false);
  const { fields, outcome } = trial;
  const read = readFields(form.schema, fields);
  const faultOf = (name: string): string | undefined =>
    (isAsked || (fields.get(name) ?? "") !== "" ? read.faults.get(name) : undefined) ?? refusalOf(trial, name);
  const submit = (event: Event): void => {
    event.preventDefault();
    // One button for both, so that it keeps the focus; two that took each other's place within a click would do both.
    if (outcome.kind === "running") {
      outcome.stop();
      return;
    }
    setAsked(true);
    const [wrong] = read.faults.keys();
    if (wrong === undefined) onRun(read.arguments);
    else focusOn(element.current, wrong);
  };
  const change = (name: string, text: string | undefined): void =>
    onFields(new Map([...fields].filter(([key]) => key !== name).concat(text === undefined ? [] : [[name, text]])));
  const required = new Set(form.schema.required);
  const properties = Object.entries(form.schema.properties ?? {});
  return (
    <form ref={element} class="try" noValidate onSubmit={submit}>
      <Examples form={form} onFields={onFields} />
      {properties.map(([name, schema]) => (
        <Field
          key={name}
          name={name}
          schema={schema}
          input={Object.hasOwn(form.inputs, name) ? form.inputs[name] : undefined}
          isRequired={required.has(name)}
          text={fields.get(name)}
          fault={faultOf(name)}
          onText={(text) => change(name, text)}
        />
      ))}
      {properties.length === 0 && <p class="help">It takes no arguments.</p>}
      <details>
        <summary>The arguments, as an agent would send them</summary>
        <JsonText text={JSON.stringify(form.complete(read.arguments), null, 2)} label="Arguments" />
      </details>
      <div class="row">
        <button type="submit" class="main-button">
          {outcome.kind === "running" ? "Stop" : form.runs === "tries" ? "Run" : "Show what it would send"}
        </button>
        {form.runs === "shows" && <p class="help">It writes: this page sends none of its requests.</p>}
      </div>
    </form>
  );
}

function Examples({ form, onFields }: Pick<TryFormProps, "form" | "onFields">) {
  const { examples, schema } = form;
  if (examples.length === 0) return null;
  return (
    <div class="row">
      {examples.map((example, at) => (
        <button key={`${at}`} type="button" onClick={() => onFields(fillFields(schema, example))}>
          Example{examples.length > 1 && ` ${at + 1}`}
        </button>
      ))}
      <button type="button" onClick={() => onFields(new Map())}>
        Empty
      </button>
    </div>
  );
}

/** What the tool itself said of an input, as long as its answer stands. */
function refusalOf({ outcome }: Trial, name: string): string | undefined {
  if (outcome.kind !== "answered" || outcome.answer.reply?.isError !== true) return undefined;
  const { value } = outcome.answer.reply;
  if (!isJsonObject(value)) return undefined;
  const { path, message } = value;
  return typeof path === "string" && /^\w+/.exec(path)?.[0] === name ? String(message) : undefined;
}

/** The control of an input, or the first of several. */
function focusOn(form: HTMLFormElement | null, name: string): void {
  const controls = [...(form?.elements ?? [])].filter((control) => control instanceof HTMLElement);
  controls.find(({ id }) => id === `input-${name}` || id === `input-${name}-0`)?.focus();
}
