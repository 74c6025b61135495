import type { PortableSchema } from "../../../model/schema.ts";
import type { PageInput } from "../../page-data.ts";
import { Head } from "../parts/head.tsx";
import { Words } from "../parts/words.tsx";
import { writeRoute } from "../route.ts";
import { sayBounds, sayType } from "./say-schema.ts";

interface SchemaTableProps {
  readonly schema: PortableSchema;
  readonly inputs: Readonly<Record<string, PageInput>>;
  readonly caption: string;
}

/** The properties of an object, one a row; those of objects within it beneath, by their path. */
export function SchemaTable({ schema, inputs, caption }: SchemaTableProps) {
  const rows = flatten(schema, "", 0);
  if (rows.length === 0) return <p class="help">None.</p>;
  return (
    <table class="schema">
      <caption class="unseen">{caption}</caption>
      <Head columns={["Name", "Type", "Description"]} />
      <tbody>
        {rows.map(({ path, depth, isRequired, schema: inner }) => (
          <tr key={path}>
            <th scope="row">
              <code>{path}</code>
              {isRequired && <span class="tag required">required</span>}
            </th>
            <td data-label="Type">{sayType(inner)}</td>
            <td data-label="Description">
              {inner.description !== undefined && <Words text={inner.description} />}
              <Bounds schema={inner} />
              {depth === 0 && Object.hasOwn(inputs, path) && <Origin input={inputs[path]} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Bounds({ schema }: { readonly schema: PortableSchema }) {
  const said = sayBounds(schema);
  return said.length === 0 ? null : <p class="help">{said.join(" · ")}</p>;
}

export function Origin({ input }: { readonly input: PageInput | undefined }) {
  if (input?.from === undefined) return input?.entity === undefined ? null : <p class="help">A {input.entity}.</p>;
  const { tool, action, field } = input.from;
  return (
    <p class="help">
      {input.entity === undefined ? "Values" : `A ${input.entity}`} from{" "}
      <a href={writeRoute({ tool, action })}>
        {tool}
        {action !== undefined && ` (${action})`}
      </a>
      {field !== undefined && (
        <>
          , column <code>{field}</code>
        </>
      )}
    </p>
  );
}

interface Row {
  readonly path: string;
  readonly depth: number;
  readonly isRequired: boolean;
  readonly schema: PortableSchema;
}

/** What lies deeper stands in the whole entry. */
const DEEPEST = 2;

function flatten(schema: PortableSchema, prefix: string, depth: number): readonly Row[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => {
    const path = `${prefix}${name}`;
    const row = { path, depth, isRequired: required.has(name), schema: inner };
    if (depth >= DEEPEST) return [row];
    const of =
      inner.type === "array"
        ? { schema: inner.items ?? {}, prefix: `${path}[].` }
        : { schema: inner, prefix: `${path}.` };
    return [row, ...flatten(of.schema, of.prefix, depth + 1)];
  });
}
