import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Day } from '../components/time.tsx'
import type { AccountProps } from './account-props.ts'
import { AddWalletDialog } from './add-wallet-dialog.tsx'
import { Card } from './card.tsx'
import { RemoveWalletDialog } from './remove-wallet-dialog.tsx'
import type { User } from './service.ts'
import { ShortAddress, shortAddress } from './short-address.tsx'
import { texts } from './texts.ts'

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
      <ul class="connect-list">
        {user.wallets.map(({ address, addedAt }) => (
          <li key={address} class="connect-row">
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
