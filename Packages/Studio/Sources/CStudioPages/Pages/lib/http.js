// Requests to the server that served this page. The login is a cookie that scripts cannot read; what changes something carries
// the anti-forgery token of the login in a header.

/** An answer that is no success: `status`, `code`, and the server's sentence as `message`. */
export class APIError extends Error {
  constructor(status, code, message) {
    super(message)
    this.status = status
    this.code = code
  }
}

let forgeryToken = ''
let onSignedOut = () => {}

/** Sets the token of a login, and what is called when the server says that there is none any more. */
export function useLogin(token, signedOut) {
  forgeryToken = token
  onSignedOut = signedOut
}

/** JSON text as a value. Integers beyond 2^53 stay texts of their digits. */
export function parse(text) {
  return JSON.parse(text, (_, value, context) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value) && context?.source
      ? context.source : value)
}

/** One request; `query` are parameters of the URL, of which empty ones are left out. */
export async function request(method, path, { query = {}, body, signal } = {}) {
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value != null && value !== ''))
  // A space is written as %20: the server takes a plus sign for itself.
  const url = parameters.size ? `${path}?${parameters.toString().replaceAll('+', '%20')}` : path
  const headers = { Accept: 'application/json' }
  if (method !== 'GET') headers['X-OpenRealm-Token'] = forgeryToken
  if (body !== undefined) headers['Content-Type'] = 'application/json'
  let response
  try {
    response = await fetch(url, {
      method, headers, signal, credentials: 'same-origin', body: body === undefined ? undefined : JSON.stringify(body),
    })
  } catch (error) {
    if (error.name === 'AbortError') throw error
    throw new APIError(0, 'Unreachable', 'The server does not answer. Is it running?')
  }
  const text = await response.text()
  let value = null
  try { value = text ? parse(text) : null } catch { /* Not JSON: the status says enough. */ }
  if (response.ok) return value
  if (response.status === 401) onSignedOut()
  throw new APIError(response.status, value?.error_code ?? value?.title ?? '', value?.error ?? value?.title ?? `The server answered ${response.status}.`)
}

export const get = (path, query, signal) => request('GET', path, { query, signal })
export const post = (path, body, query) => request('POST', path, { body: body ?? {}, query })
export const put = (path, body, query) => request('PUT', path, { body: body ?? {}, query })
export const patch = (path, body, query) => request('PATCH', path, { body: body ?? {}, query })
export const remove = (path, query) => request('DELETE', path, { query })

/**
 * Follows a stream of server-sent events until `signal` aborts.
 *
 * `handlers` has a function per kind of event; it gets the parsed data. The browser connects again by itself.
 */
export function follow(path, handlers, signal) {
  const source = new EventSource(path)
  for (const [kind, handler] of Object.entries(handlers)) {
    source.addEventListener(kind, (event) => handler(parse(event.data)))
  }
  signal.addEventListener('abort', () => source.close())
}
