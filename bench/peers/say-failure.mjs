/** Why a peer fails, on one line of a table. */
export function sayFailure(error) {
  const { message, cause } = error;
  return [message, ...(cause === undefined ? [] : [cause.message])]
    .join(": ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("|", "/")
    .slice(0, 200);
}
