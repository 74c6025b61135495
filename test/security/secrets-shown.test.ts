import { expect, test } from "vitest";
import { refuseSecrets } from "../setup/program.ts";

// Whatever the stories start is watched by this, so that each of them looks for the secrets of its own environment.

test("a test whose program shows a secret that it was given fails, whatever it looks for", () => {
  const env = {
    API_KEY: "canary-key-1",
    VITRINE_SECRET: "one-secret-of-two,another-of-two",
    API_URL: "http://127.0.0.1:1",
    TOKEN_URL: "http://127.0.0.1:2",
  };
  for (const shown of ["x canary-key-1 y", '{"a":"another-of-two"}']) expect(() => refuseSecrets(shown, env)).toThrow();
  for (const fine of ["", "canary", "http://127.0.0.1:1 http://127.0.0.1:2"]) refuseSecrets(fine, env);
});
