import { join } from 'node:path'
import { freePort } from '../support/services/free-port.ts'
import { serviceAt } from '../support/services/service.ts'
import { startMinistack } from './ministack.ts'
import { npmStart } from './npm-start.ts'
import { expectKept, newBelongings } from './survival.ts'
import type { Tally } from './tally.ts'

/** `npm start` uses the AWS of an emulator in place of its own (AWS_ENDPOINT_URL), and finds its data there again. */
export async function checkNpmStart(
  { python, dir }: { python: string; dir: string },
  tally: Tally,
): Promise<void> {
  await tally.check('npm start on the emulator keeps its data over a restart', async () => {
    await using ending = new AsyncDisposableStack()
    const ministack = await startMinistack(python, join(dir, 'of-npm-start'), await freePort())
    ending.defer(() => ministack.close())
    const dataDir = join(dir, 'npm-start')
    // By default, links to pictures have the port of the sample indexer.
    const links = { IPFS_GATEWAY: 'https://ipfs.example/', ARWEAVE_GATEWAY: 'https://ar.example/' }
    const variables = { AWS_ENDPOINT_URL: ministack.aws.endpoint, ...links }
    const start = () => npmStart(dataDir, variables, () => undefined)
    const first = await start()
    const belongings = await newBelongings(serviceAt(first.target)).finally(() => first.close())
    const second = await start()
    ending.defer(() => second.close())
    await expectKept(serviceAt(second.target), belongings)
  })
}
