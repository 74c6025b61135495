// The server by hand over stdio.
import { createInterface } from "node:readline";
import { answerByHand } from "./answer-by-hand.mjs";

createInterface({ input: process.stdin })
  .on("line", async (line) => {
    const answer = await answerByHand(JSON.parse(line));
    if (answer !== undefined) process.stdout.write(`${JSON.stringify(answer)}\n`);
  })
  .on("close", () => process.exit());
