// The care of the data directory: backup now, verification, vacuum; and uploads that could not be integrated.
import { h, fill, button, say } from '../lib/dom.js'
import { visible, when } from '../lib/format.js'
import { link } from '../lib/router.js'
import { ask, confirmed } from '../parts/dialog.js'
import { follow } from '../parts/progress.js'
import { table } from '../parts/table.js'
import * as api from '../lib/api.js'

const outcomes = {
  integrated: 'The upload is integrated.', present: 'The device has sent it since: it is there, and left the quarantine.',
  undone: 'Its author may not write that: it was taken without effect.',
}

/** Tasks with their progress, and the quarantine. */
export async function care(place, { signal }) {
  const running = h('div', {})
  const last = h('div', {})
  const kept = h('div', {})
  const start = (kind) => () => follow(running, () => api.startTask(kind), signal, list)
  fill(place, h('header', { class: 'view' }, h('h1', {}, 'Care'), button('Backup now', start('backup'), { class: 'main' }), button('Verify all files', start('verify')), button('Give space back', start('vacuum'))),
    running, h('section', {}, h('h2', {}, 'Last tasks'), last), h('section', {}, h('h2', {}, 'Quarantine'), h('p', {}, 'Uploads that could not be integrated. The device that made them was told, and keeps its data.'), kept))

  async function list() {
    const { tasks } = await api.tasks(signal)
    fill(last, table([
      ['Started', (one) => when(one.startedAt)], ['Task', (one) => one.kind], ['State', (one) => h('span', { class: one.state === 'failed' ? 'error' : '' }, one.state)], ['Result', (one) => visible(one.message ?? '–')],
    ], tasks.reverse(), { none: 'None since the server started.' }))
  }

  async function quarantine() {
    const { uploads } = await api.quarantine(signal)
    fill(kept, table([
      ['When', (one) => when(one.refusedAt, '–')], ['Realm', (one) => h('a', { class: 'mono', href: link('data', { path: one.realm }) }, h('bdi', {}, visible(one.realm)))],
      ['User', (one) => h('bdi', { class: 'mono' }, visible(one.user))], ['Changesets', (one) => one.changesets, 'number'], ['Why', (one) => visible(one.message)],
      ['', (one) => h('span', { class: 'actions' }, button('Try again', () => retry(one)), button('Remove', () => confirmed({
        title: 'Remove this upload?', text: 'It is removed for good.', confirm: 'Remove',
        action: async () => { await api.removeQuarantined(one.name); say('The upload is removed.'); await quarantine() },
      }), { class: 'danger' }))],
    ], uploads, { none: 'Nothing is in quarantine.' }))
  }

  const retry = (one) => ask({
    title: 'Integrate this upload now?', confirm: 'Integrate',
    text: 'It is written as its device would send it now, with the rights that its author has now. A device that was reset may have sent what it had recovered: then it is there twice.',
    action: async () => {
      const { outcome, reason } = await api.retryQuarantined(one.name)
      if (outcome === 'refused') throw new Error(`Refused again: ${reason}`)
      say(outcomes[outcome])
      await quarantine()
    },
  })

  await Promise.all([list(), quarantine()])
}
