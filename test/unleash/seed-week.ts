import type { Unleash } from "../setup/unleash.ts";

/** How many flags were made in the project `shop`, two of them last month. */
export const WEEK_FLAGS = 26;

/** A project in which much happened this week and something before, and another one. */
export async function seedWeek({ ask, sql }: Unleash): Promise<void> {
  await sql("insert into projects(id, name) values ('shop', 'Shop')", []);
  await sql("insert into project_environments(project_id, environment_name) select 'shop', name from environments", []);
  for (let index = 0; index < WEEK_FLAGS; index += 1)
    await ask("POST", "/api/admin/projects/shop/features", { name: `week-${index}`, type: "release" });
  await ask("POST", "/api/admin/projects/default/features", { name: "elsewhere", type: "release" });
  await ask("POST", "/api/admin/projects/shop/features/week-20/environments/production/on");
  await ask("DELETE", "/api/admin/projects/shop/features/week-4");
  for (const name of ["everywhere", "old"]) await ask("POST", "/api/admin/segments", { name, constraints: [] });
  await ask("POST", "/api/admin/segments", { name: "of-shop", project: "shop", constraints: [] });
  await ask("POST", "/api/admin/segments", { name: "of-default", project: "default", constraints: [] });
  // Two flags, their events and one segment are of last month.
  const past = "now() - interval '30 days'";
  await sql(`update features set created_at = ${past} where name in ('week-0', 'week-1')`, []);
  await sql(`update events set created_at = ${past} where feature_name in ('week-0', 'week-1')`, []);
  await sql(`update segments set created_at = ${past} where name = 'old'`, []);
}
