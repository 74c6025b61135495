import type { Unleash } from "../setup/unleash.ts";

const PROJECTS = ["default", "shop", "pay"];
const TYPES = ["release", "experiment", "operational", "kill-switch", "permission"];
const AREAS = ["basket", "search", "login", "refund"];
/** What the server takes for a name, and what its filters or a client might take for something else. */
const HOSTILE_NAMES = [
  "a!~*.b_(c)'d",
  "100_percent",
  "100xpercent",
  "IS_NOT.default",
  "UPPER-Case",
  "upper-case",
  "null",
  "constructor",
  "--",
  "it's",
];
const DESCRIPTIONS = [
  undefined,
  "Rolled out step by step",
  "100% of users",
  "100x of users",
  'O\'Hara said: "off" \\ on',
  "one, two; three",
  "Grüße, straße — 日本",
];
const TAGS = [
  ["simple", "web"],
  ["simple", "mobile"],
  ["team", "web"],
  ["team", "a:b"],
] as const;
/** Tags whose commas and spaces the server's own filter cannot tell from its separators. */
const HOSTILE_TAGS = [
  ["simple", "web,simple:mobile"],
  ["simple", " web "],
] as const;

/** How many flags there are in all, archived ones too. */
export const FLAGS = 140;

/**
 * 140 flags over three projects and all types, many of them made in the same moment. The server makes flags, tags, users and events itself;
 * what it would set to the present moment, or has no call for without a licence, is written in its database.
 */
export async function seedUnleash({ ask, sql }: Unleash): Promise<void> {
  for (const id of PROJECTS.slice(1)) {
    await sql("insert into projects(id, name) values ($1::text, initcap($1::text))", [id]);
    await sql(
      "insert into project_environments(project_id, environment_name) select $1::text, name from environments",
      [id],
    );
  }
  for (const username of ["ana", "bo"]) await ask("POST", "/api/admin/user-admin", { username, rootRole: 1 });
  await ask("POST", "/api/admin/tag-types", { name: "team" });
  const names = Array.from({ length: FLAGS }, (_, index) => nameFlag(index));
  await inTurns(names, async (name, index) => {
    const project = PROJECTS[index % 7 === 0 ? 2 : index % 2]!;
    const flag = { name, type: TYPES[index % TYPES.length], description: DESCRIPTIONS[index % DESCRIPTIONS.length] };
    await ask("POST", `/api/admin/projects/${project}/features`, flag);
    for (const environment of environmentsOf(index))
      await ask("POST", `/api/admin/projects/${project}/features/${name}/environments/${environment}/on`);
    for (const [type, value] of tagsOf(index)) await ask("POST", `/api/admin/features/${name}/tags`, { type, value });
  });
  for (const [index, name] of names.entries()) await sql(FLAG_PAST, [name, index]);
  await sql(POTENTIALLY_STALE);
  await sql(INITIAL_STAGES);
  await sql(LATER_STAGES);
}

function nameFlag(index: number): string {
  return HOSTILE_NAMES[index] ?? `${AREAS[index % AREAS.length]}-${String(index).padStart(3, "0")}`;
}

function environmentsOf(index: number): readonly string[] {
  return [...(index % 6 === 0 ? ["production"] : []), ...(index % 10 === 0 ? ["development"] : [])];
}

function tagsOf(index: number): readonly (readonly [string, string])[] {
  return [
    ...TAGS.filter((_, tag) => index % (3 + 2 * tag) === 1),
    ...HOSTILE_TAGS.filter((_, tag) => index % 40 === 3 + tag),
  ];
}

/** Four calls at a time: the server has that many connections to its database. */
async function inTurns<Item>(items: readonly Item[], run: (item: Item, index: number) => Promise<void>): Promise<void> {
  const rest = [...items.entries()];
  const worker = async () => {
    for (let next = rest.shift(); next; next = rest.shift()) await run(next[1], next[0]);
  };
  await Promise.all(Array.from({ length: 4 }, worker));
}

/** $1 is the name, $2 the index. Each four flags share a moment, some of them midnight; flags of old versions have no creator. */
const FLAG_PAST = `
  update features set
    created_at = '2025-01-01T00:00:00Z'::timestamptz + ($2::int / 4) * interval '7 days 5 hours',
    created_by_user_id = case when $2 % 5 = 0 then null when $2 % 2 = 0 then 1 else 2 end,
    stale = $2 % 6 = 2,
    last_seen_at = case when $2 % 3 = 0 then '2025-06-01T00:00:00Z'::timestamptz + $2 * interval '11 hours' end,
    archived = $2 % 11 = 5,
    archived_at = case when $2 % 11 = 5 then '2025-11-01T10:00:00Z'::timestamptz + $2 * interval '1 minute' end
  where name = $1`;

/** What the server's own job would find within a minute, so that nothing changes under a test. */
const POTENTIALLY_STALE = `
  update features set potentially_stale = coalesce(now() > features.created_at + lifetime_days * interval '1 day', false)
  from feature_types where feature_types.id = features.type and not stale and archived_at is null`;

const INITIAL_STAGES = `
  insert into feature_lifecycles(feature, stage, created_at) select name, 'initial', created_at from features
  on conflict (feature, stage) do update set created_at = excluded.created_at`;

const LATER_STAGES = `
  insert into feature_lifecycles(feature, stage, created_at)
  select name, case when type = 'release' then 'live' else 'pre-live' end, created_at + interval '1 day'
  from features where type in ('release', 'experiment')`;
