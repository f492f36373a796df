/**
 * The pages of the dashboard by their paths. `:name` stands for one part of a path. The web server answers a request for
 * each of them with `index.html`, so that links into the dashboard work.
 */
export const pagePaths = {
  home: '/',
  signIn: '/sign-in',
  nfts: '/nfts',
  contract: '/nfts/:chain/:address',
  tryIt: '/try',
  keys: '/keys',
  product: '/product',
  usage: '/usage',
  events: '/events',
  webhooks: '/webhooks',
} as const

/** The name of a page. */
export type PageName = keyof typeof pagePaths

/** A page with the values of its path. */
export interface Page {
  name: PageName
  params: Readonly<Record<string, string>>
}

/** Returns the page with this path, or `undefined` if there is none. A slash at the end does not count. */
export function pageAt(path: string): Page | undefined {
  const parts = partsOf(path)
  for (const [name, pattern] of Object.entries(pagePaths)) {
    const params = paramsOf(partsOf(pattern), parts)
    if (params) return { name: name as PageName, params }
  }
  return undefined
}

const partsOf = (path: string): string[] => path.replace(/(?<=.)\/$/, '').split('/')

function paramsOf(
  pattern: readonly string[],
  parts: readonly string[],
): Record<string, string> | undefined {
  if (pattern.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, expected] of pattern.entries()) {
    const part = parts[index] ?? ''
    if (!expected.startsWith(':')) {
      if (part !== expected) return undefined
      continue
    }
    const value = decoded(part)
    if (!value) return undefined
    params[expected.slice(1)] = value
  }
  return params
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part)
  } catch {
    return undefined
  }
}

/** Returns the path of the page of a contract. */
export const contractPath = (chain: string, address: string): string =>
  `/nfts/${encodeURIComponent(chain)}/${encodeURIComponent(address)}`
