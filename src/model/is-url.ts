/** Whether a source is named by an http or https URL, and not by a file. */
export function isUrl(name: string): boolean {
  return /^https?:\/\//i.test(name);
}
