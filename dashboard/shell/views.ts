import type { ComponentType } from 'preact'
import type { PageName } from './page-paths.ts'

/** What a view receives: the values of its path. */
export interface ViewProps {
  params: Readonly<Record<string, string>>
}

/** A view with what the layout must know of it. */
export interface View {
  /** Loads the code of the view, when it is shown for the first time. */
  load(): Promise<ComponentType<ViewProps>>
  /** Whether the view needs no API key. */
  isPublic?: boolean
}

/** The views of the pages. `home` has none: it leads to another page. */
export const views: Readonly<Record<Exclude<PageName, 'home'>, View>> = {
  signIn: {
    load: async () => (await import('../views/sign-in/sign-in-view.tsx')).SignInView,
    isPublic: true,
  },
  nfts: { load: async () => (await import('../views/nfts/contracts-view.tsx')).ContractsView },
  contract: { load: async () => (await import('../views/nfts/contract-view.tsx')).ContractView },
  tryIt: { load: async () => (await import('../views/try-it/try-it-view.tsx')).TryItView },
  keys: { load: async () => (await import('../views/keys/keys-view.tsx')).KeysView },
  product: { load: async () => (await import('../views/product/product-view.tsx')).ProductView },
  usage: { load: async () => (await import('../views/usage/usage-view.tsx')).UsageView },
  events: { load: async () => (await import('../views/events/events-view.tsx')).EventsView },
  webhooks: {
    load: async () => (await import('../views/webhooks/webhooks-view.tsx')).WebhooksView,
  },
}
