import { Dialog } from '../components/dialog.tsx'
import { useAction } from '../shell/use-action.ts'
import type { User } from './service.ts'
import { ShortAddress } from './short-address.tsx'
import { texts } from './texts.ts'
import type { Wallet } from './wallet.ts'
import { WalletChoice } from './wallet-choice.tsx'

const own = texts.consent

/** Lets a wallet that the user has consent to a new one (D144), which has signed already. */
export function ConsentDialog({
  user,
  address,
  onConsent,
  onClose,
}: {
  user: User
  /** The new wallet. */
  address: string
  onConsent: (wallet: Wallet) => Promise<void>
  onClose: () => void
}) {
  const consenting = useAction((_, wallet: Wallet) => onConsent(wallet))
  return (
    <Dialog title={own.title} onClose={onClose}>
      <div class="connect-part">
        <p>
          {own.lead} <ShortAddress address={address} />
        </p>
        <p>{own.wallets}</p>
        <ul class="connect-list">
          {user.wallets.map((each) => (
            <li key={each.address}>
              <ShortAddress address={each.address} />
            </li>
          ))}
        </ul>
        <p>{own.choose}</p>
        <WalletChoice action={consenting} />
      </div>
    </Dialog>
  )
}
