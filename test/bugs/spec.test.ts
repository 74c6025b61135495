import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { load } from "js-yaml";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Bugs, startBugs, TOKEN } from "./start-bugs.ts";
import { PAYMENT, taskId, tasks } from "./tasks.ts";

// The upstream of the stories answers as `specs/bugs.yaml` says, so that what they prove is proved of that document.

let bugs: Bugs;
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(load(readFileSync("specs/bugs.yaml", "utf8")) as object, "bugs");

const report = tasks.find(({ project, number }) => project === "shop" && number === PAYMENT.number)!.reports[0]!;

beforeAll(async () => {
  bugs = await startBugs();
});
afterAll(() => bugs.stop());

async function ask(path: string, token = TOKEN) {
  const answer = await fetch(bugs.url + path, { headers: { authorization: `Bearer ${token}` } });
  return { status: answer.status, body: (await answer.json()) as unknown };
}

test.each([
  ["/v1/projects/shop/tasks?pageSize=7", 200, "TaskPage"],
  ["/v1/projects/shop/tasks?number=42", 200, "TaskPage"],
  [`/v1/projects/shop/tasks/${taskId("shop", 42)}`, 200, "TaskDetail"],
  [`/v1/projects/shop/reports/${report}`, 200, "Report"],
  [`/v1/projects/shop/reports/${report}/console?order=asc`, 200, "ConsolePage"],
  [`/v1/projects/shop/reports/${report}/network?outcome=failed`, 200, "NetworkPage"],
  [`/v1/projects/shop/reports/${report}/network/n-1`, 200, "NetworkDetail"],
  [`/v1/projects/shop/reports/${report}/actions`, 200, "ActionPage"],
  [`/v1/projects/admin/reports/${report}`, 404, "Error"],
  [`/v1/projects/admin/tasks/${taskId("shop", 42)}`, 404, "Error"],
  [`/v1/projects/shop/reports/${report}/console?level=fatal`, 400, "Error"],
  [`/v1/projects/shop/reports/${report}/actions?pageSize=501`, 400, "Error"],
])("%s is answered with %d and the schema %s", async (path, status, schema) => {
  const answer = await ask(path);
  expect(answer.status).toBe(status);
  const validate = ajv.getSchema(`bugs#/components/schemas/${schema}`)!;
  validate(answer.body);
  expect(validate.errors).toBeNull();
});

test("nobody else sees anything", async () => {
  expect((await ask("/v1/projects/shop/tasks", "other")).status).toBe(401);
});
