import { randomUUID } from 'node:crypto'
import { base } from '../../lib/contract/route.ts'
import { type ProblemCode, problems } from '../../lib/domain/problems.ts'
import type { Expected } from './expected.ts'

/** The requests of a smoke test that need no credential, each to another function. They change nothing. */
export const openCalls = (): Expected[] => [
  {
    title: 'The OpenAPI document is served',
    path: `${base}/openapi.json`,
    status: 200,
    fault: ({ openapi }) =>
      `${openapi}`.startsWith('3.') ? undefined : 'this is no OpenAPI document',
  },
  {
    title: 'KMS returns the public keys of player tokens',
    path: '/.well-known/jwks.json',
    status: 200,
    fault: ({ keys }) => (keys?.length > 0 ? undefined : 'the key set has no keys'),
  },
  refused('The table is read: an unknown API key is refused', 'product', 'invalid_api_key', {
    'x-api-key': randomUUID(),
  }),
  refused('A missing API key is refused', 'product/contracts', 'missing_api_key'),
  refused('A forged user JWT is refused', 'player/token', 'invalid_user_token', {
    authorization: 'Bearer smoke.test.token',
  }),
  refused('A forged player token is refused', 'player/details', 'invalid_player_token', {
    'x-player-token': 'smoke.test.token',
  }),
  { title: 'A path that does not exist is 404', path: `${base}/smoke-test`, status: 404 },
]

const refused = (
  title: string,
  path: string,
  code: ProblemCode,
  headers: Readonly<Record<string, string>> = {},
): Expected => ({
  title,
  path: `${base}/${path}`,
  headers,
  status: problems[code].status,
  fault: (body) => (body.code === code ? undefined : `expected ${code}`),
})
