import type { Binding } from "../../model/call.ts";
import type { Schema } from "../../model/schema.ts";
import { descendSchema } from "../types/descend-schema.ts";
import { flattenSchema, ownProperty, type Spot } from "../types/flatten-schema.ts";
import { listVariants } from "../types/list-variants.ts";
import { residualSchema } from "../types/residual-schema.ts";
import { mediaKind } from "./open-media.ts";
import type { Target } from "./request-places.ts";

/**
 * What the spec asks of a body that is put together from several values, as far as no value tells by itself: the choices between its forms, and
 * what an object must have once something else in it is sent. Undefined where it asks for nothing more.
 */
export function bodyCheck(target: Target, bindings: readonly Binding[]): Schema | undefined {
  const { media, unchecked } = target;
  const inside = bindings.filter(({ place, pinned }) => place.in === "body" && place.pointer.length > 0 && !pinned);
  if (unchecked || media?.schema === undefined || inside.length === 0) return undefined;
  if (!["json", "form", "multipart"].includes(mediaKind(media.mediaType))) return undefined;
  const whole: Spot = { schema: media.schema, trail: [] };
  const sure = bindings.filter(isSure).map(({ place }) => place.pointer);
  const required = requiredInside({ spot: whole, pointers: inside.map(({ place }) => place.pointer), sure }, target);
  // Files and the texts of forms are not what the schema describes.
  const residual = mediaKind(media.mediaType) === "json" ? residualSchema(whole, target.reader) : undefined;
  if (residual === undefined || required === undefined) return residual ?? required;
  return { allOf: [required, residual] };
}

/** Whether the value is there whenever the object around it is. */
function isSure({ place, required, pinned, whereSent, value }: Binding): boolean {
  return place.in === "body" && (required || pinned || whereSent === true || value.kind === "literal");
}

type Pointers = readonly (readonly string[])[];

interface Opened {
  readonly spot: Spot;
  /** Where in the object values go. */
  readonly pointers: Pointers;
  /** Where in it something surely is. */
  readonly sure: Pointers;
}

/** The `required` of each object that a pointer leads into, but for what is there anyway. */
function requiredInside({ spot, pointers, sure }: Opened, target: Target): Schema | undefined {
  const { reader } = target;
  const { variants } = listVariants(flattenSchema(spot, reader), reader);
  const [object, other] = variants;
  if (object === undefined || other !== undefined || object.types[0] !== "object") return undefined;
  const { own, trail } = object;
  const required = (own.required ?? []).filter((name) => {
    if (reader.pinned.has(name.toLowerCase()) || sure.some(([head]) => head === name)) return false;
    const schema = ownProperty(own, name);
    return schema === undefined || flattenSchema({ schema, trail }, reader).own.readOnly !== true;
  });
  const heads = new Set(pointers.filter((pointer) => pointer.length > 1).map(([head]) => head!));
  const properties = [...heads].flatMap((head) => {
    const descent = descendSchema(spot, [head], reader);
    if (descent.kind !== "found") return [];
    const below = (all: Pointers) =>
      all.filter((pointer) => pointer.length > 1 && pointer[0] === head).map(([, ...rest]) => rest);
    const inner = requiredInside({ spot: descent.spot, pointers: below(pointers), sure: below(sure) }, target);
    return inner === undefined ? [] : [[head, inner] as const];
  });
  if (required.length === 0 && properties.length === 0) return undefined;
  return {
    ...(required.length > 0 && { required }),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
  };
}
