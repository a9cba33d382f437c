import { currentUserDocument } from './data.js';
import { fetchOperation } from './fetcher.js';
import { currentSession, updateSession, useSession } from './session.js';

const { createElement: h, Fragment } = globalThis.React;

/** Sets the access token of all requests; an empty one deletes it. */
function setToken(token) {
  updateSession({ token });
  return loadCurrentUser();
}

/** Asks the service for the current user. */
export async function loadCurrentUser() {
  const { token } = currentSession();
  const username = await currentUsername();
  // a later token was set in the meantime
  if (currentSession().token !== token) return;
  const status = username ? 'signed in' : token ? 'rejected' : 'anonymous';
  updateSession({ status, username: username ?? '' });
}

async function currentUsername() {
  try {
    const { data } = await fetchOperation({ query: currentUserDocument });
    return data?.user?.username ?? null;
  } catch {
    return null;
  }
}

/** Returns to the explorer. The path is one of the service, which adds its prefix itself. */
const signInAddress = 'users/sign_in?return_to=%2Fgraphql';

/** Says at the top of the page which user sends the requests. */
export function SessionStatus() {
  const { status, username, token } = useSession();
  return h(
    'div',
    { className: 'session', role: 'status' },
    h('a', { href: './', className: 'brand' }, 'Millrace'),
    status === 'signed in' && h('span', null, username, token && ' (token)'),
    status === 'anonymous' && h('a', { href: signInAddress }, 'Sign in'),
    status === 'rejected' && h('span', { className: 'fault' }, 'Invalid token'),
  );
}

/** How to sign in, and a form for an access token. */
export function SignIn() {
  const { status, username, token } = useSession();
  return h(
    Fragment,
    null,
    h(
      'p',
      null,
      status === 'signed in' && [
        'Requests are sent as ',
        h('strong', { key: 'user' }, username),
        token ? ', by the access token.' : ', who is signed in to this browser.',
      ],
      status === 'anonymous' && [
        'Requests are anonymous. ',
        h('a', { key: 'link', href: signInAddress }, 'Sign in'),
        ' or enter an access token with the scope ',
        h('code', { key: 'scope' }, 'api'),
        '.',
      ],
      status === 'rejected' && h('span', { className: 'fault' }, 'The access token is not valid.'),
    ),
    h(
      'form',
      {
        onSubmit(event) {
          event.preventDefault();
          const form = event.currentTarget;
          setToken(new FormData(form).get('token').trim());
          form.reset();
        },
      },
      h('label', { htmlFor: 'access-token' }, 'Access token'),
      h('input', { id: 'access-token', name: 'token', type: 'password', autoComplete: 'off' }),
      h('button', { type: 'submit' }, 'Use token'),
      token && h('button', { type: 'button', onClick: () => setToken('') }, 'Remove token'),
    ),
    h(
      'p',
      { className: 'hint' },
      'The token is kept until the page is reloaded. The Headers tab sets any other header, for ' +
        'example ',
      h('code', null, '{"Sudo": "ada"}'),
      '.',
    ),
  );
}
