import { curationJsonSchema } from "../../curation/print-schema.ts";
import { type Command, parseCommand } from "../command.ts";

const HELP = `vitrine schema: print the JSON Schema of the curation file, for editors and validators`;

export const schema: Command = {
  help: HELP,
  async run(args, shell) {
    parseCommand(args, { positionals: "", options: {}, later: ["host"] });
    shell.print(JSON.stringify(curationJsonSchema(), null, 2));
    return 0;
  },
};
