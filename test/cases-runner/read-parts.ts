/** One part of a multipart body, read by the letter of RFC 2046 and RFC 7578. */
export interface ReadPart {
  readonly name: string;
  readonly filename?: string;
  readonly type?: string;
  readonly content: Buffer;
}

export function readParts(contentType: string, body: Buffer): ReadPart[] {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1] ?? "";
  const text = body.toString("latin1");
  const pieces = `\r\n${text}`.split(`\r\n--${boundary}`);
  return pieces.slice(1, -1).map((piece) => {
    const end = piece.indexOf("\r\n\r\n");
    const lines = piece
      .slice(0, end)
      .split("\r\n")
      .filter((line) => line !== "");
    const header = (name: string) =>
      lines
        .find((line) => line.toLowerCase().startsWith(`${name}:`))
        ?.slice(name.length + 1)
        .trim();
    const disposition = header("content-disposition") ?? "";
    const parameter = (name: string) => new RegExp(`[; ]${name}="([^"]*)"`).exec(disposition)?.[1];
    const [filename, type] = [parameter("filename"), header("content-type")];
    return {
      name: parameter("name") ?? "",
      ...(filename !== undefined && { filename }),
      ...(type !== undefined && { type }),
      content: Buffer.from(piece.slice(end + 4), "latin1"),
    };
  });
}
