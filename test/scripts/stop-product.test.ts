import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { storedKeysIn } from '../support/aws/stored-keys.ts'
import {
  failureOf as failureOfCommand,
  folderOf,
  newFolder,
  run,
} from '../support/command-fixture.ts'
import { expectProblem } from '../support/requests/problem.ts'
import { startOwnService } from '../support/services/own-service.ts'
import { atFileEnd } from '../support/vitest/at-file-end.ts'

const { stack, call, newProduct } = await startOwnService({}, atFileEnd)
const { aws, resources, url } = stack
const { tableName } = resources
const keys = storedKeysIn(aws, tableName)

const DATA_DIR = await folderOf(stack, { TABLE_NAME: tableName })

const command = (
  verb: 'stop' | 'start',
  args: readonly string[],
  variables: Record<string, string> = { DATA_DIR },
) => run(`scripts/${verb}-product.ts`, args, variables)

/** Runs the command for a product and returns its line. */
async function lineOf(verb: 'stop' | 'start', productId: string, ...more: string[]) {
  const { code, stdout, stderr } = await command(verb, ['--product-id', productId, ...more]).ended
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout.trim()
}

/** A new product: its API key and its id. */
async function product() {
  const apiKey = await newProduct()
  const { pk } = (await keys.find(apiKey)).product
  return { apiKey, productId: pk.replace('PRODUCT#', '') }
}

describe('D45: the commands that stop and start a product', () => {
  test('refuse the next request of the product, and permit it again', async () => {
    const { apiKey, productId } = await product()
    const other = await newProduct()
    expect((await call('GET /product', { apiKey })).status).toBe(200)
    expect(await lineOf('stop', productId)).toMatch(
      new RegExp(
        `^The product \u2068".+"\u2069 \\(${productId}\\) in the local stack at ${url} is stopped\\.$`,
      ),
    )
    expectProblem(await call('GET /product', { apiKey }), 'product_stopped')
    expect((await call('GET /product', { apiKey: other })).status).toBe(200)
    expect(await lineOf('start', productId)).toMatch(/ is started\.$/)
    expect((await call('GET /product', { apiKey })).status).toBe(200)
    const { json } = await call('GET /product/events', { apiKey })
    expect(json.data.slice(0, 2)).toMatchObject([
      { action: 'startProduct', keyId: null, outcome: 'done' },
      { action: 'stopProduct', keyId: null, outcome: 'done' },
    ])
  })

  test('can be repeated, and a repeat keeps the time of the first stop', async () => {
    const { apiKey, productId } = await product()
    expect(await lineOf('start', productId)).toMatch(/ was not stopped\.$/)
    await lineOf('stop', productId)
    const stoppedAt = async () => {
      const { product } = await keys.find(apiKey)
      return (await keys.get(product))?.['stoppedAt']
    }
    const first = await stoppedAt()
    expect(first).toEqual(expect.stringMatching(/^\d{4}-.*Z$/))
    expect(await lineOf('stop', productId)).toMatch(/ was stopped already\.$/)
    expect(await stoppedAt()).toBe(first)
    await lineOf('start', productId)
    expect(await stoppedAt()).toBeUndefined()
  })
})

describe('D45: the commands fail with one line', () => {
  const failureOf = (...args: Parameters<typeof command>) => failureOfCommand(command(...args))

  test('for an unknown product, which they do not create', async () => {
    for (const productId of [randomUUID(), 'lanterns']) {
      for (const verb of ['stop', 'start'] as const) {
        expect(await failureOf(verb, ['--product-id', productId])).toBe(
          `There is no product ${productId} in the local stack at ${url}.`,
        )
      }
      const key = { pk: `PRODUCT#${productId}`, sk: 'PROFILE' }
      expect(await keys.get(key)).toBeUndefined()
    }
  })

  test('for a product that is being deleted', async () => {
    const { apiKey, productId } = await product()
    const endedAt = new Date().toISOString()
    await keys.setProduct(apiKey, { endedAt })
    for (const verb of ['stop', 'start'] as const) {
      expect(await failureOf(verb, ['--product-id', productId])).toBe(
        `The product ${productId} in the local stack at ${url} has ended (${endedAt}) and is being deleted: its keys do not work any more, and nobody can ${verb} it.`,
      )
    }
    expect((await keys.get({ pk: `PRODUCT#${productId}`, sk: 'PROFILE' }))?.['stoppedAt']).toBe(
      undefined,
    )
  })

  test.each([
    [[], /^Usage: npm run --silent stop-product -- --product-id ID/],
    [['--product-id', ' '], /^Usage: /],
    [['--product', 'x'], /--product/],
    [['x'], /x/],
  ])('for the arguments %j', async (args, message) => {
    expect(await failureOf('stop', args)).toMatch(message)
  })

  test('without a running stack, or an answer', async () => {
    const args = ['--product-id', 'x']
    const folder = newFolder()
    expect(await failureOf('stop', args, { DATA_DIR: folder })).toBe(
      `No local stack runs on ${folder}: start one with npm start, set DATA_DIR to the folder of one, or name the table of a deployment with --table.`,
    )
    const nowhere = { AWS_ENDPOINT_URL: 'http://127.0.0.1:1', AWS_REGION: aws.region }
    expect(await failureOf('stop', [...args, '--table', 'none'], nowhere)).toBe(
      `There is no answer from the table none in ${aws.region} (DynamoDB: ECONNREFUSED).`,
    )
  })
})
