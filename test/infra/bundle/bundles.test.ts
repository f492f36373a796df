import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { forbiddenModulesIn, sourcesOf } from '../../../bench/cold-start/forbidden-modules.ts'
import { maxBundleBytes } from '../../../bench/cold-start/report.ts'
import { sampleOf } from '../../../bench/cold-start/samples.ts'
import { eventOf } from '../../../bench/scenario/events.ts'
import { operationIds } from '../../../functions/operations.ts'
import {
  bundleBytes,
  bundleFile,
  codeFilesOf,
  everyFeature,
  functionNames,
  workerName,
} from '../../../infra/bundle/bundle.ts'
import { functionName } from '../../../lib/contract/route.ts'
import { documentationOf } from '../../../openapi/operations.ts'
import { problems } from '../../../openapi/problems/problems.ts'
import { acceptedRequest } from '../../support/accepted-requests.ts'
import type { Sent } from '../../support/requests/client.ts'
import { sharedService } from '../../support/services/service.ts'

const fileOf = (name: string) => bundleFile(inject('functionsDir'), name)

/** The prose of the OpenAPI document about operations, their parameters and their schemas, and about problems. */
const ofOperations = operationIds.flatMap((id) => {
  const { description, parameters = {}, schemas = {} } = documentationOf(id)
  return [
    description,
    ...Object.values(parameters).map((parameter) => parameter.description),
    ...Object.values(schemas).flatMap((schema) => Object.values(schema.fields ?? {})),
  ]
})

const prose = [...ofOperations, ...Object.values(problems).map(({ description }) => description)]

/** Functions of a few lines that the hash of addresses and the signatures of wallets share: two copies behave as one. */
const stateless = /@noble\/hashes\/(_u64|utils)\.js$/

/** A part of a text that has the same form in code and in JSON. */
const plainPartOf = (text: string) => /\w+ [\w ,.:;()-]{30,}/.exec(text)?.[0] ?? []

describe.each(functionNames(everyFeature))('the bundle of %s', (name) => {
  test('contains prose of the OpenAPI document only if it serves the document', async () => {
    const files = await codeFilesOf(fileOf(name))
    const code = (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('')
    const parts = prose.flatMap(plainPartOf)
    const found = parts.filter((part) => code.includes(part))
    expect(found).toEqual(name === functionName('getOpenapi') ? parts : [])
  })

  test('is at most 450 KB', async () => {
    expect(await bundleBytes(fileOf(name))).toBeLessThanOrEqual(maxBundleBytes)
  })

  test('contains no module that a cold start should not load', async () => {
    expect(await forbiddenModulesIn(fileOf(name))).toEqual([])
  })

  test('contains each module in one file only, and alchemy-sdk in a late file', async () => {
    const [index = [], ...late] = await Promise.all(
      (await codeFilesOf(fileOf(name))).map((file) => sourcesOf(file)),
    )
    const all = [...index, ...late.flat()].filter((source) => !stateless.test(source))
    expect(all.filter((source, position) => all.indexOf(source) < position)).toEqual([])
    expect(index.filter((source) => /node_modules\/alchemy-sdk\//.test(source))).toEqual([])
  })
})

describe('a cold start', () => {
  const service = sharedService()

  const coldStart = (name: string, event: unknown, settings: Record<string, string> = {}) => {
    const subject = { file: fileOf(name), load: 'require', bytes: 0 } as const
    const variables = { ...inject('functions')[name]?.env, ...settings }
    return sampleOf({ subject, variables, event })
  }

  const undiciAfter = async (name: string, event: unknown) => (await coldStart(name, event)).undici

  test.each(operationIds)('%s: undici is not loaded before the first response', async (id) => {
    const event = eventOf(asSent(await acceptedRequest(service, id)))
    expect(await undiciAfter(functionName(id), event)).toEqual([])
  })

  test(`${workerName}: undici is not loaded before the end of the first message`, async () => {
    const contract = { chain: 'BSC', address: `0x${'0'.repeat(40)}`, bindingId: 'gone' }
    const body = JSON.stringify({ kind: 'sweep', productId: 'nobody', contract })
    const event = { Records: [{ messageId: '1', body }] }
    expect(await undiciAfter(workerName, event)).toEqual([])
  })

  test('getRawMetadata: alchemy-sdk is loaded to ask the indexer, and not for a read that asks nobody', async () => {
    const sent = await acceptedRequest(service, 'getRawMetadata')
    const filesOfRead = async (apiKey = sent.apiKey ?? '') => {
      const event = eventOf(asSent({ ...sent, apiKey }))
      const { files } = await coldStart('get-raw-metadata', event, { FOLLOWED_CHAINS: 'POLYGON' })
      return files.map((file) => basename(file))
    }
    expect(await filesOfRead()).toEqual(['index.js', 'alchemy-sdk.js'])
    expect(await filesOfRead(await service.newProduct())).toEqual(['index.js'])
  })
})

const asSent = ({ playerToken, query = {}, ...sent }: Sent) => ({
  ...sent,
  query: {
    ...(playerToken && { playerToken }),
    ...Object.fromEntries(
      Object.entries(query).map(([key, value]) => [key, [value].flat().join()]),
    ),
  },
})
