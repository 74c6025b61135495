import { existsSync } from "node:fs";
import { type Command, parseCommand, UsageError } from "../command.ts";
import { draftSpec } from "../draft/draft-spec.ts";
import { keepOperations } from "../draft/keep-operations.ts";
import { sayDraft } from "../draft/say-draft.ts";
import { writeWhole } from "../write-whole.ts";

const HELP = `vitrine draft SPEC: write a curation to begin with, for any OpenAPI document (a file or an https URL)

At most 20 tools that only read, within 4,000 tokens: what the API is about, lists with their details, each value that a tool needs listed by another.
What is left to a person is marked \`decide:\`. The same document gives the same curation.

  -o FILE              write it there; the spec's path is then as seen from there. Without it the curation goes to stdout
  --force              write over a file that is there
  --tags A,B           look only at operations with one of these tags
  --paths A,B          look only at these paths and below; * stands for anything: /zones,/servers/*/config
  --operations A,B     look only at these operations, by operationId or "METHOD /path"`;

export const draft: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseCommand(args, {
      positionals: "SPEC",
      options: {
        output: { type: "string", short: "o" },
        force: { type: "boolean", default: false },
        tags: { type: "string" },
        paths: { type: "string" },
        operations: { type: "string" },
      },
    });
    const { output, force } = values;
    if (output !== undefined && !force && existsSync(output))
      throw new UsageError(`${output} is there already. Write over it with --force.`);
    const keep = keepOperations(values);
    const drafted = await draftSpec(
      { spec: positionals[0] ?? "", file: output ?? "curation.yaml", ...(keep !== undefined && { keep }) },
      shell,
    );
    if (output === undefined) shell.print(drafted.draft.text.trimEnd());
    else writeWhole([{ path: output, text: drafted.draft.text }]);
    shell.note(sayDraft(drafted, output));
    return 0;
  },
};
