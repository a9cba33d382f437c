import { type Html, html } from '../kernel/html.ts';

/** A search of a listing by one text. */
export const textSearch = (
  address: string,
  { label, search, fault = null }: { label: string; search: string; fault?: string | null },
): Html =>
  html`<form method="get" action="${address}" class="row text-search">
<label class="unseen" for="search">${label}</label>
<input id="search" type="search" name="search" value="${search}" placeholder="${label}"${
    fault && html` aria-invalid="true" aria-describedby="search-fault"`
  }><button class="small">Search</button>
${fault && html`<span class="fault" id="search-fault">${fault}</span>`}</form>`;
