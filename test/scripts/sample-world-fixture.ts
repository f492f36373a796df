import { expect, onTestFinished } from 'vitest'
import { startIndexerServer } from '../../local/indexer/indexer-server.ts'
import { noteRunning, type RunningStack } from '../../local/running-stack.ts'
import { sampleWorld } from '../../local/samples/sample-world.ts'
import type { SampleCollection } from '../../local/samples/samples.ts'
import { newFolder, run } from '../support/command-fixture.ts'

/** The note of a stack without the sample world. */
export const note: RunningStack = {
  pid: process.pid,
  url: 'http://127.0.0.1:3000',
  userJwtKey: { keyId: 'k', issuer: 'i', audience: 'a', region: 'r' },
}

/** A sample world, and a command in the data folder of a stack that has it. */
export async function startWorld(script: string) {
  const world = sampleWorld()
  const { url, close } = await startIndexerServer({ world })
  onTestFinished(close)
  const DATA_DIR = newFolder()
  await noteRunning(DATA_DIR, { ...note, sampleIndexerUrl: url })
  const command = async (...args: string[]) => await run(script, args, { DATA_DIR }).ended
  const held = (wallet: string, { address }: Pick<SampleCollection, 'address'>) =>
    world['polygon-mainnet'].wallets.get(wallet as typeof address)?.get(address)?.amounts
  return { world, command, held }
}

/** The one line with which a command fails. */
export async function failureOf(script: string, DATA_DIR: string, ...args: string[]) {
  const { code, stdout, stderr } = await run(script, args, { DATA_DIR }).ended
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/^[^\n]+\n$/)
  return stderr.trim()
}
