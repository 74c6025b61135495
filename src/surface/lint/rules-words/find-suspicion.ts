/** A way in which a text speaks to a model and not to a person. */
interface Sign {
  /** What the text does; ends a sentence that begins with the text. */
  readonly does: string;
  readonly pattern: RegExp;
  /** An author may say it of his own tools; a spec knows of none. */
  readonly ofSpecs?: true;
}

const TARGETS = "(?:instructions?|prompts?|rules|guidelines|directions|context|messages)";
const READERS =
  "(?:assistant|language model|llm|ai(?: (?:model|agent|assistant))?|claude|chatgpt|gpt-?[0-9][a-z0-9.]*|gemini|copilot)s?";

const MARKS =
  /<\|(?:im_start|im_end|system|user|assistant|start_header_id)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|important|instructions?|assistant)>/i;

/** Bounded repetitions only: the texts are a stranger's. */
const SIGNS: readonly Sign[] = [
  {
    does: "tells its reader to leave other instructions aside",
    pattern: new RegExp(
      `\\b(?:ignore|disregard|forget|override|bypass)\\b[^.!?\\n]{0,40}\\b(?:previous|prior|above|earlier|preceding|existing|other|all|any|your|system)\\b[^.!?\\n]{0,30}\\b${TARGETS}\\b`,
      "i",
    ),
  },
  {
    does: "asks for a model's own prompt",
    pattern:
      /\b(?:reveal|print|repeat|output|leak|include|append|send|attach|paste|copy)\b[^.!?\n]{0,40}\b(?:your|the) (?:system|developer|hidden) (?:prompt|message|instructions?)\b/i,
  },
  {
    does: "keeps something from the user",
    pattern:
      /\b(?:do not|don['’]t|never|without|must not|should not|avoid) (?:(?:ever|to) )?(?:(?:tell|mention|reveal)(?:ing)? (?:this |it |that |anything )?(?:to )?the (?:user|human|person)|ask(?:ing)? the (?:user|human|person) (?:for|to) (?:confirm|permission|approv)\w*)\b/i,
  },
  {
    does: "addresses a model",
    pattern: new RegExp(
      `(?:\\b(?:if|as|since|because) you are an? ${READERS}\\b|\\byou are now (?:an?|in|the)\\b|(?:^|[.!?:\\n]\\s{0,5})(?:(?:dear|hey|attention|note to(?: the| any| all)?) ${READERS}\\b|${READERS}(?: must| has to| please|, you)\\b))`,
      "i",
    ),
  },
  {
    does: "holds marks of a chat's own format",
    pattern: MARKS,
  },
  {
    does: "asks for files or a conversation that are none of the API's business",
    pattern:
      /~\/\.(?:ssh|aws|config|cursor)\b|\bid_(?:rsa|ed25519)\b|\/etc\/(?:passwd|shadow)\b|\.cursor\/mcp\.json|\b(?:conversation|chat) (?:history|transcript|log)\b[^.!?\n]{0,40}\b(?:here|in this|as (?:a |the )?(?:value|argument|parameter))\b/i,
  },
  {
    does: "says which tool to call",
    pattern:
      /\b(?:always|must|first|should) (?:call|use|invoke|run|prefer) this (?:tool|function)\b|\b(?:before|instead of) (?:calling|using|any call of|any use of)? ?any other (?:tool|function)s?\b/i,
    ofSpecs: true,
  },
];

/** How a text speaks to a model, and the words that do. */
export function findInstructions(
  text: string,
  by: "author" | "spec",
): { readonly does: string; readonly words: string } | undefined {
  for (const { does, pattern, ofSpecs } of SIGNS) {
    if (ofSpecs === true && by === "author") continue;
    const words = pattern.exec(text)?.[0];
    if (words !== undefined) return { does, words: words.trim() };
  }
  return undefined;
}

/** Marks of a chat's format; of what looks like HTML the list shows only what stands between. */
export function findMarks(text: string): string | undefined {
  return MARKS.exec(text)?.[0];
}

/** Scripts that need joiners and marks of direction to be written at all. */
const NEEDS_MARKS =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}\p{Script=Thai}]/u;
const FLAGS = /\u{1F3F4}[\u{E0020}-\u{E007F}]{1,8}/gu;
const ZERO_WIDTH = /[\u200B-\u200D\u2060-\u2064\uFEFF]/g;
/** Single ones are left behind by editors and copied web pages. */
const MANY = 8;

/** Cyrillic letters that look like Latin ones, among Latin ones. */
const LOOK_ALIKES =
  /(?<![\p{L}\p{M}])(?=[A-Za-zаеорсухіјѕАВЕКМНОРСТХІЈЅ]*[A-Za-z])(?=[A-Za-zаеорсухіјѕАВЕКМНОРСТХІЈЅ]*[аеорсухіјѕАВЕКМНОРСТХІЈЅ])[A-Za-zаеорсухіјѕАВЕКМНОРСТХІЈЅ]{4,60}(?![\p{L}\p{M}])/u;

/** What a text hides from people: characters that they cannot see, in a way in which no editor leaves them by chance. */
export function findHidden(text: string): string | undefined {
  const plain = text.replace(FLAGS, "");
  if (/[\u{E0000}-\u{E007F}]/u.test(plain)) return "tag characters, which spell out a text that nobody sees";
  if (/[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{2}/u.test(plain))
    return "variation selectors in a row, which can spell out bytes";
  if (/\x1b[[\]]/.test(plain)) return "codes of a terminal, which can hide what is printed";
  if (LOOK_ALIKES.test(plain)) return "letters of two alphabets in one word, which look alike";
  if (NEEDS_MARKS.test(plain)) return undefined;
  if (/[\u202A-\u202E\u2066-\u2069]/.test(plain))
    return "marks that turn the direction of writing, so that people read another text";
  const found = plain.match(ZERO_WIDTH)?.length ?? 0;
  if (found >= MANY || /[\u200B-\u200D\u2060-\u2064]{3}/.test(plain))
    return "characters without width, which can spell out bytes";
  return undefined;
}

/** An HTML comment that speaks to a model. */
export function findComment(text: string): string | undefined {
  for (const [comment] of text.matchAll(/<!--[\s\S]{0,4000}?-->/g))
    if (findInstructions(comment, "spec") !== undefined) return comment;
  return undefined;
}

const LONG_RUN = /[A-Za-z0-9+/_-]{120,}={0,2}/g;

/** The beginning of a long encoded text: base64 or hex. */
export function findEncoded(text: string): string | undefined {
  for (const [run] of text.matchAll(LONG_RUN)) {
    const isHex = /^[0-9a-f]+$/i.test(run) && /\d/.test(run);
    const isMixed = /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run);
    const isPath = (run.match(/\/|_|-/g)?.length ?? 0) > run.length / 10;
    if (isHex || (isMixed && !isPath)) return run.slice(0, 24);
  }
  return undefined;
}
