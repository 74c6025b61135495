import { ScrollBox } from "./scroll-box.tsx";

interface JsonTextProps {
  readonly text: string;
  readonly label: string;
}

/** A long text of others, as it is. */
export function JsonText({ text, label }: JsonTextProps) {
  return (
    <ScrollBox class="text" label={label}>
      {text}
    </ScrollBox>
  );
}
