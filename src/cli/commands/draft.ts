import { existsSync } from "node:fs";
import { type Command, parseCommand, type Shell, UsageError } from "../command.ts";
import { draftSpec } from "../draft/draft-spec.ts";
import { keepOperations, type Narrowing } from "../draft/keep-operations.ts";
import { readHar, type SeenRequest } from "../draft/read-har.ts";
import { sayDraft } from "../draft/say-draft.ts";
import { spareCompiling } from "../draft/spare-compiling.ts";
import { writeWhole } from "../write-whole.ts";

const HELP = `vitrine draft [SPEC]: write a curation to begin with, for any OpenAPI document (a file or an https URL)

At most 20 tools that only read, within 4,000 tokens: what the API is about, lists with their details, each value that a tool needs listed by another.
What is left to a person is marked \`decide:\`. The same document gives the same curation.

  -o FILE              write it there; the spec's path is then as seen from there. Without it the curation goes to stdout
  --force              write over a file that is there
  --update FILE        add to this curation what it does not have yet, and leave every line of it as it is; without SPEC with the document it names.
                       Operations under its key x-draft-without are not added
  --writes             draft also what changes something: each such tool asks first
  --from-traffic HAR   what recorded requests (a HAR file of a browser or a proxy) call comes first; only methods and paths are looked at
  --tags A,B           look only at operations with one of these tags
  --paths A,B          look only at these paths and below; * stands for anything: /zones,/servers/*/config
  --operations A,B     look only at these operations, by operationId or "METHOD /path"`;

export const draft: Command = {
  help: HELP,
  async run(args, shell) {
    const { values, positionals } = parseCommand(args, {
      positionals: "[SPEC]",
      options: {
        output: { type: "string", short: "o" },
        force: { type: "boolean", default: false },
        update: { type: "string" },
        writes: { type: "boolean", default: false },
        "from-traffic": { type: "string" },
        tags: { type: "string" },
        paths: { type: "string" },
        operations: { type: "string" },
      },
    });
    const { output, force, update } = values;
    const [spec] = positionals;
    if (update !== undefined) return updateThere(update, spec, values, shell);
    if (spec === undefined) throw new UsageError("SPEC is missing: an OpenAPI document, a file or an https URL.");
    if (output !== undefined && !force && existsSync(output))
      throw new UsageError(`${output} is there already. Write over it with --force.`);
    const keep = keepOperations(values);
    const request = {
      ...{ spec, file: output ?? "curation.yaml", writes: values.writes },
      ...trafficOf(values),
      ...(keep !== undefined && { keep }),
    };
    const drafted = await spareCompiling(() => draftSpec(request, shell));
    if (output === undefined) shell.print(drafted.draft.text.trimEnd());
    else writeWhole([{ path: output, text: drafted.draft.text }]);
    shell.note(sayDraft(drafted, output));
    return 0;
  },
};

interface Updating extends Narrowing {
  readonly output?: string | undefined;
  readonly force: boolean;
  readonly writes: boolean;
  readonly "from-traffic"?: string | undefined;
}

function trafficOf({ "from-traffic": file }: Pick<Updating, "from-traffic">): { traffic?: readonly SeenRequest[] } {
  return file === undefined ? {} : { traffic: readHar(file) };
}

async function updateThere(file: string, spec: string | undefined, values: Updating, shell: Shell): Promise<number> {
  if (values.output !== undefined || values.force) throw new UsageError("--update takes neither -o nor --force.");
  const keep = keepOperations(values);
  // Reads what people wrote, which takes more of the program than drafting does.
  const [{ updateFile }, { sayUpdate }, { formatFindings, sortFindings }] = await Promise.all([
    import("../draft/update-file.ts"),
    import("../draft/say-update.ts"),
    import("./format-findings.ts"),
  ]);
  const updated = await updateFile(
    {
      file,
      isNamed: values.operations !== undefined,
      writes: values.writes,
      ...trafficOf(values),
      ...(spec !== undefined && { spec }),
      ...(keep !== undefined && { keep }),
    },
    shell,
  );
  if ("errors" in updated) {
    shell.note(formatFindings(sortFindings(updated.errors), false));
    shell.note(`${file} has mistakes that no tool is alone with. Mend these first; nothing was written.`);
    return 1;
  }
  const { text } = updated.update;
  if (text !== updated.before) writeWhole([{ path: file, text }]);
  shell.note(sayUpdate(updated, file, spec ?? ""));
  return 0;
}
