import type { BrowserPage } from '../chromium/browser.ts'
import { answering } from './dashboard-page.ts'

/** Who looks at a page: nobody, a product without anything, or one with sample collections, keys and events. */
type Visitor = 'nobody' | 'new' | 'sample'

/** A state of a page of the dashboard. */
export interface ViewState {
  name: string
  visitor: Visitor
  path: string
  /** Runs before the page is loaded. */
  prepare?: (page: BrowserPage) => Promise<void>
  /** Waits until the page is in the state, and clicks if necessary. */
  reach: (page: BrowserPage) => Promise<void>
}

/** The states that a visitor sees. */
export const seenBy =
  (visitor: Visitor) =>
  (
    name: string,
    path: string,
    reach: ViewState['reach'],
    prepare?: ViewState['prepare'],
  ): ViewState => ({ name, visitor, path, reach, ...(prepare && { prepare }) })

const api = '**/api/public/v1'

/** Waits for a page with this heading that has loaded. */
export const heading = (name: string) => async (page: BrowserPage) => {
  await page.getByRole('heading', { level: 1, name }).waitFor()
  await page.locator('.progress').first().waitFor({ state: 'detached' })
}

/** The first button with this name. */
export const button = (page: BrowserPage, name: string | RegExp) =>
  page.getByRole('button', { name }).first()

/** Clicks a button, and waits for its dialog. */
export const opened =
  (name: string | RegExp, title: string | RegExp) =>
  async (page: BrowserPage): Promise<void> => {
    await button(page, name).click()
    await page.getByRole('dialog', { name: title }).waitFor()
  }

/** Requests to this path get no answer. */
export const stalled = (path: string) =>
  answering(`${api}${path}`, () => new Promise(() => undefined))

/** Requests to this path fail. */
export const refused = (path: string) => {
  const json = { code: 'service_unavailable', detail: 'Storage is not available.', requestId: 'b7' }
  return answering(`${api}${path}`, (route) => route.fulfill({ status: 503, json }))
}

/** Waits for the sign that something loads. */
export const loading = async (page: BrowserPage) => await page.locator('.spinner').first().waitFor()
/** Waits for an error. */
export const failed = async (page: BrowserPage) => await page.getByRole('alert').first().waitFor()
