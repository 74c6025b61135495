/** Tools as a client sees them. */
export interface Server {
  readonly tools: readonly object[];
  call(tool: string, args: Record<string, unknown>): Promise<Answer>;
}

export interface Answer {
  /** What the agent reads. */
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: scripts read bodies of every shape.
  readonly json: any;
}

/** What an agent does with a server for one task. */
export type Script = (call: Server["call"]) => Promise<void>;

export interface Cost {
  readonly tools: number;
  readonly listBytes: number;
  readonly calls: number;
  readonly sent: number;
  readonly received: number;
}

/** Plays the script and counts: what the agent writes (arguments) and reads (replies), and the list of tools that it has before. */
export async function play(server: Server, script: Script): Promise<Cost> {
  let [calls, sent, received] = [0, 0, 0];
  await script(async (tool, args) => {
    const answer = await server.call(tool, args);
    calls += 1;
    sent += Buffer.byteLength(JSON.stringify(args));
    received += Buffer.byteLength(answer.text);
    return answer;
  });
  const listBytes = Buffer.byteLength(JSON.stringify(server.tools));
  return { tools: server.tools.length, listBytes, calls, sent, received };
}
