import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface Issued {
  readonly key: string;
  /** With the certificates between it and its root, if any. */
  readonly cert: string;
}

export interface Authority extends Issued {
  /** Signs a certificate for `names` (openssl's way to write them, as `DNS:api.example.com`). Fewer than no `days`: it is over already. */
  issue(names: string, days?: number): Issued;
  /** Signs one that signs others, as an authority may and (false) as a mere server may not. */
  delegate(isAuthority?: boolean): Authority;
}

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** A root that vouches for itself, made by openssl. */
export function makeAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), "tls-"));
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  openssl(["req", "-x509", ...KEY, "-days", "2", "-subj", "/CN=root", "-keyout", keyFile, "-out", certFile]);
  return authority(folder, "key.pem", "cert.pem", "");
}

let serial = 1;

function authority(folder: string, keyName: string, certName: string, chain: string): Authority {
  const at = (name: string): string => join(folder, name);
  const read = (name: string): string => readFileSync(at(name), "utf8");
  const sign = (extensions: string, days: number): string => {
    const name = `${++serial}`;
    writeFileSync(at(`${name}.ext`), extensions);
    openssl(["req", "-new", ...KEY, "-subj", `/CN=${name}`, "-keyout", at(`${name}.key`), "-out", at(`${name}.csr`)]);
    const signed = ["-CA", at(certName), "-CAkey", at(keyName), "-set_serial", name, "-days", `${days}`];
    openssl([
      "x509",
      "-req",
      "-in",
      at(`${name}.csr`),
      ...signed,
      "-extfile",
      at(`${name}.ext`),
      "-out",
      at(`${name}.pem`),
    ]);
    return name;
  };
  return {
    key: read(keyName),
    cert: read(certName),
    issue(names, days = 2) {
      const name = sign(`subjectAltName=${names}\n`, days);
      return { key: read(`${name}.key`), cert: read(`${name}.pem`) + chain };
    },
    delegate(isAuthority = true) {
      const name = sign(`basicConstraints=critical,CA:${isAuthority ? "TRUE" : "FALSE"}\n`, 2);
      return authority(folder, `${name}.key`, `${name}.pem`, read(`${name}.pem`) + chain);
    },
  };
}

function openssl(args: readonly string[]): void {
  execFileSync("openssl", args, { stdio: "ignore" });
}
