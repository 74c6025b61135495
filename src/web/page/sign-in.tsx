import { useEffect, useRef } from "preact/hooks";
import { hosted, type Server } from "./ask.ts";
import { ThemeSwitch } from "./parts/theme-switch.tsx";

interface SignInProps {
  readonly refusal: string | undefined;
  /** Of the server that was asked for before. */
  readonly lastName: string;
  onServer(server: Server): void;
}

/** Asks for a server and a key. The field is read once, and never by the form: a sent form would put the key into an address. */
export function SignIn({ refusal, lastName, onServer }: SignInProps) {
  const name = useRef<HTMLInputElement>(null);
  const key = useRef<HTMLInputElement>(null);
  useEffect(() => (refusal === undefined ? name : key).current?.focus(), [refusal]);
  const open = (event: Event): void => {
    event.preventDefault();
    const [server, secret] = [name.current?.value.trim(), key.current?.value.trim()];
    if (server && secret) onServer(hosted(server, secret));
  };
  return (
    <>
      <header class="top">
        <p class="brand">vitrine</p>
        <ThemeSwitch />
      </header>
      <main class="sign-in">
        <h1>See what an agent sees</h1>
        <form onSubmit={open}>
          <div class="field">
            <label for="server-name">Server</label>
            <p id="server-help" class="help">
              The last part of its address: NAME of /mcp/NAME.
            </p>
            <input
              id="server-name"
              ref={name}
              defaultValue={lastName}
              required
              autocomplete="off"
              autocapitalize="none"
              spellcheck={false}
              aria-describedby="server-help"
            />
          </div>
          <div class="field">
            <label for="server-key">Key or access token</label>
            <p id="key-help" class="help">
              It stays in the memory of this page, until you close or reload it.
            </p>
            <input
              id="server-key"
              ref={key}
              type="password"
              required
              autocomplete="off"
              aria-invalid={refusal !== undefined}
              aria-describedby={refusal === undefined ? "key-help" : "key-help key-refusal"}
            />
            {refusal !== undefined && (
              <p id="key-refusal" class="wrong" role="alert">
                {refusal}
              </p>
            )}
          </div>
          <button type="submit" class="main-button">
            Open
          </button>
        </form>
      </main>
    </>
  );
}
