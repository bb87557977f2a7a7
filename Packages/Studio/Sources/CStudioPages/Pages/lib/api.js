// The administration API of the server (/api/openrealm/v1/admin/openapi.json describes it), as the views use it.
import { follow, get, patch, post, put, remove } from './http.js'

const admin = (path) => `/api/openrealm/v1/admin/${path}`
const user = (id, rest = '') => admin(`users/${encodeURIComponent(id)}${rest}`)

// MARK: The login of this browser

/**
 * The login of this browser: `name`, `user_id`, the anti-forgery `token`, and `scope`: `server` for administrators, `user` for
 * others, `file` for a file of this machine, then with its `path` and `isReadOnly`. Null when there is none.
 */
export const session = () => get('/studio/session')
export const logInByKey = (key) => post('/studio/session', { key })
export const logIn = (username, password) => post('/studio/session', { username, password })
export const logOut = () => remove('/studio/session')

// MARK: The server

export const server = (signal) => get(admin('server'), {}, signal)

/** Figures every two seconds: counters as their growth per second, gauges as they are. */
export function followFigures(handler, signal) {
  let before = null
  follow(`${admin('live')}?topics=metrics`, {
    metrics(samples) {
      const now = { at: Date.now(), sums: sums(samples) }
      if (before) handler(figures(before, now))
      before = now
    },
  }, signal)
}

/** The sums of all samples of a name, whatever their labels. */
function sums(samples) {
  const found = {}
  for (const { name, value } of samples) found[name] = (found[name] ?? 0) + Number(value)
  return found
}

const counters = {
  commits: 'openrealm_group_commits_total', changesets: 'openrealm_changesets_integrated_total', requests: 'openrealm_http_requests_total',
  received: 'openrealm_sync_bytes_received_total', sent: 'openrealm_sync_bytes_sent_total',
}
const gauges = { sessions: 'openrealm_sync_sessions', realms: 'openrealm_open_realms', lag: 'openrealm_download_bytes_waiting', waiting: 'openrealm_upload_bytes_waiting' }

function figures(before, now) {
  const seconds = Math.max(0.1, (now.at - before.at) / 1_000)
  const found = {}
  for (const [name, metric] of Object.entries(counters)) {
    if (metric in now.sums) found[name] = (now.sums[metric] - (before.sums[metric] ?? 0)) / seconds
  }
  for (const [name, metric] of Object.entries(gauges)) {
    if (metric in now.sums) found[name] = now.sums[metric]
  }
  return found
}

// MARK: Logs and sessions

export const logLevel = (signal) => get(admin('log-level'), {}, signal)
export const setLogLevel = (level) => put(admin('log-level'), { level })

/** The newest `last` entries of the log from a level on, then each new one. */
export function followLogs({ level, last = 0 }, handler, signal) {
  if (last) get(admin('logs'), { level, limit: last }, signal).then(({ entries }) => entries.forEach(handler), () => {})
  follow(`${admin('live')}?topics=logs&level=${level}`, { log: handler }, signal)
}

/** The list of connections whenever it changes. */
export const followSessions = (handler, signal) => follow(`${admin('live')}?topics=sessions`, { sessions: handler }, signal)
export const closeConnection = (id) => remove(admin(`sessions/${id}`))

// MARK: Realms

/** Realms with their paths, owners and sessions, and with `details` what the server looks into their files for. */
export const realms = ({ search, system, skip, limit, details = true }, signal) => get(admin('realms'), { search, system: system ? 'true' : '', skip, limit, details: details ? '' : 'false' }, signal)
export const realm = (path, { at } = {}, signal) => get(admin('realm'), { path, at }, signal)
export const createRealm = (path) => post(admin('realms'), { path })
export const renameRealm = (path, newPath) => post(admin('realm/rename'), { path, newPath })
export const deleteRealm = (path) => remove(admin('realm'), { path })

/** Rows of a class: `{ version, total, objects: [{ key, values, cut }] }`, values as texts; only the version when it still is `unless`. */
export const objects = ({ path, className, query, sort, descending, skip, take, unless, whole, at }, signal) =>
  get(admin('realm/objects'), { path, class: className, query, sort, descending: descending ? 'true' : '', skip, take, unless, whole: whole ? 'true' : '', at }, signal)

/** Writes edits `{ action, class, key, values }` as one transaction. */
export const write = (path, edits) => post(admin('realm/transaction'), { path, edits })

/** The lines of what edits would write, links that deletions take away included. */
export const preview = async (path, edits) => (await post(admin('realm/transaction'), { path, edits, preview: true })).instructions ?? []

/** The model classes of a realm as source text. */
export const modelClasses = (path, language) => get(admin('realm/models'), { path, language })
export const languages = [
  ['swift', 'Swift'], ['kotlin', 'Kotlin'], ['java', 'Java'], ['javascript', 'JavaScript'], ['typescript', 'TypeScript'], ['csharp', 'C#'], ['dart', 'Dart'],
]
export const addSchema = (path, classes) => post(admin('realm/schema'), { path, classes })

// MARK: History and subscriptions

export const history = (path, { before, limit }, signal) => get(admin('realm/history'), { path, before, limit }, signal)
export const transaction = (path, version, signal) => get(admin('realm/transaction'), { path, version }, signal)
export const subscriptions = (path, signal) => get(admin('realm/subscriptions'), { path }, signal)

// MARK: Permissions inside a realm

export const roles = (path, { className, key } = {}, signal) => get(admin('realm/roles'), { path, class: className, key }, signal)
export const setAccessList = (path, { className, key, entries }) =>
  put(admin('realm/roles'), { path, ...(className ? { class: className } : {}), ...(key === undefined ? {} : { key }), entries })
export const setMembers = (path, role, add, removed) => put(admin('realm/roles/members'), { path, role, add, remove: removed })
export const openPermissions = (path) => post(admin('realm/roles'), { path })

// MARK: Import, export, tasks

/** Sends a file in parts; `progress(share)` is told how far it is. */
export async function upload(file, progress) {
  const { file: number } = await post(admin('files'), { name: file.name })
  const part = 384 * 1024
  for (let at = 0; at < file.size; at += part) {
    const bytes = new Uint8Array(await file.slice(at, at + part).arrayBuffer())
    let text = ''
    for (let start = 0; start < bytes.length; start += 8_192) text += String.fromCharCode(...bytes.subarray(start, start + 8_192))
    await put(admin(`files/${number}`), { at, data: btoa(text) })
    progress(Math.min(1, (at + part) / file.size))
  }
  return number
}
export const startImport = (path, options) => post(admin('realm/import'), { path, ...options })
export const startExport = (path, options) => post(admin('realm/export'), { path, ...options })
export const fileAddress = (file) => admin(`files/${file}`)
export const removeFile = (file) => remove(admin(`files/${file}`))

export const tasks = (signal) => get(admin('tasks'), {}, signal)
export const task = (id, signal) => get(admin(`tasks/${id}`), {}, signal)
export const startTask = (kind) => post(admin('tasks'), { kind })
export const cancelTask = (id) => remove(admin(`tasks/${id}`))
export const quarantine = (signal) => get(admin('quarantine'), {}, signal)
export const retryQuarantined = (name) => post(admin(`quarantine/${encodeURIComponent(name)}/retry`))
export const removeQuarantined = (name) => remove(admin(`quarantine/${encodeURIComponent(name)}`))

// MARK: Webhooks

export const webhooks = (signal) => get(admin('webhooks'), {}, signal)
export const deadLetters = ({ webhook, after, limit }, signal) => get(admin('webhooks/dead-letters'), { webhook, after, limit }, signal)
export const sendLetter = (letter) => post(admin(`webhooks/dead-letters/${encodeURIComponent(letter)}/send`))
export const deleteLetter = (letter) => remove(admin(`webhooks/dead-letters/${encodeURIComponent(letter)}`))

// MARK: Connectors

export const adapters = ({ skip, limit }, signal) => get(admin('adapters'), { skip, limit }, signal)
export const removeAdapter = (adapter, path) => remove(admin(`adapters/${encodeURIComponent(adapter)}`), { path })
export const consumers = (path, signal) => get(admin('realm/consumers'), { path }, signal)

// MARK: Users

export const users = ({ search, after, limit }, signal) => get(admin('users'), { search, after, limit }, signal)
export async function oneUser(id, signal) {
  const part = (name) => get(user(id, `/${name}`), {}, signal)
  const [found, { logins }, { permissions }, { keys }, { offers }, { connections }] = await Promise.all([
    get(user(id), {}, signal), part('logins'), part('permissions'), part('keys'), part('offers'), get(admin('sessions'), {}, signal),
  ])
  return { ...found, logins, permissions, keys, offers, connections: connections.filter((one) => one.user === id) }
}
export const createUser = (values) => post(admin('users'), values)
export const changeUser = (id, values) => patch(user(id), values)
export const setPassword = (id, password) => put(user(id, '/password'), { password })
export const deleteUser = (id) => remove(user(id))
export const endLogin = (id, login) => remove(user(id, `/logins/${encodeURIComponent(login)}`))
export const setKey = (id, key, isDisabled) => patch(user(id, `/keys/${encodeURIComponent(key)}`), { isDisabled })
export const deleteKey = (id, key) => remove(user(id, `/keys/${encodeURIComponent(key)}`))
export const createKey = (id, name) => post(user(id, '/keys'), { name })
export const deleteOffer = (id, offer) => remove(user(id, `/offers/${encodeURIComponent(offer)}`))
export const endLogins = (id) => remove(user(id, '/logins'))

/** The name that people know a user by. */
export const nameOf = ({ id, identities = [] }) => identities.find(({ provider }) => provider === 'local-userpass')?.name ?? identities[0]?.name ?? id

/** The id of a user by id, or by a name that fits exactly. */
export async function userId(text) {
  if (text === '*') return text
  const { users: found } = await users({ search: text, limit: 100 })
  return found.find(({ id, identities }) => id === text || identities.some(({ name }) => name === text))?.id ?? text
}

// MARK: Access

export const grants = (path, signal) => get(admin('permissions'), { path }, signal)
export const grant = (path, userId, access) => put(admin('permissions'), { path, userId, access })
export const explainAccess = (path, user, access) => get(admin('permissions/explain'), { path, user, access })
export const explainObject = ({ path, user, className, key }) => get('/api/openrealm/v1/explain', { path, user, class: className, key })

// MARK: Audit

export const audit = ({ user, event, refused, before, limit }, signal) =>
  get(admin('audit'), { user, event, refused: refused ? 'true' : '', before, limit }, signal)
export const verifyAudit = () => get(admin('audit/verification'))
