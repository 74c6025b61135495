import { useEffect, useState } from "preact/hooks";

const THEMES = [
  ["auto", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
] as const;
type Theme = (typeof THEMES)[number][0];

const PLACE = "vitrine-theme";

export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(readTheme);
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    keepTheme(theme);
  }, [theme]);
  return (
    <label class="theme">
      <span class="unseen">Colours</span>
      <select value={theme} onChange={({ currentTarget }) => setTheme(themeOf(currentTarget.value))}>
        {THEMES.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}

const themeOf = (text: string | null): Theme => THEMES.find(([value]) => value === text)?.[0] ?? "auto";

// A browser may refuse its storage; then the choice lasts as long as the page.
function readTheme(): Theme {
  try {
    return themeOf(localStorage.getItem(PLACE));
  } catch {
    return "auto";
  }
}

function keepTheme(theme: Theme): void {
  try {
    if (theme === "auto") localStorage.removeItem(PLACE);
    else localStorage.setItem(PLACE, theme);
  } catch {}
}
