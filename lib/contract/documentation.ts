import type * as v from 'valibot'
import type { Feature, Fields, Route } from './route.ts'

/** The groups of operations. */
export type Tag = 'Product' | 'Allowlist' | 'Webhooks' | 'Player' | 'Sign-in' | 'Keys' | 'Document'

/** Examples by name, each with a one-line summary, and what a deployment must have for it. */
export type Examples<Value> = Readonly<
  Record<string, { summary: string; value: Value; needs?: Feature }>
>

/** The meaning of a query parameter, and a value that the service accepts. */
export interface ParameterDocumentation {
  description: string
  example: string | number | readonly string[]
}

/** A request that fails with `invalid_request`, and what is wrong with its fields, by their paths. */
export interface InvalidRequestDocumentation {
  summary: string
  sent: { body: unknown } | { query: string }
  faults: Readonly<Record<string, string>>
}

/** Cursors of example answers. Each shows a page that is not the last. */
type Pages = Readonly<Record<string, { nextCursor?: string }>>

type OtherPaths<R extends Route> = R['paths'] extends readonly [string, ...infer Others]
  ? Others[number] & string
  : never

/** The prose and examples of one operation: exactly what its row calls for. */
export type Documentation<R extends Route> = {
  tag: Tag
  summary: string
  description: string
  /** The `data` of responses, or a bare document. */
  answers: Examples<v.InferInput<R['answer']>> & (R extends { form: 'paged' } ? Pages : unknown)
  schemas?: Readonly<Record<string, SchemaDocumentation>>
} & (R extends { body: infer Body extends Fields }
  ? { requests: Examples<v.InferInput<Body>> }
  : unknown) &
  (R extends { pathParameters: readonly (infer Name extends string)[] }
    ? { pathParameters: { [Parameter in Name]: ParameterDocumentation } }
    : unknown) &
  (R extends { query: infer Query extends Fields }
    ? { parameters: { [Name in keyof Query['entries']]: ParameterDocumentation } }
    : unknown) &
  (R extends { body: Fields } | { query: Fields } | { player: true }
    ? { invalidRequest: InvalidRequestDocumentation }
    : unknown) &
  ([OtherPaths<R>] extends [never]
    ? unknown
    : { otherPaths: { [Path in OtherPaths<R>]: { operationId: string; summary: string } } })

export interface AnyDocumentation {
  tag: Tag
  summary: string
  description: string
  answers: Examples<unknown> & Pages
  schemas?: Readonly<Record<string, SchemaDocumentation>>
  requests?: Examples<unknown>
  pathParameters?: Record<string, ParameterDocumentation>
  parameters?: Record<string, ParameterDocumentation>
  invalidRequest?: InvalidRequestDocumentation
  otherPaths?: Record<string, { operationId: string; summary: string }>
}

/** A named schema of the document, and the meaning of its fields. */
export interface SchemaDocumentation {
  schema: v.GenericSchema
  description: string
  fields?: Record<string, string>
  /** The names of the fields that only some deployments have. */
  needs?: Readonly<Partial<Record<Feature, readonly string[]>>>
}

/** An object schema with the meaning of each of its fields, and the names of those that only some deployments have. */
export const describedObject = <S extends Fields>(
  schema: S,
  description: string,
  fields: { [Name in keyof S['entries']]: string },
  needs: { readonly [Needed in Feature]?: readonly (keyof S['entries'] & string)[] } = {},
): SchemaDocumentation => ({ schema, description, fields, needs })

/** A request whose query has a number that is not from 1 to `most`. */
export const refusedNumber = (
  name: string,
  sent: number,
  most: number,
): InvalidRequestDocumentation => ({
  summary: `Sent: ${name}=${sent}`,
  sent: { query: `${name}=${sent}` },
  faults: { [name]: `must be a whole number from 1 to ${most}` },
})

export const lastingCursor = (cursor: string): ParameterDocumentation => ({
  description: 'The `nextCursor` of an earlier response. It does not expire.',
  example: cursor,
})

/**
 * The values of the examples. The public keys are real, and their private keys are deleted. The player token is shorter
 * than a real one.
 */
export const example = {
  apiKey: '6f1e2a34-5b1c-4c6e-9a57-2f8d6f0b7c11',
  productId: '0f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e',
  keyId: '4fK0vQ2mZxBn',
  newApiKey: 'pnk_4fK0vQ2mZxBn_0WEgevgX7JS46g9lCLTDBJMNiwSWIZBGZ3hW9XU',
  requestId: 'Q8vX3hLrFiAEJ7g=',
  contracts: {
    keepers: '0x58313af88f09f196f77e05e09979ba8ca6591a3a',
    gear: '0x22d518c449312143be64cd547c510a1a4ebed207',
    crates: '0x2ea035237d25948f6be97535d16522af0e66b5d2',
  },
  wallets: {
    hot: '0x45504c405fda08a05726e73bba6f2b0977a9e604',
    cold: '0xb89c604d76b7de218bf5948387283b419fded566',
  },
  player: { userId: 1002, username: 'tessaly_vane' },
  playerToken: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxMDAyIn0.c2lnbmF0dXJl',
  playerTokenKey: {
    kty: 'EC',
    crv: 'P-256',
    x: 'j1ECVhLEmZUOv-RzzllJ8G-fRIEKroPa9eikyp8iXYE',
    y: 'A6Z9fb0JaT9rBI-w9yxyTXBrCoiC57a4PUEVwU3C61k',
    kid: 'EDakl-siw6DFu7iYGeVlcCIgGtdmQvI_L3LxCWUYCVk',
    alg: 'ES256',
    use: 'sig',
  },
  userJwtKey: {
    kty: 'EC',
    crv: 'P-256',
    x: '--hjiqcWbe50JcfO6PurRrAEAfwTUj3I14AXP1VxtW0',
    y: 'OFaLByQZAF1TCv0e2PV3n4regHv27asAGIoKxi9-EOE',
    kid: 'KJa0txUhR2rjyoPbr7-xjepgCZAi3XSFSu6Kz7OfNyc',
    alg: 'ES256',
    use: 'sig',
  },
  /** The same key as `userJwtKey`, in the form of operation 4.10. */
  publicKey:
    'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE++hjiqcWbe50JcfO6PurRrAEAfwTUj3I14AXP1VxtW04VosHJBkAXVMK/R7Y9Xefit6Ae/btqwAYigrGL34Q4Q==',
  /** Cursors of the allowlist (D18) and of a player's wallets (D25). */
  listCursor: 'UE9MWUdPTi8weDIyZDUxOGM0NDkzMTIxNDNiZTY0Y2Q1NDdjNTEwYTFhNGViZWQyMDcvMjQ',
  contractCursor: 'UE9MWUdPTi8weDIyZDUxOGM0NDkzMTIxNDNiZTY0Y2Q1NDdjNTEwYTFhNGViZWQyMDc',
  /** An event, and a cursor of the events (D49). */
  eventId: '019b78e4-81c0-7c1e-8a57-2f8d6f0b7c11',
  eventCursor: 'MDE5Yjc4ZTQtODFjMC03YzFlLThhNTctMmY4ZDZmMGI3YzEx',
  webhookId: 'wh_4fK0vQ2mZxBn0WEgevgX7J',
  webhookSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwq7jX3mKjd1Y=',
  webhookCursor: 'WzE3NjcyNTg2MDIwMDAsW1siUE9MWUdPTiIsNzkyMzQ1NjIsMCwwXV1d',
  playerCursor:
    'KhBzpuZ_Dl8JpZV8ZZUDxnsicyI6MSwibiI6NDAsImUiOjE3NjcyNTg1NDAwMDAsImIiOiJQaVBvRmdBNVdVb3ppVTlsWk9HeE5JIn0',
} as const
