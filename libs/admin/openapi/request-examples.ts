interface Example {
  readonly summary: string;
  readonly value: object;
}

type Examples = Readonly<Record<string, Example>>;

const HTTP_TOOL: Example = {
  summary: 'A tool that calls a service',
  value: {
    name: 'find_order',
    kind: 'http_tool',
    definition: {
      description: 'Finds an order by its number',
      input: {
        type: 'object',
        properties: { id: { type: 'string', description: 'Such as A-1023' } },
        required: ['id'],
      },
      request: { method: 'GET', url: 'https://api.example.com/orders/{id}' },
    },
  },
};

const RESOURCE: Example = {
  summary: 'A resource: a text',
  value: {
    name: 'handbook',
    kind: 'resource',
    definition: {
      uri: 'docs://handbook',
      title: 'Handbook',
      mimeType: 'text/markdown',
      text: '# Handbook\n\nBe kind.',
    },
  },
};

const PROMPT: Example = {
  summary: 'A prompt with an argument',
  value: {
    name: 'plan_trip_to',
    kind: 'prompt',
    definition: {
      description: 'Plans a trip to a town.',
      arguments: [{ name: 'town', description: 'Where to', required: true }],
      messages: [{ role: 'user', content: { type: 'text', text: 'Plan a trip to {{town}}.' } }],
    },
  },
};

/** What can be sent, by method and path of the route: each is good as it is, where the tenant has what it names. */
export const REQUEST_EXAMPLES: Readonly<Record<string, Examples>> = {
  'POST /login': one('The owner of a first start', { email: 'owner@localhost', password: 'correct-horse-1' }),
  'POST /keys': one('A key that registers tools in one tenant', {
    name: 'deploy',
    tenant: 'demo',
    scopes: ['sources:write', 'secrets:write'],
    days: 90,
  }),
  'POST /tenants': one('A tenant with a module', { slug: 'wiki', title: 'Wiki', modules: ['notes'] }),
  'PATCH /tenants/:slug': {
    instructions: { summary: 'Instructions for models', value: { instructions: 'Read before you write.' } },
    access: { summary: 'Static tokens in place of OAuth', value: { access: 'tokens' } },
  },
  'PUT /tenants/:slug/activations/:module': one('Switched on, with nothing set', { configuration: {} }),
  'PUT /tenants/:slug/scopes/:name': one('Described, and bringing another along', {
    description: 'Write and delete your notes',
    implies: ['notes:read'],
  }),
  'PUT /tenants/:slug/roles/:name': one('What the role may grant', { scopes: ['notes'] }),
  'POST /tenants/:slug/sources': { http_tool: HTTP_TOOL, resource: RESOURCE, prompt: PROMPT },
  'PUT /tenants/:slug/sources/:name': {
    http_tool: unnamed(HTTP_TOOL),
    resource: unnamed(RESOURCE),
    prompt: unnamed(PROMPT),
  },
  'PUT /tenants/:slug/secrets/:name': one('A value', { value: 's3cret' }),
  'POST /tenants/:slug/resources/notify': one('A resource that has changed', { uris: ['docs://handbook'] }),
  'POST /tenants/:slug/members': one('A member', { email: 'ann@example.com', role: 'member', name: 'Ann' }),
  'PUT /tenants/:slug/members/:account': one('Another role', { role: 'guest' }),
  'POST /tenants/:slug/clients': {
    host: {
      summary: 'A host that people use',
      value: { name: 'Our host', redirectUris: ['https://host.example.com/callback'] },
    },
    agent: {
      summary: 'An agent without people',
      value: { name: 'Nightly agent', agent: true, scopes: ['notes:read'] },
    },
  },
  'POST /tenants/:slug/tokens': one('A token for 90 days', { name: 'build', scopes: ['notes:read'], days: 90 }),
};

function one(summary: string, value: object): Examples {
  return { one: { summary, value } };
}

/** As it is sent where the path has the name. */
function unnamed({ summary, value }: Example): Example {
  const { name: _, ...rest } = value as { readonly name: string };
  return { summary, value: rest };
}
