// A task of the server with its progress, followed until it ends.
import { h, fill, button, report } from '../lib/dom.js'
import * as api from '../lib/api.js'

/** The tasks that end when they are told to, after what they are at. */
const stopped = ['vacuum', 'import']
const names = { backup: 'Backup', verify: 'Verification', vacuum: 'Vacuum', import: 'Import', export: 'Export' }

/** The task as an element; `ended(task)` is called when it is over. `begin` starts it and gives it. */
export async function follow(place, begin, signal, ended = () => {}) {
  const bar = h('progress', { max: 1, value: 0, 'aria-label': 'Progress' })
  const text = h('p', { role: 'status' }, 'Starting …')
  fill(place, bar, text)
  try {
    let task = await begin((share, sentence) => { bar.value = share; text.textContent = sentence })
    while (task.state === 'running' && !signal.aborted) {
      if (stopped.includes(task.kind) && place.children.length === 2) place.append(button('Stop', () => api.cancelTask(task.id)))
      bar.value = task.known ? task.done / task.known : 0
      text.textContent = `${names[task.kind]}: ${Math.round(bar.value * 100)} %`
      await new Promise((resolve) => setTimeout(resolve, 300))
      task = await api.task(task.id, signal)
    }
    if (signal.aborted) return
    bar.value = 1
    fill(place, h('p', { class: task.state === 'failed' ? 'error' : 'verdict', role: 'status' }, `${names[task.kind]} ${task.state === 'failed' ? 'failed: ' : 'done: '}${task.message ?? ''}`),
      task.problems && h('ul', {}, task.problems.map((line) => h('li', {}, h('bdi', {}, line)))))
    await ended(task)
  } catch (error) {
    fill(place, h('p', { class: 'error', role: 'alert' }, error.message))
    report(error)
  }
}
