const namesOfChains = [
  'chainname',
  'chainnames',
  'chainid',
  'chainids',
  'network',
  'networks',
  'blockchain',
]
const namesOfContracts = ['contract', 'address', 'smartcontractaddress']

/**
 * Names that callers write in place of a field, as {@link plainName} writes them: of other operations, of responses, of
 * other APIs.
 */
const mistakenNames: Readonly<Record<string, readonly string[]>> = {
  chain: ['chains', ...namesOfChains],
  chains: ['chain', ...namesOfChains],
  contractAddress: ['smartcontract', ...namesOfContracts],
  smartContract: ['contractaddress', ...namesOfContracts],
  contractDescription: ['description'],
  tokens: ['token', 'tokenid', 'tokenids'],
  cursor: ['nextcursor'],
  playerToken: ['token', 'xplayertoken'],
}

/** Parameters that change the form of an answer, with the operation that takes them. The others refuse them (D130). */
export const formParameters: Readonly<Record<string, string>> = {
  rawMetadata: 'GET /player/tokens/raw',
}

/** A longer name is not a near miss, so that a name in a message is short. */
const maxNameLength = 64

/**
 * Finds the field that a name resembles (D34): in another notation, or a {@link mistakenNames mistaken name}; else
 * `undefined`.
 */
export type NearMisses = (name: string) => string | undefined

/** Returns the near misses of these fields. The table is made once for each operation. */
export function nearMissesOf(fields: readonly string[]): NearMisses {
  const resembled = new Map<string, string>()
  for (const field of fields) {
    for (const name of mistakenNames[field] ?? []) resembled.set(name, field)
  }
  // The own names come last: they take precedence over the mistaken names of other fields.
  for (const field of fields) resembled.set(plainName(field), field)
  return (name) => (name.length > maxNameLength ? undefined : resembled.get(plainName(name)))
}

/** A name in lower case, without separators, brackets and positions: `contract_address`, `Chains[x]`, `chains.0`. */
const plainName = (name: string): string =>
  name
    .replace(/(?:\[|\.\d).*$/s, '')
    .replace(/[\s_.-]/g, '')
    .toLowerCase()
