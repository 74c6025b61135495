/**
 * What finds a text however its characters are written: as they are, percent-encoded once or twice (RFC 3986 leaves to each writer which), a
 * space as `+`, escaped in JSON (RFC 8259 7), also within another JSON text, or as HTML references. Letters and digits are written as they are.
 */
export function anySpelling(text: string): RegExp | string {
  if (/^[A-Za-z0-9]*$/.test(text)) return text;
  return new RegExp([...text].map(anyCharacter).join(""), "g");
}

const NAMED: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&apos;"],
]);
/** Letters by which JSON escapes a control character. */
const CONTROLS: ReadonlyMap<string, string> = new Map([["\t", "t"]]);

function anyCharacter(char: string): string {
  if (/[A-Za-z0-9]/.test(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  const percent = [...Buffer.from(char)].map((byte) => `%(?:25)?${anyCase(byte, 2)}`).join("");
  const units = [...Array(char.length).keys()].map((at) => `\\\\{1,3}u${anyCase(char.charCodeAt(at), 4)}`).join("");
  const reference = `&#(?:0*${code}|[xX]0*${anyCase(code, 1)});`;
  const others = [NAMED.get(char), char === " " ? "\\+" : undefined, CONTROLS.get(char)?.replace(/^/, "\\\\{1,3}")];
  const known = others.filter((other) => other !== undefined);
  return `(?:${[plain(char), percent, units, reference, ...known].join("|")})`;
}

/** As it is; what JSON may escape with backslashes before it. */
function plain(char: string): string {
  if (char === "\\") return "\\\\{1,4}";
  const escaped = char.replace(/[\^$.*+?()[\]{}|/-]/g, "\\$&");
  return char === '"' || char === "/" ? `\\\\{0,3}${escaped}` : escaped;
}

function anyCase(code: number, digits: number): string {
  const hex = code.toString(16).padStart(digits, "0");
  return hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
