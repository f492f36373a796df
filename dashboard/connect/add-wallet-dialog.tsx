import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { Notice } from '../components/notice.tsx'
import { announce } from '../shell/announcer.tsx'
import { useAction } from '../shell/use-action.ts'
import { type PageService, ServiceProblem, type User } from './service.ts'
import { ShortAddress } from './short-address.tsx'
import { proofOf } from './sign-in.ts'
import { texts } from './texts.ts'
import { Trouble } from './trouble.tsx'
import { accountOf, type Wallet } from './wallet.ts'
import { WalletChoice } from './wallet-choice.tsx'

/** A wallet with the account that is to be added. */
interface Candidate {
  wallet: Wallet
  address: string
}

interface DialogProps {
  user: User
  service: PageService
  onChange: (user: User) => void
  onClose: () => void
}

/** Adds a wallet. If another user has it, asks whether it is to move. */
export function AddWalletDialog({ user, service, onChange, onClose }: DialogProps) {
  const [moving, setMoving] = useState<Candidate>()
  const done = (changed: User, said: string) => {
    onChange(changed)
    onClose()
    announce(said)
  }
  const adding = useAction(async (_, wallet: Wallet) => {
    const isNew = (address: string) => !user.wallets.some((each) => each.address === address)
    const address = await accountOf(wallet, isNew)
    try {
      const proof = await proofOf(wallet, address, service, { link: true })
      done(await service.addWallet(proof), texts.wallets.addedNow)
    } catch (error) {
      const isOfAnother = error instanceof ServiceProblem && error.code === 'wallet_of_another_user'
      if (!isOfAnother) throw error
      setMoving({ wallet, address })
    }
  })
  const move = async ({ wallet, address }: Candidate) => {
    const proof = await proofOf(wallet, address, service, { move: true })
    done(await service.addWallet(proof), texts.move.movedNow)
  }
  if (moving) return <MoveDialog {...{ candidate: moving, onClose }} onMove={move} />
  return (
    <Dialog title={texts.wallets.addTitle} onClose={onClose}>
      <div class="connect-part">
        <p>{texts.wallets.addLead}</p>
        <WalletChoice action={adding} />
      </div>
    </Dialog>
  )
}

function MoveDialog({
  candidate,
  onMove,
  onClose,
}: {
  candidate: Candidate
  onMove: (candidate: Candidate) => Promise<void>
  onClose: () => void
}) {
  const { run, isRunning, error } = useAction(() => onMove(candidate))
  const own = texts.move
  return (
    <Dialog title={own.title} onClose={onClose}>
      <div class="connect-part">
        <p>
          <ShortAddress address={candidate.address} />
        </p>
        <p>{own.lead}</p>
        <Notice kind="warning" title={own.warning}>
          <p>{own.warningLead}</p>
        </Notice>
        <Trouble error={error} />
        <div class="actions">
          <Button kind="danger" isBusy={isRunning} onClick={() => void run()}>
            {own.move}
          </Button>
          <Button onClick={onClose}>{texts.cancel}</Button>
        </div>
      </div>
    </Dialog>
  )
}
