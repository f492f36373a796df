import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { ErrorBoundary, LoadState } from '../components/feedback.tsx'
import { NewSecretDialog } from '../components/new-secret-dialog.tsx'
import { PageHeading } from '../components/page-heading.tsx'
import { Announcer } from './announcer.tsx'
import { useChanges } from './changes.ts'
import { Layout } from './layout.tsx'
import { navigate, usePlace } from './location.ts'
import { type Page, type PageName, pageAt } from './page-paths.ts'
import { ProductProvider, useApiKey, useSessionProduct, useShell } from './shell-context.ts'
import { useLoad } from './use-load.ts'

/** The whole dashboard: the layout with the view of the present path. */
export function App() {
  const { path, query } = usePlace()
  const page = pageAt(path)
  const isSignedIn = useApiKey() !== undefined
  const redirect = redirectFrom(page, query, isSignedIn)
  useEffect(() => {
    if (redirect) navigate(redirect, { replace: true })
  }, [redirect])
  return (
    <ProductProvider value={useSessionProduct()}>
      <Layout page={page?.name}>
        <ErrorBoundary key={path}>{!redirect && <Shown page={page} />}</ErrorBoundary>
      </Layout>
      <NewSecret />
      <Announcer />
    </ProductProvider>
  )
}

/** A new secret above every page, until the user has saved it (D79). */
function NewSecret() {
  const { session } = useShell()
  useChanges(session)
  const { newSecret } = session
  if (!newSecret) return null
  return <NewSecretDialog key={newSecret.secret} {...newSecret} onSaved={session.newSecretSaved} />
}

function Shown({ page }: { page: Page | undefined }) {
  if (!page || page.name === 'home') return <NotFound />
  return <LoadedView load={views[page.name]} params={page.params} />
}

/** Returns the path to which a page leads on: to sign in, or from `/` and `/sign-in` to a page of the product. */
function redirectFrom(
  page: Page | undefined,
  query: URLSearchParams,
  isSignedIn: boolean,
): string | undefined {
  if (page === undefined) return undefined
  if (page.name === 'home') return isSignedIn ? '/nfts' : '/sign-in'
  if (page.name === 'signIn') return isSignedIn ? pathAfterSignIn(query.get('to')) : undefined
  if (isSignedIn) return undefined
  const { pathname, search } = location
  return pathname === '/nfts'
    ? '/sign-in'
    : `/sign-in?${new URLSearchParams({ to: pathname + search })}`
}

/** Returns the page from which the user came, if it is one of the dashboard. */
function pathAfterSignIn(to: string | null): string {
  if (to === null) return '/nfts'
  const [path = ''] = to.split('?')
  const page = pageAt(path)
  return page && page.name !== 'home' && page.name !== 'signIn' ? to : '/nfts'
}

/** Shows a view as soon as its code is loaded. */
function LoadedView({ load, params }: ViewProps & { load: LoadView }) {
  const { data: Component, ...loaded } = useLoad(load, [load])
  if (Component) return <Component params={params} />
  // Another version of the dashboard can have replaced the file.
  return <LoadState loaded={{ ...loaded, reload: () => location.reload() }} label="Loading…" />
}

const NotFound = () => (
  <PageHeading title="Page not found">
    This page does not exist. <a href="/">Go to the start page</a>.
  </PageHeading>
)

interface ViewProps {
  params: Readonly<Record<string, string>>
}

/** Loads the code of a view, when it is shown for the first time. */
type LoadView = () => Promise<ComponentType<ViewProps>>

/** The views of the pages. `home` has none: it leads to another page. */
const views: Readonly<Record<Exclude<PageName, 'home'>, LoadView>> = {
  signIn: async () => (await import('../views/sign-in/sign-in-view.tsx')).SignInView,
  nfts: async () => (await import('../views/nfts/contracts-view.tsx')).ContractsView,
  contract: async () => (await import('../views/nfts/contract-view.tsx')).ContractView,
  tryIt: async () => (await import('../views/try-it/try-it-view.tsx')).TryItView,
  keys: async () => (await import('../views/keys/keys-view.tsx')).KeysView,
  product: async () => (await import('../views/product/product-view.tsx')).ProductView,
  usage: async () => (await import('../views/usage/usage-view.tsx')).UsageView,
  events: async () => (await import('../views/events/events-view.tsx')).EventsView,
  webhooks: async () => (await import('../views/webhooks/webhooks-view.tsx')).WebhooksView,
}
