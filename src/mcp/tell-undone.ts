import type { ToolReply } from "../model/exchange.ts";

/** What the caller is told where a person did not say yes. */
export function tellRefusal(how: "declined" | "dismissed", isStructured: boolean): ToolReply {
  const said = how === "declined" ? "The person declined" : "The person closed the question without an answer";
  const note = `Nothing was done. ${said}: do not call this again unless they ask for it.`;
  const structured = { confirmation: { answer: how }, note };
  return { isError: false, text: JSON.stringify(structured), ...(isStructured && { structured }) };
}

const UNANSWERED = {
  silent: [
    "a person was to be asked, and the client gave no answer of theirs.",
    "Tell the user; call again once they are there to answer.",
  ],
  changing: [
    "each time the person had said yes, what would be sent had changed meanwhile.",
    "Tell the user; call again once what it reads has come to rest.",
  ],
} as const;

/** The same where no answer counts: the client said that it can ask a person, and failed to, or what it was to ask kept changing. */
export function tellUnanswered(why: keyof typeof UNANSWERED): ToolReply {
  const error = "confirmation_required";
  const [what, recover] = UNANSWERED[why];
  const message = `Nothing was done: ${what}`;
  return { isError: true, error, text: JSON.stringify({ error, message, recover, retryable: false }) };
}
