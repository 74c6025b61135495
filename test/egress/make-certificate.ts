import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Certificate {
  readonly keyFile: string;
  readonly certFile: string;
  readonly key: string;
  readonly cert: string;
}

/** A certificate that vouches for itself, for 127.0.0.1, in files of its own. */
export function makeCertificate(commonName: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "tls-"));
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  const made = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2".split(" ");
  const named = ["-subj", `/CN=${commonName}`, "-addext", "subjectAltName=IP:127.0.0.1"];
  execFileSync("openssl", [...made, "-keyout", keyFile, "-out", certFile, ...named], { stdio: "ignore" });
  return { keyFile, certFile, key: readFileSync(keyFile, "utf8"), cert: readFileSync(certFile, "utf8") };
}
