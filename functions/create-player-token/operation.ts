import * as v from 'valibot'
import { shownText } from '../../lib/contract/answers.ts'
import { type Documentation, describedObject, example } from '../../lib/contract/documentation.ts'
import { productId } from '../../lib/contract/fields/product-id.ts'
import { base, type OperationRequests, type Route } from '../../lib/contract/route.ts'

export const row = {
  id: 'createPlayerToken',
  section: '4.11',
  method: 'GET',
  paths: [`${base}/player/token`],
  auth: 'USER',
  query: v.object({ productId: v.optional(productId) }),
  limits: ['player_tokens'],
  effect: 'repeatable',
  shifted: true,
  answer: v.object({ token: shownText }),
} as const satisfies Route

export const requests: OperationRequests = {
  each: { UpdateItem: 1, Sign: 1 },
  first: { GetPublicKey: 1 },
}

export const documentation = (): Documentation<typeof row> => ({
  tag: 'Player',
  summary: 'Create player token',
  description:
    'Creates a player token for the signed-in user. The token is valid for 24 hours. The platform passes it to the game, which sends it with every request about the player. A new token does not invalidate older tokens.\n\nThe service records the username and wallets of the user JWT, and games read the recorded values. A user JWT that was issued before the recorded one creates a token but does not change the record.\n\nThe token is a JWT: ES256, header `typ: player+jwt`, claims `iss`, `aud`, `sub` (the user id), `iat`, `exp`, `jti`. With `productId`, it has the claim `client_id` (RFC 9068) too, and the operations with an API key accept it for this product only. Game servers may verify it themselves with the key set; they must check `typ` and `aud`, since user JWTs are verified with keys of the same set, and `client_id` if it is there.',
  parameters: {
    productId: {
      description:
        'The product whose game gets the player token; other products cannot use it. The service checks the form only, not whether the product exists. Omitted: every game can use the token, unless the deployment requires a product.',
      example: example.productId,
    },
  },
  answers: {
    minted: { summary: 'A new token', value: { token: example.playerToken } },
  },
  invalidRequest: {
    summary: 'A product that is not a UUID',
    sent: { query: 'productId=brindlewake' },
    faults: { productId: 'must be a UUID' },
  },
  schemas: {
    PlayerToken: describedObject(row.answer, 'A player token.', {
      token: 'A JWT that identifies the player inside games for 24 hours.',
    }),
  },
})
