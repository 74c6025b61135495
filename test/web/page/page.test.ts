import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  haveBrowser,
  keepPicture,
  openBrowser,
  openWatched,
  seriousFindings,
  unfold,
  type Watched,
} from "../../setup/browser.ts";
import { repository } from "../../setup/program.ts";
import { GROUP, hostileData, PLAIN } from "./hostile-data.ts";
import { type PageServer, startPageServer } from "./page-server.ts";

const VIEWS: readonly (readonly [what: string, hash: string, text: string])[] = [
  ["what an agent reads first", "#", "instructions \"'><img"],
  ["a tool", `#${new URLSearchParams({ tool: PLAIN })}`, "input text \"'><img"],
  ["the trial of a tool", `#${new URLSearchParams({ tool: PLAIN, tab: "try" })}`, "enum \"'><img"],
  ["the cost of a tool", `#${new URLSearchParams({ tool: PLAIN, tab: "cost" })}`, "46.2 % of the list"],
  ["the clients of a tool", `#${new URLSearchParams({ tool: PLAIN, tab: "clients" })}`, "client finding \"'><img"],
  ["a group", `#${new URLSearchParams({ tool: GROUP, action: "write" })}`, "action title \"'><img"],
  ["the trial of an action", `#${new URLSearchParams({ tool: GROUP, action: "write", tab: "try" })}`, "sends none"],
  ["a tool that is not there", "#tool=gone", "There is no such tool"],
  ["the cost", "#view=cost", "room \"'><img"],
  ["the chain", "#view=chain", "link \"'><img"],
  ["the findings", "#view=findings", "line 3 \"'><img"],
  ["the calls", "#view=calls", "called \"'><img"],
];

test("the page has less than 200 kB, names nothing outside, and has no script or style within", () => {
  const folder = join(repository, "dist", "page");
  const files = ["index.html", "page.js", "page.css"].map((name) => join(folder, name));
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(200_000);
  const texts = files.map((file) => readFileSync(file, "utf8"));
  const addresses = texts.join("\n").match(/(https?:)?\/\/[a-z0-9.-]+\.[a-z]{2,}/g) ?? [];
  // The names of XML vocabularies, which are never asked for.
  expect([...new Set(addresses)].filter((one) => one !== "http://www.w3.org")).toStrictEqual([]);
  expect(texts[0]).not.toMatch(/<style|style=|<script>|\son\w+=/);
});

describe.skipIf(!haveBrowser)("in a browser", () => {
  let browser: Browser;
  let server: PageServer;
  beforeAll(async () => {
    browser = await openBrowser();
    server = await startPageServer(hostileData("r1"));
  });
  afterAll(async () => {
    await browser?.close();
    await server?.close();
    expect(server?.faults).toStrictEqual([]);
  });

  /** No element that text could have made, no address but our own, nothing that broke the policy. */
  async function expectHarmless({ page, complaints, requests, surprises }: Watched): Promise<void> {
    expect(await page.locator("img, iframe, b, script:not([src='/page/page.js'])").count()).toBe(0);
    const hrefs = await page.locator("a").evaluateAll((all) => all.map((one) => one.getAttribute("href")));
    expect(hrefs.filter((href) => !href?.startsWith("#"))).toStrictEqual([]);
    expect(requests.filter((address) => !address.startsWith(server.url) && address !== "data:,")).toStrictEqual([]);
    expect({ complaints, surprises }).toStrictEqual({ complaints: [], surprises: [] });
  }

  test.each(VIEWS)("hostile text does nothing in %s, and is there to be read", async (_, hash, text) => {
    const watched = await openWatched(browser);
    const { page } = watched;
    await page.goto(`${server.url}/${hash}`);
    await page.getByRole("tabpanel").first().waitFor();
    await unfold(page);
    await expect.poll(() => page.locator("main").textContent()).toContain(text);
    await expectHarmless(watched);
    await page.context().close();
  });

  test.each(VIEWS)(
    "axe-core finds nothing serious, light or dark, and 360 pixels are enough, in %s",
    async (what, hash) => {
      const { page } = await openWatched(browser, { colorScheme: "light", reducedMotion: "reduce" });
      await page.goto(`${server.url}/${hash}`);
      await page.getByRole("tabpanel").first().waitFor();
      if (hash.includes("calls")) await page.getByRole("table").waitFor();
      if (hash.endsWith("tab=try")) {
        await page.locator("form [type=submit]").click();
        await page.getByRole("region", { name: "What came of it" }).waitFor();
      }
      await unfold(page);
      expect(await seriousFindings(page)).toStrictEqual([]);
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await seriousFindings(page)).toStrictEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);
      await keepPicture(page, `narrow, ${what}`);
      await page.context().close();
    },
  );

  test("who chooses light or dark gets it whatever the system has, and again after a reload", async () => {
    const { page } = await openWatched(browser, { colorScheme: "light" });
    await page.goto(`${server.url}/`);
    const colours = page.getByLabel("Colours");
    await colours.waitFor();
    const paper = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
    const light = await paper();
    await colours.selectOption("Dark");
    await expect.poll(paper).not.toBe(light);
    const dark = await paper();
    expect(await seriousFindings(page)).toStrictEqual([]);
    await page.reload();
    await expect.poll(paper).toBe(dark);
    await colours.selectOption("As the system");
    await expect.poll(paper).toBe(light);
    await page.emulateMedia({ colorScheme: "dark" });
    expect(await paper()).toBe(dark);
    await colours.selectOption("Light");
    await expect.poll(paper).toBe(light);
    expect(await seriousFindings(page)).toStrictEqual([]);
    await page.context().close();
  });

  test("a hostile answer does nothing, and its arguments are those of the form", async () => {
    const watched = await openWatched(browser);
    const { page } = watched;
    await page.goto(`${server.url}/#${new URLSearchParams({ tool: PLAIN, tab: "try" })}`);
    await page.getByLabel("count").fill("4");
    await page.getByLabel("flag").check();
    await page.getByLabel("lines").fill("one\ntwo");
    server.tried.length = 0;
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("region", { name: "What came of it" }).waitFor();
    await unfold(page);
    expect(await page.locator("main").textContent()).toContain("header value \"'><img");
    await expectHarmless(watched);
    expect(server.tried).toHaveLength(1);
    expect(server.tried[0]?.arguments).toMatchObject({ word: "b", count: 4, flag: true, lines: ["one", "two"] });
    await page.context().close();
  });

  test("what is no value of an input is said beside it, and nothing is sent", async () => {
    const { page } = await openWatched(browser);
    await page.goto(`${server.url}/#${new URLSearchParams({ tool: PLAIN, tab: "try" })}`);
    server.tried.length = 0;
    await page.getByLabel("nested").fill('{"inner": ');
    await page.getByLabel("word one of 2").selectOption("");
    await page.getByRole("button", { name: "Run" }).click();
    await expect.poll(() => page.getByLabel("nested").getAttribute("aria-invalid")).toBe("true");
    expect(await page.locator("#input-nested-fault").textContent()).toContain("This is no JSON");
    expect(await page.evaluate("document.activeElement.id")).toBe("input-word");
    expect(server.tried).toStrictEqual([]);
    await page.context().close();
  });

  test("everything is reached by keyboard, tabs by arrows", async () => {
    const { page } = await openWatched(browser);
    await page.goto(`${server.url}/`);
    await page.getByRole("tab", { name: "Tools" }).focus();
    for (const view of ["Cost", "ID chain", "Findings", "Calls", "Tools"]) {
      await page.keyboard.press("ArrowRight");
      const tab = page.getByRole("tab", { name: view });
      await expect.poll(() => tab.getAttribute("aria-selected")).toBe("true");
      expect(await page.evaluate("document.activeElement.textContent")).toContain(view);
    }
    await page.getByRole("searchbox").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.getByRole("tab", { name: "As the agent sees it" }).focus();
    await page.keyboard.press("ArrowRight");
    expect(new URL(page.url()).hash).toContain("tab=try");
    // From the tab on, the Tab key alone comes to the button.
    for (let stop = 0; stop < 40; stop += 1) {
      await page.keyboard.press("Tab");
      if (await page.evaluate("document.activeElement.matches('form.try [type=submit]')")) break;
    }
    await page.keyboard.press("Enter");
    await page.getByRole("region", { name: "What came of it" }).waitFor();
    expect(await page.getByRole("status").last().textContent()).toContain("places tell what was cut");
    await page.context().close();
  });

  test("an edit is marked, told aloud, and its description is there before and after", async () => {
    const { page } = await openWatched(browser);
    await page.goto(`${server.url}/#${new URLSearchParams({ tool: PLAIN })}`);
    await page.getByRole("heading", { name: "Description", exact: true }).waitFor();
    server.show(hostileData("r2"));
    const change = page.getByRole("region", { name: "What changed" });
    await change.waitFor();
    expect(await change.locator("del").textContent()).toContain("r1");
    expect(await change.locator("ins").textContent()).toContain("r2");
    expect(await page.getByRole("status").last().textContent()).toContain("Changed:");
    await page.getByRole("button", { name: "Take the marks away" }).click();
    await change.waitFor({ state: "detached" });
    server.show(hostileData("r1"));
    await change.waitFor();
    await page.context().close();
  });

  test("a trial is given up by a button, and the server hears of it", async () => {
    const { page } = await openWatched(browser);
    await page.goto(`${server.url}/#${new URLSearchParams({ tool: PLAIN, tab: "try" })}`);
    await page.getByLabel("lines").fill("wait");
    server.stopped.length = 0;
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Run" }).waitFor();
    expect(await page.locator(".notice.broken").last().textContent()).toBe("Stopped.");
    await expect.poll(() => server.stopped.length).toBe(1);
    await page.context().close();
  });

  test("where the server goes away that is said, and when it is back what is new is shown", async () => {
    const going = await startPageServer(hostileData("r1"));
    const { page } = await openWatched(browser);
    await page.goto(`${going.url}/#${new URLSearchParams({ tool: PLAIN })}`);
    await page.getByRole("heading", { name: "Description", exact: true }).waitFor();
    await going.close();
    await page.getByText("not connected").waitFor();
    const back = await startPageServer(hostileData("r2"), Number(new URL(going.url).port));
    await page.getByText("not connected").waitFor({ state: "detached" });
    await page.getByRole("region", { name: "What changed" }).waitFor();
    await page.context().close();
    await back.close();
  });

  test("a tool that is taken away while it is looked at is told of", async () => {
    const shrinking = await startPageServer(hostileData("r1"));
    const { page } = await openWatched(browser);
    await page.goto(`${shrinking.url}/#tool=${GROUP}`);
    await page.getByRole("heading", { name: "Description", exact: true }).waitFor();
    const next = hostileData("r2");
    shrinking.show({ ...next, tools: next.tools.slice(0, 1) });
    await page.getByText("This tool is no more").waitFor();
    await page.context().close();
    await shrinking.close();
  });

  test("a first load that fails is said, tried again by itself, and when somebody asks", async () => {
    const busy = await startPageServer(hostileData("r1"));
    busy.failing.add("data").add("changes");
    const { page } = await openWatched(browser);
    await page.goto(`${busy.url}/`);
    await page.getByText("The server is busy.").waitFor();
    expect(await seriousFindings(page)).toStrictEqual([]);
    busy.failing.clear();
    await page.getByRole("tab", { name: "Tools" }).waitFor();
    busy.failing.add("data").add("changes");
    await page.reload();
    await page.getByText("The server is busy.").waitFor();
    busy.failing.clear();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("tab", { name: "Tools" }).waitFor();
    await page.context().close();
    await busy.close();
  });

  test("where the calls cannot be read again that is said beside those that are known", async () => {
    const { page } = await openWatched(browser);
    await page.clock.install();
    await page.goto(`${server.url}/#view=calls`);
    await page.getByRole("table").waitFor();
    server.failing.add("calls");
    await page.clock.runFor(10_000);
    await page.getByText("This is as it was: The server is busy.").waitFor();
    expect(await page.getByRole("table").count()).toBe(1);
    expect(await seriousFindings(page)).toStrictEqual([]);
    server.failing.clear();
    await page.clock.runFor(10_000);
    await page.getByText("This is as it was").waitFor({ state: "detached" });
    await page.context().close();
  });

  test("of a file that has changed since it was read the findings are not told, and why", async () => {
    const { findings: _, ...rest } = hostileData("r1");
    const outdated = await startPageServer({ ...rest, isOutdated: true });
    const { page } = await openWatched(browser);
    await page.goto(`${outdated.url}/#view=findings`);
    await page.getByText("The file has changed since it was read").waitFor();
    expect(await seriousFindings(page)).toStrictEqual([]);
    await page.context().close();
    await outdated.close();
  });
});
