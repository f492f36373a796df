import { useState } from 'preact/hooks'
import { Button, CopyButton } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Day } from '../components/time.tsx'
import { announce } from '../shell/announcer.tsx'
import { useAction } from '../shell/use-action.ts'
import { AddWalletDialog } from './add-wallet-dialog.tsx'
import { Card } from './heading.tsx'
import type { PageService, User } from './service.ts'
import { ShortAddress, shortAddress } from './short-address.tsx'
import { type AccountProps, proofOf } from './sign-in.ts'
import { texts } from './texts.ts'
import { accountOf, type Wallet } from './wallet.ts'
import { WalletChoice } from './wallet-choice.tsx'

const own = texts.wallets

/** The wallets of the user: more can be added, and all but the last one removed. */
export function WalletsCard({ signedIn, service, onChange }: AccountProps) {
  const { user } = signedIn
  const [isAdding, setIsAdding] = useState(false)
  const [removed, setRemoved] = useState<string>()
  const change = (changed: User) => onChange({ ...signedIn, user: changed })
  const close = () => {
    setIsAdding(false)
    setRemoved(undefined)
  }
  return (
    <Card title={own.title}>
      <p class="soft">{own.lead}</p>
      <ul class="connect-list stack is-close">
        {user.wallets.map(({ address, addedAt }) => (
          <li key={address} class="connect-row spread">
            <div>
              <span class="wallet-address">
                <ShortAddress address={address} />
                <CopyButton text={address} what={own.copy(shortAddress(address))} />
              </span>
              <p class="soft">
                {own.added} <Day time={addedAt} />
              </p>
            </div>
            {user.wallets.length > 1 && (
              <Button onClick={() => setRemoved(address)}>
                {own.remove}
                <span class="visually-hidden"> {shortAddress(address)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {user.wallets.length === 1 && <p class="soft">{own.last}</p>}
      <div class="actions">
        <Button onClick={() => setIsAdding(true)}>{own.add}</Button>
      </div>
      {isAdding && <AddWalletDialog {...{ user, service, onClose: close }} onChange={change} />}
      {removed !== undefined && (
        <RemoveWalletDialog
          {...{ user, service, address: removed, onClose: close }}
          onChange={change}
        />
      )}
    </Card>
  )
}

/** Removes a wallet, with a signature of it or of one that was added before it (D109). */
function RemoveWalletDialog({
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
      <div class="stack is-close">
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
