import { describe, expect, test } from "vitest";
import { nameFailure } from "../../src/egress/name-failure.ts";

describe("what the system says becomes one of few causes", () => {
  test.each([
    ["ECONNREFUSED", "refused"],
    ["EHOSTDOWN", "refused"],
    // A firewall of this machine.
    ["EPERM", "refused"],
    ["EACCES", "refused"],
    // No port of this machine is left.
    ["EADDRINUSE", "refused"],
    ["EADDRNOTAVAIL", "refused"],
    ["ENOTFOUND", "dns"],
    ["EAI_AGAIN", "dns"],
    ["EAI_SYSTEM", "dns"],
    ["EAI_MEMORY", "dns"],
    ["CERT_HAS_EXPIRED", "tls"],
    ["CERT_REVOKED", "tls"],
    ["CRL_HAS_EXPIRED", "tls"],
    ["INVALID_PURPOSE", "tls"],
    ["PATH_LENGTH_EXCEEDED", "tls"],
    ["ERROR_IN_CERT_NOT_AFTER_FIELD", "tls"],
    ["UNSPECIFIED", "tls"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "tls"],
    ["EPIPE", "reset"],
    // No file or memory of this machine is left.
    ["EMFILE", "exhausted"],
    ["ENFILE", "exhausted"],
    ["ENOBUFS", "exhausted"],
    ["ENOMEM", "exhausted"],
  ])("%s is %s", (code, reason) => {
    const failure = nameFailure(Object.assign(new Error("x"), { code }), "api.example.com");
    expect(failure).toMatchObject({ code: "UPSTREAM_UNREACHABLE", reason, message: expect.stringContaining(code) });
  });

  test.each(["ERR_INVALID_ARG_TYPE", "UND_ERR_INVALID_ARG"])("%s is a defect of ours", (code) => {
    const error = Object.assign(new Error("x"), { code });
    expect(nameFailure(error, "api.example.com")).toBe(error);
  });
});
