/** All addresses of a host name. */
export type Lookup = (hostname: string) => Promise<readonly string[]>;

/**
 * The same, but once for all who ask for one name at the same time: Node looks names up on few threads, which it also reads files and unpacks bodies
 * on, and one name whose servers do not answer must not take all of them.
 */
export function shareLookups(lookup: Lookup): Lookup {
  const asked = new Map<string, Promise<readonly string[]>>();
  return (hostname) => {
    const known = asked.get(hostname);
    if (known !== undefined) return known;
    const answer = lookup(hostname).finally(() => asked.delete(hostname));
    asked.set(hostname, answer);
    return answer;
  };
}
