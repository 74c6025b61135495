import fc from "fast-check";
import { expect, test } from "vitest";
import type { Caller } from "../../../src/model/exchange.ts";
import { askedOf, bind, call, confirmTool, inBody, patchCall, readCall, start } from "./confirm-fixture.ts";

const ARGS = [
  { zone: "a.example", address: "192.0.2.1" },
  { zone: "a.example", address: "192.0.2.2" },
  { zone: "b.example", address: "192.0.2.1" },
];
const KEYS = [{ account: "a-1" }, { account: "a-2" }];

const at = fc.nat({ max: 30 });
const which = fc.record({ args: fc.nat({ max: 2 }), key: fc.nat({ max: 1 }) });
const way = fc.constantFrom<"argument" | "person">("argument", "person");
const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant("ask" as const), which, way }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("answer" as const), which, way, at, honest: fc.constant(false) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("answer" as const), which, way, at, honest: fc.constant(true) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("change" as const), to: fc.nat({ max: 2 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("pass" as const), ms: fc.nat({ max: 200_000 }) }) },
);

interface Asked {
  readonly token: string;
  readonly which: { readonly args: number; readonly key: number };
  readonly way: "argument" | "person";
  /** What the upstream held, which stands in the request. */
  readonly held: number;
  readonly made: number;
  used: boolean;
}

test("whatever is called in whatever order: a write is sent exactly where its own question was answered, in time, for the first time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 40 }), async (commands) => {
      let [held, now] = [0, 0];
      const bindings = [...patchCall.bindings, bind(inBody("was"), "steps.read.held")];
      const steps = [call("read", readCall), call("write", { ...patchCall, bindings }, { needs: [0] })];
      const tool = confirmTool({ plan: { kind: "steps", steps } });
      const { run, sent, pass } = start([tool], () => ({ held }));
      const asked: Asked[] = [];

      const note = async (one: Asked["which"], from: Asked["way"], given: { confirm?: string; confirmed?: string }) => {
        const { confirm, confirmed } = given;
        const caller: Partial<Caller> = {
          key: KEYS[one.key]!,
          canAsk: from === "person",
          ...(confirmed && { confirmed }),
        };
        const reply = await run({ ...ARGS[one.args], ...(confirm && { confirm }) }, caller);
        if (reply.isError || reply.confirmation === undefined) return;
        expect(askedOf(reply).requests).toMatchObject([{ body: { address: ARGS[one.args]!.address, was: held } }]);
        asked.push({ token: reply.confirmation.token, which: one, way: from, held, made: now, used: false });
      };

      for (const step of commands) {
        const before = sent.filter(({ method }) => method === "PATCH").length;
        let want: object[] = [];
        if (step.do === "change") held = step.to;
        else if (step.do === "pass") {
          now += step.ms;
          pass(step.ms);
        } else if (step.do === "ask") await note(step.which, step.way, {});
        else {
          const known = asked.length === 0 ? undefined : asked[step.at % asked.length]!;
          const one = step.honest && known !== undefined ? known : step;
          const isRight =
            known !== undefined &&
            !known.used &&
            known.way === one.way &&
            known.which.args === one.which.args &&
            known.which.key === one.which.key &&
            known.held === held &&
            now - known.made < 300_000;
          if (known !== undefined && isRight) {
            known.used = true;
            const pin = KEYS[one.which.key]!.account;
            want = [{ body: { address: ARGS[one.which.args]!.address, was: held, pin } }];
          }
          const token = known?.token ?? "made-up";
          await note(one.which, one.way, one.way === "person" ? { confirmed: token } : { confirm: token });
        }
        expect(sent.filter(({ method }) => method === "PATCH").slice(before)).toMatchObject(want);
        expect(sent.filter(({ method }) => method === "PATCH")).toHaveLength(before + want.length);
      }
    }),
    { numRuns: 150 },
  );
}, 60_000);
