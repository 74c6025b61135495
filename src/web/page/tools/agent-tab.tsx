import type { PageAction, PageTool } from "../../page-data.ts";
import type { Change } from "../find-changes.ts";
import { JsonText } from "../parts/json-text.tsx";
import { Words } from "../parts/words.tsx";
import { writeRoute } from "../route.ts";
import { ChangeNote } from "./change-note.tsx";
import { Hints } from "./hints.tsx";
import { SchemaTable } from "./schema-table.tsx";

interface AgentTabProps {
  readonly tool: PageTool;
  readonly change: Change | undefined;
  readonly action: string | undefined;
}

export function AgentTab({ tool, change, action }: AgentTabProps) {
  const { listed, inputs, actions, discriminator } = tool;
  return (
    <>
      {change?.kind === "changed" && <ChangeNote before={change.before} now={tool} />}
      <h3>Description</h3>
      <Words text={listed.description} class="agent-text" />
      <h3>Inputs</h3>
      <SchemaTable schema={listed.inputSchema} inputs={inputs} caption="Inputs" />
      {actions.length > 0 && (
        <>
          <h3>Actions, each by itself</h3>
          <p class="help">
            One tool for {actions.length} actions; the agent chooses one with <code>{discriminator}</code>.
          </p>
          {actions.map((one) => (
            <Action key={one.action} tool={listed.name} action={one} isOpen={one.action === action} />
          ))}
        </>
      )}
      {listed.outputSchema !== undefined && (
        <details>
          <summary>What a reply holds</summary>
          <SchemaTable schema={listed.outputSchema} inputs={{}} caption="Output" />
        </details>
      )}
      <details>
        <summary>The whole entry, as it is sent</summary>
        <JsonText text={JSON.stringify(listed, null, 2)} label={`The entry of ${listed.name}`} />
      </details>
    </>
  );
}

interface ActionProps {
  readonly tool: string;
  readonly action: PageAction;
  readonly isOpen: boolean;
}

function Action({ tool, action, isOpen }: ActionProps) {
  const { title, description, inputSchema, inputs, annotations, states, at } = action;
  return (
    <details class="action" open={isOpen}>
      <summary>
        <code>{action.action}</code> {title}
        {!annotations.readOnlyHint && <span class="tag writes">writes</span>}
      </summary>
      <Hints annotations={annotations} states={states} />
      <Words text={description} class="agent-text" />
      <SchemaTable schema={inputSchema} inputs={inputs} caption={`Inputs of ${action.action}`} />
      <p>
        <a href={writeRoute({ tool, action: action.action, tab: "try" })}>
          {action.runs === "tries" ? "Try it" : "See its dry run"}
        </a>
        {at !== undefined && (
          <span class="help">
            {" "}
            {at.file}:{at.line}
          </span>
        )}
      </p>
    </details>
  );
}
