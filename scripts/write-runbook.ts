import { writeFile } from 'node:fs/promises'
import { runbook } from '../infra/alarms/runbook.ts'
import { helpIfAsked } from '../local/help.ts'

helpIfAsked(['Usage: npm run runbook', '', 'Writes docs/runbook.md from the alarm table.'])

/** `npm run runbook`: writes docs/runbook.md from the alarm table. */
await writeFile(new URL('../docs/runbook.md', import.meta.url), runbook())
