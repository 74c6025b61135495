import type { Api, MediaType, Operation, Parameter } from "../../model/api.ts";
import type { Place } from "../../model/place.ts";
import type { TypeReader } from "../types/type-reader.ts";

/** One operation with what is decided about it, as every search for a place needs it. */
export interface Target {
  readonly api: Api;
  readonly operation: Operation;
  /** The media type in which a body is sent; undefined where the operation takes none. */
  readonly media: MediaType | undefined;
  readonly reader: TypeReader;
  /** Headers, parameters and cookies that carry credentials: `in.name`, in lower case. */
  readonly credentials: ReadonlySet<string>;
  /** The author says that the spec is wrong: places that it does not know are allowed. */
  readonly unchecked: boolean;
}

export function findParameter(target: Target, place: Place): Parameter | undefined {
  if (place.in === "body") return undefined;
  return target.operation.parameters.find(
    (one) => one.in === place.in && (!("name" in place) || sameName(one, place.name)),
  );
}

/** RFC 9110 5.1: the names of headers count without letter case, all others with it. */
export function sameName(parameter: Pick<Parameter, "in" | "name">, name: string): boolean {
  return parameter.in === "header" ? parameter.name.toLowerCase() === name.toLowerCase() : parameter.name === name;
}

/** The place of a whole parameter. */
export function placeOf({ in: where, name }: Pick<Parameter, "in" | "name">): Place {
  return where === "querystring" ? { in: where, pointer: [] } : { in: where, name, pointer: [] };
}

/** Whether a parameter is what a security scheme or the curation's own credential sends: no caller and no argument fills it. */
export function isCredential(target: Target, place: Pick<Parameter, "name"> & { readonly in: string }): boolean {
  return target.credentials.has(`${place.in}.${place.name.toLowerCase()}`);
}
