import { type PageName, pagePaths } from '@player-nfts/dashboard/shell/page-paths'
import { describe, test } from 'vitest'
import { answering, gear, gearPage, useDashboard } from './dashboard-page.ts'

const { connect, open } = useDashboard({}, { apiKey: crypto.randomUUID() })

/** The headings that a new game sees. The start leads to another page. */
const headings: Record<Exclude<PageName, 'home'>, string> = {
  signIn: 'Sign in or register',
  nfts: 'NFTs',
  contract: 'Contract',
  tryIt: 'Try it',
  keys: 'Keys',
  product: 'Game',
  usage: 'Usage',
  events: 'Events',
  webhooks: 'Webhooks',
}

describe('every page has a good layout', () => {
  test.each(Object.entries(headings))('%s, of a new game', async (name, heading) => {
    const pattern = pagePaths[name as PageName]
    const path = pattern.replace(':chain', gear.chain).replace(':address', gear.address)
    const nobody = { apiKey: undefined }
    const { page, expectGoodLayout } = await open(path, name === 'signIn' ? nobody : {})
    await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    await page.locator('.progress').first().waitFor({ state: 'detached' })
    await expectGoodLayout(name)
  })

  test.each([
    ['nfts', '/nfts', '/product/contracts*'],
    ['contract', gearPage, '/product/nfts*'],
    ['keys', '/keys', '/product/keys'],
    ['usage', '/usage', '/product/usage*'],
    ['events', '/events', '/product/events*'],
    ['webhooks', '/webhooks', '/product/webhooks'],
  ])('%s, while it loads, and when that has failed', async (name, path, operation) => {
    await connect('1')
    const url = `**/api/public/v1${operation}`
    const stalled = answering(url, () => new Promise(() => undefined))
    const { page, expectGoodLayout } = await open(path, { prepare: stalled })
    await page.locator('.spinner').first().waitFor()
    await expectGoodLayout(`${name}-loading`)
    await page.unroute(url)
    const json = { code: 'service_unavailable', detail: 'Not available.', requestId: 'b7' }
    await page.route(url, (route) => route.fulfill({ status: 503, json }))
    await page.reload()
    await page.getByRole('alert').first().waitFor()
    await expectGoodLayout(`${name}-failed`)
  })
})
