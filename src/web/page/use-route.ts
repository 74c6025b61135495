import { useEffect, useState } from "preact/hooks";
import { type Route, readRoute, writeRoute } from "./route.ts";

export function useRoute(): readonly [Route, (next: Partial<Route>) => void] {
  const [route, setRoute] = useState(() => readRoute(location.hash));
  useEffect(() => {
    const listen = (): void => setRoute(readRoute(location.hash));
    addEventListener("hashchange", listen);
    return () => removeEventListener("hashchange", listen);
  }, []);
  return [route, (next) => (location.hash = writeRoute(next))];
}
