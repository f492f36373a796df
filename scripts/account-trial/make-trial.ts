import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { killCommands } from '../../test/deployed/run-command.ts'
import { heading, summary } from '../count.ts'
import type { LeftBehind } from './left-behind.ts'
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
  const indexerPath = randomBytes(24).toString('base64url')
  const trial: Trial = { place, stage, ...rest, startedAt, indexerPath, made: {} }
  const known = { lacks: place.lacks, alchemyKey: rest.alchemyKey }
  const results = await runSteps(steps, trial, { ...known, interrupted })
  heading(removal.name)
  killCommands()
  const left = await removeTrial(place, stage)
  const report = reportOf({
    ...{ stage, results, left, title: place.title, version: commitOf(root) },
    startedAt: new Date(startedAt).toISOString(),
    secrets: [indexerPath, rest.alchemyKey ?? ''],
  })
  const file = join(root, '.build', `${stage}.md`)
  await mkdir(join(root, '.build'), { recursive: true })
  await writeFile(file, report)
  console.log(`\n${report}\nThe report is in ${file}.`)
  const isClean = printLeft(left, place, stage)
  const count = countOf(results)
  if (!isClean) count.failed += 1
  console.log(summary(count))
  return isClean && count.failed === 0 && !interrupted.aborted
}

/** Removes what an earlier trial has left. Returns whether nothing but keys and the bootstrap stack remains. */
export async function onlyRemove(place: TrialPlace, stage: string): Promise<boolean> {
  return printLeft(await removeTrial(place, stage), place, stage)
}

function printLeft(
  { others, unlisted }: LeftBehind,
  { removalOf }: TrialPlace,
  stage: string,
): boolean {
  if (others.length + unlisted.length === 0) {
    console.log(
      `Nothing of ${stage} remains but keys that KMS will delete, system backups of tables, and files in the bucket of the CDK.`,
    )
    return true
  }
  for (const name of others) console.log(`Not removed: ${name}`)
  for (const { what, reason } of unlisted) console.log(`Could not be listed: ${what} (${reason})`)
  if (removalOf) console.log(`Repeat the removal: ${removalOf(stage)}`)
  return false
}

function commitOf(dir: string): string {
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], { cwd: dir }).toString().trim()
  } catch {
    return 'without git'
  }
}
