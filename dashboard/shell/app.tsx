import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { ErrorBoundary } from '../components/error-boundary.tsx'
import { Failure } from '../components/failure.tsx'
import { NewSecretDialog } from '../components/new-secret-dialog.tsx'
import { PageHeading } from '../components/page-heading.tsx'
import { Progress } from '../components/progress.tsx'
import { Announcer } from './announcer.tsx'
import { useApiKey, useNewSecret } from './client.ts'
import { Layout } from './layout.tsx'
import { navigate, usePlace } from './location.ts'
import { type Page, pageAt } from './page-paths.ts'
import { ProductProvider, useSessionProduct } from './product.ts'
import { useShell } from './shell-context.ts'
import { type View, type ViewProps, views } from './views.ts'

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
  const newSecret = useNewSecret()
  if (!newSecret) return null
  return <NewSecretDialog key={newSecret.secret} {...newSecret} onSaved={session.newSecretSaved} />
}

function Shown({ page }: { page: Page | undefined }) {
  if (!page || page.name === 'home') return <NotFound />
  return <LoadedView view={views[page.name]} params={page.params} />
}

/** Returns the path to which a page leads on: to sign in, or from `/` and `/sign-in` to a page of the product. */
function redirectFrom(
  page: Page | undefined,
  query: URLSearchParams,
  isSignedIn: boolean,
): string | undefined {
  if (page === undefined) return undefined
  if (page.name === 'home') return isSignedIn ? '/nfts' : '/sign-in'
  if (isSignedIn && page.name === 'signIn') return pathAfterSignIn(query.get('to'))
  if (isSignedIn || views[page.name].isPublic) return undefined
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
function LoadedView({ view, params }: { view: View; params: ViewProps['params'] }) {
  const [loaded, setLoaded] = useState<{ view: View; Component: ComponentType<ViewProps> }>()
  const [error, setError] = useState<unknown>()
  useEffect(() => {
    let isCurrent = true
    setError(undefined)
    view.load().then(
      (Component) => isCurrent && setLoaded({ view, Component }),
      (cause: unknown) => isCurrent && setError(cause),
    )
    return () => {
      isCurrent = false
    }
  }, [view])
  if (error !== undefined) {
    // Another version of the dashboard can have replaced the file.
    return <Failure error={error} retry={() => location.reload()} />
  }
  if (loaded?.view !== view) return <Progress label="Loading…" />
  return <loaded.Component params={params} />
}

const NotFound = () => (
  <PageHeading title="Page not found">
    This page does not exist. <a href="/">Go to the start page</a>.
  </PageHeading>
)
