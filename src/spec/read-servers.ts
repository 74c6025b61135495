import type { Server } from "../model/api.ts";
import { isUrl } from "../model/is-url.ts";
import { isJsonObject, type Json, type JsonObject, ownValue } from "../model/json.ts";
import type { SpecDocument } from "./read-document.ts";
import { textOf } from "./read-field.ts";
import { spelledNumber } from "./spelled-as-meant.ts";

/** The servers of the innermost of `layers` (operation, path item) that states any, else the document's. */
export function readServers(document: SpecDocument, layers: readonly JsonObject[]): readonly Server[] {
  if (document.version === "2.0") return readHost(document, layers);
  for (const layer of [...layers, document.root]) {
    const servers = readServerList(ownValue(layer, "servers"));
    if (servers.length > 0) return servers;
  }
  return [];
}

function readServerList(raw: Json | undefined): Server[] {
  if (!Array.isArray(raw)) return [];
  return raw.filter(isJsonObject).flatMap((server) => {
    const url = textOf(server, "url");
    const name = textOf(server, "name");
    const variables = readVariables(ownValue(server, "variables"));
    return url === undefined ? [] : [{ url, ...(name !== undefined && { name }), variables }];
  });
}

function readVariables(raw: Json | undefined): Server["variables"] {
  if (!isJsonObject(raw)) return [];
  return Object.entries(raw).flatMap(([name, variable]) => {
    if (!isJsonObject(variable)) return [];
    const values = ownValue(variable, "enum");
    const allowed =
      Array.isArray(values) && values.length > 0
        ? values.flatMap((value: Json, at) => scalarText(values, String(at), value) ?? [])
        : undefined;
    const preset = scalarText(variable, "default", ownValue(variable, "default")) ?? allowed?.[0];
    return preset === undefined ? [] : [{ name, default: preset, ...(allowed !== undefined && { enum: allowed }) }];
  });
}

function scalarText(holder: object, key: string, value: Json | undefined): string | undefined {
  if (typeof value === "number") return spelledNumber(holder, key, value);
  return typeof value === "string" || typeof value === "boolean" ? String(value) : undefined;
}

// Swagger 2.0: `schemes` × `host` + `basePath`; without a host the URL is relative to where the document lies.
function readHost(document: SpecDocument, layers: readonly JsonObject[]): Server[] {
  const basePath = textOf(document.root, "basePath") ?? "";
  const host = textOf(document.root, "host");
  if (host === undefined || host === "") return basePath === "" ? [] : [{ url: basePath, variables: [] }];
  const base = basePath === "" || basePath.startsWith("/") ? basePath : `/${basePath}`;
  if (isUrl(host)) return [{ url: host + base, variables: [] }];
  return readSchemes(document, layers).map((scheme) => ({ url: `${scheme}://${host}${base}`, variables: [] }));
}

function readSchemes(document: SpecDocument, layers: readonly JsonObject[]): string[] {
  for (const layer of [...layers, document.root]) {
    const stated = ownValue(layer, "schemes");
    const schemes = (Array.isArray(stated) ? stated : []).filter((scheme) => scheme === "https" || scheme === "http");
    // The safer one first, in whatever order they are written.
    if (schemes.length > 0) return [...new Set(schemes)].sort().reverse();
  }
  return [/^http:/i.test(document.source) ? "http" : "https"];
}
