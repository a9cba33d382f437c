import { html } from '../pages/kernel/html.ts';

/**
 * The document of the explorer. URLs are relative, so that it works below the path prefix of the
 * service. `folder` is the path of its files without the first slash.
 */
export const explorerPage = (folder: string, modules: readonly string[]): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Millrace GraphQL explorer</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${folder}/style.css">
<link rel="preload" href="${folder}/schema.graphql" as="fetch" crossorigin="anonymous">
${modules.map((name) => html`<link rel="modulepreload" href="${folder}/${name}">\n`)}
<script defer src="${folder}/libraries.js"></script>
<script type="module" src="${folder}/main.js"></script>
</head>
<body>
<div id="explorer">
<main class="loading">
<h1>Millrace GraphQL explorer</h1>
<p>Loading …</p>
<noscript><p>The explorer needs JavaScript. Without it, read the <a href="${folder}/schema.graphql">schema</a>.</p></noscript>
</main>
</div>
</body>
</html>
`.markup;
