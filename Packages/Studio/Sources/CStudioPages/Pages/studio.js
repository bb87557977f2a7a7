// The frame: who is logged in, the views, and the keys that lead to them.
import { h, fill, button, report } from './lib/dom.js'
import { address, go, link } from './lib/router.js'
import { useLogin } from './lib/http.js'
import { scope, useScope } from './lib/scope.js'
import * as api from './lib/api.js'
import { login } from './views/login.js'
import { overview } from './views/overview.js'
import { realms } from './views/realms.js'
import { data } from './views/data.js'
import { schema } from './views/schema.js'
import { history } from './views/history.js'
import { access } from './views/access.js'
import { roles } from './views/roles.js'
import { subscriptions } from './views/subscriptions.js'
import { transfer } from './views/transfer.js'
import { users } from './views/users.js'
import { sessions } from './views/sessions.js'
import { logs } from './views/logs.js'
import { audit } from './views/audit.js'
import { care } from './views/care.js'
import { webhooks } from './views/webhooks.js'
import { connectors } from './views/connectors.js'

const ofRealm = { data, schema, history, access, roles, subscriptions, transfer }
const views = { overview, realms, ...ofRealm, users, sessions, logs, audit, care, webhooks, connectors }
const menus = {
  server: [
    ['overview', 'Overview', 'o'], ['realms', 'Realms', 'r'], ['users', 'Users', 'u'], ['sessions', 'Sessions', 's'], ['logs', 'Log', 'l'], ['audit', 'Audit', 'a'], ['care', 'Care', 'c'], ['webhooks', 'Webhooks', 'w'], ['connectors', 'Connectors', 'n'],
  ],
  user: [['realms', 'Realms', 'r']],
  file: [['data', 'Data', 'd'], ['schema', 'Schema', 's']],
}
/** Where somebody begins who names no view. */
const first = { server: 'overview', user: 'realms', file: 'data' }
const menu = () => menus[scope().kind]

let session = null
let visit = new AbortController()

const place = h('main', { id: 'view', tabindex: -1 })

/** The link of `realm studio` carries its key behind `#key=`, which no server and no history of another site sees. */
async function useKey() {
  const key = location.hash.match(/^#key=([0-9a-f]+)$/)?.[1]
  if (!key) return
  window.history.replaceState(null, '', location.pathname)
  await api.logInByKey(key).catch(report)
}

function frame() {
  fill(document.body,
    h('a', { class: 'skip', href: '#view', onclick: (event) => { event.preventDefault(); place.focus() } }, 'To the content'),
    h('nav', { id: 'menu', 'aria-label': 'Studio' }, h('strong', {}, 'OpenRealm'),
      h('ul', {}, menu().map(([name, title, key]) => h('li', {}, h('a', { href: link(name, { path: scope().path }), 'data-view': name, title: `g ${key}` }, title)))),
      h('footer', {}, h('bdi', {}, session.name), scope().isReadOnly && h('small', {}, 'Nothing can be changed.'), scope().kind !== 'file' && button('Log out', async () => { await api.logOut(); start() }, { class: 'plain' }))),
    place)
  show()
}

/** Shows the view of the address; what the former view follows ends. */
async function show() {
  if (!session) return
  visit.abort()
  visit = new AbortController()
  const { parts, parameters } = address()
  const isThere = (name) => name in views && (scope().kind === 'server' || name in ofRealm || menu().some(([id]) => id === name))
  const name = isThere(parts[0]) && !(parts[0] in ofRealm && !(parameters.path ?? scope().path)) ? parts[0] : first[scope().kind]
  parameters.path ??= scope().path
  for (const entry of document.querySelectorAll('[data-view]')) {
    const isHere = entry.dataset.view === name || (entry.dataset.view === 'realms' && name in ofRealm)
    if (isHere) entry.setAttribute('aria-current', 'page')
    else entry.removeAttribute('aria-current')
  }
  document.title = `${parameters.path ?? menu().find(([id]) => id === name)?.[1] ?? name} – OpenRealm Studio`
  const { signal } = visit
  fill(place, h('p', { class: 'none' }, 'Loading …'))
  try {
    await views[name](place, { parameters, go, signal })
  } catch (error) {
    if (signal.aborted) return
    fill(place, h('p', { class: 'error', role: 'alert' }, error.message), button('Try again', show))
    report(error)
  }
}

/** `g` and a letter go to a view, `/` goes to the search of the page. */
let prefix = false
addEventListener('keydown', (event) => {
  if (event.target.matches('input, textarea, select') || event.ctrlKey || event.metaKey || event.altKey) return
  const entry = prefix && menu().find(([, , key]) => key === event.key)
  prefix = event.key === 'g'
  if (entry) go(entry[0], { path: scope().path })
  if (event.key === '/') {
    event.preventDefault()
    place.querySelector('input[type=search]')?.focus()
  }
})

async function start() {
  visit.abort()
  await useKey()
  session = await api.session().catch(() => null)
  const enter = (next) => {
    session = next
    useScope(session)
    useLogin(session.token, () => { if (session) { session = null; start() } })
    frame()
  }
  if (session) enter(session)
  else login(document.body, enter)
}

addEventListener('hashchange', show)
start()
