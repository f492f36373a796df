import { useState } from 'preact/hooks'
import { Button, CopyButton } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Day } from '../components/time.tsx'
import { announce } from '../shell/announcer.tsx'
import { useAction } from '../shell/use-action.ts'
import { AddWalletDialog, type WalletDialogProps } from './add-wallet-dialog.tsx'
import { Card, ShortAddress, shortAddress } from './parts.tsx'
import { type AccountProps, proofOf } from './sign-in.ts'
import { accountOf, type Wallet } from './wallet.ts'
import { WalletChoice } from './wallet-choice.tsx'

/** The wallets of the user: more can be added, and all but the last one removed. */
export function WalletsCard({ signedIn, client, onChange }: AccountProps) {
  const { user } = signedIn
  const [isAdding, setIsAdding] = useState(false)
  const [removed, setRemoved] = useState<string>()
  const change = (changed: typeof user) => onChange({ ...signedIn, user: changed })
  const close = () => {
    setIsAdding(false)
    setRemoved(undefined)
  }
  return (
    <Card title="Your wallets">
      <p class="soft">Games see the NFTs in all of them.</p>
      <ul class="connect-list stack is-close">
        {user.wallets.map(({ address, addedAt }) => (
          <li key={address} class="connect-row spread">
            <div>
              <span class="wallet-address">
                <ShortAddress address={address} />
                <CopyButton text={address} what={`the address ${shortAddress(address)}`} />
              </span>
              <p class="soft">
                Added on <Day time={addedAt} />
              </p>
            </div>
            {user.wallets.length > 1 && (
              <Button onClick={() => setRemoved(address)}>
                Remove
                <span class="visually-hidden"> {shortAddress(address)}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {user.wallets.length === 1 && (
        <p class="soft">
          This is your only wallet, so it stays. If you lose it, you can add no other one: add one
          while you have it.
        </p>
      )}
      <div class="actions">
        <Button onClick={() => setIsAdding(true)}>Add a wallet</Button>
      </div>
      {isAdding && <AddWalletDialog {...{ user, client, onClose: close }} onChange={change} />}
      {removed !== undefined && (
        <RemoveWalletDialog
          {...{ user, client, address: removed, onClose: close }}
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
  client,
  onChange,
  onClose,
}: WalletDialogProps & { address: string }) {
  const removing = useAction(async (_, wallet: Wallet) => {
    const addresses = user.wallets.map((each) => each.address)
    const older = addresses.slice(0, addresses.indexOf(address) + 1)
    const signer = await accountOf(wallet, (each) => older.includes(each))
    const proof = await proofOf(wallet, signer, client, { remove: address })
    onChange(await client.removeWallet({ address, ...proof }))
    onClose()
    announce('The wallet is removed.')
  })
  return (
    <Dialog title="Remove this wallet?" onClose={onClose}>
      <div class="stack is-close">
        <p>
          <ShortAddress address={address} />
        </p>
        <p>
          Games no longer see its NFTs, and access that you gave when you signed in with it ends.
        </p>
        <p>
          To confirm, sign with this wallet or with one that you added before it. Choose where it
          is:
        </p>
        <WalletChoice action={removing} />
      </div>
    </Dialog>
  )
}
