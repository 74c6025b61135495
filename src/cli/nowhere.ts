/** RFC 6761 6.4: a name that is nobody's. */
export const NOWHERE = "https://upstream.invalid";
