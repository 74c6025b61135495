/** A name as JMESPath takes it: quoted where it is no identifier of that language. */
export function pathStep(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? name : JSON.stringify(name);
}
