import { shownText } from '#authorization/pages/shown-text.js';

/** As many as a list of a store has at most. */
const MAX_ROWS = 1_000;
const GAP = '   ';

/** Rows under their heads, for a terminal. Texts of others are shown without what a terminal would obey. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return 'There are none.';
  const lines = [heads, ...rows.map((row) => row.map((cell) => shownText(cell, 200)))];
  const widths = heads.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const text = lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  );
  return rows.length < MAX_ROWS
    ? text.join('\n')
    : `${text.join('\n')}\nThese are the newest ${MAX_ROWS}; there may be more.`;
}
