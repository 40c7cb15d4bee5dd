import { it } from '@jest/globals';
import { firstTenants } from '#server/seed.js';
import { NotesModule } from '#server/demo/notes.module.js';
import { runServer } from '../support/running-server.js';
import { AUTHORIZATION_ROUTES } from '#authorization/http/routes.js';
it('x', async () => {
  await using r = await runServer({ modules: [NotesModule], tenants: firstTenants(true).slice(1), environment: { OAUTH_RATE_FACTOR: '1000' } });
  const f = r.server.app.getHttpAdapter().getInstance() as any;
  console.log(f.printRoutes({ commonPrefix: false }), r.server.app.getHttpAdapter().constructor.name);
  const out: string[] = [];
  for (const { path, methods } of [...AUTHORIZATION_ROUTES, {path:'/', methods: []}, {path:'/healthz', methods: []}, {path:'/readyz', methods: []}, {path:'/.well-known/oauth-protected-resource/t/demo-secure/mcp', methods: []}, {path:'/.well-known/oauth-protected-resource', methods: []}] as any[]) {
    const url = r.server.url + path.replace(':uid', 'abc').replace(':slug', 'demo-secure');
    const line = [path, methods.join('/')];
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answers = new Set<string>();
      for (const authorization of [undefined, 'Bearer garbage', 'Bearer', 'Basic Zm9vOmJhcg==', 'DPoP x']) {
        const res = await fetch(url, { method, redirect: 'manual', headers: authorization ? { authorization } : {} });
        answers.add(`${res.status} ${res.headers.get('www-authenticate')??''} ${res.headers.get('content-type')??''} ${method === 'HEAD' || res.status < 300 ? '' : (await res.text()).slice(0,150).replace(/\s+/g, ' ')}`);
      }
      line.push(`${method}:\n      ${[...answers].join('\n      ')}`);
    }
    out.push(line.join('\n   '));
  }
  console.log(out.join('\n'));
});
