import { writeFile } from 'node:fs/promises'
import { runbook } from '../infra/alarms/runbook.ts'

/** `npm run runbook`: writes docs/runbook.md from the alarm table. */
await writeFile(new URL('../docs/runbook.md', import.meta.url), runbook())
