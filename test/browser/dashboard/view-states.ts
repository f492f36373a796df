import { samples } from '@player-nfts/local/samples'
import type { BrowserPage } from '../chromium/browser.ts'
import { busyDays, giveUsage } from './daily-usage.ts'
import { signInWith } from './dashboard-page.ts'
import {
  button,
  failed,
  heading,
  loading,
  opened,
  refused,
  seenBy,
  stalled,
  type ViewState,
} from './view-state.ts'
import { webhookStates } from './webhook-states.ts'

const [nobody, newcomer, developer] = [seenBy('nobody'), seenBy('new'), seenBy('sample')]
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
  nobody('sign-in', '/sign-in', heading('Sign in or register')),
  nobody('sign-in-faults', '/sign-in', async (page) => {
    await signInWith(page, 'open sesame')
    await page.getByText('This is not an API key.').waitFor()
    await button(page, 'Register').click()
  }),
  nobody('registered', '/sign-in', async (page) => {
    await page.getByLabel('Name of the game').fill('Tide Crates')
    await page.getByLabel('Company', { exact: true }).fill('Gull Harbour Games')
    await page.getByLabel('Contact e-mail').fill('studio@example.com')
    await button(page, 'Register').click()
    await page.getByRole('dialog', { name: 'Your API key' }).waitFor()
  }),
  developer('signed-out', '/keys', async (page) => {
    const menu = button(page, 'Menu')
    if (await menu.isVisible()) await menu.click()
    await button(page, 'Sign out').click()
    await page.getByText('You have signed out.').waitFor()
  }),
]

const nfts: readonly ViewState[] = [
  newcomer('nfts-empty', '/nfts', heading('NFTs')),
  developer('nfts', '/nfts', heading('NFTs')),
  developer('nfts-loading', '/nfts', loading, stalled('/product/contracts*')),
  developer('nfts-failed', '/nfts', failed, refused('/product/contracts*')),
  newcomer('nfts-add', '/nfts?add=1', heading('Add NFTs')),
  newcomer('nfts-bad-lines', '/nfts?add=1', async (page) => {
    await badLines(page)
    await button(page, /^Add/).click()
  }),
  developer('gallery', contract, gallery),
  developer('gallery-end', `${contract}?from=395`, gallery),
  developer('nft-list', `${contract}?view=list`, gallery),
  developer('gallery-failed', contract, failed, refused('/product/nfts*')),
  developer('selection', contract, async (page) => {
    await gallery(page)
    await page.getByLabel('Select 1', { exact: true }).check()
  }),
  developer('nft-detail', `${contract}?token=2`, async (page) => {
    await page.locator('dialog img').waitFor()
  }),
  developer('remove-list', contract, async (page) => {
    await chosen('Remove a list…', 'Remove NFTs')(page)
    await badLines(page)
  }),
  developer('remove-contract', contract, chosen('Remove the contract…', 'Remove this contract')),
  developer('refresh', contract, opened('Refresh…', 'Refresh metadata')),
  newcomer('not-connected', contract, heading('Contract')),
]

const tryIt: readonly ViewState[] = [
  developer('try-it', '/try', heading('Try it')),
  developer('try-it-answer', '/try?player=tessaly_vane', sent),
  developer('try-it-raw', '/try?player=tessaly_vane&form=raw&limit=10', sent),
  newcomer('try-it-nothing', '/try', sent),
]

const keysAndProduct: readonly ViewState[] = [
  developer('keys', '/keys', async (page) => {
    await page.getByText('No longer working').click()
  }),
  newcomer('keys-loading', '/keys', loading, stalled('/product/keys')),
  newcomer('keys-failed', '/keys', failed, refused('/product/keys')),
  newcomer('create-key', '/keys', opened('Create a key', 'Create a key')),
  newcomer('rotate-key', '/keys', opened(/^Rotate/, 'Rotate a key')),
  newcomer('revoke', '/keys', opened(/^Revoke/, 'Revoke this key?')),
  developer('product', '/product', heading('Game')),
  newcomer('delete-product', '/product', opened('Delete…', 'Delete the game?')),
]

const usageAndEvents: readonly ViewState[] = [
  newcomer('usage-empty', '/usage', heading('Usage')),
  developer('usage', '/usage', heading('Usage'), giveUsage(busyDays)),
  newcomer('usage-failed', '/usage', failed, refused('/product/usage*')),
  developer('events', '/events', heading('Events')),
  newcomer('events-none', '/events?action=endKey', heading('Events')),
  developer('event', '/events', opened(/^Added/, /^Added/)),
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
