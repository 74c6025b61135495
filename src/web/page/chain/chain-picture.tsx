import { useMemo, useState } from "preact/hooks";
import type { PageChain, PageLink } from "../../page-data.ts";
import { ScrollBox } from "../parts/scroll-box.tsx";
import { writeRoute } from "../route.ts";
import { drawLink } from "./draw-link.ts";
import { layOut, NODE_HEIGHT, type PlacedNode, type Point } from "./lay-out.ts";

/** The graph; links of the node under the pointer, or with the focus, stand out with their labels. */
export function ChainPicture({ chain }: { readonly chain: PageChain }) {
  const [active, setActive] = useState<string>();
  const { width, height, nodes, via } = useMemo(() => layOut(chain), [chain]);
  const links = useMemo(() => joinLinks(chain.links), [chain]);
  return (
    <ScrollBox class="picture" label="The chain, drawn; the table below says the same">
      {/* biome-ignore lint/a11y/noSvgWithoutTitle: the box has the name; a title would hang over every node as a tooltip. */}
      <svg class="chain" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">
            <path class="arrow" d="M0 0L8 4L0 8z" />
          </marker>
        </defs>
        {links.map((link, at) => (
          <Link
            key={`${at}`}
            link={link}
            from={nodes.get(link.from)}
            to={nodes.get(link.to)}
            via={via(link.from, link.to)}
            active={active}
          />
        ))}
        {[...nodes.values()].map((placed) => (
          <Node key={placed.node.id} placed={placed} onActive={setActive} />
        ))}
      </svg>
    </ScrollBox>
  );
}

function Node({ placed, onActive }: { readonly placed: PlacedNode; onActive(id: string | undefined): void }) {
  const { node, x, y, width } = placed;
  const on = (): void => onActive(node.id);
  const off = (): void => onActive(undefined);
  return (
    <a
      class={`node ${node.runs}`}
      href={writeRoute({ tool: node.tool, action: node.action })}
      onFocus={on}
      onBlur={off}
      onMouseEnter={on}
      onMouseLeave={off}
    >
      <rect x={x} y={y} width={width} height={NODE_HEIGHT} rx="6" />
      <text x={x + width / 2} y={y + NODE_HEIGHT / 2}>
        {node.id}
      </text>
    </a>
  );
}

interface LinkProps {
  readonly link: JoinedLink;
  readonly from: PlacedNode | undefined;
  readonly to: PlacedNode | undefined;
  readonly via: readonly Point[];
  readonly active: string | undefined;
}

function Link({ link, from, to, via, active }: LinkProps) {
  if (from === undefined || to === undefined) return null;
  const isActive = active === link.from || active === link.to;
  const { d, label } = drawLink(from, to, via, link.lane * 7);
  return (
    <g class={active === undefined ? "" : isActive ? "active" : "faint"}>
      <path class={`link ${link.kind}`} d={d} marker-end="url(#arrow)" />
      {isActive && link.label !== "" && (
        <text class="link-label" x={label.x} y={label.y - 6}>
          {link.label}
        </text>
      )}
    </g>
  );
}

interface JoinedLink extends Pick<PageLink, "from" | "to" | "kind"> {
  readonly label: string;
  /** Beside others between the same two. */
  readonly lane: number;
}

/** One line for each kind between two nodes. */
function joinLinks(links: readonly PageLink[]): readonly JoinedLink[] {
  const groups = new Map<string, PageLink[]>();
  for (const link of links) {
    const key = JSON.stringify([link.from, link.to, link.kind]);
    groups.set(key, [...(groups.get(key) ?? []), link]);
  }
  const lanes = new Map<string, number>();
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const pair = JSON.stringify([first.from, first.to].toSorted());
    const count = lanes.get(pair) ?? 0;
    lanes.set(pair, count + 1);
    const lane = count % 2 === 0 ? count / 2 : -(count + 1) / 2;
    const label = [...new Set(group.flatMap(({ label }) => label ?? []))].join(", ");
    return [{ from: first.from, to: first.to, kind: first.kind, label: shorten(label), lane }];
  });
}

const LONGEST_LABEL = 48;

const shorten = (text: string): string => (text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL - 1)}…` : text);
