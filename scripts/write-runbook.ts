import { readFile, writeFile } from 'node:fs/promises'
import { runbook } from '../infra/alarms/runbook.ts'
import { helpIfAsked } from '../local/help.ts'

helpIfAsked([
  'Usage: npm run runbook',
  '',
  'Writes the alarms of docs/runbook.md from the alarm table.',
])

const file = new URL('../docs/runbook.md', import.meta.url)

/** `npm run runbook`: writes the alarms of docs/runbook.md from the alarm table. */
await writeFile(file, runbook(await readFile(file, 'utf8')))
