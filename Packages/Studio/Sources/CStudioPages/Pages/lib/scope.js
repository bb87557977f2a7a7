// For whom the pages are: an administrator of a server, another user of it, or the owner of a file on this machine.

let session = { scope: 'server' }

/** Sets the login from which everything follows. */
export const useScope = (login) => { session = login }

/** `kind` is `server`, `user` or `file`; `isReadOnly` says that nothing may be changed. */
export const scope = () => ({ kind: session.scope ?? 'server', isReadOnly: session.isReadOnly === true, path: session.path })
