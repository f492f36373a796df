import { Dialog } from '../components/dialog.tsx'
import { announce } from '../shell/announcer.tsx'
import { useAction } from '../shell/use-action.ts'
import type { PageService, User } from './service.ts'
import { ShortAddress } from './short-address.tsx'
import { proofOf } from './sign-in.ts'
import { texts } from './texts.ts'
import { accountOf, type Wallet } from './wallet.ts'
import { WalletChoice } from './wallet-choice.tsx'

const own = texts.wallets

/** Removes a wallet, with a signature of it or of one that was added before it (D109). */
export function RemoveWalletDialog({
  user,
  address,
  service,
  onChange,
  onClose,
}: {
  user: User
  address: string
  service: PageService
  onChange: (user: User) => void
  onClose: () => void
}) {
  const removing = useAction(async (_, wallet: Wallet) => {
    const addresses = user.wallets.map((each) => each.address)
    const older = addresses.slice(0, addresses.indexOf(address) + 1)
    const signer = await accountOf(wallet, (each) => older.includes(each))
    const proof = await proofOf(wallet, signer, service, { remove: address })
    onChange(await service.removeWallet(address, proof))
    onClose()
    announce(own.removedNow)
  })
  return (
    <Dialog title={own.removeTitle} onClose={onClose}>
      <div class="connect-part">
        <p>
          <ShortAddress address={address} />
        </p>
        <p>{own.removeLead}</p>
        <p>{own.removeProof}</p>
        <WalletChoice action={removing} />
      </div>
    </Dialog>
  )
}
