import { useEffect, useState } from 'preact/hooks'
import type { Provider, Wallet } from './wallet.ts'

/** What a wallet announces of itself (EIP-6963). */
interface Announced {
  info: { uuid: string; name: string; icon: string; rdns: string }
  provider: Provider
}

/** How long wallets have to announce themselves, in milliseconds. */
const patienceMs = 400

/** The wallets of this browser, as they announce themselves. `undefined` while none has, and others still can. */
export function useWallets(): readonly Wallet[] | undefined {
  const [wallets, setWallets] = useState<readonly Wallet[]>([])
  const [isOver, setIsOver] = useState(false)
  useEffect(() => {
    const onAnnounce = (event: Event) => {
      const wallet = walletOf((event as CustomEvent<Announced>).detail)
      setWallets((known) => [...known.filter(({ id }) => id !== wallet.id), wallet])
    }
    addEventListener('eip6963:announceProvider', onAnnounce)
    dispatchEvent(new Event('eip6963:requestProvider'))
    const timer = setTimeout(() => setIsOver(true), patienceMs)
    return () => {
      removeEventListener('eip6963:announceProvider', onAnnounce)
      clearTimeout(timer)
    }
  }, [])
  if (wallets.length > 0) return wallets
  return isOver ? olderWallet() : undefined
}

/** A picture from another host would tell it who opens the page. */
const walletOf = ({ info: { uuid, name, icon, rdns }, provider }: Announced): Wallet => ({
  ...{ id: uuid, name, rdns, provider },
  ...(/^data:image\//.test(icon) && { icon }),
})

/** The wallet of a browser inside a wallet app, which often does not announce itself. */
function olderWallet(): Wallet[] {
  const { ethereum } = globalThis as { ethereum?: Provider }
  return ethereum ? [{ id: 'ethereum', name: '', rdns: '', provider: ethereum }] : []
}
