import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { helpIfAsked } from '@player-nfts/local/help'
import { runningStack } from '@player-nfts/local/running-stack'
import { readLocalSettings } from '@player-nfts/local/settings'
import { writeSamFiles } from './sam-files.ts'

helpIfAsked([
  `Usage: npm run sam [-- --host <name> --out <folder>]

Writes a template and an env file for "sam local start-api" (AWS SAM CLI, needs Docker). The functions use the table,
keys, queue and indexer of the npm start that runs in another terminal.

  --host <name>  the name of this machine in a container; the default 127.0.0.1 needs --docker-network host (Linux),
                 Docker Desktop knows host.docker.internal
  --out <folder> a new folder for the files; the default is .build/sam, which is replaced`,
])

const { values } = parseArgs({
  options: {
    host: { type: 'string', default: '127.0.0.1' },
    out: { type: 'string' },
  },
})

const defaultOutDir = join(import.meta.dirname, '../.build/sam')

async function sam(host: string, out?: string): Promise<string> {
  // Writing deletes what the folder contains.
  if (out !== undefined && existsSync(out)) throw new Error(`${out} exists already.`)
  const outDir = out === undefined ? defaultOutDir : resolve(out)
  const { dataDir } = readLocalSettings(process.env)
  const stack = await runningStack(dataDir)
  if (!stack?.variables)
    throw new Error(`npm start does not run on ${dataDir}. Start it in another terminal.`)
  const variables = Object.entries(stack.variables).map(([name, value]) => [
    name,
    value.replaceAll('//127.0.0.1:', `//${host}:`),
  ])
  const { template, env } = await writeSamFiles(outDir, Object.fromEntries(variables))
  const network = host === '127.0.0.1' ? ' --docker-network host' : ''
  return `sam local start-api --template ${template} --env-vars ${env}${network} --port 3001`
}

try {
  console.log(
    `Now run this, and call http://127.0.0.1:3001:\n\n${await sam(values.host, values.out)}`,
  )
} catch (error) {
  // Of several lines, if the functions cannot be bundled.
  console.error((error as Error).message)
  process.exitCode = 1
}
