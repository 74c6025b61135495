import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { repository } from "./program.ts";
import { findProgram } from "./servers.ts";

export const haveBrowser = findProgram("chromium") !== undefined;

/** Debian's Chromium, without a window. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findProgram("chromium")! });
}

/** A page of a browser as new, and what it did that a good page does not. */
export interface Watched {
  readonly page: Page;
  /** What the console and uncaught errors said: a policy that was broken says so there. */
  readonly complaints: string[];
  /** Every address that was asked for. */
  readonly requests: string[];
  /** Dialogs, pop-ups and downloads. */
  readonly surprises: string[];
}

export async function openWatched(browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const watched: Watched = { page, complaints: [], requests: [], surprises: [] };
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") watched.complaints.push(message.text());
  });
  page.on("pageerror", (error) => watched.complaints.push(String(error.stack ?? error)));
  page.on("request", (request) => watched.requests.push(request.url()));
  page.on("dialog", (dialog) => {
    watched.surprises.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on("page", (other) => void watched.surprises.push(`page ${other.url()}`));
  page.on("download", (download) => watched.surprises.push(`download ${download.url()}`));
  return watched;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe-core finds of impact serious or critical, each as its rule and the element. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    // Only in the browser is it there.
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  });
}

/** Opens all that is folded in. */
export async function unfold(page: Page): Promise<void> {
  await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true");
}

/** Kept for whoever wants to see what a run saw; not in git. */
export async function keepPicture(page: Page, name: string): Promise<void> {
  const folder = join(repository, "test-artifacts");
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
