import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

export interface TabItem<Key extends string> {
  readonly key: Key;
  readonly words: string;
  /** Beside the words, and read with them. */
  readonly badge?: string | undefined;
}

interface TabsProps<Key extends string> {
  /** Of the list, and the beginning of the ids. */
  readonly id: string;
  readonly label: string;
  readonly items: readonly TabItem<Key>[];
  readonly selected: Key;
  readonly class?: string;
  onSelect(key: Key): void;
}

/** Tabs by the pattern of the ARIA Authoring Practices: one stop for the Tab key, arrows, Home and End between them. */
export function TabList<Key extends string>({ id, label, items, selected, onSelect, class: look }: TabsProps<Key>) {
  const list = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent): void => {
    const to = moved(
      event.key,
      items.findIndex(({ key }) => key === selected),
      items.length,
    );
    const item = to === undefined ? undefined : items[to];
    if (item === undefined) return;
    event.preventDefault();
    onSelect(item.key);
    list.current?.querySelector<HTMLElement>(`#${id}-${item.key}`)?.focus();
  };
  return (
    <div class={`tabs ${look ?? ""}`} role="tablist" aria-label={label} ref={list} onKeyDown={move}>
      {items.map(({ key, words, badge }) => (
        <button
          key={key}
          type="button"
          role="tab"
          id={`${id}-${key}`}
          aria-selected={key === selected}
          aria-controls={key === selected ? `${id}-panel` : undefined}
          tabIndex={key === selected ? 0 : -1}
          onClick={() => onSelect(key)}
        >
          {words}
          {badge !== undefined && <span class="badge"> {badge}</span>}
        </button>
      ))}
    </div>
  );
}

function moved(key: string, at: number, count: number): number | undefined {
  if (key === "ArrowRight") return (at + 1) % count;
  if (key === "ArrowLeft") return (at + count - 1) % count;
  if (key === "Home") return 0;
  return key === "End" ? count - 1 : undefined;
}

interface PanelProps {
  /** That of the tabs. */
  readonly id: string;
  readonly selected: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

export function TabPanel({ id, selected, class: look, children }: PanelProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a panel is a stop where nothing in it need be one (APG, Tabs).
    <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${selected}`} tabIndex={0} class={look}>
      {children}
    </div>
  );
}
