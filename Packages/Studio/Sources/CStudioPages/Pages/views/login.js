// The page of somebody who is not logged in.
import { h, fill } from '../lib/dom.js'
import { logIn } from '../lib/api.js'

/** Shows the form; `done(session)` is called when the server has let the person in. */
export function login(place, done) {
  const problem = h('p', { class: 'error', role: 'alert' })
  const name = h('input', { name: 'username', autocomplete: 'username', required: true })
  const password = h('input', { name: 'password', type: 'password', autocomplete: 'current-password', required: true })
  const submit = h('button', { class: 'main', type: 'submit' }, 'Log in')
  const form = h('form', {
    class: 'login',
    onsubmit: async (event) => {
      event.preventDefault()
      submit.disabled = true
      problem.textContent = ''
      try {
        done(await logIn(name.value, password.value))
      } catch (error) {
        problem.textContent = error.status === 401 ? 'This name and this password do not fit.' : error.message
        password.select()
      } finally {
        submit.disabled = false
      }
    },
  },
  h('h1', {}, 'OpenRealm Studio'), h('p', {}, `Log in at ${location.host}`),
  h('label', {}, h('span', {}, 'Name'), name), h('label', {}, h('span', {}, 'Password'), password), problem, submit)
  fill(place, h('main', { class: 'narrow' }, form))
  name.focus()
}
