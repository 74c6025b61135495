import type { PageClient, PageTool } from "../../page-data.ts";
import { Head } from "../parts/head.tsx";

interface ClientsTabProps {
  readonly tool: PageTool;
  readonly at: number;
  readonly clients: readonly PageClient[];
}

/** Under which name each client shows the tool, and what it makes of it. */
export function ClientsTab({ tool, at, clients }: ClientsTabProps) {
  return (
    <table class="clients">
      <caption class="help">The name that the model is given, client by client.</caption>
      <Head columns={["Client", "Full name", "Length", "What it refuses, or takes at a loss"]} />
      <tbody>
        {clients.map(({ name, fullNames, findings }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td data-label="Full name">
              <code>{fullNames[at]}</code>
            </td>
            <td data-label="Length">{fullNames[at]?.length}</td>
            <td data-label="Findings">
              <ClientFindings findings={findings.filter((finding) => finding.tool === tool.listed.name)} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** `withTools`: each with the tool that it is of. */
export function ClientFindings({
  findings,
  withTools = false,
}: Pick<PageClient, "findings"> & { readonly withTools?: boolean }) {
  if (findings.length === 0) return <>Nothing.</>;
  return (
    <ul class="plain">
      {findings.map(({ severity, message, tool }) => (
        <li key={`${tool} ${message}`}>
          <span class={`tag ${severity}`}>{severity}</span> {withTools && tool !== undefined && <code>{tool}: </code>}
          {message}
        </li>
      ))}
    </ul>
  );
}
