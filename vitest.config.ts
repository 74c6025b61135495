import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Most tests wait for processes that they have started: one worker a core, where one fewer is usual.
    maxWorkers: availableParallelism(),
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
