const SIGNS = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

/** For text and quoted attributes of HTML and SVG. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => SIGNS.get(sign) ?? sign);
