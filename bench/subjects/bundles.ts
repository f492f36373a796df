import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import {
  bundleAllFunctions,
  bundleBytes,
  bundleFile,
  bundleFunctions,
  everyFeature,
  functionNames,
} from '../../infra/bundle/bundle.ts'

export interface Subject {
  file: string
  /** `require` for a CommonJS file, `import` for a module. */
  load: 'require' | 'import'
  /** The size of all its code files. */
  bytes: number
}

/** The two services that are compared. */
export const peers = ['ours', 'naive'] as const

export type Peer = (typeof peers)[number]

/** The measured functions: ours and those of the naive peer by name, and B0. */
export type Subjects = Awaited<ReturnType<typeof bundleSubjects>>

/** A function of a peer by name. */
export function subjectOf(subjects: Subjects, peer: Peer, name: string): Subject {
  const subject = subjects[peer][name]
  if (!subject) throw new Error(`${peer} has no function ${name}`)
  return subject
}

const benchDir = join(import.meta.dirname, '..')

const ourNames = functionNames(everyFeature)

/** The functions of the naive peer, by the names of ours: the reads of a player's NFTs. */
const naiveNames = ['get-raw-metadata', 'get-structured-metadata']

/** Bundles all functions into `outDir`: ours as in a deployment with all that one can have, B0 as a small ESM file, the naive peer with esbuild's defaults. */
export async function bundleSubjects(outDir: string) {
  await Promise.all([
    bundleAllFunctions(join(outDir, 'ours'), everyFeature),
    bundleB0(outDir),
    bundleNaive(outDir),
    bundleFunctions({ entryPoints: ownSubjects.map(entryPointOf), outDir }),
  ])
  const naiveFile = (name: string) => join(outDir, 'naive', `${name}.js`)
  return {
    ours: await subjectsOf(ourNames, (name) => bundled(bundleFile(join(outDir, 'ours'), name))),
    naive: await subjectsOf(naiveNames, (name) => oneFile(naiveFile(name), 'require')),
    b0: await oneFile(b0File(outDir), 'import'),
    /** Our allowlist-nfts with one request to DynamoDB at a time. */
    sequentialAllowlistNfts: await bundled(bundleFile(outDir, 'sequential-allowlist-nfts')),
    /** One poll of our follower in each call. */
    followStep: await bundled(bundleFile(outDir, 'follow-step')),
  }
}

/** The functions that are in no deployment, and are bundled as those that are. */
const ownSubjects = ['sequential-allowlist-nfts', 'follow-step']

const entryPointOf = (name: string) => join(benchDir, 'subjects', `${name}.ts`)

const b0File = (outDir: string) => join(outDir, 'b0.mjs')

async function bundleB0(outDir: string): Promise<void> {
  await build({
    entryPoints: [join(benchDir, 'subjects/b0.ts')],
    outfile: b0File(outDir),
    bundle: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    minify: true,
    // The CommonJS parts of the bundle call `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)",
    },
    logLevel: 'silent',
  })
}

/** esbuild's defaults for Node. The alias names the published axios, because this project replaces axios. */
async function bundleNaive(outDir: string): Promise<void> {
  await build({
    entryPoints: naiveNames.map((name) => join(benchDir, 'naive', `${name}.ts`)),
    outdir: join(outDir, 'naive'),
    bundle: true,
    platform: 'node',
    // The folder from which the alias is resolved.
    absWorkingDir: benchDir,
    alias: { axios: 'published-axios' },
    logLevel: 'silent',
  })
}

const subjectsOf = async (names: readonly string[], bundleOf: (name: string) => Promise<Subject>) =>
  Object.fromEntries<Subject>(
    await Promise.all(names.map(async (name) => [name, await bundleOf(name)] as const)),
  )

/** A function of ours, whose bundle may have several files. */
const bundled = async (file: string): Promise<Subject> => ({
  file,
  load: 'require',
  bytes: await bundleBytes(file),
})

const oneFile = async (file: string, load: Subject['load']): Promise<Subject> => ({
  file,
  load,
  bytes: (await stat(file)).size,
})
