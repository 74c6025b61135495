import type { ComponentChildren } from "preact";

interface HeadProps {
  readonly columns: readonly string[];
  /** What stands behind the last of them. */
  readonly children?: ComponentChildren;
}

/** The first row of a table: what its columns are called. */
export function Head({ columns, children }: HeadProps) {
  return (
    <thead>
      <tr>
        {columns.map((words) => (
          <th key={words} scope="col">
            {words}
          </th>
        ))}
        {children}
      </tr>
    </thead>
  );
}
