import { spawnSync } from 'node:child_process'
import { helpIfAsked } from '@player-nfts/local/help'
import { projects } from './type-projects.ts'

helpIfAsked(['Usage: npm run typecheck', '', 'Checks the types of all programs with TypeScript.'])

for (const project of projects) {
  const args = ['node_modules/typescript/bin/tsc', '--project', project]
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}
