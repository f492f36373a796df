import { request } from 'node:http'
import type { Account } from '../../../local/samples/sample-account.ts'
import { newAccount } from '../../support/sign-in/account.ts'
import { signInCalls } from '../../support/sign-in/sign-in-calls.ts'
import { type DashboardPage, useDashboard } from '../dashboard/dashboard-page.ts'
import { installWallet, type TestWallet } from './test-wallet.ts'

interface ConnectOptions {
  /** The accounts of the wallet of the browser. By default it has one new account. */
  accounts?: readonly Account[]
  /** Whether there is a wallet, and of which kind; by default one that announces itself. */
  place?: 'announced' | 'older' | 'none'
  /** What stands after `/connect`. */
  query?: string
  /** Whether the page has the sample players of `npm start`. */
  hasSamplePlayers?: boolean
}

/** The page /connect in a browser with a wallet. */
export interface ConnectPage extends DashboardPage {
  wallet: TestWallet
}

/** A service with the page, for the tests of a file, and functions that open the page and play games. */
export function useConnect() {
  const { service, open: openPage } = useDashboard()

  async function open({
    accounts = [newAccount()],
    place = 'announced',
    query = '',
    hasSamplePlayers = false,
  }: ConnectOptions = {}): Promise<ConnectPage> {
    let wallet: TestWallet = { accounts: [], signed: [] }
    const opened = await openPage(`/connect${query}`, {
      apiKey: undefined,
      async prepare(page) {
        if (place !== 'none') wallet = await installWallet(page, accounts, { place })
        if (hasSamplePlayers) return
        const empty = { contentType: 'text/javascript', body: '' }
        await page.route('**/connect/sample-players.js', (route) => route.fulfill(empty))
      },
    })
    return { ...opened, wallet }
  }

  return {
    open,
    /** The same, signed in with the wallet. */
    async enter(options: ConnectOptions = {}): Promise<ConnectPage> {
      const opened = await open(options)
      await opened.page.getByRole('button', { name: 'Ember Wallet' }).click()
      await opened.page.getByText('Signed in as').waitFor()
      return opened
    },
    calls: () => signInCalls(service),
    service,
    /** A game on a device that asks for access, from the network of the browser or from another one. */
    async askingGame({ isSameNetwork = true } = {}) {
      const { newGame } = signInCalls(service)
      const { productId, apiKey, change } = await newGame()
      const localAddress = isSameNetwork ? '127.0.0.1' : '127.0.0.2'
      const grant = await authorize(service.url, productId, localAddress)
      return { productId, apiKey, change, ...grant }
    },
  }
}

interface Grant {
  device_code: string
  user_code: string
  verification_uri: string
  verification_uri_complete: string
}

/** Asks for the codes of a device from an address of this machine. */
const authorize = (url: string, productId: string, localAddress: string): Promise<Grant> =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const to = `${url}/api/public/v1/device/authorization`
    request(to, { method: 'POST', headers, localAddress }, async (response) => {
      resolve(JSON.parse((await response.toArray()).join('')))
    })
      .on('error', reject)
      .end(`client_id=${productId}`)
  })
