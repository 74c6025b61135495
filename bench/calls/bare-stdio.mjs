// The bare server of the SDK v2 over stdio.
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createBareServer } from "./bare-tools.mjs";

serveStdio(createBareServer);
