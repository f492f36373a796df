import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { killCommands } from '../../test/deployed/run-command.ts'
import { summary } from '../count.ts'
import { faultsOf, type LeftBehind } from './left-behind.ts'
import { removeTrial } from './removal.ts'
import { countOf, reportOf } from './report.ts'
import { runSteps } from './run-steps.ts'
import { removal, steps } from './steps.ts'
import type { Trial } from './trial.ts'
import type { TrialPlace } from './trial-place.ts'

const root = join(import.meta.dirname, '../..')

/** What a trial begins with. */
interface Beginning extends Pick<Trial, 'place' | 'stage' | 'dir' | 'alchemyKey'> {
  readonly interrupted: AbortSignal
}

/**
 * Makes all steps, removes everything whatever has happened, writes the report into .build and prints it. Returns whether
 * everything was right. Never rejects.
 */
export async function makeTrial(beginning: Beginning): Promise<boolean> {
  const { place, stage, interrupted, ...rest } = beginning
  const startedAt = Date.now()
  const version = versionOf(root)
  const indexerPath = randomBytes(24).toString('base64url')
  const trial: Trial = { place, stage, ...rest, startedAt, indexerPath, made: {} }
  const known = { lacks: place.lacks, alchemyKey: rest.alchemyKey }
  const results = await runSteps(steps, trial, { ...known, interrupted })
  killCommands()
  // Nothing interrupts the removal.
  const uninterrupted = { ...known, interrupted: new AbortController().signal }
  results.push(...(await runSteps([removal], trial, uninterrupted)))
  const { left } = trial.made
  const report = reportOf({
    ...{ stage, version, results, left, title: place.title },
    startedAt: new Date(startedAt).toISOString(),
    secrets: [indexerPath, rest.alchemyKey ?? ''],
  })
  const file = join(root, '.build', `${stage}.md`)
  await mkdir(join(root, '.build'), { recursive: true })
  await writeFile(file, report)
  console.log(`\n${report}\nThe report is in ${file}.`)
  if (left) printLeft(left, place, stage)
  const count = countOf(results)
  console.log(summary(count))
  return count.failed === 0 && !interrupted.aborted
}

/** Removes what an earlier trial has left. Returns whether nothing but keys and the bootstrap stack remains. */
export async function onlyRemove(place: TrialPlace, stage: string): Promise<boolean> {
  const left = await removeTrial(place, stage)
  printLeft(left, place, stage)
  return faultsOf(left).length === 0
}

function printLeft(left: LeftBehind, { removalOf }: TrialPlace, stage: string): void {
  const faults = faultsOf(left)
  if (faults.length === 0) {
    console.log(
      `Nothing of ${stage} remains but keys that KMS will delete, system backups of tables, and files in the bucket of the CDK.`,
    )
    return
  }
  console.log(faults.join('\n'))
  if (removalOf) console.log(`Repeat the removal: ${removalOf(stage)}`)
}

/** The commit in a folder, with `-dirty` if a file is not as in the commit. */
export function versionOf(dir: string): string {
  const asked = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']
  try {
    return execFileSync('git', asked, { cwd: dir, stdio: 'pipe' }).toString().trim()
  } catch {
    return 'without git'
  }
}
