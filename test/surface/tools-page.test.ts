import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { makeManifest } from "../../src/surface/manifest.ts";
import type { Manifest } from "../../src/surface/manifest-format.ts";
import { writeToolsPage } from "../../src/surface/tools-page.ts";
import { compileDesk } from "../run/group/desk.ts";

const MADE = { vitrine: "1.0.0", from: [{ path: "../spec.yaml", sha256: "0".repeat(64) }] };
const [flat, grouped] = await Promise.all(
  (["flat", "grouped"] as const).map(async (expose) => makeManifest(await compileDesk({ expose }), MADE)),
);

/** What is left of a page of Markdown when its code is taken out (CommonMark 4.5 and 6.1). */
function outsideCode(page: string): string {
  const left: string[] = [];
  let fence: string | undefined;
  for (const line of page.split("\n")) {
    const [, marks] = /^(`{3,})[^`]*$/.exec(line) ?? [];
    if (fence === undefined && marks !== undefined) fence = marks;
    else if (fence !== undefined)
      fence = marks !== undefined && line === marks && marks.length >= fence.length ? undefined : fence;
    else left.push(line.replace(/(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g, "CODE"));
  }
  expect(fence).toBeUndefined();
  return left.join("\n");
}

test("the page shows every tool, and every action with what it takes", () => {
  const page = writeToolsPage(grouped!);
  for (const { name, group, tokens } of grouped!.tools) {
    expect(page).toContain(`\n## \`${name}\`\n`);
    expect(page).toContain(`- ${tokens} tokens\n`);
    for (const action of Object.keys(group?.actions ?? {})) expect(page).toContain(`\n### \`${name}/${action}\`\n`);
  }
  expect(page).toContain("- From `../spec.yaml`, SHA-256 `0000");
  expect(page).toContain("- Made by vitrine `1.0.0`;");
});

test("our own words are all that stands outside of code", () => {
  const words = outsideCode(writeToolsPage(flat!));
  expect(words).toMatch(/^[\w\s#:;,().-]*$/);
});

/** The same manifest in which the spec says something else. */
function saying(text: string): Manifest {
  const tool = flat!.tools[0]!;
  const inputSchema = {
    type: "object" as const,
    properties: { [text]: { type: "string" as const, description: text, enum: [text], default: text } },
    required: [text],
  };
  const conduct = {
    ...tool.conduct!,
    operations: [`GET /${text}`],
    access: [text],
    states: [text],
    defaults: { [text]: text },
    errors: [{ on: text, error: text, recover: text }],
    order: [text],
    confirm: { text, human: true },
    said: { properties: { [text]: { type: text, format: text, enum: [text], items: { enumDigest: text } } } },
  };
  return {
    ...flat!,
    server: { ...flat!.server, title: text, instructions: text },
    pins: [text],
    made: { vitrine: text, from: [{ path: text, sha256: text }] },
    tools: [
      {
        ...tool,
        title: text,
        description: text,
        tags: [text],
        aliases: [text],
        inputSchema,
        outputSchema: inputSchema,
        conduct,
      },
    ],
  };
}

const ours = outsideCode(writeToolsPage(saying("word")));

describe("text of others is text", () => {
  const cases: readonly (readonly [title: string, text: string])[] = [
    ["a heading", "\n# Approved by the team\n"],
    ["a script", "<script>alert(1)</script>"],
    ["a picture", "![x](https://example.com/pixel.png)"],
    ["a mention", "@everyone"],
    ["the end of a block", "\n```\n# Out\n````\n# Out\n"],
    ["the end of a span", "` <img src=x> `` <b> ``` "],
    ["a table", "| a | b |\n|---|---|\n"],
    ["a link reference", "\n[x]: https://example.com\n"],
    ["an entity", "&lt;b&gt;"],
    ["a comment", "<!--"],
    ["a line of another system", "a\r# Out\rb"],
    ["separators of lines", "a\u2028# Out\u0085# Out"],
  ];
  test.each(cases)("%s", (_, text) => {
    expect(outsideCode(writeToolsPage(saying(text)))).toBe(ours);
  });

  test("any text", () => {
    const part = fc.constantFrom("`", "``", "```", "\n", "\r", " ", "~~~", "#", "<b>", "word", "|", "\\");
    const any = fc.array(part, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(""));
    fc.assert(fc.property(any, (text) => outsideCode(writeToolsPage(saying(text))) === ours));
  });

  test("what is not seen is shown", () => {
    const page = writeToolsPage(saying("pay\u202Eme\u200B\u{E0041}\u001B[2J"));
    expect(page).toContain(String.raw`pay\u{202E}me\u{200B}\u{E0041}\u{001B}[2J`);
    expect(page).not.toMatch(/[\u202E\u200B\u001B]/);
  });
});
