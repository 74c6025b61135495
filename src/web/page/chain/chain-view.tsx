import type { PageChain, PageLink } from "../../page-data.ts";
import { Head } from "../parts/head.tsx";
import { writeRoute } from "../route.ts";
import { ChainPicture } from "./chain-picture.tsx";

const LINK_WORDS: Readonly<Record<PageLink["kind"], string>> = {
  identifier: "gives the identifier that the other needs",
  values: "lists the values that the other takes",
  next: "is followed by, as the author says",
  suggests: "proposes in its reply",
};

/** Which tool gives what another needs: drawn, and in words. */
export function ChainView({ chain }: { readonly chain: PageChain }) {
  const linked = new Set(chain.links.flatMap(({ from, to }) => [from, to]));
  const alone = chain.nodes.filter(({ id }) => !linked.has(id));
  const drawn = { nodes: chain.nodes.filter(({ id }) => linked.has(id)), links: chain.links };
  return (
    <>
      <h2>Which tool gives what another needs</h2>
      {drawn.nodes.length === 0 ? (
        <p>No tool needs anything of another, as far as the file says.</p>
      ) : (
        <>
          <Legend links={chain.links} />
          <ChainPicture chain={drawn} />
          <h3>In words</h3>
          <LinkTable chain={chain} />
        </>
      )}
      {alone.length > 0 && (
        <p>
          By themselves:{" "}
          {alone.map((node) => (
            <span key={node.id}>
              <NodeLink chain={chain} id={node.id} />{" "}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function Legend({ links }: { readonly links: readonly PageLink[] }) {
  const kinds = (Object.keys(LINK_WORDS) as PageLink["kind"][]).filter((kind) =>
    links.some((link) => link.kind === kind),
  );
  return (
    <ul class="legend">
      {kinds.map((kind) => (
        <li key={kind}>
          <svg viewBox="0 0 40 8" aria-hidden="true">
            <path class={`link ${kind}`} d="M0 4H40" />
          </svg>{" "}
          {LINK_WORDS[kind]}
        </li>
      ))}
    </ul>
  );
}

function LinkTable({ chain }: { readonly chain: PageChain }) {
  return (
    <table class="links">
      <Head columns={["From", "How", "To", "What"]} />
      <tbody>
        {chain.links.map(({ from, to, kind, label, input }, at) => (
          <tr key={`${at}`}>
            <th scope="row">
              <NodeLink chain={chain} id={from} />
            </th>
            <td data-label="How">{LINK_WORDS[kind]}</td>
            <td data-label="To">
              <NodeLink chain={chain} id={to} />
            </td>
            <td data-label="What">
              {label}
              {input !== undefined && (
                <>
                  {label !== undefined && ", "}input <code>{input}</code>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NodeLink({ chain, id }: { readonly chain: PageChain; readonly id: string }) {
  const node = chain.nodes.find((one) => one.id === id);
  return <a href={writeRoute({ tool: node?.tool ?? id, action: node?.action })}>{id}</a>;
}
