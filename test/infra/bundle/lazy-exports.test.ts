import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { expect, test } from 'vitest'
import { bundleFunctions } from '../../../infra/bundle/bundle.ts'
import { temporaryFolder } from '../../local/lambda/lambda-fixture.ts'

const entryPoint = join(import.meta.dirname, '../../../lib/domain/address.ts')

test('the hash function of checksums is evaluated at its first call', async () => {
  const [bundle] = await bundleFunctions({
    entryPoints: [entryPoint],
    outDir: await temporaryFolder(),
  })
  let numbers = 0
  // The tables of the hash function are the only code of the bundle that makes large numbers.
  const counting = (value: string | number) => {
    numbers += 1
    return BigInt(value)
  }
  const module = { exports: {} as Record<string, (text: string) => unknown> }
  const context = createContext({ module, BigInt: counting, TextEncoder, Uint8Array, Uint32Array })
  runInContext(await readFile(bundle?.file ?? '', 'utf8'), context)
  expect(numbers).toBe(0)

  const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
  expect(module.exports['parseAddress']?.(address)).toEqual({ address: address.toLowerCase() })
  expect(numbers).toBeGreaterThan(0)
})
