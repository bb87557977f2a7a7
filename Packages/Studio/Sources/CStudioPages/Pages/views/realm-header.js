// The head of the views of one realm.
import { h } from '../lib/dom.js'
import { link } from '../lib/router.js'

/** The path with the views of the realm, of which `current` is open; further elements stand at the end. */
export function realmHeader(path, current, ...more) {
  const tabs = [['data', 'Data'], ['schema', 'Schema'], ['access', 'Access']]
  return h('header', { class: 'view' }, h('h1', { class: 'mono' }, h('bdi', {}, path)),
    h('nav', { class: 'tabs', 'aria-label': 'Views of the realm' }, tabs.map(([name, title]) =>
      h('a', { href: link(name, { path }), 'aria-current': name === current ? 'page' : false }, title)),
    h('a', { href: `/graphql/explore/${encodeURIComponent(path)}`, target: '_blank', rel: 'noopener' }, 'GraphQL')),
    more)
}
