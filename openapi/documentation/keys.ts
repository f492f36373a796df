import type { Routes } from '../../lib/contract/routes.ts'
import type { OperationDocumentation } from './documentation.ts'
import { example } from './examples.ts'

/** 4.10 */
export const getPublicKey: OperationDocumentation<Routes['getPublicKey']> = {
  tag: 'Keys',
  summary: 'Get public key',
  description:
    'Answers the public key that signs user JWTs now. For verifying any token, prefer the key set: it has every accepted key, and says which algorithm each one is for.',
  answers: {
    key: {
      summary: 'A P-256 key',
      value: { data: { publicKey: example.publicKey } },
    },
  },
}

/** D32 */
export const getKeySet: OperationDocumentation<Routes['getKeySet']> = {
  tag: 'Keys',
  summary: 'Get key set',
  description:
    'Answers every accepted key, of player tokens and of user JWTs, as a JWK set (RFC 7517), with which any JOSE library verifies either. A new key is published before anything is signed with it. Whoever verifies player tokens must check `typ` and `aud`, or a user JWT would pass for one.',
  answers: {
    keys: {
      summary: 'One key of each kind',
      value: { keys: [example.playerTokenKey, example.userJwtKey] },
    },
  },
}

/** D33 */
export const getOpenapi: OperationDocumentation<Routes['getOpenapi']> = {
  tag: 'Document',
  summary: 'Get OpenAPI document',
  description: 'Answers this document. The `type` of a problem points into it.',
  answers: {
    document: {
      summary: 'How it begins',
      value: { openapi: '3.1.0', info: { title: 'Player NFTs', version: '1.0.0' } },
    },
  },
}
