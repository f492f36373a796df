import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, test } from 'vitest'
import { signInFunctionNames } from '../../infra/bundle/bundle.ts'
import { walletOwnerKey } from '../../lib/adapters/dynamodb/keys/wallet-partition.ts'
import { grantTypes } from '../../lib/contract/grant-types.ts'
import { toAddress } from '../../lib/domain/nft/address.ts'
import { tableOf } from '../support/aws/table.ts'
import { startTestAws } from '../support/aws/test-aws.ts'
import { startGrantedService } from '../support/services/granted-service.ts'
import { testLeastPrivilege } from '../support/services/least-privilege.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { signInCalls } from '../support/sign-in/sign-in-calls.ts'

const [, deviceGrantType] = grantTypes
const releaseNonce = 'dynamodb:DeleteItem on Table for NONCE#*'
const aws = await startTestAws()

describe('D113: least privilege, with sign-in with wallets', async () => {
  const service = await startGrantedService(aws, {
    ...{ walletSignIn: { page: 'play.example' }, userIds: 'assigned', edge: {} },
    registrationsPerAddressAndHour: 100,
  })
  const { call } = service
  const calls = signInCalls({ call, stack: { aws: aws.access, resources: aws.resources } })
  const { newGame, enter, sign, signIn, askForToken, refresh } = calls
  const table = tableOf({ stack: { aws: aws.access, resources: aws.resources } })

  const asking = async () => {
    const { productId } = await newGame()
    const { json } = await call('POST /device/authorization', { form: { client_id: productId } })
    return { productId, deviceCode: json.device_code, path: { userCode: json.user_code } }
  }
  const ok = async (answer: ReturnType<typeof call>) => {
    const { status, text } = await answer
    expect(status, text).toBe(200)
  }

  const wrongCode = { userCode: 'BCDF-GHJK' }

  /** Makes each function perform every call that its code can make. */
  const drives: Record<string, () => Promise<unknown>> = {
    async 'create-sign-in-message'() {
      const { productId } = await newGame()
      await calls.askFor(newAccount(), { productId })
      const account = newAccount()
      const { session } = await enter(account)
      await ok(calls.askFor(newAccount(), { link: true }, session))
    },
    // An eleventh family takes the place of the oldest one, and a message that is not of the service is refused.
    async 'sign-in'() {
      const { productId } = await newGame()
      const account = newAccount()
      for (let family = 0; family < 11; family += 1) {
        await ok(signIn({ ...(await sign(account, { productId })), productId }))
      }
      await enter(account, { username: 'tessaly' })
      await signIn({ message: 'any', signature: '0x' })
    },
    async 'get-signed-in-user'() {
      await ok(call('GET /login/user', { session: (await enter(newAccount())).session }))
    },
    // A wallet that moves ends its user, if it was the only one. One that a crash has left reserved is added by a repeat.
    async 'add-wallet'() {
      const mine = newAccount()
      const { session, user } = await enter(mine)
      const reserved = newAccount()
      const Key = walletOwnerKey(toAddress(reserved.address))
      const Item = { ...Key, generation: 0, userId: user.userId, isJoining: true }
      await table.client.send(new PutCommand({ TableName: table.name, Item }))
      const add = async (account: typeof mine, asked: object, to = session, by = mine) => {
        const body = await calls.signToAdd(account, by, to, asked)
        return await call('POST /login/user/wallets', { body, session: to })
      }
      await ok(add(reserved, { link: true }))
      const [free, taken, oneOfTwo] = [newAccount(), newAccount(), newAccount()]
      await ok(add(free, { link: true }))
      const { productId } = await newGame()
      await signIn({ ...(await sign(taken, { productId })), productId })
      await enter(taken)
      await ok(add(taken, { move: true }))
      const theirs = newAccount()
      await ok(add(oneOfTwo, { link: true }, (await enter(theirs)).session, theirs))
      await enter(oneOfTwo)
      await ok(add(oneOfTwo, { move: true }))
    },
    async 'remove-wallet'() {
      const { productId } = await newGame()
      const [first, second] = [newAccount(), newAccount()]
      const { session } = await enter(first)
      const body = await calls.signToAdd(second, first, session)
      await call('POST /login/user/wallets', { body, session })
      await enter(second)
      await signIn({ ...(await sign(second, { productId })), productId })
      const proof = await sign(first, { remove: second.address }, session)
      const path = { address: second.address }
      await ok(call('DELETE /login/user/wallets/{address}', { path, body: proof, session }))
    },
    async 'sign-out'() {
      const account = newAccount()
      const { productId } = await newGame()
      await signIn({ ...(await sign(account, { productId })), productId })
      const { session } = await enter(account)
      await ok(call('POST /login/sign-out', { session }))
    },
    async 'get-games'() {
      const account = newAccount()
      const { productId } = await newGame()
      await signIn({ ...(await sign(account, { productId })), productId })
      const { session } = await enter(account)
      await ok(call('GET /login/user/games', { session }))
    },
    async 'end-access'() {
      const account = newAccount()
      const { productId } = await newGame()
      await signIn({ ...(await sign(account, { productId })), productId })
      const { session } = await enter(account)
      const path = { productId }
      await ok(call('DELETE /login/user/games/{productId}', { path, session }))
    },
    'authorize-device': asking,
    async 'get-device-request'() {
      const { path } = await asking()
      const { session } = await enter(newAccount())
      await call('GET /device/{userCode}', { path: wrongCode, session })
      await ok(call('GET /device/{userCode}', { path, session }))
    },
    // The approval begins an eleventh family.
    async 'decide-device-request'() {
      const { path, productId } = await asking()
      const account = newAccount()
      for (let family = 0; family < 10; family += 1) {
        await ok(signIn({ ...(await sign(account, { productId })), productId }))
      }
      const { session } = await enter(account)
      const body = { approve: true }
      await call('POST /device/{userCode}', { path: wrongCode, body, session })
      await ok(call('POST /device/{userCode}', { path, body, session }))
    },
    // A refresh token that is used again, later than a game repeats a call, ends its family.
    async 'create-token'() {
      const { productId, path, deviceCode } = await asking()
      const { session } = await enter(newAccount())
      await call('POST /device/{userCode}', { path, body: { approve: true }, session })
      const grant = { grant_type: deviceGrantType, client_id: productId, device_code: deviceCode }
      const first = (await askForToken(grant)).json.refresh_token
      const second = (await refresh(productId, first)).json.refresh_token
      await ok(refresh(productId, second))
      expect((await refresh(productId, first)).json.error).toBe('invalid_grant')
    },
    'get-authorization-server': () => ok(call('GET /.well-known/oauth-authorization-server')),
  }

  test('D113: no function of sign-in reads items of every kind', () => {
    const everything = /^dynamodb:(GetItem|Query|BatchGetItem) on Table$/
    const { granted } = service
    const permissions = signInFunctionNames.flatMap((name) => granted[name]?.permissions ?? [])
    expect(permissions.filter((permission) => everything.test(permission))).toEqual([])
    expect(permissions).toContain('dynamodb:GetItem on Table for PLAYER#*')
  })

  testLeastPrivilege(service, aws, {
    names: signInFunctionNames,
    drive: async (name) => void (await drives[name]?.()),
    // What is kept of a wallet that a user adds at the moment in which the last other one moves.
    // And the nonce of a proof that a limit refuses after it was used up, because others have spent the limit meanwhile.
    usedBesides: {
      'sign-in': [releaseNonce],
      'add-wallet': ['dynamodb:BatchWriteItem on Table for WALLET#*', releaseNonce],
      'remove-wallet': [releaseNonce],
    },
  })
})
