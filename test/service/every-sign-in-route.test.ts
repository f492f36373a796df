import { afterAll, describe, expect, test } from 'vitest'
import { signInOperations } from '../../functions/operations.ts'
import type {
  AnyDocumentation,
  InvalidRequestDocumentation,
} from '../../lib/contract/documentation/operation-documentation.ts'
import { base, type Route } from '../../lib/contract/route.ts'
import type { Sent } from '../support/requests/client.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { as, signInCalls } from '../support/sign-in/sign-in-calls.ts'

interface Operation {
  row: Route
  documentation(): AnyDocumentation
}

const service = await startOwnService({}, afterAll)
const { call } = service
const calls = signInCalls(service)
const { session } = await calls.enter(newAccount())
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const operations = Object.entries<Operation>(signInOperations).map(
  ([id, { row, documentation }]) => ({
    ...{ id, row },
    name: `${row.method} ${row.paths[0].replace(base, '')}`,
    documented: documentation(),
  }),
)
const withBody = operations.filter(({ row }) => row.body)

/** A request with the credential of a row, and with a form where the row has one. */
const sent = ({ auth, oauth }: Route, body: unknown): Sent => ({
  ...(auth === 'SESSION' ? as(session) : {}),
  ...(oauth && { headers: form }),
  body,
})

describe('D116: each operation of sign-in', () => {
  test.each(withBody)(
    '$id refuses what its documentation shows, in these words',
    async ({ name, row, documented }) => {
      const shown = documented.invalidRequest as InvalidRequestDocumentation
      const { body: fields } = shown.sent as { body: Record<string, string> }
      const body = row.oauth ? `${new URLSearchParams(fields)}` : fields
      const { status, json } = await call(name, sent(row, body))
      expect(status).toBe(400)
      expect(json).toMatchObject({ code: 'invalid_request', detail: shown.detail })
      expect(json.errors).toEqual(expect.arrayContaining([...shown.errors]))
      if (row.oauth) expect(json.error).toBe('invalid_request')
    },
  )

  test.each(withBody)(
    '$id answers no body with 5xx, and none with a success',
    async ({ name, row }) => {
      const bodies: unknown[] = [
        '{',
        '[]',
        'null',
        '""',
        '{"message":{}}',
        '\u0000',
        'a=b',
        '%%%=%',
      ]
      for (const body of [...bodies, new Uint8Array([0xff, 0xfe]), 'x'.repeat(100_000)]) {
        const { status, json, headers } = await call(name, sent(row, body))
        expect([400, 413, 415], `${body}`.slice(0, 40)).toContain(status)
        expect(json).toMatchObject({ success: false, code: expect.any(String) })
        const type = row.oauth ? 'application/json' : 'application/problem+json'
        expect(headers.get('content-type')).toBe(type)
      }
    },
  )

  test.each(operations.filter(({ row }) => row.auth === 'SESSION'))(
    '$id refuses what is no session, before it looks at anything else',
    async ({ id, name }) => {
      for (const credential of ['garbage', `${session}x`, '7.AAAA']) {
        const answer = await call(name, {
          ...as(credential),
          ...(name.startsWith('GET') ? {} : { body: '{' }),
        })
        expect([answer.status, answer.json.code]).toEqual([401, 'invalid_session'])
        expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
      }
      if (id === 'createSignInMessage') return
      const { status, json } = await call(name, name.startsWith('GET') ? {} : { body: '{' })
      expect([status, json.code]).toEqual([401, 'missing_session'])
    },
  )

  test.each(operations)(
    '$id is not kept by caches, but where its row says so',
    async ({ name, row }) => {
      const { headers } = await call(name, row.method === 'GET' ? {} : { body: '{}' })
      const kept = `public, max-age=${row.maxAgeSeconds}`
      expect(headers.get('cache-control')).toBe(row.maxAgeSeconds ? kept : 'no-store')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    },
  )
})

test('D5, D72: no log line has a wallet, a code, a token or a signature', async () => {
  const account = newAccount()
  const other = newAccount()
  const { productId } = await calls.newGame()
  const proof = await calls.sign(account, { productId })
  const { refreshToken } = (await calls.signIn({ ...proof, productId })).json.data
  const tokens = (await calls.refresh(productId, refreshToken)).json
  const { session: own } = await calls.enter(account)
  const grant = (
    await call('POST /device/authorization', { headers: form, body: `client_id=${productId}` })
  ).json
  const path = { userCode: grant.user_code }
  await call('POST /device/{userCode}', { path, body: { approve: true }, ...as(own) })
  const added = await calls.signToAdd(other, account, own)
  await call('POST /login/user/wallets', { body: added, ...as(own) })
  const removal = await calls.sign(account, { remove: other.address }, own)
  const wallet = { path: { address: other.address }, body: removal, ...as(own) }
  expect((await call('DELETE /login/user/wallets/{address}', wallet)).status).toBe(200)
  const secrets = [
    ...[account.address, other.address, proof.signature, added.signature, refreshToken, own],
    added.consent.signature,
    ...[tokens.access_token, tokens.refresh_token, grant.device_code, grant.user_code],
  ]
  expect(service.log.length).toBeGreaterThan(8)
  const log = service.log.join('\n').toLowerCase()
  for (const secret of secrets) {
    expect(log).not.toContain(`${secret}`.toLowerCase())
  }
  expect(log).not.toContain(grant.user_code.replace('-', '').toLowerCase())
})
