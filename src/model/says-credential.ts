/** Names under which documents describe a credential as a parameter. */
export const CREDENTIAL_NAME =
  /^(x[-_])?(authorization|api[-_]?key|((access|auth|bearer)[-_]?)?token|secret|password)$/i;
/** "Authentication token. Requires scope: `users:read`" */
const TELLS_SO = /\bauthenticat|\bauthori[sz]|\bcredential|\b(access|bearer|api) (token|key)\b/i;

/** Whether a parameter is by its name and in its own words the credential of the one who asks. */
export function saysCredential(name: string, description = ""): boolean {
  return CREDENTIAL_NAME.test(name) && TELLS_SO.test(description);
}
