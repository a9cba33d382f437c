import { pathNotFound } from '../../../schema/kernel/errors.ts';
import type { Answer, Page, Visit } from '../kernel/page.ts';

type Respond = (visit: Visit) => Promise<Answer> | Answer;

/** Shows the page to administrators; other users get 404, as for any page that they may not know. */
const toAdministrators =
  (respond: Respond): Respond =>
  (visit) => {
    if (!visit.viewer?.isAdmin) throw pathNotFound();
    return respond(visit);
  };

/** A page of the admin area that is shown. */
export const adminGet = (path: string, respond: Respond): Page => ({
  method: 'get',
  path,
  access: 'signed in',
  answer: toAdministrators(respond),
});

/** A form of the admin area. */
export const adminPost = (path: string, respond: Respond): Page => ({
  method: 'post',
  path,
  access: 'signed in',
  answer: toAdministrators(respond),
});
