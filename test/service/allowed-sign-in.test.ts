import { describe, expect, test } from 'vitest'
import { startTestAws } from '../support/aws/test-aws.ts'
import { run } from '../support/command-fixture.ts'
import { startGrantedService } from '../support/services/granted-service.ts'
import { registration } from '../support/services/service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { expectRefusal, gameDomain, signInCalls } from '../support/sign-in/sign-in-calls.ts'

const aws = await startTestAws()
const { access, resources } = aws
// Anybody can register products here, so the operator permits each that signs players in.
const service = await startGrantedService(aws, {
  ...{ walletSignIn: { page: 'play.example' }, userIds: 'assigned', edge: {} },
  registrationsPerAddressAndHour: 100,
})
const { call } = service
const calls = signInCalls({ call, stack: { aws: access, resources } })

/** The output of the command, and its exit code. */
async function command(productId: string, ...more: string[]) {
  const args = ['--product-id', productId, '--table', resources.tableName, ...more]
  const { code, stdout, stderr } = await run('scripts/allow-sign-in.ts', args, {
    AWS_REGION: access.region,
    AWS_ENDPOINT_URL: `${access.endpoint}`,
    AWS_ACCESS_KEY_ID: access.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: access.credentials.secretAccessKey,
  }).ended
  return { code, text: (stdout + stderr).trim() }
}

/** A product that its studio lets sign players in. */
async function newProduct() {
  const body = registration()
  const { apiKey, productId } = (await call('POST /product', { body })).json.data
  const change = async (changes: object) =>
    (await call('PATCH /product', { apiKey, body: changes })).json.data
  const state = async () => (await call('GET /product', { apiKey })).json.data.signInState
  return { productId: productId as string, name: body.name, change, state }
}

describe('D115: the operator permits sign-in to a game', () => {
  test('before anybody signs in, and again after a change, which signs nobody out', async () => {
    const { productId, name, change, state } = await newProduct()
    expect(await state()).toBeUndefined()
    const signInDomains = [gameDomain]
    expect(await change({ signIn: true, signInDomains })).toMatchObject({ signInState: 'WAITING' })
    const account = newAccount()
    expectRefusal(await calls.askFor(account, { productId }), 'invalid_client')
    const asking = { form: { client_id: productId } }
    expect((await call('POST /device/authorization', asking)).json.error).toBe('invalid_client')

    const shown = `\u2068"${name}"\u2069 of \u2068"${registration().companyName}"\u2069, at ${gameDomain} (${productId})`
    const dry = await command(productId, '--dry-run')
    expect(dry.text).toContain(`${shown} in the table ${resources.tableName} in`)
    expect(dry.text).toContain(': players cannot sign in; this would be permitted.')
    expect(await state()).toBe('WAITING')
    expect((await command(productId)).text).toContain(': players can sign in from now on.')
    expect((await command(productId)).text).toContain('; this was permitted already.')
    expect(await state()).toBe('ON')

    const proof = await calls.sign(account, { productId })
    const { refreshToken } = (await calls.signIn({ ...proof, productId })).json.data
    const unused = await calls.sign(account, { productId })
    expect(await change({ name: 'Another name' })).toMatchObject({ signInState: 'WAITING' })
    expectRefusal(await calls.askFor(account, { productId }), 'invalid_client')
    expectRefusal(await calls.signIn({ ...unused, productId }), 'invalid_client')
    const { status, json } = await calls.refresh(productId, refreshToken)
    expect(status).toBe(200)
    expect(await change({ name })).toMatchObject({ signInState: 'ON' })

    expect((await command(productId, '--withdraw')).text).toContain('is taken back.')
    expect(await state()).toBe('WAITING')
    expectRefusal(await calls.refresh(productId, json.refresh_token), 'invalid_client')
    const again = await command(productId, '--withdraw')
    expect([again.code, again.text.endsWith('there was no permission to take back.')]).toEqual([
      0,
      true,
    ])
  })

  test('also of a studio that has not turned it on yet, and says so', async () => {
    const { productId, change } = await newProduct()
    const { code, text } = await command(productId)
    expect([code, text.endsWith('Its studio has not turned signIn on.')]).toEqual([0, true])
    expect(text).toContain(', without hosts of its own (')
    expect(await change({ signIn: true })).toMatchObject({ signInState: 'ON' })
  })

  test.each([
    ['no-id', [], 'There is no product no-id in the table'],
    ['no-id', ['--withdraw', '--dry-run'], 'Usage: npm run --silent allow-sign-in'],
  ])('with the id %j and %j, says what is wrong', async (productId, more, message) => {
    const { code, text } = await command(productId, ...more)
    expect([code, text.startsWith(message)]).toEqual([1, true])
  })
})
