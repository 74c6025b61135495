import type { ComponentChildren } from "preact";

interface ScrollBoxProps {
  readonly label: string;
  readonly class: string;
  readonly children: ComponentChildren;
}

/** What may be longer than its place, in a box that the arrow keys scroll. */
export function ScrollBox({ label, class: look, children }: ScrollBoxProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1).
    <section class={look} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}
