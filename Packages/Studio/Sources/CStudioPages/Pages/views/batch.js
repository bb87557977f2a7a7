// Edits that wait to be written together, as one transaction.
import { h, fill, button, say } from '../lib/dom.js'
import { visible } from '../lib/format.js'
import { ask } from '../parts/dialog.js'
import * as api from '../lib/api.js'

/** `add(edit)` puts an edit into the batch; `element` shows it while it is not empty. */
export function batch({ path, changed }) {
  let edits = []
  const element = h('div', { class: 'batch', role: 'status', hidden: true })

  const number = () => (edits.length === 1 ? '1 edit' : `${edits.length} edits`)

  function draw() {
    element.hidden = !edits.length
    fill(element, h('span', {}, `${number()} to be written together.`),
      button('Look and write', write, { class: 'main' }), button('Give up', () => { edits = []; draw() }))
  }

  async function write() {
    const told = await api.preview(path, edits)
    // Files that do not sync do not tell what would be written.
    const lines = told.length ? told : edits.map(({ action, class: type, key, values }) => `${action} ${type} ${key ?? ''} ${JSON.stringify(values ?? {})}`)
    await ask({
      title: `Write ${number()} as one transaction?`, confirm: 'Write',
      text: h('pre', { class: 'preview', tabindex: 0 }, lines.map((line) => `${visible(line)}\n`)),
      action: async () => {
        await api.write(path, edits)
        say(`Written: ${number()}.`)
        edits = []
        draw()
        await changed()
      },
    })
  }

  return { element, add: (edit) => { edits.push(edit); draw() } }
}
