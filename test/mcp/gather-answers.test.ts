import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { gatherAnswers } from "../../src/mcp/gather-answers.ts";

function open() {
  const written: string[] = [];
  const output = new Writable({
    write(chunk, _, done) {
      written.push(String(chunk));
      done();
    },
  });
  return { written, output, answers: gatherAnswers(output) };
}

test("the lines of one turn go out together, after it", async () => {
  const { written, answers } = open();
  answers.send("one");
  answers.send("two");
  expect(written).toStrictEqual([]);
  await new Promise(setImmediate);
  expect(written).toStrictEqual(["one\ntwo\n"]);
});

test.each([1, 4_999, 5_000, 100_000])(
  "a line of %i characters goes out whole, whatever stands in it",
  async (length) => {
    const { written, answers } = open();
    const line = "ä€😀 x".repeat(length / 5 + 1).slice(0, length);
    answers.send(line);
    await new Promise(setImmediate);
    expect(written).toStrictEqual([`${Buffer.from(line)}\n`]);
  },
);

test("a line whose beginning is ready goes out behind those before it, and ahead of those after it", async () => {
  const { written, answers } = open();
  answers.send("one");
  answers.send(" and rest", Buffer.from("ready"));
  answers.send("last");
  await new Promise(setImmediate);
  expect(written.join("")).toBe("one\nready and rest\nlast\n");
});

test("what is held back is let out at once where it is asked for, and once", async () => {
  const { written, answers } = open();
  answers.send("one");
  answers.flush();
  expect(written).toStrictEqual(["one\n"]);
  await new Promise(setImmediate);
  expect(written).toStrictEqual(["one\n"]);
});

test("nothing is written to an output that is gone", async () => {
  const { written, output, answers } = open();
  answers.send("one");
  output.destroy();
  await new Promise(setImmediate);
  expect(written).toStrictEqual([]);
});
