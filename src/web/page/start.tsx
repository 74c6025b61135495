import { render } from "preact";
import { useState } from "preact/hooks";
import type { PageKind } from "../page-data.ts";
import { SERVED, type Server } from "./ask.ts";
import { Page } from "./page.tsx";
import { SignIn } from "./sign-in.tsx";

const root = document.getElementById("page");
const kind: PageKind = document.documentElement.dataset["kind"] === "host" ? "host" : "serve";
if (root !== null) render(kind === "host" ? <HostedPage /> : <Page server={SERVED} />, root);

function HostedPage() {
  const [server, setServer] = useState<Server>();
  const [refusal, setRefusal] = useState<string>();
  const [lastName, setLastName] = useState("");
  const leave = (why?: string): void => {
    setLastName(server?.name ?? "");
    setServer(undefined);
    setRefusal(why);
  };
  if (server === undefined) return <SignIn refusal={refusal} lastName={lastName} onServer={setServer} />;
  return <Page key={server.base} server={server} onLeave={leave} />;
}
