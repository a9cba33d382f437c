/** A value that a command prints. */
export type Printed = string | number | boolean | null | readonly string[];

export type PrintedRecord = Readonly<Record<string, Printed>>;

export interface OutputOptions {
  /** Prints JSON for programs, not text for people. */
  readonly json?: boolean;
}

const textOf = (value: Printed): string => {
  if (value === null) return '-';
  return Array.isArray(value) ? value.join(', ') : String(value);
};

// a name must not move the cursor or color the terminal of the administrator
const withoutControls = (text: string) => text.replace(/\p{Cc}/gu, ' ');

/** A value on one line of text. */
export const cellOf = (value: Printed) => withoutControls(textOf(value));

/** `created_at` → `CREATED AT` */
const headingOf = (name: string) => name.replaceAll('_', ' ').toUpperCase();

function table(rows: readonly PrintedRecord[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [
    names.map(headingOf),
    ...rows.map((row) => names.map((n) => cellOf(row[n] ?? null))),
  ];
  const widths = names.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .map((line) => `${line}\n`)
    .join('');
}

/** Prints records as a table, or as a JSON list. */
export function printList(rows: readonly PrintedRecord[], { json }: OutputOptions): void {
  if (json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else process.stdout.write(rows.length > 0 ? table(rows) : 'none\n');
}

/** Prints one record as lines `name: value`, or as a JSON object. */
export function printRecord(record: PrintedRecord, { json }: OutputOptions): void {
  const lines = Object.entries(record).map(([name, value]) => `${name}: ${cellOf(value)}\n`);
  process.stdout.write(json ? `${JSON.stringify(record, null, 2)}\n` : lines.join(''));
}
