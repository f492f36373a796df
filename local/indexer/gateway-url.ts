const gateways: readonly (readonly [scheme: string, gateway: string])[] = [
  ['ipfs://ipfs/', 'https://ipfs.example.com/ipfs/'],
  ['ipfs://', 'https://ipfs.example.com/ipfs/'],
  ['ar://', 'https://arweave.example.com/'],
]

/** The HTTP form of a URI, as an indexer's gateways give it; `undefined` where there is none. */
export function gatewayUrl(uri: string): string | undefined {
  if (/^https?:\/\//i.test(uri)) return uri
  const found = gateways.find(([scheme]) => uri.startsWith(scheme))
  return found && found[1] + uri.slice(found[0].length)
}
