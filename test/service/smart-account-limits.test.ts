import { afterAll, describe, expect, test } from 'vitest'
import { clientOf } from '../support/requests/client.ts'
import { startGatewayOver, withVariables } from '../support/services/containers.ts'
import { edgeSecret, from } from '../support/services/limited-caller.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { withStillClock } from '../support/services/still-clock.ts'
import { expectRefusal } from '../support/sign-in/sign-in-calls.ts'
import {
  deployerOf,
  type Signer,
  smartAccountCalls,
} from '../support/sign-in/smart-account-calls.ts'
import { startEvmNode } from '../support/smart-accounts/evm-node.ts'
import { oneOwner } from '../support/smart-accounts/signers.ts'

const node = await startEvmNode()
afterAll(node.close)
const { stack } = await startOwnService({ INDEXER_URL: node.url }, afterAll)
const deploy = deployerOf(node)

/** A service with these variables over the same data. Its clock stands still, so that no limit is paid back. */
async function serviceWith(variables: Record<string, string>) {
  const functions = withStillClock(withVariables(stack.functions, variables), Date.now())
  const call = clientOf(await startGatewayOver(functions))
  const { signBy } = smartAccountCalls({ call, stack })
  const signInFrom = (address: string, body: object, headers: object = {}) =>
    call('POST /login', { body, headers: { ...from(address).headers, ...headers } })
  return {
    /** Signs in from a source address. */
    enter: async (signer: Signer, address: string, headers?: object) =>
      await signInFrom(address, await signBy(signer), headers),
    /** The same with a signature that the account does not accept. */
    junk: async (signer: Signer, address: string, headers?: object) =>
      await signInFrom(address, { ...(await signBy(signer)), signature: '0x00' }, headers),
  }
}

const [here, elsewhere] = ['192.0.2.1', '198.51.100.7']
const foreign = { origin: 'https://evil.example' }

describe('D160: junk signatures for an account', () => {
  test('end for the network that sends them, and keep out no owner, whose own signatures cost nothing', async () => {
    const { enter, junk } = await serviceWith({
      EDGE_SECRETS: edgeSecret,
      CONTRACT_CHECKS_PER_ACCOUNT_AND_HOUR: '2',
    })
    const account = await deploy('POLYGON', oneOwner())
    for (let time = 0; time < 3; time += 1)
      expect((await enter(account, elsewhere)).status).toBe(200)
    for (let time = 0; time < 2; time += 1)
      expectRefusal(await junk(account, here), 'signature_not_of_address')
    const asked = node.requests.length
    for (const again of [junk, enter]) {
      const { status, json } = await again(account, here)
      expect([status, json.limit.name]).toEqual([429, 'contract_checks_by_account'])
    }
    expect(node.requests).toHaveLength(asked)
    expect((await enter(account, elsewhere)).status).toBe(200)
    expect((await enter(await deploy('BSC', oneOwner()), here)).status).toBe(200)
  })

  test('that web pages of others send end for such pages, and not for their visitor', async () => {
    const { enter, junk } = await serviceWith({
      EDGE_SECRETS: edgeSecret,
      CONTRACT_CHECKS_PER_ACCOUNT_AND_HOUR: '1',
      CONTRACT_CHECKS_PER_ADDRESS_AND_HOUR: '2',
    })
    const account = await deploy('POLYGON', oneOwner())
    for (let time = 0; time < 2; time += 1)
      expectRefusal(await junk(account, here, foreign), 'signature_not_of_address')
    const { status, json } = await junk(account, here, foreign)
    expect([status, json.limit.name]).toEqual([429, 'contract_checks_of_pages_by_address'])
    expect((await enter(account, here)).status).toBe(200)
  })
})
