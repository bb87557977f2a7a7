// The audit log: logins, refusals, grants, what administrators did.
import { h, fill, button, later } from '../lib/dom.js'
import { visible, when } from '../lib/format.js'
import { pages, table } from '../parts/table.js'
import * as api from '../lib/api.js'

/** The newest entries first, with filters, and the check of the chain. */
export async function audit(place, { signal }) {
  const list = h('div', {})
  const state = h('p', { role: 'status' })
  const user = h('input', { type: 'search', placeholder: 'Id of a user', 'aria-label': 'User', oninput: later(200, () => rows.first()) })
  const event = h('input', { type: 'search', placeholder: 'Event, such as admin.', 'aria-label': 'Event', oninput: later(200, () => rows.first()) })
  const refused = h('input', { type: 'checkbox', onchange: () => rows.first() })
  fill(place, h('header', { class: 'view' }, h('h1', {}, 'Audit log'), user, event, h('label', { class: 'inline' }, refused, 'Refusals only'), button('Verify', verify)), state, list)

  const rows = pages(list, async (before) => {
    const limit = 100
    const { entries } = await api.audit({ user: user.value, event: event.value, refused: refused.checked, before, limit }, signal)
    return { rows: entries.reverse(), next: entries.length === limit ? entries.at(-1).number : undefined }
  }, (found) => table([
    ['When', (row) => when(row.time)], ['Event', (row) => row.event], ['Who', (row) => h('bdi', { class: 'mono' }, visible(row.actor || '–'))],
    ['On', (row) => h('bdi', {}, visible(row.subject))], ['From', (row) => row.address], ['Result', (row) => h('span', { class: row.outcome === 'ok' ? '' : 'error' }, row.outcome)],
    ['Details', (row) => visible(row.details.map(({ name, value }) => `${name}=${value}`).join(' '))],
  ], found, { none: 'Nothing yet.' }))

  async function verify() {
    const report = await api.verifyAudit()
    state.className = report.problems.length ? 'error' : 'verdict'
    state.textContent = report.problems.length ? report.problems.join(' ') : `${report.entries} entries, none changed, none missing.`
  }

  await rows.first()
}
