const gateways: readonly (readonly [scheme: string, gateway: string])[] = [
  ['ipfs://ipfs/', 'https://ipfs.example.com/ipfs/'],
  ['ipfs://', 'https://ipfs.example.com/ipfs/'],
  ['ar://', 'https://arweave.example.com/'],
]

/** Returns the HTTP URL of a URI at the indexer's gateways, or `undefined` if there is none. */
export function gatewayUrl(uri: string): string | undefined {
  if (/^https?:\/\//i.test(uri)) return uri
  const found = gateways.find(([scheme]) => uri.startsWith(scheme))
  return found && found[1] + uri.slice(found[0].length)
}
