/** A text of others, line breaks and all. What stands in backticks is code; nothing else of it means anything. */
export function Words({ text, class: look }: { readonly text: string; readonly class?: string }) {
  const parts = text.split(/(`[^`\n]+`)/);
  return (
    <div class={`words ${look ?? ""}`}>
      {parts.map((part, at) =>
        at % 2 === 1 ? <code key={`${at}`}>{part.slice(1, -1)}</code> : <span key={`${at}`}>{part}</span>,
      )}
    </div>
  );
}
