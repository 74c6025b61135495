interface BarProps {
  readonly part: number;
  readonly whole: number;
  readonly class?: string;
}

/** How large one number is beside another; the number itself always stands near it in words. */
export function Bar({ part, whole, class: look }: BarProps) {
  const width = whole > 0 ? Math.min(100, (part / whole) * 100) : 0;
  return (
    <svg class={`bar ${look ?? ""}`} viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      <rect class="ground" width="100" height="4" />
      <rect class="part" width={width} height="4" />
    </svg>
  );
}
