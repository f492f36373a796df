import { existsSync, readFileSync } from 'node:fs'
import { nodeOf } from '../packed/new-project.ts'

const oldest = (page: string) =>
  /\bNode (\d+) (?:or|and) later/.exec(readFileSync(page, 'utf8'))?.[1]

/** The page that says which Node a program needs: that of the client, if the program imports it. */
const pageFor = (program: string) =>
  program.includes("'player-nfts-client'") ? 'clients/typescript/README.md' : 'README.md'

/**
 * The executable of the oldest Node that the pages name for a program. Throws if test/clients/packages lacks this version; on a
 * platform for which there is none, it is the project's own.
 */
export function readersNode(program: string): string {
  const version = oldest(pageFor(program))
  const node = nodeOf(`${version}`)
  if (existsSync(node)) return node
  if (process.platform === 'linux') throw new Error(`test/clients/packages lacks Node ${version}.`)
  return process.execPath
}
