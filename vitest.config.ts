import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: [
      "./test/setup/build.ts",
      "./test/setup/servers.ts",
      "./test/setup/peers.ts",
      "./test/setup/unleash.ts",
      "./test/setup/conformance.ts",
    ],
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
});
