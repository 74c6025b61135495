#!/usr/bin/env node
import { main } from "./main.ts";
import { openShell } from "./output.ts";
import { cacheCode } from "./toolset/cache-code.ts";

cacheCode(process.env);
process.exitCode = await main(process.argv.slice(2), openShell());
// A connection that somebody keeps open must not keep a finished command alive.
setTimeout(() => process.exit(), 1000).unref();
