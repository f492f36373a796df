import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../components/icon.tsx'
import type { PageName } from './page-paths.ts'
import { useApiKey, useProduct, useShell } from './shell-context.ts'
import { ThemeSwitch } from './theme-switch.tsx'

/** The links of the navigation. Each is the current one on its page, and on the pages whose paths begin with it. */
const entries = [
  { label: 'NFTs', href: '/nfts', icon: 'nfts' },
  { label: 'Try it', href: '/try', icon: 'play' },
  { label: 'Keys', href: '/keys', icon: 'key' },
  { label: 'Usage', href: '/usage', icon: 'chart' },
  { label: 'Events', href: '/events', icon: 'list' },
  { label: 'Webhooks', href: '/webhooks', icon: 'send' },
  { label: 'Game', href: '/product', icon: 'settings' },
] as const

/** The frame of every page: the navigation beside or above the view. Who is not signed in sees a narrow one. */
export function Layout({
  page,
  children,
}: {
  page: PageName | undefined
  children: ComponentChildren
}) {
  const isSignedIn = useApiKey() !== undefined && page !== 'signIn'
  const [isOpen, setIsOpen] = useState(false)
  // Each navigation closes the menu.
  useEffect(() => setIsOpen(false), [page])
  return (
    <div class={`layout${isSignedIn ? '' : ' is-signed-out'}`}>
      <a class="skip-link" href="#view">
        Skip to the content
      </a>
      <header class="layout-side">
        <div class="layout-brand line">
          <Brand />
          <button
            type="button"
            class="button is-quiet layout-menu-button"
            aria-expanded={isOpen}
            aria-controls="menu"
            onClick={() => setIsOpen(!isOpen)}
          >
            Menu
          </button>
        </div>
        <div id="menu" class={`layout-menu${isOpen ? ' is-open' : ''}`}>
          <Navigation page={page} isSignedIn={isSignedIn} />
          <div class="layout-end">
            {isSignedIn && <SignOut />}
            <ThemeSwitch />
          </div>
        </div>
      </header>
      <main id="view" class="view" tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}

function Brand() {
  const { config } = useShell()
  const { data: product } = useProduct()
  return (
    <div class="brand line">
      <img src="/icon.svg" alt="" width="28" height="28" />
      <div class="line">
        <a href="/" class="brand-name one-line">
          <bdi>{product?.name ?? 'Player NFTs'}</bdi>
        </a>
        <span class="badge">{config.stage}</span>
      </div>
    </div>
  )
}

function SignOut() {
  const { session } = useShell()
  return (
    <button type="button" class="nav-link bare" onClick={() => session.end('signedOut')}>
      <Icon name="exit" />
      Sign out
    </button>
  )
}

const Navigation = ({ page, isSignedIn }: { page: PageName | undefined; isSignedIn: boolean }) => (
  <nav aria-label="Main">
    <ul class="nav">
      {isSignedIn &&
        entries.map(({ label, href, icon }) => (
          <li key={href}>
            <a
              class="nav-link"
              href={href}
              aria-current={page && location.pathname.startsWith(href) ? 'page' : undefined}
            >
              <Icon name={icon} />
              {label}
            </a>
          </li>
        ))}
      <li>
        <a class="nav-link" href="/docs/index.html">
          <Icon name="book" />
          Docs
        </a>
      </li>
    </ul>
  </nav>
)
