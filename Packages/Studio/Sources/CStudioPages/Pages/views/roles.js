// Permissions inside a realm: roles with their members, and who has which of the seven privileges on the realm, a class, an object.
import { h, fill, button, report, say } from '../lib/dom.js'
import { visible } from '../lib/format.js'
import { ask, confirmed } from '../parts/dialog.js'
import { table } from '../parts/table.js'
import { realmHeader } from './realm-header.js'
import * as api from '../lib/api.js'

/** The privileges with what each says on a realm, a class, an object; null where it says nothing by itself. */
const privileges = [
  ['read', 'see anything of the realm', 'see objects of the class', 'see the object and what it links to'],
  ['update', 'change anything in the realm', 'change properties of its objects', 'change properties, except this list'],
  ['delete', 'needed by those who delete objects', 'needed by those who delete its objects', 'delete the object'],
  ['setPermissions', 'change this list', 'change this list', 'change this list'],
  ['query', 'needed by those who subscribe', 'subscribe to the class', 'says nothing for an object'],
  ['create', 'needed by those who create objects', 'create objects of the class', 'says nothing for an object'],
  ['modifySchema', 'add classes', 'add properties to the class', 'says nothing for an object'],
]
const levels = { realm: 1, class: 2, object: 3 }

/** The permissions inside the realm at `parameters.path`. */
export async function roles(place, { parameters, signal }) {
  const { path } = parameters
  const content = h('div', { class: 'stack' })
  fill(place, realmHeader(path, 'roles'), content)

  async function show() {
    const found = await api.roles(path, {}, signal)
    if (!found.hasPermissions) {
      return fill(content, h('p', {}, 'This realm has no permissions of its own: whoever may open it by its path may do everything in it that the path allows.'),
        h('p', {}, button('Give it permissions', open, { class: 'main' })))
    }
    const type = h('select', { 'aria-label': 'Class of an object' }, found.classes.filter(({ name }) => !name.startsWith('__')).map(({ name }) => h('option', { value: name }, name)))
    const key = h('input', { 'aria-label': 'Key of an object', placeholder: 'Key', required: true })
    const object = h('div', {})
    const names = found.roles.map(({ name }) => name)
    return fill(content,
      h('p', {}, 'An action is allowed when realm, class and object allow it, each by one of the user’s roles. A list without a role gives it nothing; a class without a list says nothing.'),
      list({ title: 'The realm', level: 'realm', entries: found.realm, names, save: (entries) => api.setAccessList(path, { entries }) }),
      found.classes.filter(({ name }) => !name.startsWith('__')).map((one) =>
        list({ title: `Class ${one.name}`, level: 'class', entries: one.entries, hasList: one.hasList, names, save: (entries) => api.setAccessList(path, { className: one.name, entries }) })),
      h('section', {}, h('h2', {}, 'One object'),
        h('form', { class: 'line', onsubmit: (event) => { event.preventDefault(); one(type.value, key.value, object, names).catch(report) } }, type, key, h('button', { type: 'submit' }, 'Show its list')), object),
      h('section', {}, h('h2', {}, 'Roles'), table([
        ['Role', (role) => h('bdi', { class: 'mono' }, visible(role.name))],
        ['Members', (role) => h('ul', { class: 'plain mono' }, role.members.slice(0, 200).map((user) => h('li', {}, h('bdi', {}, visible(user)), ' ', button('Remove', member(role.name, [], [user]), { 'aria-label': `Remove ${user} from ${role.name}` }))), role.members.length > 200 && `and ${role.members.length - 200} more`)],
        ['', (role) => button('Add a member', () => addMember(role.name))],
      ], found.roles), button('New role', () => addMember(''))))
  }

  async function one(className, key, into, names) {
    const found = await api.roles(path, { className, key }, signal)
    if (!found.object) return fill(into, h('p', { class: 'none' }, `There is no such ${className}, or its class has no list of __Permission for its objects: add such a property in Schema.`))
    return fill(into, list({ title: `${className} ${visible(key)}`, level: 'object', entries: found.object, names, save: async (entries) => { await api.setAccessList(path, { className, key, entries }); await one(className, key, into, names) }, isAlone: true }))
  }

  /** A list as a table of toggles: a row for each role, a column for each privilege. */
  function list({ title, level, entries, hasList = true, names, save, isAlone }) {
    const store = async (changed, sentence) => { await save(changed); say(sentence); if (!isAlone) await show() }
    const toggle = (entry, name, isOn) => store(entries.map((other) => (other === entry
      ? { ...entry, privileges: isOn ? [...entry.privileges, name] : entry.privileges.filter((one) => one !== name) } : other)),
    `${visible(entry.role)} ${isOn ? 'may now' : 'may no longer'}: ${name}.`)
    const box = (entry, name, meaning) => {
      const input = h('input', {
        type: 'checkbox', checked: entry.privileges.includes(name), title: meaning, 'aria-label': `${entry.role}: ${name}, ${meaning}`,
        onchange: async () => { try { await toggle(entry, name, input.checked) } catch (error) { input.checked = !input.checked; report(error) } },
      })
      return input
    }
    const rest = names.filter((name) => !entries.some(({ role }) => role === name))
    const add = () => ask({
      title: `A role for ${title}`, confirm: 'Add', fields: [{ name: 'role', label: 'Role', options: rest }],
      action: async ({ role }) => store([...entries, { role, privileges: ['read'] }], `${role} is in the list.`),
    })
    return h('section', {}, h('h2', {}, h('bdi', {}, title)),
      hasList ? table([
        ['Role', (entry) => h('bdi', { class: 'mono' }, visible(entry.role))],
        ...privileges.map(([name, ...meanings]) => [name, (entry) => box(entry, name, meanings[levels[level] - 1])]),
        ['', (entry) => button('Remove', () => store(entries.filter((other) => other !== entry), `${visible(entry.role)} is not in the list any more.`))],
      ], entries, { none: 'The list is empty: nobody but administrators may do anything here.' }) : h('p', { class: 'none' }, 'No list: the realm decides.'),
      h('details', {}, h('summary', {}, 'What the privileges mean here'), h('dl', {}, privileges.map(([name, ...meanings]) => [h('dt', { class: 'mono' }, name), h('dd', {}, meanings[levels[level] - 1])]))),
      rest.length > 0 && button('Add a role', add))
  }

  const member = (role, add, removed) => async () => { await api.setMembers(path, role, add, removed); say('The role is changed.'); await show() }
  const addMember = (role) => ask({
    title: role ? `A member for ${role}` : 'New role', confirm: 'Add',
    fields: [...(role ? [] : [{ name: 'role', label: 'Role', required: true }]), { name: 'user', label: 'User: name or id', required: true }],
    action: async (values) => { await member(role || values.role, [await api.userId(values.user)], [])() },
  })

  const open = () => confirmed({
    title: 'Give this realm permissions?', confirm: 'Give permissions',
    text: 'Everybody may do everything at first, by the role “everyone”. It cannot be taken back.', action: async () => { await api.openPermissions(path); say('The realm has permissions.'); await show() },
  })

  await show()
}
