// The head of the views of one realm.
import { h } from '../lib/dom.js'
import { scope } from '../lib/scope.js'
import { link } from '../lib/router.js'

const views = {
  server: [['data', 'Data'], ['schema', 'Schema'], ['history', 'History'], ['access', 'Access'], ['roles', 'Permissions'], ['subscriptions', 'Subscriptions'], ['transfer', 'Import and export']],
  user: [['data', 'Data'], ['schema', 'Schema']],
  file: [['data', 'Data'], ['schema', 'Schema']],
}

/** The path with the views of the realm, of which `current` is open; further elements stand at the end. */
export function realmHeader(path, current, ...more) {
  return h('header', { class: 'view' }, h('h1', { class: 'mono' }, h('bdi', {}, path)),
    h('nav', { class: 'tabs', 'aria-label': 'Views of the realm' }, views[scope().kind].map(([name, title]) =>
      h('a', { href: link(name, { path }), 'aria-current': name === current ? 'page' : false }, title)),
    scope().kind === 'server' && h('a', { href: `/graphql/explore${path.split('/').map(encodeURIComponent).join('/')}`, target: '_blank', rel: 'noopener' }, 'GraphQL')),
    more)
}
