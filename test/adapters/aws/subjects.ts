import { createRequire } from 'node:module'
import { join } from 'node:path'
import { bundleFunctions } from '../../../infra/bundle/bundle.ts'
import { newFolder } from '../../support/command-fixture.ts'
import { atFileEnd } from '../../support/vitest/at-file-end.ts'
import * as clients from './clients.ts'

/** What clients.ts exports. */
export type Clients = typeof clients

/** The clients of the functions, as they are written and as a deployment bundles them. */
export async function clientsOfFunctions(): Promise<[string, Clients][]> {
  const entryPoints = [join(import.meta.dirname, 'clients.ts')]
  const [bundle] = await bundleFunctions({ entryPoints, outDir: newFolder(atFileEnd) })
  const bundled: Clients = createRequire(import.meta.url)(bundle?.file ?? '')
  return [
    ['as written', clients],
    ['bundled', bundled],
  ]
}
