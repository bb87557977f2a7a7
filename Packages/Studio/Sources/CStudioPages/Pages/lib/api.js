// The administration API of the server (/api/openrealm/v1/admin/openapi.json describes it), as the views use it.
import { follow, get, patch, post, put, remove } from './http.js'

const admin = (path) => `/api/openrealm/v1/admin/${path}`
const user = (id, rest = '') => admin(`users/${encodeURIComponent(id)}${rest}`)

// MARK: The login of this browser

/** The login of this browser: `name`, `user_id`, and the anti-forgery `token`; null when there is none. */
export const session = () => get('/studio/session')
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
const gauges = { sessions: 'openrealm_sync_sessions', realms: 'openrealm_open_realms' }

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

/** The newest `last` entries of the log from a level on, then each new one. */
export function followLogs({ level, last = 0 }, handler, signal) {
  if (last) get(admin('logs'), { level, limit: last }, signal).then(({ entries }) => entries.forEach(handler), () => {})
  follow(`${admin('live')}?topics=logs&level=${level}`, { log: handler }, signal)
}

/** The list of connections whenever it changes. */
export const followSessions = (handler, signal) => follow(`${admin('live')}?topics=sessions`, { sessions: handler }, signal)
export const closeConnection = (id) => remove(admin(`sessions/${id}`))

// MARK: Realms

export const realms = ({ search, system, after, limit }, signal) => get(admin('realms'), { search, system: system ? 'true' : '', after, limit }, signal)
export const realm = (path, signal) => get(admin('realm'), { path }, signal)
export const renameRealm = (path, newPath) => post(admin('realm/rename'), { path, newPath })
export const deleteRealm = (path) => remove(admin('realm'), { path })

/** Rows of a class: `{ version, total, objects: [{ key, values, cut }] }`, values as texts; only the version when it still is `unless`. */
export const objects = ({ path, className, query, sort, descending, skip, take, unless, whole }, signal) =>
  get(admin('realm/objects'), { path, class: className, query, sort, descending: descending ? 'true' : '', skip, take, unless, whole: whole ? 'true' : '' }, signal)

/** Writes edits `{ action, class, key, values }` as one transaction. */
export const write = (path, edits) => post(admin('realm/transaction'), { path, edits })

/** The model classes of a realm as source text. */
export const modelClasses = (path, language) => get(admin('realm/models'), { path, language })
export const languages = [['swift', 'Swift'], ['kotlin', 'Kotlin'], ['typescript', 'TypeScript'], ['csharp', 'C#']]

// MARK: Users

export const users = ({ search, after, limit }, signal) => get(admin('users'), { search, after, limit }, signal)
export async function oneUser(id, signal) {
  const [found, { logins }, { permissions }] = await Promise.all([
    get(user(id), {}, signal), get(user(id, '/logins'), {}, signal), get(user(id, '/permissions'), {}, signal),
  ])
  return { ...found, logins, permissions }
}
export const createUser = (values) => post(admin('users'), values)
export const changeUser = (id, values) => patch(user(id), values)
export const setPassword = (id, password) => put(user(id, '/password'), { password })
export const deleteUser = (id) => remove(user(id))
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
