extension ExplorerPage {
  /// Finds the type at the cursor by reading the text before it, and offers the fields and arguments that the schema has there.
  static let scriptCompletion = #"""
    function context(text) {
      const tokens = text.match(/"(?:\\.|[^"\\])*"?|#[^\n]*|\.\.\.|[A-Za-z_][A-Za-z0-9_]*|[^\s,]/g) || [];
      const roots = { query: 'queryType', mutation: 'mutationType', subscription: 'subscriptionType' };
      let stack = [], root = 'query', field = null, inArguments = null, isCondition = false;
      const top = () => stack[stack.length - 1];
      for (const token of tokens) {
        if (token[0] === '"' || token[0] === '#') continue;
        if (inArguments) {
          if (token === ')') inArguments = null;
          continue;
        }
        if (token === '(') { if (stack.length) inArguments = field || {}; continue; }
        if (token === '{') {
          if (!stack.length) { const type = schema[roots[root] || roots.query]; stack.push(type ? type.name : null); }
          else stack.push(field ? field.type : top());
          field = null; root = 'query';
        } else if (token === '}') { stack.pop(); field = null; }
        else if (token === '...') { isCondition = true; field = null; }
        else if (/^[A-Za-z_]/.test(token)) {
          if (!stack.length) { if (token in roots) root = token; else if (token === 'on') isCondition = true; }
          else if (isCondition) { if (token !== 'on') { field = { type: token }; isCondition = false; } }
          else {
            const type = typeNamed(top());
            const found = type && (type.fields || []).find(candidate => candidate.name === token);
            field = found ? { type: named(found.type), definition: found } : null;
          }
        }
      }
      return { type: top(), inArguments };
    }

    function candidates(text) {
      if (!schema) return [];
      const { type, inArguments } = context(text);
      if (inArguments) return inArguments.definition ? inArguments.definition.args.map(argument => ({ text: argument.name + ': ', note: shown(argument.type) })) : [];
      if (!type) return ['query', 'mutation', 'subscription'].map(word => ({ text: word + ' ', note: '' }));
      const found = typeNamed(type);
      if (!found) return [];
      if (found.kind === 'UNION') return found.possibleTypes.map(member => ({ text: '... on ' + member.name + ' { ', note: '' }));
      return (found.fields || []).map(field => ({ text: field.name, note: shown(field.type) })).concat([{ text: '__typename', note: 'String!' }]);
    }

    const completion = { items: [], at: 0, start: 0 };
    function offer() {
      const editor = $('query'), before = editor.value.slice(0, editor.selectionStart);
      const word = /[A-Za-z_0-9]*$/.exec(before)[0];
      completion.start = before.length - word.length;
      completion.items = candidates(before.slice(0, completion.start)).filter(item => item.text.toLowerCase().startsWith(word.toLowerCase())).slice(0, 200);
      completion.at = 0;
      showCompletions();
    }

    function showCompletions() {
      const list = $('completions');
      list.replaceChildren(...completion.items.map((item, index) => {
        const line = document.createElement('li');
        line.setAttribute('role', 'option');
        line.setAttribute('aria-selected', index === completion.at);
        line.textContent = item.text + (item.note ? '  ' + item.note : '');
        line.onmousedown = event => { event.preventDefault(); completion.at = index; take(); };
        return line;
      }));
      list.hidden = !completion.items.length;
      const lines = $('query').value.slice(0, completion.start).split('\n');
      list.style.setProperty('top', Math.min(lines.length * 19.5 + 12 - $('query').scrollTop, $('query').clientHeight - 60) + 'px');
      list.style.setProperty('left', Math.min(lines[lines.length - 1].length * 7.8 + 12, 320) + 'px');
      const selected = list.children[completion.at];
      if (selected) selected.scrollIntoView({ block: 'nearest' });
    }

    function take() {
      const item = completion.items[completion.at], editor = $('query');
      if (!item) return;
      editor.setRangeText(item.text, completion.start, editor.selectionStart, 'end');
      completion.items = [];
      showCompletions();
    }
    """#

  /// The buttons, the history, the schema, and what happens first.
  static let scriptView = #"""
    let stopRunning = null;
    const history = JSON.parse(localStorage.getItem('graphql-history') || '[]');

    function remember(query) {
      const known = history.indexOf(query);
      if (known >= 0) history.splice(known, 1);
      history.unshift(query);
      history.length = Math.min(history.length, 50);
      localStorage.setItem('graphql-history', JSON.stringify(history));
      listHistory();
    }

    function listHistory() {
      $('history').replaceChildren(new Option('History', ''), ...history.map((query, index) => new Option(query.replace(/\s+/g, ' ').slice(0, 60), index)));
    }

    function show(answer) { $('result').textContent = JSON.stringify(answer, null, 2); }

    async function run() {
      if (stopRunning) stopRunning();
      const query = $('query').value;
      let variables;
      try { variables = $('variables').value.trim() ? JSON.parse($('variables').value) : null; }
      catch (error) { return show({ errors: [{ message: 'Variables: ' + error.message }] }); }
      remember(query);
      $('count').textContent = '';
      const operations = [...query.matchAll(/^\s*(query|mutation|subscription)\s+([A-Za-z_][A-Za-z0-9_]*)/gm)];
      const isSubscription = /^\s*subscription\b/m.test(query.replace(/#.*/g, ''));
      const operationName = operations.length > 1 ? operations.find(part => isSubscription === (part[1] === 'subscription'))[2] : undefined;
      try {
        if (!isSubscription) { $('state').textContent = '…'; show(await post(query, variables, operationName)); $('state').textContent = ''; return; }
        let count = 0;
        $('state').textContent = 'subscribed';
        $('stop').hidden = false;
        stopRunning = await subscribe(query, variables, operationName,
          answer => { show(answer); count += 1; $('count').textContent = count + (count === 1 ? ' result' : ' results'); },
          reason => { $('state').textContent = reason; $('stop').hidden = true; stopRunning = null; });
      } catch (error) { $('state').textContent = error.message; if (error.isRefused) logOut(error.message); }
    }

    async function loadSchema() {
      const answer = await post(introspection, null);
      schema = answer.data.__schema;
      $('logout').hidden = !session.refresh;
      if (!$('query').value) {
        const first = (typeNamed(schema.queryType.name).fields || [])[0];
        $('query').value = first ? '# Ctrl-Space completes, Ctrl-Enter runs\n{\n  ' + first.name + ' {\n    __typename\n  }\n}\n' : '';
      }
      describe(schema.queryType.name);
    }

    function describe(name) {
      const type = typeNamed(name), aside = $('schema');
      const link = (text, target) => { const a = document.createElement('a'); a.textContent = text; a.onclick = () => describe(target); return a; };
      const line = (tag, ...children) => { const node = document.createElement(tag); node.append(...children); return node; };
      const roots = ['queryType', 'mutationType', 'subscriptionType'].filter(root => schema[root]).flatMap(root => [link(schema[root].name, schema[root].name), ' ']);
      const rows = (type.fields || type.inputFields || []).flatMap(field => [
        line('dt', field.name, field.args && field.args.length ? '(' + field.args.map(argument => argument.name + ': ' + shown(argument.type)).join(', ') + ')' : '', ': ', link(shown(field.type), named(field.type))),
        line('dd', field.description || '')]);
      const words = (type.enumValues || []).flatMap(value => [line('dt', value.name), line('dd', value.description || '')]);
      const members = (type.possibleTypes || []).map(member => line('dt', link(member.name, member.name)));
      aside.replaceChildren(line('p', ...roots), line('h2', name), line('p', type.description || ''), line('dl', ...rows, ...words, ...members));
    }

    async function begin() { try { await loadSchema(); } catch (error) { logOut(session.refresh ? error.message : ''); } }

    $('run').onclick = run;
    $('stop').onclick = () => { if (stopRunning) stopRunning(); };
    $('docs').onclick = () => { $('schema').hidden = !$('schema').hidden; };
    $('logout').onclick = () => logOut('');
    $('history').onchange = event => { if (event.target.value !== '') $('query').value = history[event.target.value]; event.target.value = ''; };
    $('query').oninput = event => { if (completion.items.length || /[A-Za-z_]$/.test($('query').value.slice(0, $('query').selectionStart))) offer(); };
    $('query').onblur = () => { completion.items = []; showCompletions(); };
    $('query').onkeydown = event => {
      if (event.key === 'Enter' && event.ctrlKey) { event.preventDefault(); return run(); }
      if (event.key === ' ' && event.ctrlKey) { event.preventDefault(); return offer(); }
      if (!completion.items.length) return;
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) { event.preventDefault(); completion.at = (completion.at + step + completion.items.length) % completion.items.length; showCompletions(); }
      if (event.key === 'Enter' || event.key === 'Tab') { event.preventDefault(); take(); }
      if (event.key === 'Escape') { completion.items = []; showCompletions(); }
    };
    $('enter').onclick = async event => {
      event.preventDefault();
      try {
        const token = $('token').value.trim();
        if (token) Object.assign(session, { access: token, expires: Infinity }); else await logIn($('user').value, $('password').value);
        await loadSchema();
        $('password').value = '';
        $('login').close();
      } catch (error) { $('refusal').textContent = error.message; }
    };
    listHistory();
    begin();
    """#
}
