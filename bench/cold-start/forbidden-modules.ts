import { readFile } from 'node:fs/promises'

/** What would cost a cold start more than it gives, by the files it would come from. */
const forbidden = {
  undici: /node_modules\/undici\//,
  axios: /node_modules\/(axios|published-axios|follow-redirects|form-data)\//,
  // Of it, alchemy-sdk has copied two small pieces into its own file.
  ethers: /node_modules\/(ethers|bn\.js|elliptic|@ethersproject\/(?!(logger|properties)\/)[^/]+)\//,
  websockets: /node_modules\/(websocket|sturdy-websocket|ws)\//,
  solana: /node_modules\/@solana\//,
  'credential providers':
    /node_modules\/@aws-sdk\/(credential-provider-|token-providers|nested-clients)/,
  'configuration files': /shared-ini-file-loader\/(loadSharedConfigFiles|parseIni|readFile)\./,
  'endpoint discovery': /node_modules\/(@aws-sdk\/middleware-endpoint-discovery|mnemonist)\//,
  'event streams': /submodules\/event-streams\//,
}

/** Which of the forbidden modules a bundle holds, as its source map beside it tells. */
export async function forbiddenModulesIn(bundle: string): Promise<string[]> {
  const { sources } = JSON.parse(await readFile(`${bundle}.map`, 'utf8')) as { sources: string[] }
  if (sources.length === 0) throw new Error(`the source map of ${bundle} names no files`)
  const found = Object.entries(forbidden).filter(([, path]) =>
    sources.some((source) => path.test(source)),
  )
  return found.map(([what]) => what)
}
