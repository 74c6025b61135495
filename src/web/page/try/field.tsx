import type { PortableSchema } from "../../../model/schema.ts";
import type { PageInput } from "../../page-data.ts";
import { Words } from "../parts/words.tsx";
import { sayBounds, sayType } from "../tools/say-schema.ts";
import { Origin, SchemaTable } from "../tools/schema-table.tsx";
import { Control } from "./control.tsx";
import { drawSkeleton } from "./draw-skeleton.ts";
import { kindOf } from "./read-fields.ts";

interface FieldProps {
  readonly name: string;
  readonly schema: PortableSchema;
  readonly input: PageInput | undefined;
  readonly isRequired: boolean;
  /** Undefined: it is not sent. */
  readonly text: string | undefined;
  readonly fault: string | undefined;
  onText(text: string | undefined): void;
}

/** One input with its label, what the schema says of it, and what is wrong with what was typed. */
export function Field({ name, schema, input, isRequired, text, fault, onText }: FieldProps) {
  const kind = kindOf(schema);
  const id = `input-${name}`;
  const { default: _, ...bounded } = schema;
  const bounds = kind === "text" ? sayBounds(bounded) : [];
  const help = (
    <div class="help" id={`${id}-help`}>
      {schema.description !== undefined && <Words text={schema.description} />}
      {bounds.length > 0 && <p>{bounds.join(" · ")}</p>}
      {kind === "lines" && <p>One a line.</p>}
    </div>
  );
  const control = (
    <Control
      id={id}
      kind={kind}
      schema={schema}
      text={text}
      isRequired={isRequired}
      described={fault === undefined ? `${id}-help` : `${id}-help ${id}-fault`}
      isWrong={fault !== undefined}
      onText={onText}
    />
  );
  const label = (
    <>
      <code>{name}</code> <span class="type">{sayType(schema)}</span>
      {isRequired && <span class="tag required">required</span>}
    </>
  );
  const wrong = fault !== undefined && (
    <p class="wrong" id={`${id}-fault`}>
      {fault}
    </p>
  );
  const origin = <Origin input={input} />;
  if (kind === "choices")
    return (
      <fieldset class="field" aria-describedby={`${id}-help`}>
        <legend>{label}</legend>
        {help}
        {origin}
        {control}
        {wrong}
      </fieldset>
    );
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {help}
      {origin}
      {control}
      {wrong}
      {kind === "json" && (
        <div class="row">
          {(text ?? "") === "" && (
            <button type="button" onClick={() => onText(JSON.stringify(drawSkeleton(name, schema), null, 2))}>
              Begin <span class="unseen">{name} </span>with its shape
            </button>
          )}
          <details>
            <summary>What may stand in {name}</summary>
            <SchemaTable schema={schema.type === "array" ? (schema.items ?? {}) : schema} inputs={{}} caption={name} />
          </details>
        </div>
      )}
    </div>
  );
}
