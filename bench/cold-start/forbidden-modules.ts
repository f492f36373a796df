import { readFile } from 'node:fs/promises'
import { codeFilesOf } from '../../infra/bundle/bundle.ts'

/** Modules that would slow down a cold start, by the files that they come from. */
const forbidden = {
  undici: /node_modules\/undici\//,
  axios: /node_modules\/(axios|published-axios|follow-redirects|form-data)\//,
  // alchemy-sdk contains copies of two small parts of ethers.
  ethers: /node_modules\/(ethers|bn\.js|elliptic|@ethersproject\/(?!(logger|properties)\/)[^/]+)\//,
  websockets: /node_modules\/(websocket|sturdy-websocket|ws)\//,
  solana: /node_modules\/@solana\//,
  'the AWS SDK, but for its conversion of attribute values':
    /node_modules\/@aws-sdk\/(?!util-dynamodb\/)/,
  'other retry modes': /(AdaptiveRetryStrategy|DefaultRateLimiter)\.js/,
}

/** The source files of a bundle, including those of its late files, according to their source maps. */
export async function filesIn(bundle: string): Promise<string[]> {
  return (await Promise.all((await codeFilesOf(bundle)).map(sourcesOf))).flat()
}

/** The source files of one code file, according to its source map. */
export async function sourcesOf(file: string): Promise<string[]> {
  const { sources } = JSON.parse(await readFile(`${file}.map`, 'utf8')) as { sources: string[] }
  if (sources.length === 0) throw new Error(`the source map of ${file} names no files`)
  return sources
}

/** The forbidden modules in a bundle, according to its source map. */
export async function forbiddenModulesIn(bundle: string): Promise<string[]> {
  const files = await filesIn(bundle)
  const found = Object.entries(forbidden).filter(([, path]) =>
    files.some((file) => path.test(file)),
  )
  return found.map(([what]) => what)
}
