import { explain, main } from "./main.ts";
import { endOnFault, openShell } from "./output.ts";
import { cacheCode } from "./toolset/cache-code.ts";

cacheCode(process.env);
const shell = openShell();
endOnFault((error) => explain(error, shell));
void main(process.argv.slice(2), shell).then((code) => {
  process.exitCode = code;
  // A connection that somebody keeps open must not keep a finished command alive.
  setTimeout(() => process.exit(), 1000).unref();
});
