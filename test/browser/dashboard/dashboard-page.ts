import { startLocalStack } from '@player-nfts/local/local-stack'
import { stackPages } from '@player-nfts/local/pages/stack-pages'
import { samples } from '@player-nfts/local/samples'
import type { SampleProduct } from '@player-nfts/local/samples/sample-product'
import { readLocalSettings } from '@player-nfts/local/settings'
import { afterAll, beforeAll, beforeEach, expect, inject, onTestFinished } from 'vitest'
import { newFolder } from '../../support/command-fixture.ts'
import { type FaultProxyOptions, startFaultProxy } from '../../support/proxies/fault-proxy.ts'
import { allowlist } from '../../support/requests/allowlists.ts'
import { serviceAt } from '../../support/services/service.ts'
import { patience } from '../../support/vitest/patience.ts'
import { type BrowserPage, launchBrowser, type PageOptions } from '../chromium/browser.ts'
import { expectAccessible, expectGoodLayout } from './layout-faults.ts'

/**
 * Starts a local stack with the dashboard, as `npm start` runs it, with the sample product if the dashboard should offer it. It
 * has the sample world, unless the variables name another indexer.
 */
export async function startDashboard(
  variables: Record<string, string> = {},
  sampleProduct?: SampleProduct,
  onEnd: (end: () => Promise<void>) => void = onTestFinished,
) {
  const dataDir = newFolder((end) => onEnd(async () => end()))
  const settings = readLocalSettings({ PORT: '0', DATA_DIR: dataDir, ...variables })
  const pages = stackPages(settings)
  const stack = await startLocalStack(settings, {
    functionsDir: inject('functionsDir'),
    log: () => undefined,
    page: pages.page,
  })
  onEnd(() => stack.close())
  pages.complete(stack, sampleProduct)
  return { ...serviceAt(stack), stack }
}

/**
 * A browser and a service with the dashboard for the tests of a file. Each test has a product of its own, with which pages
 * are opened if `open` gets no other key. `variables` are those of the service, or make them.
 */
export function useDashboard(
  variables: Record<string, string> | (() => Promise<Record<string, string>>) = {},
  sampleProduct?: SampleProduct,
) {
  let browser: Awaited<ReturnType<typeof launchBrowser>>
  const service = {} as Awaited<ReturnType<typeof startDashboard>>
  const product = { apiKey: '' }
  beforeAll(async () => {
    browser = await launchBrowser()
    const own = typeof variables === 'function' ? await variables() : variables
    Object.assign(service, await startDashboard(own, sampleProduct, afterAll))
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    product.apiKey = await service.newProduct()
  })
  return {
    service,
    product,
    /** Allowlists NFTs of {@link gear}. */
    connect: (...tokens: string[]) =>
      allowlist(service.call, product.apiKey, { ...gearContract, tokens }),
    open: (path: string, options: Partial<DashboardPageOptions> = {}) =>
      openDashboard(browser, { url: service.url, ...product, path, ...options }),
    /** Opens a page behind a proxy with faults. The pictures are on the service itself, as on a gateway. */
    async openBehind(
      faults: Omit<FaultProxyOptions, 'target'>,
      path: string,
      options: Partial<DashboardPageOptions> = {},
    ) {
      const proxy = await startFaultProxy({ target: service.url, ...faults })
      const own = { url: proxy.url, mayLoad: `${service.url}/ipfs/`, ...product, path }
      return { ...(await openDashboard(browser, { ...own, ...options })), proxy }
    },
  }
}

/** A collection of the sample world, and the page with its NFTs. */
export const { gear } = samples.collections
const gearContract = { chain: gear.chain, contractAddress: gear.address }
export const gearPage = `/nfts/${gear.chain}/${gear.address}`

/** Signs in on the page Sign in. */
export async function signInWith(page: BrowserPage, apiKey: string): Promise<void> {
  await page.getByLabel('API key', { exact: true }).fill(apiKey)
  await page.keyboard.press('Enter')
}

/** Confirms the dialog with a new key or another secret, which has this note, and returns the secret. */
export async function saveSecret(
  page: BrowserPage,
  { title, name, note = '' }: { title: string; name: 'key' | 'secret'; note?: string },
): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title })
  const secret = (await dialog.locator('code').textContent()) ?? ''
  if (note) await dialog.getByText(note).waitFor()
  await dialog.getByLabel(`I have saved the ${name}.`).check()
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.waitFor({ state: 'detached' })
  return secret
}

type Handler = Parameters<BrowserPage['route']>[1]

/** Lets the page get other answers than those of the service. */
export const answering = (url: string, handler: Handler) => async (page: BrowserPage) => {
  await page.route(url, handler)
}

/** A page of the dashboard in a browser of its own session. */
export type DashboardPage = Awaited<ReturnType<typeof openDashboard>>

export interface DashboardPageOptions {
  url: string
  /** The beginning of other addresses from which the page may load. */
  mayLoad?: string
  /** Signs in before the page is loaded. */
  apiKey?: string | undefined
  path?: string
  context?: PageOptions
  /** Runs before the page is loaded, for example to intercept requests. */
  prepare?: (page: BrowserPage) => Promise<void>
}

/**
 * Opens the dashboard. When the test ends, it fails if the page has logged an error, violated its content security policy,
 * or requested anything of another host.
 */
async function openDashboard(
  browser: Awaited<ReturnType<typeof launchBrowser>>,
  { url, mayLoad, apiKey, path = '/', context: options = {}, prepare }: DashboardPageOptions,
) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  context.setDefaultTimeout(patience.expect.poll.timeout)
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: url })
  const page = await context.newPage()
  const misdeeds = watchMisdeeds(page, [`${url}/`, 'data:', 'blob:', ...(mayLoad ? [mayLoad] : [])])
  onTestFinished(async () => {
    await context.close()
    expect(misdeeds).toEqual({ errors: [], elsewhere: [] })
  })
  if (apiKey !== undefined) await signInBeforehand(page, apiKey)
  await prepare?.(page)
  await page.goto(new URL(path, url).href)
  return {
    page,
    /** Empty these, or remove what a test has provoked on purpose: the page fails the test for the rest. */
    misdeeds,
    expectAccessible: () => expectAccessible(page),
    expectGoodLayout: (state: string) => expectGoodLayout(page, state),
  }
}

/** Puts the key where the session keeps it, once, so that forgetting it lasts. */
async function signInBeforehand(page: BrowserPage, apiKey: string): Promise<void> {
  await page.addInitScript((key) => {
    if (sessionStorage.getItem('test.signed-in')) return
    sessionStorage.setItem('test.signed-in', 'yes')
    sessionStorage.setItem('player-nfts.api-key', key)
  }, apiKey)
}

function watchMisdeeds(page: BrowserPage, permitted: readonly string[]) {
  const misdeeds = {
    /** Errors in the console, among them violations of the content security policy, and exceptions. */
    errors: [] as string[],
    /** Requests to other hosts than that of the dashboard, except to what the page may load. */
    elsewhere: [] as string[],
  }
  page.on('console', (message) => {
    // The browser logs each response with an error status. What the page makes of it is tested on the page.
    const isStatus = message.text().startsWith('Failed to load resource: the server responded')
    if (message.type() === 'error' && !isStatus) misdeeds.errors.push(message.text())
  })
  page.on('pageerror', (error) => misdeeds.errors.push(error.message))
  page.on('request', (request) => {
    const to = request.url()
    if (!permitted.some((beginning) => to.startsWith(beginning))) misdeeds.elsewhere.push(to)
  })
  return misdeeds
}
