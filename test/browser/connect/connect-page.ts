import { request } from 'node:http'
import type { Account } from '@player-nfts/local/samples/sample-account'
import { newAccount } from '../../support/sign-in/account.ts'
import { signInCalls } from '../../support/sign-in/sign-in-calls.ts'
import type { BrowserPage } from '../chromium/browser.ts'
import { type DashboardPage, useDashboard } from '../dashboard/dashboard-page.ts'

interface ConnectOptions {
  /** The accounts of the wallet of the browser. By default it has one new account. */
  accounts?: readonly Account[]
  /** Whether there is a wallet, and of which kind; by default one that announces itself. */
  place?: 'announced' | 'older' | 'none'
  query?: string
  /** Whether the page has the sample players of `npm start`. */
  hasSamplePlayers?: boolean
}

/** The page /connect in a browser with a wallet. */
interface ConnectPage extends DashboardPage {
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
    const wallet: TestWallet = { accounts, signed: [] }
    const opened = await openPage(`/connect${query}`, {
      apiKey: undefined,
      async prepare(page) {
        if (place !== 'none') await installWallet(page, wallet, place === 'older')
        if (hasSamplePlayers) return
        const empty = { contentType: 'text/javascript', body: '' }
        await page.route('**/connect/sample-players.js', (route) => route.fulfill(empty))
      },
    })
    return { ...opened, wallet }
  }

  return {
    open,
    async enter(options: ConnectOptions = {}): Promise<ConnectPage> {
      const opened = await open(options)
      await chooseWallet(opened.page)
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

/** Chooses the wallet of the browser, on the page or in a dialog. */
export const chooseWallet = (place: Pick<BrowserPage, 'getByRole'>) =>
  place.getByRole('button', { name: 'Ember Wallet' }).click()

interface TestWallet {
  /** The accounts that the page may see, the active one first. */
  accounts: readonly Account[]
  /** The account that the player chooses when the page asks for another one. */
  chosen?: Account
  /** The id of the chain that the wallet is on; by default it knows nothing of chains. */
  chainId?: number
  /** The code that it sees at its addresses, and whether it lets the page switch chains. */
  code?: string
  switching?: 'switches' | 'refuses'
  /** The code of the error with which the wallet answers everything, if it does. */
  errorCode?: number | undefined
  signed: string[]
}

/** Puts a wallet (EIP-1193) into a page that is not loaded yet. */
async function installWallet(page: BrowserPage, wallet: TestWallet, isOlder: boolean) {
  await page.exposeFunction('testWallet', (call: Call) => answer(wallet, call))
  await page.addInitScript(announceWallet, isOlder)
}

interface Call {
  method: string
  params?: readonly string[]
}

/** What a wallet answers that knows of chains. */
const chainAnswers: Record<string, (wallet: TestWallet, params: readonly unknown[]) => object> = {
  eth_chainId: ({ chainId }) => ({ result: `0x${chainId?.toString(16)}` }),
  eth_getCode: ({ code = '0x' }) => ({ result: code }),
  wallet_switchEthereumChain(wallet, [target]) {
    if (wallet.switching === 'refuses') return { errorCode: 4001 }
    if (wallet.switching !== 'switches') return { errorCode: 4902 }
    wallet.chainId = Number((target as { chainId: string }).chainId)
    return { result: null }
  },
}

function answer(wallet: TestWallet, { method, params = [] }: Call) {
  const { errorCode, chosen } = wallet
  if (errorCode !== undefined) return { errorCode }
  if (method === 'wallet_requestPermissions') {
    if (!chosen) return { errorCode: 4001 }
    wallet.accounts = [chosen]
    return { result: [] }
  }
  if (method in chainAnswers && wallet.chainId !== undefined)
    return chainAnswers[method]?.(wallet, params)
  if (method !== 'personal_sign') return { result: wallet.accounts.map(({ address }) => address) }
  const [hex = '', signer] = params
  const account = wallet.accounts.find(({ address }) => address === signer)
  if (!account) return { errorCode: 4100 }
  const text = Buffer.from(hex.slice(2), 'hex').toString()
  wallet.signed.push(text)
  return { result: account.sign(text) }
}

/** Runs in the page: the wallet announces itself (EIP-6963), or is there as in older wallet apps. */
function announceWallet(isOlder: boolean) {
  const { testWallet } = globalThis as unknown as {
    testWallet: (call: unknown) => Promise<{ result?: unknown; errorCode?: number }>
  }
  const provider = {
    async request(call: unknown) {
      const { result, errorCode } = await testWallet(call)
      if (errorCode !== undefined) throw Object.assign(new Error('refused'), { code: errorCode })
      return result
    },
  }
  if (isOlder) {
    Object.assign(globalThis, { ethereum: provider })
    return
  }
  const icon =
    'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Cpath fill="%23c2410c" d="M0 0h8v8H0z"/%3E%3C/svg%3E'
  const detail = {
    info: { uuid: 'ember', name: 'Ember Wallet', icon, rdns: 'example.wallet' },
    provider,
  }
  addEventListener('eip6963:requestProvider', () => {
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  })
}
