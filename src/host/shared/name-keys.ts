/** Where things are in the store. */
export function nameKeys(publicUrl: string) {
  const own = `vitrine:${publicUrl}:`;
  return {
    replicas: `${own}replicas`,
    revoked: `${own}revoked`,
    revokedVersion: `${own}revoked:version`,
    reloadVersion: `${own}reload:version`,
    written: `${own}written`,
    writtenVersion: `${own}written:version`,
    channel: `${own}news`,
    limits: `${own}rate:`,
    // Of all hosts over one store: who shares secrets reads the others' confirmations, whatever its URL.
    epoch: "vitrine:epoch",
    used: "vitrine:used:",
  };
}
