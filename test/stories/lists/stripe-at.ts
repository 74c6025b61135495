import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSession, type Session } from "../../setup/clients.ts";
import { repository } from "../../setup/program.ts";

/** The Stripe curation as it ships, served for an upstream at `url` in Stripe's place. */
export async function openStripe(url: string): Promise<Session> {
  const file = join(mkdtempSync(join(tmpdir(), "vitrine-stripe-")), "stripe.yaml");
  const spec = `spec: ${join(repository, "specs/stripe.json")}\n  baseUrl: ${url}`;
  writeFileSync(
    file,
    readFileSync(join(repository, "curation/stripe.yaml"), "utf8").replace("spec: ../specs/stripe.json", spec),
  );
  return await openSession([file, "--root", "/"], { STRIPE_KEY: "rk_live_canary_0123456789" });
}
