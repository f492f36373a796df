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

export type PageName = keyof typeof pagePaths

/** A page with the values of its path. */
export type Page = NonNullable<ReturnType<typeof pageAt>>

/** Returns the page with this path, or `undefined` if there is none. A slash at the end does not count. */
export function pageAt(path: string) {
  for (const [name, pattern] of Object.entries(pagePaths)) {
    const form = new RegExp(`^${pattern.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`)
    const values = form.exec(path)
    const params = values && decoded(values.groups)
    if (params) return { name: name as PageName, params }
  }
  return undefined
}

function decoded(values: Record<string, string> = {}): Record<string, string> | undefined {
  try {
    const entries = Object.entries(values).map(([name, value]) => [name, decodeURIComponent(value)])
    return Object.fromEntries(entries)
  } catch {
    return undefined
  }
}

export const contractPath = (chain: string, address: string): string =>
  `/nfts/${encodeURIComponent(chain)}/${encodeURIComponent(address)}`
