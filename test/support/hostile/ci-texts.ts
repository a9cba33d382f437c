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

/** CI files of some 53 kB that are short, and long when what they name is written out. */
export const expandingCiFiles: Readonly<Record<string, string>> = {
  '750 merges of 4,000 keys': `x: &x {${repeated(4_000, (n) => `k${n}: 1`, ',')}}\n${repeated(750, (n) => `j${n}: {<<: *x}`)}`,
  '900 merges of a long list': `x: &x {script: [${'a,'.repeat(16_000)}]}\n${repeated(900, (n) => `j${n}: {<<: *x}`)}`,
  '900 merges of 9,000 keys': `x: &x {${repeated(9_000, (n) => `k${n}: 1`, ',')}}\n${repeated(900, (n) => `j${n}: {<<: *x}`)}`,
  'a chain of 1,300 merges': `a0: &a0 {k: 1}\n${repeated(1_300, (n) => `a${n + 1}: &a${n + 1} {<<: *a${n}, k${n}: 1}`)}`,
  'merges that double 40 times': `a0: &a0 {k: 1}\n${repeated(40, (n) => `a${n + 1}: &a${n + 1} {<<: [*a${n}, *a${n}]}`)}`,
  'an alias of 10,000 aliases': `${repeated(13, (n) => `x${n}: &x${n} 1`)}\ny: &y [${repeated(10_000, (n) => `*x${n % 13}`, ',')}]\nz: *y`,
  '700 lists of references under aliases': `x: &x [${'/a/,'.repeat(6_000)}]\n${repeated(700, (n) => `j${n}: {script: a, only: *x}`)}`,
  '5,000 keys that are lists beside 5,000 anchors': `x: [${repeated(5_000, () => '&a 1', ',')}]\ny: {${repeated(5_000, () => '[]: a', ',')}}`,
  'a long script before 2,500 jobs': `before_script: [${'a,'.repeat(6_000)}]\n${repeated(2_500, (n) => `j${n}: {script: a}`)}`,
  'many services of 990 jobs': `services: [${'a,'.repeat(6_000)}]\n${repeated(990, (n) => `j${n}: {script: a}`)}`,
  'many variables of 1,100 jobs': `variables: {${repeated(2_500, (n) => `k${n}: a`, ',')}}\n${repeated(1_100, (n) => `j${n}: {script: a, variables: {A: b}}`)}`,
  '590 jobs with dependencies in many stages': [
    `stages: [${repeated(2_500, (n) => `s${n}`, ',')}]`,
    `${repeated(400, (n) => `d${n}: {script: a, stage: s2498}`)}`,
    `x: &x {script: a, stage: s2499, dependencies: [${repeated(400, (n) => `d${n}`, ',')}]}`,
    `${repeated(590, (n) => `j${n}: *x`)}`,
  ].join('\n'),
};
