import { expect, test } from "vitest";
import { parse } from "yaml";
import { draftText } from "./draft-api.ts";
import { answer } from "./shop-document.ts";

// What people of four trades do every day with an API of their own, told before it was drafted. No name here is of a published document.

interface Trade {
  /** By collection: the properties of one, and what there is beside reading. */
  readonly things: Readonly<Record<string, readonly [properties: string, methods: string, query?: string]>>;
  /** Must be tools. */
  readonly wanted: readonly string[];
  /** Must be none. */
  readonly unwanted: readonly string[];
  /** By tool and input, the list that has its values. */
  readonly found: Readonly<Record<string, string>>;
}

const text = { type: "string" };
const FILLERS = "name created_at status note size weight origin maker stock tax_class";

/** `r` reads the list, `o` one of them, `c` makes, `u` changes and `d` deletes one. */
function documentOf({ things }: Pick<Trade, "things">): object {
  const operations = Object.entries(things).flatMap(([collection, [properties, methods, query = ""]]) => {
    const names = ["id", ...properties.split(" ").filter((name) => name !== ""), ...FILLERS.split(" ").slice(0, 3)];
    const row = { type: "object", properties: Object.fromEntries(names.map((name) => [name, text])) };
    const whole = {
      ...row,
      properties: { ...row.properties, ...Object.fromEntries(FILLERS.split(" ").map((name) => [name, text])) },
    };
    const last = collection.split("/").at(-1)!;
    const ownKeys = [...collection.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name: name!,
      in: "path",
      required: true,
      schema: text,
    }));
    const key = { name: `${last.replace(/s$/, "").replaceAll("-", "_")}_id`, in: "path", required: true, schema: text };
    const asked = query.split(" ").filter((name) => name !== "");
    const parameters = [...ownKeys, ...asked.map((name) => ({ name, in: "query", schema: text }))];
    const done = { 204: { description: "done" } };
    const on = (letter: string, method: string, more: object) => (methods.includes(letter) ? { [method]: more } : {});
    return [
      [
        collection,
        {
          ...on("r", "get", { parameters, responses: answer({ type: "array", items: row }) }),
          ...on("c", "post", { parameters: ownKeys, responses: done }),
        },
      ],
      [
        `${collection}/{${key.name}}`,
        {
          ...on("o", "get", { parameters: [...ownKeys, key], responses: answer(whole) }),
          ...on("u", "patch", { parameters: [...ownKeys, key], responses: done }),
          ...on("d", "delete", { parameters: [...ownKeys, key], responses: done }),
        },
      ],
    ] as const;
  });
  return {
    openapi: "3.1.0",
    info: { title: "Trade API", version: "1" },
    servers: [{ url: "https://api.trade.io" }],
    paths: Object.fromEntries(operations.filter(([, item]) => Object.keys(item).length > 0)),
  };
}

/** What every product has and nobody asks an agent for. */
const OFFICE: Trade["things"] = {
  "/webhooks": ["url", "rocud"],
  "/api-keys": ["label", "rcd"],
  "/settings/taxes": ["rate", "ru"],
  "/settings/languages": ["code", "r"],
  "/email-templates": ["subject", "rocud"],
  "/exports": ["format", "rc"],
  "/admin/licenses": ["seat", "r"],
  "/policies": ["text", "rou"],
};
const NO_OFFICE = Object.keys(OFFICE).map((collection) => `GET ${collection}`);

const trades: [name: string, trade: Trade][] = [
  [
    "a shop",
    {
      things: {
        "/baskets": ["shopper_id", "rcud"],
        "/shoppers": ["email", "rocud", "q"],
        "/shoppers/{shopper_id}/wishes": ["article_id", "rcd"],
        "/articles": ["price", "rocud", "q"],
        "/articles/{article_id}/ratings": ["shopper_id stars", "rocd"],
        "/purchases": ["shopper_id article_id total", "rocu", "status created_after"],
        "/purchases/{purchase_id}/parcels": ["carrier tracking", "rocu"],
        "/returns": ["purchase_id reason", "rocu", "status"],
        "/article-import-mappings": ["column", "rocud"],
        "/shopper-merge-proposals": ["reason", "rou"],
        "/article-image-renditions": ["width", "rod"],
        ...OFFICE,
      },
      wanted: [
        "GET /shoppers",
        "GET /articles",
        "GET /purchases",
        "GET /purchases/{purchase_id}",
        "GET /returns",
        "GET /purchases/{purchase_id}/parcels",
      ],
      unwanted: ["GET /article-import-mappings", "GET /article-image-renditions", ...NO_OFFICE],
      found: { "GET /purchases/{purchase_id}/parcels purchase_id": "GET /purchases" },
    },
  ],
  [
    "a hospital",
    {
      things: {
        "/patients": ["family_name birth_date", "rocu", "q"],
        "/patients/{patient_id}/allergies": ["substance", "rocd"],
        "/patients/{patient_id}/prescriptions": ["drug dose doctor_id", "rocud"],
        "/wards": ["floor", "ro"],
        "/wards/{ward_id}/beds": ["patient_id", "rou"],
        "/doctors": ["speciality ward_id", "ro"],
        "/visits": ["patient_id doctor_id", "rocud", "start_date end_date"],
        "/lab-findings": ["patient_id value", "r", "since until"],
        "/consent-form-revisions": ["text", "rocud"],
        "/coding-system-mappings": ["code", "rocud"],
        ...OFFICE,
      },
      wanted: [
        "GET /patients",
        "GET /patients/{patient_id}",
        "GET /visits",
        "GET /doctors",
        "GET /wards",
        "GET /lab-findings",
        "GET /patients/{patient_id}/prescriptions",
      ],
      unwanted: ["GET /coding-system-mappings", ...NO_OFFICE],
      found: {
        "GET /patients/{patient_id} patient_id": "GET /patients",
        "GET /patients/{patient_id}/prescriptions patient_id": "GET /patients",
      },
    },
  ],
  [
    "a box office",
    {
      things: {
        "/venues": ["city", "rocud"],
        "/venues/{venue_id}/halls": ["seats", "rocud"],
        "/shows": ["venue_id artist_id", "rocud", "from_date to_date"],
        "/shows/{show_id}/performances": ["start hall_id", "rocud"],
        "/artists": ["genre", "rocud", "q"],
        "/tickets": ["show_id guest_id price seat", "rocu", "status"],
        "/guests": ["email", "rocud", "q"],
        "/payouts": ["show_id amount", "ro", "since"],
        "/beta/seat-heat-maps": ["show_id", "r"],
        "/ticket-layout-preview-fonts": ["family", "rocud"],
        ...OFFICE,
      },
      wanted: [
        "GET /shows",
        "GET /shows/{show_id}",
        "GET /tickets",
        "GET /guests",
        "GET /venues",
        "GET /artists",
        "GET /payouts",
        "GET /shows/{show_id}/performances",
      ],
      unwanted: ["GET /beta/seat-heat-maps", "GET /ticket-layout-preview-fonts", ...NO_OFFICE],
      found: { "GET /shows/{show_id}/performances show_id": "GET /shows" },
    },
  ],
  [
    "things that measure",
    {
      things: {
        "/sites": ["city", "rocud"],
        "/sites/{site_id}/gateways": ["serial", "rocud"],
        "/sensors": ["gateway_id site_id kind", "rocud", "kind"],
        "/sensors/{sensor_id}/readings": ["value unit", "r", "since until"],
        "/alarms": ["sensor_id severity", "rou", "status since"],
        "/firmware-rollout-rings": ["version", "rocud"],
        "/sensors/{sensor_id}/calibration/curves/points": ["x y", "rcd"],
        ...OFFICE,
      },
      wanted: [
        "GET /sites",
        "GET /sensors",
        "GET /sensors/{sensor_id}",
        "GET /sensors/{sensor_id}/readings",
        "GET /alarms",
        "GET /sites/{site_id}/gateways",
      ],
      unwanted: ["GET /api-keys", "GET /email-templates", "GET /admin/licenses"],
      found: {
        "GET /sensors/{sensor_id}/readings sensor_id": "GET /sensors",
        "GET /sites/{site_id}/gateways site_id": "GET /sites",
      },
    },
  ],
];

test.each(trades)("%s gets what is asked for every day, and each ID from a list", async (_, trade) => {
  const { text: drafted } = await draftText(documentOf(trade));
  const { tools, entities = {} } = parse(drafted) as {
    tools: Record<string, { operation: string; input?: Record<string, { entity?: string } | null> }>;
    entities?: Record<string, { from: string }>;
  };
  const chosen = Object.values(tools).map(({ operation }) => operation);
  expect(trade.wanted.filter((operation) => !chosen.includes(operation))).toStrictEqual([]);
  expect(trade.unwanted.filter((operation) => chosen.includes(operation))).toStrictEqual([]);
  const found = Object.keys(trade.found).map((place) => {
    const at = place.lastIndexOf(" ");
    const tool = Object.values(tools).find(({ operation }) => operation === place.slice(0, at));
    const entity = tool?.input?.[place.slice(at + 1)]?.entity ?? "";
    return [place, tools[entities[entity]?.from ?? ""]?.operation];
  });
  expect(Object.fromEntries(found)).toStrictEqual(trade.found);
});
