import { type Command, parseCommand } from "../command.ts";

const HELP = `vitrine schema: print the JSON Schema of the curation file, for editors and validators

  --host               of the host file instead`;

export const schema: Command = {
  help: HELP,
  async run(args, shell) {
    const { values } = parseCommand(args, { positionals: "", options: { host: { type: "boolean", default: false } } });
    const schema = values.host
      ? (await import("../../host/print-host-schema.ts")).hostJsonSchema()
      : (await import("../../curation/print-schema.ts")).curationJsonSchema();
    shell.print(JSON.stringify(schema, null, 2));
    return 0;
  },
};
