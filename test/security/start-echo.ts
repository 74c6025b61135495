import { serve } from "../egress/serve.ts";

export interface Echo {
  readonly url: string;
  /** The modes that it was asked for. */
  readonly heard: string[];
  close(): Promise<void>;
}

/** An API of one thing, which has the name of the mode that is asked for. */
export async function startEcho(): Promise<Echo> {
  const heard: string[] = [];
  const { url, close } = await serve((request, response) => {
    const mode = new URL(request.url ?? "", "http://upstream").searchParams.get("mode") ?? "";
    heard.push(mode);
    response
      .writeHead(200, { "content-type": "application/json" })
      .end(JSON.stringify({ things: [{ id: 1, name: mode }] }));
  });
  return { url, heard, close };
}
