import { ForeignText } from '../components/foreign-text.tsx'
import { samplePlayersDomain } from './sample-players-domain.ts'
import { texts } from './texts.ts'
import type { Wallet } from './wallet.ts'

/** Whether a wallet is that of a sample player, which only `npm start` has (D114). */
export const isSamplePlayer = ({ rdns }: Wallet): boolean =>
  globalThis.SAMPLE_PLAYERS !== false && rdns === samplePlayersDomain

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
  <ul class="wallet-list">
    {wallets.map((wallet) => (
      <li key={wallet.id}>
        <button
          type="button"
          class={`button wallet-button${isBusy ? ' is-busy' : ''}`}
          aria-disabled={isBusy || undefined}
          onClick={() => !isBusy && onChoose(wallet)}
        >
          {wallet.icon ? (
            <img src={wallet.icon} alt="" width="28" height="28" />
          ) : (
            <span class="wallet-icon" />
          )}
          <ForeignText text={labelOf(wallet.name || texts.signIn.olderWallet)} max={60} />
        </button>
      </li>
    ))}
  </ul>
)
