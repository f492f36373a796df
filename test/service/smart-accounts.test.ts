import type { Account } from '@player-nfts/local/samples/sample-account'
import { sampleSmartAccounts } from '@player-nfts/local/samples/sample-smart-accounts'
import { describe, expect, test } from 'vitest'
import { invokeFunction } from '../support/requests/invoke-function.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startCountedService } from '../support/services/counted-service.ts'
import { newAccount } from '../support/sign-in/account.ts'
import { signInCalls } from '../support/sign-in/sign-in-calls.ts'

const service = await startCountedService()
const { newGame, sign } = signInCalls(service)
const { deployed, notDeployed } = sampleSmartAccounts

/** Later than every message of these tests is written, and before it expires. */
const later = Date.now() + 60_000

/** Signs in to a new game, in containers whose clock stands still: no limit is paid back. */
async function signingIn(variables: Record<string, string> = {}) {
  const host = service.newContainers(variables, later)
  const { productId } = await newGame()
  return async (account: Account, chain: string, signer: Pick<Account, 'sign'> = account) => {
    const { message } = await sign(account, { productId, chain })
    const body = { message, signature: signer.sign(message), productId }
    return await invokeFunction(host, 'signIn', { body })
  }
}

const ones = {
  ...{ CONTRACT_CHECKS_PER_HOUR: '2', CONTRACT_CHECKS_PER_ADDRESS_AND_HOUR: '1' },
  CONTRACT_CHECKS_PER_ACCOUNT_AND_HOUR: '1',
}

describe('D158: a smart account', () => {
  test.each([
    ['that is deployed', deployed, 'POLYGON'],
    ['that its factory would deploy', notDeployed, 'BSC'],
  ])(
    '%s signs in on its chain, with one call, which counts for no limit',
    async (_, account, chain) => {
      const signIn = await signingIn(ones)
      for (const turn of ['first', 'second', 'third']) {
        const counts = await service.countsOf(async () => {
          const { status, json } = await signIn(account, chain)
          expect([turn, status]).toEqual([turn, 200])
          expect(json.data.user.wallets).toMatchObject([{ address: account.address, chain }])
        })
        expect(counts['eth_call']).toBe(1)
      }
    },
  )

  test('costs the requests of a key, its owner, and three counters before and after the call', async () => {
    const signIn = await signingIn(ones)
    const useOf = (account: Account) => service.countsOf(() => signIn(account, 'POLYGON'))
    const key = newAccount()
    const [, ofKey] = [await useOf(key), await useOf(key)]
    // The key of the indexer is read once by a container.
    const [, ofAccount] = [await useOf(deployed), await useOf(deployed)]
    expect(ofKey).toEqual({ GetItem: 6, PutItem: 2, Query: 1 })
    expect(ofAccount).toEqual({ ...ofKey, GetItem: 6 + 4, UpdateItem: 6, eth_call: 1 })
  })

  test('cannot be asked while the node is down, which counts for no limit', async () => {
    const signIn = await signingIn(ones)
    service.interfere(({ service: name }) => (name === 'HTTP' ? { status: 503 } : undefined))
    for (let turn = 0; turn < 3; turn += 1) {
      const answer = await signIn(deployed, 'POLYGON')
      expectProblem(answer, 'chain_unavailable')
      expect(answer.headers.get('retry-after')).toBe('5')
    }
    service.interfere(() => undefined)
    expect((await signIn(deployed, 'POLYGON')).status).toBe(200)
  })

  test('D160: is not asked for a network whose junk signatures were too many', async () => {
    const signIn = await signingIn({ CONTRACT_CHECKS_PER_ACCOUNT_AND_HOUR: '1' })
    const junk = await signIn(deployed, 'POLYGON', { sign: () => '0x00' })
    expectProblem(junk, 'signature_not_of_address')
    const counts = await service.countsOf(async () => {
      const { status, json } = await signIn(deployed, 'POLYGON')
      expect([status, json.limit.name]).toEqual([429, 'contract_checks_by_account'])
    })
    expect(counts).not.toHaveProperty('eth_call')
  })

  test('does not sign in where smart accounts are off, and nobody is asked', async () => {
    const signIn = await signingIn({ SMART_ACCOUNTS: '' })
    const counts = await service.countsOf(async () => {
      const refused = await signIn(deployed, 'POLYGON')
      expectProblem(refused, 'signature_not_of_address')
      expect(refused.json.detail).toBe(
        'The signature is not of the key of this address. Smart accounts cannot sign in.',
      )
      const malformed = await signIn(notDeployed, 'BSC')
      expectProblem(malformed, 'signature_malformed')
      expect(malformed.json.detail).toBe(
        'The signature must be 0x and 130 or 128 hexadecimal digits.',
      )
    })
    expect(counts).not.toHaveProperty('eth_call')
  })
})
