/** The names of files, and their extensions, by the grammar that highlights them. */
const extensions: Readonly<Record<string, string>> = {
  ada: 'ada adb ads',
  apache: 'htaccess',
  asciidoc: 'adoc asciidoc',
  awk: 'awk',
  bash: 'sh bash zsh ksh bats',
  c: 'c h',
  clojure: 'clj cljc cljs edn',
  cmake: 'cmake',
  coffeescript: 'coffee',
  cpp: 'cc cpp cxx c++ hh hpp hxx ipp tpp cu cuh ino',
  crystal: 'cr',
  csharp: 'cs csx',
  css: 'css',
  d: 'd',
  dart: 'dart',
  delphi: 'pas dpr',
  diff: 'diff patch',
  dos: 'bat cmd',
  elixir: 'ex exs',
  elm: 'elm',
  erb: 'erb',
  erlang: 'erl hrl',
  fortran: 'f f90 f95 f03 for',
  fsharp: 'fs fsi fsx',
  gherkin: 'feature',
  glsl: 'glsl vert frag',
  go: 'go',
  graphql: 'graphql gql graphqls',
  groovy: 'groovy gradle',
  haml: 'haml',
  handlebars: 'hbs handlebars',
  haskell: 'hs lhs',
  ini: 'ini toml cfg conf editorconfig gitconfig',
  java: 'java',
  javascript: 'js cjs mjs jsx',
  json: 'json jsonc json5 ipynb webmanifest map',
  julia: 'jl',
  kotlin: 'kt kts',
  latex: 'tex sty cls',
  less: 'less',
  lisp: 'lisp lsp el',
  lua: 'lua',
  makefile: 'mk mak',
  markdown: 'md markdown mkd',
  matlab: 'matlab',
  nginx: 'nginx',
  nim: 'nim',
  nix: 'nix',
  objectivec: 'm mm',
  ocaml: 'ml mli',
  perl: 'pl pm t',
  pgsql: 'pgsql',
  php: 'php phtml',
  powershell: 'ps1 psm1 psd1',
  properties: 'properties',
  protobuf: 'proto',
  puppet: 'pp',
  python: 'py pyi pyw pyx',
  r: 'r',
  ruby: 'rb rake gemspec ru',
  rust: 'rs',
  scala: 'scala sbt',
  scheme: 'scm ss rkt',
  scss: 'scss sass',
  smalltalk: 'st',
  sql: 'sql',
  stylus: 'styl',
  swift: 'swift',
  tcl: 'tcl',
  thrift: 'thrift',
  twig: 'twig',
  typescript: 'ts cts mts tsx',
  vala: 'vala vapi',
  vbnet: 'vb',
  verilog: 'v sv svh',
  vhdl: 'vhd vhdl',
  vim: 'vim',
  wasm: 'wat wast',
  x86asm: 'asm s',
  xml: 'xml html htm xhtml svg vue svelte xsl xslt xsd plist',
  yaml: 'yml yaml',
};

const fileNames: Readonly<Record<string, string>> = {
  bash: '.bashrc .profile .zshrc pkgbuild',
  cmake: 'cmakelists.txt',
  dockerfile: 'dockerfile containerfile',
  groovy: 'jenkinsfile',
  ini: '.editorconfig .gitconfig .npmrc cargo.lock',
  makefile: 'makefile gnumakefile',
  ruby: 'gemfile rakefile guardfile vagrantfile',
};

const byWord = (words: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(words).flatMap(([grammar, list]) =>
      list.split(' ').map((word) => [word, grammar] as const),
    ),
  );

const byExtension = byWord(extensions);
const byFileName = byWord(fileNames);

const grammars: ReadonlySet<string> = new Set([...byExtension.values(), ...byFileName.values()]);

/** The grammar that highlights a file, by its path; null: it is shown as plain text. */
export function grammarOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const dot = name.lastIndexOf('.');
  return byFileName.get(name) ?? (dot < 0 ? null : (byExtension.get(name.slice(dot + 1)) ?? null));
}

/** The grammar of a language as authors of Markdown name it: `js`, `javascript`, `Dockerfile`; null: unknown. */
export function grammarOfLanguage(language: string): string | null {
  const name = language.toLowerCase();
  return byExtension.get(name) ?? byFileName.get(name) ?? (grammars.has(name) ? name : null);
}
