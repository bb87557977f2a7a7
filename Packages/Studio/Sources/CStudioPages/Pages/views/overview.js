// What the server does now.
import { h, fill } from '../lib/dom.js'
import { bytes, count, since, visible, when } from '../lib/format.js'
import { plot } from '../parts/plot.js'
import { table } from '../parts/table.js'
import * as api from '../lib/api.js'

const rows = [
  ['sessions', 'Sessions', count], ['realms', 'Open realms', count], ['commits', 'Group commits per second', (value) => value.toFixed(1)],
  ['changesets', 'Changesets per second', (value) => value.toFixed(1)], ['requests', 'Requests per second', (value) => value.toFixed(1)],
  ['received', 'Received per second', bytes], ['sent', 'Sent per second', bytes],
  ['lag', 'Waiting for devices', bytes], ['waiting', 'Waiting to be integrated', bytes],
  ['memoryBytes', 'Memory', bytes], ['freeDiskBytes', 'Free on the disk', bytes],
]
/** The milliseconds between two looks at memory and disk. */
const interval = 5_000

/** Shows figures that move, and the last warnings. */
export async function overview(place, { signal }) {
  const server = await api.server(signal)
  const cards = rows.map(([name, title, format]) => ({ name, format, number: h('b', {}, '–'), line: plot(title, { format }), title }))
  const problems = h('div', {}, h('p', { class: 'none' }, 'None.'))
  const last = []
  fill(place,
    h('header', { class: 'view' }, h('h1', {}, 'Overview'),
      h('p', {}, `Version ${server.version}, since ${when(server.startedAt)} (${since(server.startedAt)}). ${count(server.realms)} realms, ${count(server.users)} users.`)),
    h('div', { class: 'cards' }, cards.map(({ title, number, line }) => h('section', { class: 'card' }, h('h2', {}, title), number, line))),
    h('section', {}, h('h2', {}, 'Warnings and errors'), problems))
  const draw = (figures) => {
    for (const card of cards) {
      if (figures[card.name] == null) continue
      card.number.textContent = card.format(figures[card.name])
      card.line.push(figures[card.name])
    }
  }
  const drawRoom = ({ memoryBytes, freeDiskBytes }) => draw({ memoryBytes, freeDiskBytes })
  drawRoom(server)
  const again = setInterval(() => api.server(signal).then(drawRoom, () => {}), interval)
  signal.addEventListener('abort', () => clearInterval(again))
  api.followFigures(draw, signal)
  api.followLogs({ level: 'warn', last: 20 }, (entry) => {
    last.unshift(entry)
    last.length = Math.min(last.length, 20)
    fill(problems, table([['When', (row) => when(row.time)], ['Level', (row) => row.level], ['Message', (row) => visible(`${row.category}: ${row.message}`)]], last))
  }, signal)
}
