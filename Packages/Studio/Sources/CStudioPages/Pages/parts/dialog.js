// Dialogs: they hold the focus until they are answered, Escape answers "no".
import { h, report } from '../lib/dom.js'

/**
 * Shows a form and waits for it.
 *
 * `text` is a text or nodes. `fields` are `{ name, label, type, value, options, required, hint }`. `action(values)` runs before the dialog closes; what it throws is
 * shown in the dialog, which stays open. The promise gives the values, or null when the person went back.
 */
export function ask({ title, text, fields = [], confirm = 'OK', danger = false, action = async () => {} }) {
  return new Promise((resolve) => {
    const problem = h('p', { class: 'error', role: 'alert' })
    const inputs = fields.map((field) => [field, input(field)])
    const submit = h('button', { type: 'submit', class: danger ? 'danger' : 'main' }, confirm)
    const form = h('form', { method: 'dialog' },
      h('h2', {}, title), text && h('div', {}, text),
      inputs.map(([field, element]) => h('label', {}, h('span', {}, field.label), element, field.hint && h('small', {}, field.hint))),
      problem,
      h('footer', {}, h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'), submit))
    const dialog = h('dialog', { 'aria-label': title }, form)
    let answer = null
    form.addEventListener('submit', async (event) => {
      event.preventDefault()
      const values = Object.fromEntries(inputs.map(([field, element]) =>
        [field.name, field.type === 'checkbox' ? element.checked : element.value]))
      submit.disabled = true
      try {
        await action(values)
        answer = values
        dialog.close()
      } catch (error) {
        // What was asked for is done when the view around it has ended meanwhile.
        if (error.name === 'AbortError') { answer = values; dialog.close() } else problem.textContent = error.message
      } finally {
        submit.disabled = false
      }
    })
    dialog.addEventListener('close', () => { dialog.remove(); resolve(answer) })
    document.body.append(dialog)
    dialog.showModal()
  })
}

function input(field) {
  const shared = { name: field.name, 'aria-label': field.label }
  if (field.options) {
    return h('select', shared, field.options.map((option) => {
      const [value, label] = Array.isArray(option) ? option : [option, option]
      return h('option', { value, selected: value === field.value }, label)
    }))
  }
  if (field.type === 'checkbox') return h('input', { type: 'checkbox', ...shared, checked: field.value === true })
  if (field.type === 'text-area') return h('textarea', { ...shared, rows: 8, value: field.value ?? '' })
  return h('input', {
    type: field.type ?? 'text', ...shared, value: field.value ?? '', required: field.required ?? false, autocomplete: 'off',
  })
}

/** Asks before something that cannot be taken back; `word` must be typed where it is given. */
export async function confirmed({ title, text, confirm, word, action }) {
  const answer = await ask({
    title, text, confirm, danger: true,
    fields: word ? [{ name: 'word', label: `Type ${word} to confirm`, required: true }] : [],
    action: async ({ word: typed }) => {
      if (word && typed !== word) throw new Error(`This is not ${word}.`)
      await action()
    },
  }).catch(report)
  return answer != null
}
