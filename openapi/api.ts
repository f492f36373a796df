import type { Tag } from '../lib/contract/documentation.ts'
import { problemsOf } from '../lib/contract/route.ts'
import { type ProblemCode, problems } from '../lib/domain/problems.ts'
import { mark, markOfValues, needOf } from './needs.ts'

/** The version of the contract (D33): the major number is in the path, additions raise the minor number. */
export const apiVersion = '1.1.0'

export const apiTitle = 'Player NFTs'

/** An overview of the API in Markdown. */
export const apiDescription = `Connects games, called products, with the NFTs their players hold.

A game registers once and receives an API key. With the key it allowlists the NFTs that it uses. A player who is signed in on the platform receives a player token and passes it to the game. The game then learns who the player is and which of its NFTs are in the player's wallets, with their metadata.

## In four steps

1. \`POST /product\` registers the game and returns its API key, once.
2. \`POST /product/tokens\` allowlists NFTs of a contract.
3. \`GET /player/token\`, called by the platform with the user's JWT, creates a player token.
4. \`GET /player/details\` and \`GET /player/tokens\` take that token and return the player's details and NFTs.

## Credentials

Product operations take the API key in the header \`X-Api-Key\`. Keep the key on a server, never in a shipped game. Creating a player token takes the user JWT of the platform in \`Authorization: Bearer\`. Operations about a player also take the player token, in the header \`X-Player-Token\` or as the query parameter \`playerToken\`. One of the two is required; if both are sent, they must be equal. The header keeps the token out of URLs. If neither is sent, a player token in \`Authorization: Bearer\` counts.

A user JWT is signed with a key of the key set and carries \`iss\`, \`aud\`, \`sub\` (the user id, a decimal integer), \`username\`, \`wallets\` (up to 20 addresses), \`iat\` and \`exp\`.

## Responses

A successful response is 200 with \`{"data": …, "success": true}\`. The key set and this document have no envelope. Unknown fields and parameters of a request are ignored, but a name that resembles a known name, such as \`chain\` for \`chains\`, is a 400 that contains the correct name; \`null\` or \`""\` in an optional field means that the field is absent; a body without Content-Type is read as JSON.

Responses contain addresses in lower case and token identifiers as decimal text. Do not read token identifiers or balances as floating-point numbers.

## Lists in a query

A list is repeated (\`chains=BSC&chains=POLYGON\`) or comma separated (\`chains=BSC,POLYGON\`). The names \`chains[]\` and \`chains[0]\` are accepted too, and all forms add to one list.

## Problems

An error response is problem details (RFC 9457, \`application/problem+json\`) with \`"success": false\`. Programs switch on \`code\`. \`detail\` is a sentence for a person. \`errors\` lists every invalid field at once, at most 100. \`type\` points to the description of the problem in this document. Credentials are checked first: a request with an invalid key and an invalid body gets 401. The \`Retry-After\` header of a 503 says when to retry. Handle an unknown code by its status.

API Gateway responds to some requests itself, as \`application/json\` with only a \`message\`: 404 for an unknown path or method, 413 for a body over 6 MB, 429 when requests are throttled, 431 for a request line and headers over 10,240 bytes, 500 and 503 when a function fails or times out. Read \`code\` only from \`application/problem+json\`.

## Long lists

A response that does not contain the whole list has a \`nextCursor\`. To read the next page, send it as \`cursor\` with the same other parameters. Only a missing \`nextCursor\` means the end. Cursors are opaque.

## Caching and browsers

Only the public keys and this document may be cached, for 5 minutes. All other responses have \`Cache-Control: no-store\`. All responses have \`X-Content-Type-Options: nosniff\`. Pages of any origin may call every operation, without cookies, with the headers \`Content-Type\`, \`X-Api-Key\`, \`Authorization\` and \`X-Player-Token\`, and may read \`Retry-After\`, \`WWW-Authenticate\` and \`Apigw-Requestid\`, the request id that every response has.

## Versions

The version is part of the path. Under \`/api/public/v1\` there are only additions: new operations, optional parameters, response fields and codes. Clients must ignore unknown fields.`

/** The servers: a reference relative to this document, and the address of `npm start`. */
export const servers = [
  { url: '/', description: 'The deployment that serves this document.' },
  { url: 'http://127.0.0.1:3000', description: 'The service on this machine (`npm start`).' },
] as const

/** The groups of operations, in the order of the document. */
export const tags: Readonly<Record<Tag, string>> = {
  Product: 'Registration of a game. The developer calls it once, never from inside the game.',
  Allowlist:
    'The contracts and NFTs of a product. The developer or a server calls it, never the game itself: the API key must not be shipped.',
  Webhooks:
    'Events of the NFTs of a product, sent to a server of the studio. A server calls these operations, never the game.',
  Player: 'The details and NFTs of a player who has passed a player token to the game.',
  'Sign-in':
    'Players sign in with their wallets, without a login of the studio. Games call Create sign-in message, Sign in, Authorize device and Create token; the other operations are those of the page of the deployment.',
  Keys: 'The public keys that verify user JWTs and player tokens.',
  Document: 'This document.',
}

/** The credentials of callers (specification 5; D23). */
export const securitySchemes = {
  ApiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description:
      'The product API key that registration returned. Upper and lower case are equivalent.',
  },
  UserJwt: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The JWT that the platform issued at sign-in.',
  },
  PlayerTokenHeader: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Player-Token',
    description:
      'The player token, in a header. Prefer the header to the parameter: it keeps the token out of URLs.',
  },
  PlayerTokenParameter: {
    type: 'apiKey',
    in: 'query',
    name: 'playerToken',
    description:
      'The player token, as a query parameter. If the header is sent too, both must have the same value.',
  },
  Session: {
    type: 'http',
    scheme: 'bearer',
    description: 'The session of a user on the page of the deployment, for an hour.',
    ...mark(needOf(({ auth }) => auth === 'SESSION')),
  },
} as const

const challengeOf = (code: ProblemCode): string | undefined => {
  const problem: (typeof problems)[ProblemCode] | undefined = problems[code]
  if (!problem)
    throw new Error(
      `A row names the problem ${code}, which lib/domain/problems.ts does not have: describe it in openapi/problems, and run npm run generate before a row names it.`,
    )
  return 'challenge' in problem ? problem.challenge : undefined
}

/** The values of WWW-Authenticate. */
const challenges = [
  ...new Set((Object.keys(problems) as ProblemCode[]).flatMap((code) => challengeOf(code) ?? [])),
]

/** The headers of responses (D3, D5). */
export const headers = {
  NoStore: {
    description: 'The response must not be cached.',
    schema: { type: 'string', const: 'no-store' },
  },
  Public: {
    description: 'Any cache may store the response for 5 minutes.',
    schema: { type: 'string', const: 'public, max-age=300' },
  },
  'Retry-After': {
    description: 'The time until a retry, in seconds. Absent in responses of API Gateway itself.',
    schema: { type: 'integer', minimum: 1, maximum: 2 ** 31 - 1 },
    example: 5,
  },
  'Accept-Encoding': {
    description:
      'The body of the request was compressed, which no operation reads. Absent otherwise.',
    schema: { type: 'string', const: 'identity' },
  },
  'WWW-Authenticate': {
    description:
      'The scheme of the credential that is missing or not valid (RFC 9110, section 11.6.1). `error="invalid_token"`: a token was sent, and it is not accepted (RFC 6750, section 3).',
    schema: {
      type: 'string',
      enum: challenges,
      ...markOfValues(challenges, (challenge) =>
        needOf((route) => problemsOf(route).some((code) => challengeOf(code) === challenge)),
      ),
    },
    example: 'ApiKey',
  },
}
