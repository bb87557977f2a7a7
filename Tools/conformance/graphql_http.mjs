// The audits of graphql-http against the address that is given, with the token in the environment.
import { serverAudits } from 'graphql-http';

const authorization = `Bearer ${process.env.TOKEN}`;
const audits = serverAudits({
  url: process.argv[2],
  // Every request of the suite passes here unchanged but for the token.
  fetchFn: (url, options = {}) => {
    const headers = new Headers(options.headers);
    headers.set('authorization', authorization);
    return fetch(url, { ...options, headers });
  },
});
let failed = 0;
for (const audit of audits) {
  const result = await audit.fn();
  if (result.status === 'ok') continue;
  failed += 1;
  console.error(`${result.status} ${audit.id} ${audit.name}: ${result.reason}`);
}
console.log(`graphql-http: ${audits.length - failed} of ${audits.length} audits hold`);
process.exit(failed === 0 && audits.length > 0 ? 0 : 1);
