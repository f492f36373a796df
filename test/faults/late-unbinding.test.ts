import { expect, test } from 'vitest'
import { startTestAws } from '../support/aws/test-aws.ts'
import type { Fault } from '../support/proxies/fault-proxy.ts'
import { allowedTokenIds, allowlist } from '../support/requests/allowlists.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { newAddress } from '../support/services/service.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

const aws = await startTestAws()
// Functions answer 4 s earlier.
const gateway = { integrationTimeoutSeconds: 8 }
const { call, newProduct } = await startOwnService(
  { AWS_ENDPOINT_URL: aws.proxy.url },
  atFileEnd,
  gateway,
)

/** A product with NFTs of a contract, and its requests about them. */
async function productWith(tokens: readonly string[]) {
  const [apiKey, contractAddress] = [await newProduct(), newAddress()]
  const allow = () => allowlist(call, apiKey, { contractAddress, tokens })
  await allow()
  const query = { contractAddress, chain: 'POLYGON', tokens }
  return {
    allow,
    unbind: () => call('DELETE /product/tokens', { apiKey, query }),
    list: () => allowedTokenIds(call, apiKey),
  }
}

/** Holds every deletion of an item until the release, which drops them. Later attempts are carried out. */
function holdDeletions() {
  const released = Promise.withResolvers<Fault>()
  let isHeld = true
  let held = 0
  aws.interfere({
    onRequest: ({ action }) => {
      if (!isHeld || action !== 'DeleteItem') return undefined
      held += 1
      return released.promise
    },
  })
  return {
    held: () => held,
    release: () => {
      isHeld = false
      released.resolve('drop')
    },
  }
}

test('D38: an unbinding that waited in the line of the local stack until its 503 takes nothing away', async () => {
  const [mine, others] = [await productWith(['1', '2', '3']), await productWith(['4'])]
  const { held, release } = holdDeletions()
  // Ten calls of a function run at the same time.
  const holding = Array.from({ length: 10 }, () => others.unbind())
  await expect.poll(held).toBe(10)
  expect((await mine.unbind()).status).toBe(503)
  expect(await mine.allow()).toHaveLength(3)
  release()
  await Promise.all(holding)
  // Calls leave the line in its order, so the unbinding that was answered would have come before this one.
  expect((await others.unbind()).status).toBe(200)
  expect(await mine.list()).toEqual(['1', '2', '3'])
})
