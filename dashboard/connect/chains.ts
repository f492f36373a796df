/** A chain on which players can sign in. */
export interface OpenChain {
  /** The name in the API, such as `ARBITRUM_SEPOLIA`. */
  name: string
  chainId: number
}

/** The chains in a text such as `POLYGON:137 BSC:56`. */
export const chainsIn = (text: string): OpenChain[] =>
  text.split(' ').map((entry) => {
    const [name = '', chainId] = entry.split(':')
    return { name, chainId: Number(chainId) }
  })

/** The name of a chain as players read it: that of the API, and capitals only where they belong, as in `BSC Testnet`. */
export const chainText = (name: string): string =>
  name
    .split('_')
    .map((word) => (word.length > 3 ? `${word[0]}${word.slice(1).toLowerCase()}` : word))
    .join(' ')
