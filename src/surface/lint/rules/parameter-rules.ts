import type { LintRule } from "../lint-rule.ts";
import { ofInputs, wordsOf } from "./each-input.ts";

/** Words that say nothing of what a value is. */
const FILLERS = new Set(
  "a an the of for to in is this that your which value parameter argument field input given specified optional required".split(
    " ",
  ),
);

const inputUndescribed: LintRule = {
  code: "input_undescribed",
  severity: "warning",
  title: "An input that nobody describes",
  why: "Models fill in inputs by their descriptions; undescribed ones are the most common cause of wrong arguments.",
  check: ofInputs(({ name, described, input, type }) => {
    if (described.trim() !== "" || input.entity !== undefined || saysAll(type.kind)) return undefined;
    const message = `Neither the curation nor the spec says what \`${name}\` is.`;
    return { severity: "warning", message, hint: "Write `describe`: what it means, in which form, with an example." };
  }),
};

/** The values themselves are shown. */
function saysAll(kind: string): boolean {
  return kind === "enum";
}

/** Characters: a longer text is not only a name. */
const LONGEST_REPEAT = 120;

const inputRepeats: LintRule = {
  code: "input_repeats_name",
  severity: "note",
  title: "A description that repeats the input's name",
  why: '`order_id`: "The order ID." costs tokens and says nothing that the name does not.',
  check: ofInputs(({ name, described }) => {
    const words = wordsOf(described).filter((word) => !FILLERS.has(word));
    const named = new Set(wordsOf(name));
    if (described === "" || described.length > LONGEST_REPEAT || words.some((word) => !named.has(word)))
      return undefined;
    const message = `\`${name}\` is described as "${described.trim()}".`;
    return {
      severity: "note",
      message,
      hint: "Say where its value comes from or what it changes, or give an example.",
    };
  }),
};

/** What has short codes that everybody knows. */
const CODED =
  /(lang|locale|country|region|currency|unit|size|zone|day|month|year|version|page|order|sort|level|status)/i;

const enumOfCodes: LintRule = {
  code: "enum_of_codes",
  severity: "warning",
  title: "Values that are codes, unexplained",
  why: "A model cannot know what 1, 2 or `XB` mean in this API; it picks one all the same.",
  check: ofInputs(({ name, type, described }) => {
    if (type.kind !== "enum" || type.values.length < 3 || CODED.test(name)) return undefined;
    const texts = type.values.map(({ text }) => text);
    if (!texts.every((text) => /^(\d{1,6}|[A-Za-z]{1,2})$/.test(text))) return undefined;
    const explained = texts.filter((text) => new RegExp(`\\b${text}\\b`).test(described));
    if (explained.length * 2 > texts.length) return undefined;
    const message = `The values of \`${name}\` are codes (${texts.slice(0, 4).join(", ")}${texts.length > 4 ? ", …" : ""}), and its description does not say what they mean.`;
    return {
      severity: "warning",
      message,
      hint: "Say in `describe` what each means, or give words in `enum` and map them in `args`.",
    };
  }),
};

const negativeSwitch: LintRule = {
  code: "negative_switch",
  severity: "note",
  title: "A switch that is named for what it does not do",
  why: "`no_cache: false` has to be turned round in the head, by models too; positive names are filled in right more often.",
  check: ofInputs(({ name, type }) => {
    if (type.kind !== "boolean" || !/^(no|not|non|dont|disable|disabled|without)$/.test(wordsOf(name)[0] ?? ""))
      return undefined;
    if (wordsOf(name).length < 2) return undefined;
    const hint = "Name it for what happens when it is true, and send the opposite by `args`.";
    return { severity: "note", message: `\`${name}\` is true where something is not done.`, hint };
  }),
};

const GENERIC = /^(data|body|payload|options|opts|params|parameters|args|arguments|input|info|attributes|properties)$/i;

/** Characters of a description that say what a text holds, whatever its name. */
const TELLING = 40;

const genericInput: LintRule = {
  code: "generic_input",
  severity: "note",
  title: "An input with a name for anything",
  why: "`data` or `options` says that something belongs there and not what: the parts by their own names are filled in right more often.",
  check: ofInputs(({ name, type, input, described }) => {
    if (!GENERIC.test(name) || input.entity !== undefined || type.kind === "enum") return undefined;
    if (type.kind === "string" && described.length >= TELLING) return undefined;
    const hint = "Name it for what it holds, or give its parts as inputs of their own through `args`.";
    return { severity: "note", message: `\`${name}\` is a name for anything.`, hint };
  }),
};

const CREDENTIAL = /^(x_)?(api_?key|access_token|auth_token|bearer(_token)?|client_secret|private_key|refresh_token)$/;

const credentialInput: LintRule = {
  code: "credential_input",
  severity: "warning",
  title: "A credential that callers fill in",
  why: "What a model writes stands in its conversation and in logs; it has no way to know a credential but to be told it.",
  check: ofInputs(({ name }) => {
    if (!CREDENTIAL.test(wordsOf(name).join("_"))) return undefined;
    const hint = "Put it under `api.auth`, which reads it from the environment, and take the input out.";
    return { severity: "warning", message: `\`${name}\` looks like a credential, and callers are asked for it.`, hint };
  }),
};

const tenantInput: LintRule = {
  code: "tenant_input",
  severity: "note",
  title: "A tenant that callers choose",
  why: "Whoever may write the tenant may write another's: what the upstream's own rights do not keep apart, nothing does.",
  check: ofInputs(({ name }) => {
    if (!/^tenant(_(id|name|key))?$/.test(wordsOf(name).join("_"))) return undefined;
    const hint = `Take it from the caller's key: \`pins: {${name}: "\${key.${name}}"}\`.`;
    return { severity: "note", message: `Callers choose \`${name}\`.`, hint };
  }),
};

/** What makes callers fill in single inputs wrongly. */
export const PARAMETER_RULES: readonly LintRule[] = [
  inputUndescribed,
  inputRepeats,
  enumOfCodes,
  negativeSwitch,
  genericInput,
  credentialInput,
  tenantInput,
];
