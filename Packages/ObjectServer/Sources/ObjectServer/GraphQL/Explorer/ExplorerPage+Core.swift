extension ExplorerPage {
  /// Tokens: a login with a name and a password as apps do it, renewed before the access token expires.
  static let scriptCore = #"""
    'use strict';
    const $ = id => document.getElementById(id);
    const realm = decodeURIComponent(location.pathname.replace(/^\/graphql\/explore\//, ''));
    const endpoint = '/graphql/' + encodeURIComponent('/' + realm.replace(/^\//, ''));
    $('path').textContent = '/' + realm.replace(/^\//, '');
    const session = { refresh: sessionStorage.getItem('refresh'), access: null, expires: 0 };

    async function authenticate(body) {
      const response = await fetch('/auth', { method: 'POST', headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(Object.assign({ app_id: '' }, body)) });
      const answer = await response.json().catch(() => ({}));
      if (!response.ok) throw new Error(answer.title || answer.error || answer.message || 'The login was refused.');
      return answer;
    }

    async function logIn(user, password) {
      const answer = await authenticate({ provider: 'password', data: user, user_info: { register: false, password } });
      session.refresh = answer.refresh_token.token;
      sessionStorage.setItem('refresh', session.refresh);
      session.access = null;
      await accessToken();
    }

    async function accessToken() {
      if (session.access && Date.now() < session.expires - 30000) return session.access;
      if (!session.refresh) return session.access;
      const path = '/' + realm.replace(/^\//, '');
      const answer = await authenticate({ provider: 'realm', data: session.refresh, path });
      session.access = answer.access_token.token;
      session.expires = answer.access_token.token_data.expires * 1000;
      return session.access;
    }

    function logOut(reason) {
      Object.assign(session, { refresh: null, access: null });
      sessionStorage.removeItem('refresh');
      $('logout').hidden = true;
      $('refusal').textContent = reason || '';
      if (!$('login').open) $('login').showModal();
    }
    """#

  /// One request by HTTP, or one subscription by a WebSocket.
  static let scriptTransport = #"""
    async function post(query, variables, operationName) {
      const headers = { 'Content-Type': 'application/json', 'Accept': 'application/json' };
      const token = await accessToken();
      if (token) headers.Authorization = 'Bearer ' + token;
      const response = await fetch(endpoint, { method: 'POST', headers, body: JSON.stringify({ query, variables, operationName }) });
      const answer = await response.json();
      if (response.status === 401 || response.status === 403) throw Object.assign(new Error(answer.errors[0].message), { isRefused: true });
      return answer;
    }

    async function subscribe(query, variables, operationName, onResult, onEnd) {
      const token = await accessToken();
      const socket = new WebSocket((location.protocol === 'https:' ? 'wss://' : 'ws://') + location.host + endpoint, 'graphql-transport-ws');
      const say = message => socket.send(JSON.stringify(message));
      socket.onopen = () => say({ type: 'connection_init', payload: token ? { token } : {} });
      socket.onmessage = event => {
        const message = JSON.parse(event.data);
        if (message.type === 'connection_ack') say({ id: '1', type: 'subscribe', payload: { query, variables, operationName } });
        if (message.type === 'next') onResult(message.payload);
        if (message.type === 'error') { onResult({ errors: message.payload }); socket.close(); }
        if (message.type === 'complete') socket.close();
      };
      socket.onclose = event => onEnd(event.code === 1005 || event.code === 1000 ? '' : event.reason || 'closed: ' + event.code);
      return () => { if (socket.readyState === 1) say({ id: '1', type: 'complete' }); socket.close(); };
    }

    const introspection = `query Schema { __schema { queryType { name } mutationType { name } subscriptionType { name }
      types { kind name description fields { name description args { name description type { ...Ref } defaultValue } type { ...Ref } }
      inputFields { name description type { ...Ref } } enumValues { name description } possibleTypes { name } } } }
      fragment Ref on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`;
    let schema = null;
    const typeNamed = name => schema && schema.types.find(type => type.name === name);
    const named = type => type.ofType ? named(type.ofType) : type.name;
    const shown = type => type.kind === 'NON_NULL' ? shown(type.ofType) + '!' : type.kind === 'LIST' ? '[' + shown(type.ofType) + ']' : type.name;
    """#
}
