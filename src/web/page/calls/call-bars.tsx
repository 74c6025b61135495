import type { PageToolCalls } from "../../page-data.ts";

interface CallBarsProps {
  readonly overTime: PageToolCalls["overTime"];
  readonly class?: string;
  readonly withP95?: boolean;
}

const HEIGHT = 100;
/** A few bars do not fill the place of many. */
const LEAST_BARS = 24;

/** Calls over time, the errors among them at the foot, and the p95 as a line of its own scale. The numbers stand in the table. */
export function CallBars({ overTime, class: look, withP95 = false }: CallBarsProps) {
  const width = Math.max(LEAST_BARS, overTime.length);
  const most = Math.max(1, ...overTime.map(({ calls }) => calls));
  const slowest = Math.max(1, ...overTime.map(({ p95 }) => p95 ?? 0));
  const tall = (count: number): number => (count / most) * HEIGHT;
  const line = overTime
    .flatMap(({ p95 }, at) => (p95 === null ? [] : [`${at + 0.5},${HEIGHT - (p95 / slowest) * HEIGHT * 0.9}`]))
    .join(" ");
  return (
    <svg class={`calls ${look ?? ""}`} viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <rect class="ground" width={width} height={HEIGHT} />
      {overTime.map(({ calls, errors }, at) => (
        <g key={`${at}`}>
          {calls > 0 && (
            <rect class="ours" x={at + 0.1} y={HEIGHT - tall(calls)} width="0.8" height={tall(calls - errors)} />
          )}
          {errors > 0 && <rect class="bad" x={at + 0.1} y={HEIGHT - tall(errors)} width="0.8" height={tall(errors)} />}
        </g>
      ))}
      {withP95 && line !== "" && <polyline class="slow halo" points={line} />}
      {withP95 && line !== "" && <polyline class="slow" points={line} />}
    </svg>
  );
}
