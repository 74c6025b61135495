/** A text that stands for a group whose inside was looked at. */
const GROUP = "\0";
const ESCAPED = String.raw`\\[dDwWsS.+*?|^$/-]`;
const LITERAL = `[A-Za-z0-9 _,:;@#%&=~"'<>/!.-]`;
const RANGES = "a-z|A-Z|[0-9]-9|a-f|A-F";
const CLASS = String.raw`\[\^?-?(?:${RANGES}|\\[dDwWsS.]|[A-Za-z0-9 _,:;@#%&=/.])+-?\]`;
const QUANTIFIER = String.raw`[*+?]\??|\{\d{1,3}(?:,\d{0,3})?\}\??`;
const SEQUENCE = new RegExp(`^(?:[$^|]|(?:${GROUP}|${ESCAPED}|${LITERAL}|${CLASS})(?:${QUANTIFIER})?)*$`);
const INNERMOST = /\((?:\?:)?([^()]*)\)/;
const COUNT = /\{(\d+)(?:,(\d*))?\}/g;
/** RE2 repeats no more than a thousand times, what is in what is repeated included. */
const MOST_REPEATS = 1_000;

/**
 * Whether RE2 surely reads a pattern, by its form: letters, the usual classes, groups, alternatives and repetitions, as most patterns of specs are. Of
 * others it says nothing.
 */
export function isPlainPattern(pattern: string): boolean {
  if (pattern.includes(GROUP) || !repeatsFew(pattern)) return false;
  let left = pattern;
  for (let inner = INNERMOST.exec(left); inner !== null; inner = INNERMOST.exec(left)) {
    if (!SEQUENCE.test(inner[1]!)) return false;
    left = left.slice(0, inner.index) + GROUP + left.slice(inner.index + inner[0].length);
  }
  return SEQUENCE.test(left);
}

function repeatsFew(pattern: string): boolean {
  let product = 1;
  for (const [, least = "", most = ""] of pattern.matchAll(COUNT)) {
    if (most !== "" && Number(most) < Number(least)) return false;
    product *= Math.max(1, Number(least), Number(most));
  }
  return product <= MOST_REPEATS;
}
