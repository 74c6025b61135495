import type { PortableSchema } from "../../../model/schema.ts";
import type { FieldKind } from "./read-fields.ts";

interface ControlProps {
  readonly id: string;
  readonly kind: FieldKind;
  readonly schema: PortableSchema;
  readonly text: string | undefined;
  readonly isRequired: boolean;
  /** The ids of what describes it. */
  readonly described: string;
  readonly isWrong: boolean;
  onText(text: string | undefined): void;
}

export function Control({ id, kind, schema, text, isRequired, described, isWrong, onText }: ControlProps) {
  const common = {
    id,
    "aria-describedby": described,
    "aria-invalid": isWrong,
    "aria-required": isRequired,
  } as const;
  const typed = ({ currentTarget }: { currentTarget: { value: string } }): void => onText(currentTarget.value);
  switch (kind) {
    case "choice":
      return (
        <select {...common} value={text ?? ""} onChange={typed}>
          <option value="">{isRequired ? "Choose one" : "(not sent)"}</option>
          {schema.enum?.map((word) => (
            <option key={word} value={word}>
              {word}
            </option>
          ))}
        </select>
      );
    case "switch":
      return <Switch id={id} described={described} schema={schema} text={text} onText={onText} />;
    case "choices":
      return <Ticks id={id} words={schema.items?.enum ?? []} text={text ?? ""} onText={onText} />;
    case "number":
      // Of a field of type number a browser gives no text where it is none, and it would not be missed.
      return (
        <input
          {...common}
          type="text"
          inputMode={schema.type === "integer" ? "numeric" : "decimal"}
          autocomplete="off"
          placeholder={schema.default === undefined ? undefined : String(schema.default)}
          value={text ?? ""}
          onInput={typed}
        />
      );
    case "lines":
      return <textarea {...common} rows={3} spellcheck={false} value={text ?? ""} onInput={typed} />;
    case "json":
      return <textarea {...common} class="code" rows={5} spellcheck={false} value={text ?? ""} onInput={typed} />;
    case "text":
      return (
        <input
          {...common}
          type="text"
          autocomplete="off"
          spellcheck={false}
          placeholder={schema.format === "date-time" ? "2026-01-31 or 2026-01-31T12:00:00Z" : undefined}
          value={text ?? ""}
          onInput={typed}
        />
      );
  }
}

interface SwitchProps extends Pick<ControlProps, "id" | "described" | "schema" | "text" | "onText"> {}

/** Untouched it is not sent, which may be something else than false. */
function Switch({ id, described, schema, text, onText }: SwitchProps) {
  const isSent = text === "true" || text === "false";
  return (
    <div class="row">
      <input
        id={id}
        type="checkbox"
        aria-describedby={described}
        checked={isSent ? text === "true" : schema.default === true}
        onChange={({ currentTarget }) => onText(String(currentTarget.checked))}
      />
      <span class="help">{isSent ? text : "not sent"}</span>
      {isSent && (
        <button type="button" onClick={() => onText(undefined)}>
          Do not send it
        </button>
      )}
    </div>
  );
}

interface TicksProps extends Pick<ControlProps, "id" | "onText"> {
  readonly words: readonly string[];
  /** Those that are ticked, one a line. */
  readonly text: string;
}

function Ticks({ id, words, text, onText }: TicksProps) {
  const ticked = new Set(text.split("\n"));
  const turn = (word: string, isTicked: boolean): void =>
    onText(words.filter((one) => (one === word ? isTicked : ticked.has(one))).join("\n"));
  return (
    <div class="ticks">
      {words.map((word, at) => (
        <label key={word}>
          <input
            id={`${id}-${at}`}
            type="checkbox"
            checked={ticked.has(word)}
            onChange={({ currentTarget }) => turn(word, currentTarget.checked)}
          />{" "}
          {word}
        </label>
      ))}
    </div>
  );
}
