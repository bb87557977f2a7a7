// Users: found, made, changed; the one that is chosen stands at the right.
import { h, fill, button, later, say } from '../lib/dom.js'
import { visible, when } from '../lib/format.js'
import { link } from '../lib/router.js'
import { ask, confirmed } from '../parts/dialog.js'
import { pages, table } from '../parts/table.js'
import * as api from '../lib/api.js'

/** The list with its search; `parameters.user` is the id of the chosen one. */
export async function users(place, { parameters, go, signal }) {
  const list = h('div', {})
  const detail = h('aside', { 'aria-label': 'User' })
  const search = h('input', { type: 'search', value: parameters.search ?? '', placeholder: 'Search by name', 'aria-label': 'Search by name', oninput: later(200, () => rows.first()) })
  fill(place, h('header', { class: 'view' }, h('h1', {}, 'Users'), search, button('New user', create, { class: 'main' })), h('div', { class: 'split' }, list, detail))

  const rows = pages(list, async (after) => {
    const found = await api.users({ search: search.value, after, limit: 50 }, signal)
    return { rows: found.users, next: found.next }
  }, (found) => table([
    ['Name', (user) => h('bdi', {}, api.nameOf(user))], ['Role', (user) => (user.isAdministrator ? 'administrator' : 'regular')],
    ['State', (user) => (user.isDisabled ? 'suspended' : 'active')], ['Since', (user) => when(user.createdAt)],
  ], found, { none: 'No user fits.', onRow: (user) => go('users', { search: search.value, user: user.id }) }))

  async function show(id) {
    if (!id) return fill(detail, h('p', { class: 'none' }, 'Choose a user.'))
    const user = await api.oneUser(id, signal)
    const name = api.nameOf(user)
    const change = (fields, sentence) => async () => { await api.changeUser(id, fields); say(sentence); await Promise.all([show(id), rows.again()]) }
    const endAll = async () => { const { ended } = await api.endLogins(id); say(`${ended} login${ended === 1 ? '' : 's'} of ${name} ended.`); await show(id) }
    return fill(detail,
      h('h2', {}, h('bdi', {}, name)), h('p', { class: 'mono' }, user.id),
      h('p', {}, `${user.isAdministrator ? 'Administrator' : 'Regular user'}, ${user.isDisabled ? 'suspended' : 'active'}, since ${when(user.createdAt)}.`),
      h('div', { class: 'actions' },
        button(user.isAdministrator ? 'Make regular' : 'Make administrator', change({ isAdministrator: !user.isAdministrator }, 'The role is changed.')),
        button(user.isDisabled ? 'Let in again' : 'Suspend', change({ isDisabled: !user.isDisabled }, user.isDisabled ? `${name} is let in again.` : `${name} is suspended.`)),
        button('Set password', () => password(user)), button('Log out everywhere', endAll), button('Delete', () => destroy(user), { class: 'danger' })),
      h('h3', {}, 'Ways to log in'), table([['Provider', (one) => one.provider], ['Name', (one) => h('bdi', {}, visible(one.name))]], user.identities),
      h('h3', {}, 'Connected now'), table([
        ['Realms', (one) => h('ul', { class: 'plain' }, one.sessions.map(({ path, file }) => h('li', {}, h('a', { class: 'mono', href: link('data', { path }) }, h('bdi', {}, path)), file != null && ` device ${file}`)))],
        ['From', (one) => one.address || '–'], ['', (one) => button('Close', async () => { await api.closeConnection(one.id); say('The connection is closed.'); await show(id) })],
      ], user.connections, { none: 'Not connected.' }),
      h('h3', {}, 'Logins'), table([
        ['App', (login) => h('bdi', {}, login.app || '–')], ['Since', (login) => when(login.createdAt)], ['Until', (login) => when(login.expiresAt)],
        ['', (login) => button('End', async () => { await api.endLogin(id, login.id); say('The login has ended.'); await show(id) })],
      ], user.logins, { none: 'No login.' }),
      h('h3', {}, 'API keys'), table([
        ['Name', (key) => h('bdi', {}, visible(key.name))], ['State', (key) => (key.isDisabled ? 'off' : 'on')], ['Since', (key) => when(key.createdAt)],
        ['', (key) => h('span', { class: 'actions' }, button(key.isDisabled ? 'Switch on' : 'Switch off', async () => { await api.setKey(id, key.id, !key.isDisabled); await show(id) }), button('Revoke', async () => { await api.deleteKey(id, key.id); say('The key is revoked.'); await show(id) }, { class: 'danger' }))],
      ], user.keys, { none: 'No key.' }), button('New key', () => newKey(id)),
      h('h3', {}, 'Grants'), table([['Realm', (one) => h('bdi', { class: 'mono' }, one.path)], ['May', (one) => one.access]], user.permissions, { none: 'No grants.' }),
      h('h3', {}, 'Offers'), table([
        ['Realm', (one) => h('bdi', { class: 'mono' }, one.path)], ['May', (one) => one.access], ['Until', (one) => when(one.expiresAt, 'withdrawn')],
        ['', (one) => button('Withdraw', async () => { await api.deleteOffer(id, one.id); say('The offer is withdrawn.'); await show(id) })],
      ], user.offers, { none: 'No offers.' }))
  }

  const newKey = (id) => ask({
    title: 'New API key', confirm: 'Make', fields: [{ name: 'name', label: 'Name', required: true }],
    action: async ({ name }) => {
      const { key } = await api.createKey(id, name)
      await show(id)
      detail.prepend(h('p', { class: 'secret', role: 'alert' }, 'The key, told this once: ', h('code', {}, key)))
    },
  })

  async function create() {
    await ask({
      title: 'New user', confirm: 'Create',
      fields: [
        { name: 'name', label: 'Name', required: true }, { name: 'password', label: 'Password', type: 'password', required: true },
        { name: 'isAdministrator', label: 'Administrator', type: 'checkbox' },
      ],
      action: async (values) => { await api.createUser(values); say(`${values.name} is created.`); await rows.first() },
    })
  }

  const password = (user) => ask({
    title: `Password of ${api.nameOf(user)}`, text: 'All logins of the user end.', confirm: 'Set',
    fields: [{ name: 'password', label: 'New password', type: 'password', required: true }],
    action: async ({ password }) => { await api.setPassword(user.id, password); say('The password is set.') },
  })

  const destroy = (user) => confirmed({
    title: `Delete ${api.nameOf(user)}?`, text: 'The user, all logins and all grants end. Realms stay.', confirm: 'Delete', word: api.nameOf(user),
    action: async () => { await api.deleteUser(user.id); say(`${api.nameOf(user)} is deleted.`); go('users', {}); await rows.first() },
  })

  await Promise.all([rows.first(), show(parameters.user)])
}
