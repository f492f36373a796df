import { useEffect, useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { Progress } from '../components/feedback.tsx'
import { ForeignText } from '../components/foreign-text.tsx'
import type { useAction } from '../shell/use-action.ts'
import { useLoad } from '../shell/use-load.ts'
import { SmartAccountNote, Trouble } from './parts.tsx'
import type { Signer } from './signer.ts'
import { type Provider, samplePlayersDomain, type Wallet } from './wallet.ts'

/** Whether the build knows sample players. Without them, it leaves out what only `npm start` needs (D114). */
declare const SAMPLE_PLAYERS: boolean

/** Whether a wallet is that of a sample player, which only `npm start` has (D114). */
export const isSamplePlayer = ({ rdns }: Wallet): boolean =>
  SAMPLE_PLAYERS && rdns === samplePlayersDomain

/** Wallets to choose from. `labelOf` says what the button of a wallet does, by default with its name alone. */
export const WalletList = ({
  wallets,
  isBusy,
  onChoose,
  labelOf = (name) => name,
}: {
  wallets: readonly Wallet[]
  isBusy: boolean
  onChoose: (wallet: Wallet) => void
  labelOf?: (name: string) => string
}) => (
  <ul class="wallets stack is-close">
    {wallets.map((wallet) => (
      <li key={wallet.id}>
        <Button isBusy={isBusy} onClick={() => onChoose(wallet)}>
          {wallet.icon ? (
            <img src={wallet.icon} alt="" width="28" height="28" />
          ) : (
            <span class="wallet-icon" />
          )}
          <ForeignText text={labelOf(wallet.name || 'Wallet of this browser')} max={60} />
        </Button>
      </li>
    ))}
  </ul>
)

/** The wallets of this browser, one of which is to sign something, and how that goes. */
export function WalletChoice({
  action: { run, isRunning, error },
  signer,
}: {
  action: ReturnType<typeof useAction<[Wallet]>>
  signer?: Signer | undefined
}) {
  const wallets = useWallets()
  return (
    <>
      {wallets ? (
        <WalletList {...{ wallets, isBusy: isRunning }} onChoose={(wallet) => void run(wallet)} />
      ) : (
        <Progress label="Looking for wallets…" />
      )}
      {isRunning && <Signing signer={signer} />}
      <Trouble error={error} />
    </>
  )
}

/** What to do while a wallet signs. `signer`: its account, as soon as it is known. */
export function Signing({ signer }: { signer: Signer | undefined }) {
  const { data: code } = useLoad(async () => signer?.code, [signer])
  return (
    <>
      <Progress label="Look at your wallet: it asks you to connect, and then to sign a message." />
      {signer && code === 'contract' && <SmartAccountNote chain={signer.chain} />}
    </>
  )
}

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
