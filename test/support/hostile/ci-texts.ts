const repeated = (count: number, part: (index: number) => string, between = '\n') =>
  Array.from({ length: count }, (_, index) => part(index)).join(between);

/** CI files of up to 256 KiB that would cost much time or memory, by title. */
export const hostileCiFiles: Readonly<Record<string, string>> = {
  '262,000 commas in a list': `a: [${','.repeat(262_000)}`,
  '131,000 wrong escapes': `a: "${'\\q'.repeat(131_000)}"`,
  '128,000 short lines in double quotes': `a: "${'x\n'.repeat(128_000)}"`,
  '87,000 indented lines in double quotes': `a: "${'x\n '.repeat(87_000)}"`,
  '262,000 brackets': `a: ${'['.repeat(262_000)}`,
  '60,000 nested mappings': `a: ${'{a: '.repeat(60_000)}`,
  '130,000 nested list items': '- '.repeat(130_000),
  '130,000 explicit keys': '? '.repeat(130_000),
  '130,000 list items': `a: [${'a,'.repeat(130_000)} ]`,
  '87,000 anchors': `a: [${'&a '.repeat(87_000)}]`,
  '65,000 documents': '---\n'.repeat(65_000),
  '43,000 directives': `${'%YAML\n'.repeat(43_000)}---\na: b`,
  '130,000 blank lines': `a: b\n${' \n'.repeat(130_000)}c: d`,
  '250,000 binary characters': `a: !!binary ${'A'.repeat(250_000)}`,
  'aliases of aliases': repeated(
    9,
    (n) => `a${n}: &a${n} [${repeated(9, () => (n ? `*a${n - 1}` : 'x'), ',')}]`,
  ),
  'a large list under 990 aliases': `x: &x [${'a,'.repeat(30_000)}]\ny: [${'*x,'.repeat(990)}]`,
};

/** A valid CI file that exceeds the time or memory of a worker thread: 900 copies of 9,000 keys. */
export const endlessCiFile = `x: &x {${repeated(9_000, (n) => `k${n}: 1`, ',')}}\n${repeated(900, (n) => `j${n}: {<<: *x}`)}`;
