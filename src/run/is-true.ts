/** JMESPath's truth: null, false and what is empty are false; zero is true (JMESPath specification, Or-Expressions). */
export function isTrue(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== "object" || Object.keys(value).length > 0;
}
