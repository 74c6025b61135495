import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { visibleToolset } from "../../src/cli/host/visible-toolset.ts";
import { compileCuration } from "../../src/cli/toolset/compile-curation.ts";
import type { ToolsetRequest } from "../../src/cli/toolset/toolset-request.ts";
import type { Toolset } from "../../src/model/tool.ts";
import type { TagChoice } from "../../src/model/visible/hide-by-tags.ts";
import { makeManifest } from "../../src/surface/manifest.ts";

const FILES = readdirSync("curation")
  .filter((name) => name.endsWith(".yaml"))
  // Its spec is on the network.
  .filter((name) => name !== "github.yaml")
  .map((name) => `curation/${name}`);

async function compile(request: Pick<ToolsetRequest, "file"> & Partial<ToolsetRequest>) {
  const { toolset } = await compileCuration({ root: undefined, readOnly: false, ...request }, { errorsOnly: true });
  return toolset;
}

/** All that is listed, and what calls do as far as callers feel it. How an operation writes a parameter that only hidden tools send is felt by nobody. */
async function faceOf(toolset: Toolset): Promise<unknown> {
  const manifest = JSON.stringify(await makeManifest(toolset, { vitrine: "1.2.3", from: [] }));
  return JSON.parse(manifest, function (this: Record<string, unknown>, name: string, value: unknown) {
    const isUnsent =
      name.startsWith("form ") && !(name.replace("form ", "value ") in this) && !String(value).includes("$");
    return isUnsent ? undefined : value;
  });
}

describe("what a caller sees of a toolset is what compiling for that caller alone would give", () => {
  test("there are curations to look at, and some write", async () => {
    const whole = await Promise.all(FILES.map((file) => compile({ file })));
    expect(FILES.length).toBeGreaterThan(3);
    expect(whole.some((toolset) => toolset?.tools.some(({ annotations }) => !annotations.readOnlyHint))).toBe(true);
  });

  test.each(FILES)("%s", async (file) => {
    const whole = await compile({ file });
    expect(whole).toBeDefined();
    const tags = [...new Set(whole!.tools.flatMap((tool) => tool.tags))];
    const choices: TagChoice[] = [{}, ...tags.flatMap((tag) => [{ any: [tag] }, { exclude: [tag] }])].slice(0, 5);
    for (const choice of choices) {
      for (const writes of [true, false]) {
        const alone = await compile({ file, readOnly: !writes, keyTags: choice });
        expect(await faceOf(visibleToolset(whole!, { tags: choice, writes }))).toStrictEqual(await faceOf(alone!));
      }
    }
  });
});
