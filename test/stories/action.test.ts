import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import {
  GIT_ENV,
  openRepository,
  type Repository,
  shopCuration,
  shopFiles,
  shopPart,
} from "../cli/diff/a-repository.ts";
import { action, actionText, readLog, step, stepEnv } from "../setup/action.ts";
import { cleanEnv, repository, vitrine } from "../setup/program.ts";

// The step of action.yml, run as a runner does: its inputs by the environment, in a repository with a base and a head.

const FILE = "curation/shop.yaml";
const USE = "Find what is for sale, before an order";
const script = readFileSync(join(repository, "ci/vitrine-action.sh"), "utf8");

let git: Repository;
beforeEach(async () => {
  git = openRepository();
  git.commit(shopFiles({ use: USE }));
});

interface Inputs {
  readonly [name: string]: string;
}

/** Runs the step; `base` is that of a pull request. */
function run(inputs: Inputs = {}, { base = "main", cwd = git.folder, program = "" } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "vitrine-runner-"));
  const files = { GITHUB_OUTPUT: join(folder, "output"), GITHUB_STEP_SUMMARY: join(folder, "summary") };
  for (const file of Object.values(files)) writeFileSync(file, "");
  const event = { pull_request: { base: { sha: base } } };
  const env = {
    ...GIT_ENV,
    ...cleanEnv(),
    ...files,
    ...stepEnv({ curations: FILE, lock: "false", program, ...inputs }, event),
  };
  const { status, stdout, stderr } = spawnSync("bash", ["-e", "-c", step.run], { cwd, env, encoding: "utf8" });
  const { commands, text } = readLog(stdout);
  const outputs = readFileSync(files.GITHUB_OUTPUT, "utf8");
  return {
    status,
    stdout,
    stderr,
    outputs,
    summary: readFileSync(files.GITHUB_STEP_SUMMARY, "utf8"),
    text,
    // Notes of the curation as it always was are not what is looked for.
    commands: commands.filter((line) => !line.startsWith("::notice file=")),
  };
}

describe("action.yml", () => {
  test("is a composite action of one step in bash, whose text holds no expression and that uses no other action", () => {
    expect(action.runs.using).toBe("composite");
    expect(action.runs.steps).toHaveLength(1);
    expect(Object.keys(step).toSorted()).toStrictEqual(["env", "id", "run", "shell"]);
    expect([step.shell, step.run]).toStrictEqual(["bash", 'bash "$GITHUB_ACTION_PATH/ci/vitrine-action.sh"']);
    expect(actionText).toContain("permissions: { contents: read }");
  });

  test("describes every input and output, and every input that need not be given has a default", () => {
    const all = [action, ...Object.values(action.inputs), ...Object.values(action.outputs)];
    expect(all.filter(({ description }) => !/^\S.*\.$/.test(description))).toStrictEqual([]);
    const open = Object.values(action.inputs).filter(
      (input) => input.required !== true && typeof input.default !== "string",
    );
    expect(open).toStrictEqual([]);
  });

  test("and its script agree: it sets what the script reads, hands on every input, and gives what the script writes", () => {
    const read = new Set([...script.matchAll(/\$\{?(VITRINE_\w+)/g)].map(([, name]) => name));
    expect([...read].toSorted()).toStrictEqual(Object.keys(step.env).toSorted());
    const handed = [
      ...Object.values(step.env)
        .join(" ")
        .matchAll(/inputs\.([\w-]+)/g),
    ].map(([, name]) => name);
    expect(handed.toSorted()).toStrictEqual(Object.keys(action.inputs).toSorted());
    const values = Object.entries(action.outputs).map(([name, { value }]) => [name, value]);
    expect(values).toStrictEqual(
      ["check", "lock", "diff"].map((name) => [name, `\${{ steps.${step.id}.outputs.${name} }}`]),
    );
    expect([...script.matchAll(/"(check|lock|diff)=\$\1"/g)].map(([, name]) => name)).toStrictEqual([
      "check",
      "lock",
      "diff",
    ]);
  });
});

describe("a pull request", () => {
  test("that changes nothing passes, and says so", () => {
    const { status, outputs, commands, summary } = run();
    expect([status, outputs, commands]).toStrictEqual([0, "check=passed\nlock=skipped\ndiff=passed\n", []]);
    expect(summary).toContain("# `curation/shop.yaml`");
    expect(summary).toContain("no difference");
  });

  test("that breaks callers fails, with the annotation at its line, in the summary and in the reports", () => {
    git.write({
      "specs/parts/one.yaml": shopPart("red"),
      [FILE]: shopCuration({ use: "Find what is sold, before an order" }),
    });
    const { status, outputs, commands, summary } = run({ sarif: "out/my sarif", junit: "out/my sarif" });
    expect([status, outputs]).toStrictEqual([1, "check=passed\nlock=skipped\ndiff=failed\n"]);
    expect(commands).toHaveLength(2);
    expect(commands[0]).toMatch(
      /^::error file=curation\/shop.yaml,line=10,title=BREAKING%3A shop_list_items%3A input_enum_narrowed::/,
    );
    expect(commands[1]).toMatch(
      /^::warning file=curation\/shop.yaml,line=7,title=BEHAVIOUR%3A shop_list_items%3A description_changed::/,
    );
    expect(summary).toContain("input_enum_narrowed");
    const reports = readdirSync(git.path("out/my sarif"));
    expect(reports.toSorted()).toStrictEqual([
      "1-shop.check.sarif",
      "1-shop.check.xml",
      "1-shop.diff.sarif",
      "1-shop.diff.xml",
    ]);
    const [{ results }] = JSON.parse(readFileSync(git.path("out/my sarif/1-shop.diff.sarif"), "utf8")).runs;
    expect(results[0].ruleId).toBe("input_enum_narrowed");
  });

  test.each([
    ["that is let pass", { "fail-on": "none" }, 0],
    ["that is accepted", { suppress: "accepted changes.yaml" }, 0],
    ["in any way", { "fail-on": "any" }, 1],
    ["with a class that there is not", { "fail-on": "--help" }, 2],
  ])("with a change %s ends as was asked", (_, inputs, code) => {
    const reason = "Green was never sold.";
    git.write({
      "specs/parts/one.yaml": shopPart("red"),
      "accepted changes.yaml": `- { rule: input_enum_narrowed, reason: ${reason} }\n`,
    });
    const { status, commands } = run(inputs);
    expect(status).toBe(code);
    if (code === 2)
      expect(commands).toStrictEqual([
        "::error title=vitrine::vitrine could not do the diff; the log of this step says why.",
      ]);
  });

  test("that does not compile fails in both, with the mistake at its line, whatever comes of the next curation", () => {
    const next = "curation/next.yaml";
    git.write({ [FILE]: shopCuration({ use: USE }).replace("rows: items", "rows: itms"), [next]: shopCuration() });
    const { status, outputs, commands } = run({ curations: `${FILE}\n${next}` });
    expect([status, outputs]).toStrictEqual([1, "check=failed\nlock=skipped\ndiff=failed\n"]);
    expect(commands[0]).toMatch(
      /^::error file=curation\/shop.yaml,line=12,col=13,title=error%3A list_items%3A path_not_in_spec::/,
    );
  });

  test("needs no warning where warnings fail", () => {
    git.write({ [FILE]: shopCuration({ use: "TODO" }) });
    expect([run({ "fail-on": "none" }).status, run({ "fail-on": "none", strict: "true" }).status]).toStrictEqual([
      0, 1,
    ]);
  });

  test("that forgot the lock fails, and passes with it", async () => {
    const before = run({ lock: "true" });
    expect([before.status, before.outputs]).toStrictEqual([1, "check=passed\nlock=failed\ndiff=passed\n"]);
    expect(before.text).toContain("curation/shop.lock.json is missing.");
    expect(before.summary).toContain("The lock is not that of the tools");
    await vitrine(["tools", FILE, "--lock"], { cwd: git.folder });
    const after = run({ lock: "true" });
    expect([after.status, after.outputs]).toStrictEqual([0, "check=passed\nlock=passed\ndiff=passed\n"]);
  });

  test("with several curations, in paths that a shell would misread, tells the worst of them; a new one has no base", () => {
    const odd = 'curation/it\'s $(touch pwned); "new".yaml';
    const option = "-shop.yaml";
    git.write({
      [odd]: shopCuration({ use: "TODO" }),
      [option]: shopCuration({ spec: "specs/shop.yaml" }),
      [FILE]: shopCuration({ use: USE, max: 20 }),
    });
    const { status, outputs, text, summary } = run({ curations: `\n  ${odd}\r\n${option}\n\n${FILE}`, junit: "-out" });
    expect([status, outputs]).toStrictEqual([1, "check=passed\nlock=skipped\ndiff=failed\n"]);
    expect(text.match(/all of it is new/g)).toHaveLength(2);
    expect(summary.match(/^# .*$/gm)).toStrictEqual([`# \`${odd}\``, "# `./-shop.yaml`", "# `curation/shop.yaml`"]);
    expect(readdirSync(git.path("-out"))).toContain("1-it-s---touch-pwned----new-.check.xml");
    expect(existsSync(git.path("pwned"))).toBe(false);
  });
});

describe("the base", () => {
  test.each([
    ["feat/$(touch${IFS}pwned);`touch${IFS}pwned`'\"&|x", ""],
    ["--upload-pack=touch", "::error title=vitrine::This is no revision: --upload-pack=touch\n"],
    ["::error::x", "::error title=vitrine::There is no such revision: ::error::x\n"],
  ])("%s is a name and no more", (name, message) => {
    if (message === "") git.git("branch", name);
    const { status, stderr, commands } = run({ base: name });
    expect([status, stderr, commands]).toStrictEqual([message === "" ? 0 : 2, message, []]);
    expect(existsSync(git.path("pwned"))).toBe(false);
  });

  test.each(["", "0000000000000000000000000000000000000000"])(
    "that is not there (%j) is no failure: nothing is compared",
    (base) => {
      const { status, outputs, commands } = run({}, { base });
      expect([status, outputs]).toStrictEqual([0, "check=passed\nlock=skipped\ndiff=skipped\n"]);
      expect(commands).toStrictEqual(["::notice title=vitrine::There is no base to compare with."]);
    },
  );

  test.each(["main", "the commit"])("is fetched where the checkout holds the newest commit only: %s", (name) => {
    const base = name === "main" ? "main" : git.git("rev-parse", "HEAD").trim();
    git.git("switch", "-q", "-c", "topic");
    git.commit({ "specs/parts/one.yaml": shopPart("red") });
    git.git("config", "uploadpack.allowAnySHA1InWant", "true");
    const clone = join(mkdtempSync(join(tmpdir(), "vitrine-clone-")), "clone");
    git.git("clone", "-q", "--depth=1", "--single-branch", "--branch=topic", `file://${git.folder}`, clone);
    const { status, commands } = run({ base }, { cwd: clone });
    expect(status).toBe(1);
    expect(commands[0]).toContain("input_enum_narrowed");
  });
});

test("what a program says beside its findings is no command of the runner", () => {
  const program = git.path("says");
  const said = '"  ::add-mask::a\\n##[error]b\\n"';
  writeFileSync(program, `#!/bin/sh\nprintf ${said} >&2\nif [ "$1" = tools ]; then printf ${said}; fi\n`, {
    mode: 0o755,
  });
  const { status, commands, text } = run({ lock: "true" }, { program });
  expect([status, commands]).toStrictEqual([0, []]);
  expect(text.match(/^::add-mask::a\n##\[error\]b$/gm)).toHaveLength(4);
});

test.each([
  ["no curation", { curations: " \n" }, "No curation is named."],
  [
    "a switch that is neither true nor false",
    { strict: "yes\n::x" },
    "strict and lock are true or false, not: yes%0A::x",
  ],
  [
    "a path that does not begin at the root",
    { curations: "/etc/x.yaml" },
    "A path begins at the root of the repository: /etc/x.yaml",
  ],
])("%s is said, with exit code 2", (_, inputs, message) => {
  const { status, stderr } = run(inputs);
  expect([status, stderr]).toStrictEqual([2, `::error title=vitrine::${message}\n`]);
});
