import type { Account } from '../../../local/samples/sample-account.ts'
import type { BrowserPage } from '../chromium/browser.ts'

/** A wallet of the browser, as a test sees it. */
export interface TestWallet {
  /** The accounts that the page may see, the active one first. */
  accounts: readonly Account[]
  /** The account that the player chooses when the page asks for another one. */
  chosen?: Account
  /** The code of the error with which the wallet answers everything, if it does. */
  errorCode?: number | undefined
  /** The texts that were signed. */
  signed: string[]
}

/** How a wallet reaches the page: it announces itself (EIP-6963), or it is there as in older wallet apps. */
type Place = 'announced' | 'older'

/** Puts a wallet (EIP-1193) into a page that is not loaded yet. */
export async function installWallet(
  page: BrowserPage,
  accounts: readonly Account[],
  { name = 'Ember Wallet', place = 'announced' as Place } = {},
): Promise<TestWallet> {
  const wallet: TestWallet = { accounts, signed: [] }
  const binding = `wallet${Math.random().toString(36).slice(2)}`
  await page.exposeFunction(binding, (call: Call) => answer(wallet, call))
  await page.addInitScript(announceWallet, { name, place, binding })
  return wallet
}

interface Call {
  method: string
  params?: readonly string[]
}

function answer(wallet: TestWallet, { method, params = [] }: Call) {
  const { errorCode, chosen } = wallet
  if (errorCode !== undefined) return { errorCode }
  if (method === 'wallet_requestPermissions') {
    if (!chosen) return { errorCode: 4001 }
    wallet.accounts = [chosen]
    return { result: [] }
  }
  if (method !== 'personal_sign') return { result: wallet.accounts.map(({ address }) => address) }
  const [hex = '', signer] = params
  const account = wallet.accounts.find(({ address }) => address === signer)
  if (!account) return { errorCode: 4100 }
  const text = Buffer.from(hex.slice(2), 'hex').toString()
  wallet.signed.push(text)
  return { result: account.sign(text) }
}

/** Runs in the page. */
function announceWallet({ name, place, binding }: { name: string; place: Place; binding: string }) {
  const page = globalThis as unknown as Record<
    string,
    (call: unknown) => Promise<{ result?: unknown; errorCode?: number }>
  >
  const provider = {
    async request(call: unknown) {
      const { result, errorCode } = (await page[binding]?.(call)) ?? {}
      if (errorCode !== undefined) throw Object.assign(new Error('refused'), { code: errorCode })
      return result
    },
  }
  if (place === 'older') {
    Object.assign(globalThis, { ethereum: provider })
    return
  }
  const icon =
    'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"%3E%3Cpath fill="%23c2410c" d="M0 0h8v8H0z"/%3E%3C/svg%3E'
  const detail = { info: { uuid: name, name, icon, rdns: 'example.wallet' }, provider }
  addEventListener('eip6963:requestProvider', () => {
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  })
}
