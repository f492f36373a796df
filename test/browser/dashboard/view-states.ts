import { samples } from '../../../local/samples/samples.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { busyDays, giveUsage } from './daily-usage.ts'
import {
  button,
  failed,
  heading,
  loading,
  opened,
  refused,
  stalled,
  type ViewState,
} from './view-state.ts'
import { webhookStates } from './webhook-states.ts'

const { keepers } = samples.collections
const contract = `/nfts/${keepers.chain}/${keepers.address}`
const chosen = (action: string, dialog: string) => async (page: BrowserPage) => {
  await page.click('summary')
  await opened(action, dialog)(page)
}

const gallery = async (page: BrowserPage) => {
  await page.locator('.nft-card img').first().waitFor()
}

const sent = async (page: BrowserPage) => {
  await button(page, 'Send').click()
  await page.getByRole('region', { name: 'Answer' }).getByRole('heading').first().waitFor()
}

const badLines = async (page: BrowserPage) => {
  await page.getByLabel('Token identifiers').fill('1\n2\n1E+05\n1,000.5\n0xzz\n7..3\n4..9')
  await page.locator('.bad-lines li').first().waitFor()
}

const signIn: readonly ViewState[] = [
  { name: 'sign-in', visitor: 'nobody', path: '/sign-in', reach: heading('Sign in or register') },
  {
    name: 'sign-in-faults',
    visitor: 'nobody',
    path: '/sign-in',
    async reach(page) {
      await page.getByLabel('API key', { exact: true }).fill('open sesame')
      await page.keyboard.press('Enter')
      await page.getByText('This is not an API key.').waitFor()
      await button(page, 'Register').click()
    },
  },
  {
    name: 'registered',
    visitor: 'nobody',
    path: '/sign-in',
    async reach(page) {
      await page.getByLabel('Name of the game').fill('Tide Crates')
      await page.getByLabel('Company', { exact: true }).fill('Gull Harbour Games')
      await page.getByLabel('Contact e-mail').fill('studio@example.com')
      await button(page, 'Register').click()
      await page.getByRole('dialog', { name: 'Your API key' }).waitFor()
    },
  },
  {
    name: 'signed-out',
    visitor: 'sample',
    path: '/keys',
    async reach(page) {
      const menu = button(page, 'Menu')
      if (await menu.isVisible()) await menu.click()
      await button(page, 'Sign out').click()
      await page.getByText('You have signed out.').waitFor()
    },
  },
]

const nfts: readonly ViewState[] = [
  { name: 'nfts-empty', visitor: 'new', path: '/nfts', reach: heading('NFTs') },
  { name: 'nfts', visitor: 'sample', path: '/nfts', reach: heading('NFTs') },
  {
    name: 'nfts-loading',
    visitor: 'sample',
    path: '/nfts',
    prepare: stalled('/product/contracts*'),
    reach: loading,
  },
  {
    name: 'nfts-failed',
    visitor: 'sample',
    path: '/nfts',
    prepare: refused('/product/contracts*'),
    reach: failed,
  },
  { name: 'nfts-add', visitor: 'new', path: '/nfts?add=1', reach: heading('Add NFTs') },
  {
    name: 'nfts-bad-lines',
    visitor: 'new',
    path: '/nfts?add=1',
    async reach(page) {
      await badLines(page)
      await button(page, /^Add/).click()
    },
  },
  { name: 'gallery', visitor: 'sample', path: contract, reach: gallery },
  { name: 'gallery-end', visitor: 'sample', path: `${contract}?from=395`, reach: gallery },
  { name: 'nft-list', visitor: 'sample', path: `${contract}?view=list`, reach: gallery },
  {
    name: 'gallery-failed',
    visitor: 'sample',
    path: contract,
    prepare: refused('/product/nfts*'),
    reach: failed,
  },
  {
    name: 'selection',
    visitor: 'sample',
    path: contract,
    async reach(page) {
      await gallery(page)
      await page.getByLabel('Select 1', { exact: true }).check()
    },
  },
  {
    name: 'nft-detail',
    visitor: 'sample',
    path: `${contract}?token=2`,
    async reach(page) {
      await page.locator('dialog img').waitFor()
    },
  },
  {
    name: 'remove-list',
    visitor: 'sample',
    path: contract,
    async reach(page) {
      await chosen('Remove a list…', 'Remove NFTs')(page)
      await badLines(page)
    },
  },
  {
    name: 'remove-contract',
    visitor: 'sample',
    path: contract,
    reach: chosen('Remove the contract…', 'Remove this contract'),
  },
  {
    name: 'refresh',
    visitor: 'sample',
    path: contract,
    reach: opened('Refresh…', 'Refresh metadata'),
  },
  { name: 'not-connected', visitor: 'new', path: contract, reach: heading('Contract') },
]

const tryIt: readonly ViewState[] = [
  { name: 'try-it', visitor: 'sample', path: '/try', reach: heading('Try it') },
  { name: 'try-it-answer', visitor: 'sample', path: '/try?player=tessaly_vane', reach: sent },
  {
    name: 'try-it-raw',
    visitor: 'sample',
    path: '/try?player=tessaly_vane&form=raw&limit=10',
    reach: sent,
  },
  { name: 'try-it-nothing', visitor: 'new', path: '/try', reach: sent },
]

const keysAndProduct: readonly ViewState[] = [
  {
    name: 'keys',
    visitor: 'sample',
    path: '/keys',
    async reach(page) {
      await page.getByText('No longer working').click()
    },
  },
  {
    name: 'keys-loading',
    visitor: 'new',
    path: '/keys',
    prepare: stalled('/product/keys'),
    reach: loading,
  },
  {
    name: 'keys-failed',
    visitor: 'new',
    path: '/keys',
    prepare: refused('/product/keys'),
    reach: failed,
  },
  {
    name: 'create-key',
    visitor: 'new',
    path: '/keys',
    reach: opened('Create a key', 'Create a key'),
  },
  { name: 'rotate-key', visitor: 'new', path: '/keys', reach: opened(/^Rotate/, 'Rotate a key') },
  { name: 'revoke', visitor: 'new', path: '/keys', reach: opened(/^Revoke/, 'Revoke this key?') },
  { name: 'product', visitor: 'sample', path: '/product', reach: heading('Game') },
  {
    name: 'delete-product',
    visitor: 'new',
    path: '/product',
    reach: opened('Delete…', 'Delete the game?'),
  },
]

const usageAndEvents: readonly ViewState[] = [
  { name: 'usage-empty', visitor: 'new', path: '/usage', reach: heading('Usage') },
  {
    name: 'usage',
    visitor: 'sample',
    path: '/usage',
    prepare: giveUsage(busyDays),
    reach: heading('Usage'),
  },
  {
    name: 'usage-failed',
    visitor: 'new',
    path: '/usage',
    prepare: refused('/product/usage*'),
    reach: failed,
  },
  { name: 'events', visitor: 'sample', path: '/events', reach: heading('Events') },
  {
    name: 'events-none',
    visitor: 'new',
    path: '/events?action=endKey',
    reach: heading('Events'),
  },
  {
    name: 'event',
    visitor: 'sample',
    path: '/events',
    reach: opened(/^Added/, /^Added/),
  },
]

/** The states of all pages: empty, with data, loading, failed, and with each dialog. */
export const viewStates = [
  ...signIn,
  ...nfts,
  ...tryIt,
  ...keysAndProduct,
  ...usageAndEvents,
  ...webhookStates,
]
