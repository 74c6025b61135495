/** The page's look, in light and dark. The colours of the bars are told apart without red and green (Okabe and Ito). */
export const REPORT_STYLE = `
:root { color-scheme: light dark; --page: #fff; --ink: #1a1a1a; --dim: #595959; --line: #d0d0d0;
  --ok: #0072b2; --tool-error: #e69f00; --protocol: #8c8c8c; --crash: #c43c00; --half: #56b4e9; --most: #0072b2; }
@media (prefers-color-scheme: dark) { :root { --page: #161616; --ink: #ececec; --dim: #adadad; --line: #444;
  --ok: #56b4e9; --tool-error: #f0c040; --protocol: #9a9a9a; --crash: #ff7a45; --half: #9ad1f2; --most: #3d8fc6; } }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.6rem; } h2 { font-size: 1.25rem; margin-top: 2.5rem; border-top: 1px solid var(--line); padding-top: 1rem; }
.source { color: var(--dim); }
figure { margin: 1rem 0 1.5rem; } figcaption, caption { font-weight: 600; text-align: left; margin-bottom: .3rem; }
svg { display: block; width: 100%; max-width: 760px; height: auto; }
svg text { fill: var(--ink); font: 12px system-ui, sans-serif; } svg .figure { fill: var(--dim); }
${["ok", "tool-error", "protocol", "crash", "half", "most"].map((kind) => `.${kind} { fill: var(--${kind}); }`).join(" ")}
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .25rem .7rem; border-bottom: 1px solid var(--line); white-space: nowrap; text-align: right; font-weight: 400; }
thead th { font-weight: 600; color: var(--dim); } th[scope="row"], thead th:first-child { text-align: left; }
@media print { .wide { overflow: visible; } }
`;
