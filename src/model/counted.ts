/** A number with its noun: `1 tool`, `1,200 tools`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${groupDigits(count)} ${count === 1 ? noun : plural}`;
}

/** A whole number as English writes it, `1,200`. `toLocaleString` loads the data of a language at its first call, a fifth of the start of a small command. */
export function groupDigits(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}
