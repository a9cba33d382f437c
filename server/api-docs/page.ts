import { html } from '../pages/kernel/html.ts';

/**
 * The page of the REST API. URLs are relative to `/api/docs`, so that it works below the path prefix
 * of the service. `folder` is the path of its files without the first slash.
 */
export const apiDocsPage = (folder: string, modules: readonly string[]): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Millrace REST API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="../${folder}/style.css">
<link rel="preload" href="v4/openapi.json" as="fetch" crossorigin="anonymous">
${modules.map((name) => html`<link rel="modulepreload" href="../${folder}/${name}">\n`)}
<script defer src="../${folder}/swagger-ui.js"></script>
<script type="module" src="../${folder}/main.js"></script>
</head>
<body>
<a class="skip" href="#api">Skip to content</a>
<header>
<a class="brand" href="../">Millrace</a>
<nav aria-label="Main">
<a href="../graphql">GraphQL explorer</a>
<a href="v4/openapi.json">OpenAPI document</a>
<span id="session" role="status"></span>
</nav>
</header>
<main id="api" tabindex="-1">
<h1>Millrace REST API</h1>
<p>Loading …</p>
<noscript><p>This page needs JavaScript. Without it, read the <a href="v4/openapi.json">OpenAPI document</a>.</p></noscript>
</main>
</body>
</html>
`.markup;
