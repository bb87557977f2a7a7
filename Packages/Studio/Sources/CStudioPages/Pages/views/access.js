// Who may open a realm, by which rule, and why a user does or does not see an object.
import { h, fill, button, say } from '../lib/dom.js'
import { when } from '../lib/format.js'
import { ask, confirmed } from '../parts/dialog.js'
import { table } from '../parts/table.js'
import { link } from '../lib/router.js'
import { realmHeader } from './realm-header.js'
import * as api from '../lib/api.js'

const levels = ['read', 'write', 'manage']

/** Grants on the realm at `parameters.path`, and questions about it. */
export async function access(place, { parameters, signal }) {
  const { path } = parameters
  const list = h('div', {})
  const answer = h('div', { role: 'status' })
  const user = h('input', { required: true, 'aria-label': 'User', placeholder: 'User: name or id' })
  const type = h('input', { 'aria-label': 'Class', placeholder: 'Class' })
  const key = h('input', { 'aria-label': 'Key', placeholder: 'Key of the object' })
  fill(place, realmHeader(path, 'access', button('Grant access', () => grant(), { class: 'main' })),
    h('section', {}, h('h2', {}, 'Who may open it'), list),
    h('section', {}, h('h2', {}, 'Why?'), h('p', {}, 'Why a user may or may not open the realm; with a class and a key, why an object is or is not on their devices.'),
      h('form', { class: 'line', onsubmit: explain }, user, type, key, h('button', { type: 'submit' }, 'Explain')), answer))

  async function load() {
    const found = await api.grants(path, signal)
    fill(list, found.owner && h('p', {}, 'Owner: ', h('a', { href: link('users', { user: found.owner }), class: 'mono' }, found.owner)), table([
      ['User', (row) => (row.userId === '*' ? 'everyone' : h('bdi', { class: 'mono' }, row.userId))], ['May', (row) => row.access], ['Changed', (row) => when(row.updatedAt, '–')],
      ['', (row) => h('span', { class: 'actions' }, button('Change', () => grant(row)), button('Revoke', () => revoke(row), { class: 'danger' }))],
    ], found.permissions, { none: 'No grants: only the owner and administrators, and whom the settings let in.' }))
  }

  async function grant(row) {
    await ask({
      title: `Access to ${path}`, confirm: 'Grant',
      fields: [
        { name: 'user', label: 'User', value: row?.userId ?? '', required: true, hint: 'A name or an id; * is everybody.' },
        { name: 'access', label: 'May', value: row?.access ?? 'read', options: levels },
      ],
      action: async (values) => { await api.grant(path, await api.userId(values.user), values.access); say(`${values.user} may ${values.access}.`); await load() },
    })
  }

  const revoke = (row) => confirmed({
    title: `Revoke the access of ${row.userId}?`, text: 'Open sessions end at once.', confirm: 'Revoke',
    action: async () => { await api.grant(path, row.userId, 'none'); say('Revoked.'); await load() },
  })

  async function explain(event) {
    event.preventDefault()
    try {
      const found = type.value
        ? await api.explainObject({ path, user: user.value, className: type.value, key: key.value })
        : await api.explainAccess(path, await api.userId(user.value))
      fill(answer, h('p', { class: 'verdict' }, found.sentence),
        h('ol', { class: 'steps' }, (found.steps ?? [{ subject: 'Rule', text: found.rule, decides: true }]).map((step) => h('li', { class: step.decides ? 'decides' : '' }, h('b', {}, step.subject), ` ${step.text}`))))
    } catch (error) {
      fill(answer, h('p', { class: 'error' }, error.message))
    }
  }

  await load()
}
