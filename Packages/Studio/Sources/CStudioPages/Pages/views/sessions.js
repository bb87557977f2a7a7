// The clients that are connected now.
import { h, fill, button, say } from '../lib/dom.js'
import { bytes } from '../lib/format.js'
import { link } from '../lib/router.js'
import { confirmed } from '../parts/dialog.js'
import { table } from '../parts/table.js'
import * as api from '../lib/api.js'

/** The list of connections, drawn anew when the server tells of a change. */
export async function sessions(place, { go, signal }) {
  let connections = []
  const list = h('div', {})
  const filter = h('input', { type: 'search', placeholder: 'User or realm', 'aria-label': 'User or realm', oninput: draw })
  fill(place, h('header', { class: 'view' }, h('h1', {}, 'Sessions'), filter), list)

  function draw() {
    const text = filter.value.toLowerCase()
    const fits = (one) => `${one.user} ${one.sessions.map(({ path }) => path).join(' ')}`.toLowerCase().includes(text)
    fill(list, table([
      ['User', (one) => h('bdi', { class: 'mono' }, one.user)],
      ['Realms', (one) => h('ul', { class: 'plain' }, one.sessions.map(({ path, access }) => h('li', {}, h('a', { class: 'mono', href: link('data', { path }) }, h('bdi', {}, path)), ` ${access}`)))],
      ['From', (one) => one.address || '–'], ['Protocol', (one) => one.protocolVersion, 'number'], ['Waiting', (one) => bytes(one.buffered), 'number'],
      ['', (one) => h('span', { class: 'actions' }, button('User', () => go('users', { user: one.user })), button('Close', () => close(one), { class: 'danger' }))],
    ], connections.filter(fits).slice(0, 500), { none: text ? 'No session fits.' : 'Nobody is connected.' }))
  }

  const close = (one) => confirmed({
    title: 'Close this connection?', text: 'The app connects again by itself. Suspend the user to keep it out.', confirm: 'Close',
    action: async () => { await api.closeConnection(one.id); say('The connection is closed.') },
  })

  api.followSessions((all) => { connections = all; draw() }, signal)
  draw()
}
