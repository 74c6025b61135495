/** A text taken apart at the ends of its sentences. */
export function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?…])\s+/).filter((one) => one !== "");
}
