import type { Account } from '@player-nfts/local/samples/sample-account'
import { expect } from 'vitest'
import { walletOwnerKey } from '../../../lib/adapters/dynamodb/keys/wallet-partition.ts'
import { grantTypes } from '../../../lib/contract/oauth.ts'
import { toAddress } from '../../../lib/domain/nft/address.ts'
import { tableOf } from '../aws/stored-items.ts'
import type { TestAws } from '../aws/test-aws.ts'
import type { GrantedService } from '../services/granted-service.ts'
import { newAccount } from '../sign-in/account.ts'
import { signInCalls } from '../sign-in/sign-in-calls.ts'
import { type Drives, ok } from './drives.ts'

const [, deviceGrantType] = grantTypes
const wrongCode = { userCode: 'BCDF-GHJK' }

/** A proof that no key has signed, so that a smart account is asked. */
const ofNoKey = <Proof extends object>(proof: Proof) => ({ ...proof, signature: '0x00' })

/** The drives of the functions with which players sign in with their wallets, where more than an accepted request is needed. */
export function signInDrives({ call }: GrantedService, { access, resources }: TestAws): Drives {
  const stack = { aws: access, resources }
  const table = tableOf({ stack })
  const calls = signInCalls({ call, stack })
  const { newGame, enter, sign, signIn, askForToken, refresh } = calls

  const asking = async () => {
    const { productId } = await newGame()
    const { json } = await call('POST /device/authorization', { form: { client_id: productId } })
    return { productId, deviceCode: json.device_code, path: { userCode: json.user_code } }
  }
  /** Signs a wallet in to a game. */
  const signInTo = async (account: Account, productId: string) =>
    await signIn({ ...(await sign(account, { productId })), productId })
  return {
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
        await ok(signInTo(account, productId))
      }
      await enter(account, { username: 'tessaly' })
      await signIn({ message: 'any', signature: '0x' })
      await signIn(ofNoKey(await sign(newAccount(), {})))
    },
    // A wallet that moves ends its user, if it was the only one. One that a crash has left reserved is added by a repeat.
    async 'add-wallet'() {
      const mine = newAccount()
      const { session, user } = await enter(mine)
      const reserved = newAccount()
      const owner = { generation: 0, userId: user.userId, isJoining: true }
      await table.put(walletOwnerKey(toAddress(reserved.address)), owner)
      const add = async (account: typeof mine, request: object, to = session, by = mine) => {
        const body = await calls.signToAdd(account, by, to, request)
        return await call('POST /login/user/wallets', { body, session: to })
      }
      const { consent, ...proof } = await calls.signToAdd(newAccount(), mine, session)
      const body = { ...ofNoKey(proof), consent }
      await call('POST /login/user/wallets', { body, session })
      await ok(add(reserved, { link: true }))
      const [free, taken, oneOfTwo] = [newAccount(), newAccount(), newAccount()]
      await ok(add(free, { link: true }))
      const { productId } = await newGame()
      await signInTo(taken, productId)
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
      await signInTo(second, productId)
      const proof = await sign(first, { remove: second.address }, session)
      const path = { address: second.address }
      const asking = { path, body: ofNoKey(proof), session }
      await call('DELETE /login/user/wallets/{address}', asking)
      await ok(call('DELETE /login/user/wallets/{address}', { ...asking, body: proof }))
    },
    async 'sign-out'() {
      const account = newAccount()
      await signInTo(account, (await newGame()).productId)
      const { session } = await enter(account)
      await ok(call('POST /login/sign-out', { session }))
    },
    async 'get-games'() {
      const account = newAccount()
      await signInTo(account, (await newGame()).productId)
      const { session } = await enter(account)
      await ok(call('GET /login/user/games', { session }))
    },
    async 'end-access'() {
      const account = newAccount()
      const { productId } = await newGame()
      await signInTo(account, productId)
      const { session } = await enter(account)
      await ok(call('DELETE /login/user/games/{productId}', { path: { productId }, session }))
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
        await ok(signInTo(account, productId))
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
  }
}
