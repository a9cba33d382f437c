/** Languages by the extensions of their files. Data and prose have none here. */
const extensions: Readonly<Record<string, string>> = {
  Ada: 'adb ads',
  Assembly: 'asm s',
  Astro: 'astro',
  Batchfile: 'bat cmd',
  C: 'c',
  'C#': 'cs csx',
  'C++': 'cc cpp cxx c++ hh hpp hxx ipp tpp',
  Clojure: 'clj cljc cljs',
  CMake: 'cmake',
  CoffeeScript: 'coffee',
  'Common Lisp': 'lisp lsp',
  Crystal: 'cr',
  CSS: 'css',
  Cuda: 'cu cuh',
  Cython: 'pyx pxd',
  D: 'd',
  Dart: 'dart',
  Elixir: 'ex exs',
  Elm: 'elm',
  'Emacs Lisp': 'el',
  Erlang: 'erl hrl',
  'F#': 'fs fsi fsx',
  Fortran: 'f f90 f95 f03 for',
  GLSL: 'glsl vert frag',
  Go: 'go',
  Groovy: 'groovy gradle',
  Haml: 'haml',
  Handlebars: 'hbs handlebars',
  Haskell: 'hs lhs',
  HCL: 'hcl tf',
  HTML: 'html htm xhtml',
  Java: 'java',
  JavaScript: 'js cjs mjs jsx',
  Julia: 'jl',
  'Jupyter Notebook': 'ipynb',
  Kotlin: 'kt kts',
  Less: 'less',
  Lua: 'lua',
  Makefile: 'mk mak',
  MATLAB: 'matlab',
  Nim: 'nim',
  Nix: 'nix',
  'Objective-C': 'm',
  'Objective-C++': 'mm',
  OCaml: 'ml mli',
  Pascal: 'pas dpr',
  Perl: 'pl pm t',
  PHP: 'php phtml',
  PLpgSQL: 'pgsql',
  PowerShell: 'ps1 psm1 psd1',
  Prolog: 'prolog',
  Pug: 'pug jade',
  Puppet: 'pp',
  Python: 'py pyi pyw',
  R: 'r',
  Racket: 'rkt',
  Ruby: 'rb rake gemspec ru',
  Rust: 'rs',
  Sass: 'sass',
  Scala: 'scala sbt',
  Scheme: 'scm ss',
  SCSS: 'scss',
  Shell: 'sh bash zsh ksh bats',
  Slim: 'slim',
  Smalltalk: 'st',
  Solidity: 'sol',
  'Standard ML': 'sml',
  Svelte: 'svelte',
  Swift: 'swift',
  SystemVerilog: 'sv svh',
  Tcl: 'tcl',
  TeX: 'tex sty cls',
  Twig: 'twig',
  TypeScript: 'ts cts mts tsx',
  Vala: 'vala vapi',
  Verilog: 'v',
  VHDL: 'vhd vhdl',
  'Vim Script': 'vim',
  'Visual Basic .NET': 'vb',
  Vue: 'vue',
  WebAssembly: 'wat wast',
  XSLT: 'xsl xslt',
  Zig: 'zig',
};

const fileNames: Readonly<Record<string, string>> = {
  Dockerfile: 'dockerfile containerfile',
  CMake: 'cmakelists.txt',
  Makefile: 'makefile gnumakefile',
  Ruby: 'gemfile rakefile guardfile vagrantfile',
  Groovy: 'jenkinsfile',
  Meson: 'meson.build',
};

const byWord = (words: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(words).flatMap(([language, list]) =>
      list.split(' ').map((word) => [word, language] as const),
    ),
  );

const byExtension = byWord(extensions);
const byFileName = byWord(fileNames);

/** Folders of documentation, of other authors' code, and of generated files. */
const uncounted = new Set([
  ...['vendor', 'node_modules', 'bower_components', 'third_party', 'third-party', 'thirdparty'],
  ...['godeps', 'external', 'extern', 'dist', 'docs', 'doc', 'documentation', '.git'],
]);

/** A header of C or C++, which its name does not tell. */
export const header = Symbol('header');

/** The language of a file by its path; null if it is not counted. */
export function languageOf(path: string): string | typeof header | null {
  const segments = path.toLowerCase().split('/');
  const name = segments.pop() ?? '';
  if (segments.some((segment) => uncounted.has(segment))) return null;
  if (name.endsWith('.min.js') || name.endsWith('.min.css')) return null;
  const extension = name.slice(name.lastIndexOf('.') + 1);
  if (name.endsWith('.h')) return header;
  const named = byFileName.get(name);
  return named ?? (name.includes('.') ? (byExtension.get(extension) ?? null) : null);
}
