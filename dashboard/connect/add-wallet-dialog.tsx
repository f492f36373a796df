import { useState } from 'preact/hooks'
import type { PlayerNfts } from '../../clients/typescript/src/client.ts'
import { ApiError } from '../../clients/typescript/src/errors.ts'
import type { SignedInUser, WalletConsent } from '../../clients/typescript/src/types.ts'
import { Dialog } from '../components/dialog.tsx'
import { Notice } from '../components/feedback.tsx'
import { announce } from '../shell/announcer.tsx'
import { useAction } from '../shell/use-action.ts'
import { ConfirmDialog, WalletName } from './parts.tsx'
import { proofOf } from './sign-in.ts'
import { isSmartAccount, newSigner, type Place, type Signer, signerAmong } from './signer.ts'
import type { Wallet } from './wallet.ts'
import { WalletChoice } from './wallet-choice.tsx'

/** A wallet that has signed that it is to be added, and what a wallet of the user has signed to consent, if it has. */
interface Candidate {
  signer: Signer
  added: Place
  proof: WalletConsent
  consent?: WalletConsent
  /** Whether a wallet has consented before, without the chain. */
  isAgain?: true
}

export interface WalletDialogProps {
  user: SignedInUser
  client: PlayerNfts
  onChange: (user: SignedInUser) => void
  onClose: () => void
}

/**
 * Adds a wallet: it signs, and then a wallet that the user has (D144). If another user has it, the dialog asks whether it is to move.
 * After a refusal of the service, both sign again.
 */
export function AddWalletDialog({ user, client, onChange, onClose }: WalletDialogProps) {
  const [candidate, setCandidate] = useState<Candidate>()
  const [refusal, setRefusal] = useState<unknown>()
  const [shown, setShown] = useState<Signer>()
  const signing = useAction(async (_, wallet: Wallet) => {
    setRefusal(undefined)
    const signer = await newSigner(wallet, user.wallets)
    setShown(signer)
    const proof = await proofOf(signer, client, { link: true })
    const chain = (await isSmartAccount(signer, proof.signature)) ? signer.chain : null
    setCandidate({ signer, added: { address: signer.address, chain }, proof })
  })
  const add = async (
    signed: Candidate,
    proof: WalletConsent,
    consent: WalletConsent,
    message: string,
  ) => {
    try {
      onChange(await client.addWallet({ ...proof, consent }))
      onClose()
      announce(message)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const { signer, added } = signed
      if (error.code === 'message_for_another_purpose' && added.chain === null) {
        // It was held for a key, and is a smart account, whose chain the consent must name.
        setCandidate({ ...signed, added: { ...added, chain: signer.chain }, isAgain: true })
        return
      }
      const isOfAnother = error.code === 'wallet_of_another_user'
      setCandidate(isOfAnother ? { ...signed, consent } : undefined)
      setRefusal(isOfAnother ? undefined : error)
    }
  }
  if (candidate?.consent) {
    const { signer, added, consent } = candidate
    const move = async () => {
      const mover = added.chain === null ? signer : await signerAmong(signer.wallet, [added])
      const proof = await proofOf(mover, client, { move: true })
      await add(candidate, proof, consent, 'The wallet is yours now.')
    }
    return <MoveDialog {...{ added, onClose }} onMove={move} />
  }
  if (candidate) {
    const { added, proof, isAgain = false } = candidate
    const { address, chain } = added
    const purpose = { consent: address, ...(chain !== null && { consentChain: chain }) }
    const consent = async (wallet: Wallet) => {
      const consented = await proofOf(await signerAmong(wallet, user.wallets), client, purpose)
      await add(candidate, proof, consented, 'The wallet is added.')
    }
    return <ConsentDialog {...{ user, added, isAgain, onClose }} onConsent={consent} />
  }
  return (
    <Dialog title="Add a wallet" onClose={onClose}>
      <div class="stack is-close">
        <p>
          Two wallets sign, one after the other. First the new one: choose where it is. If the same
          app has several of your wallets, switch to the new one first.
        </p>
        <p class="soft">
          Then one of the wallets that you have here signs too, so that nobody else can add one. If
          you have lost your only wallet, you can add none.
        </p>
        <p class="soft">
          A smart account counts on its chain only. Whoever controls it there, also at any later
          time, enters as you: remove it here before somebody else gets it.
        </p>
        <WalletChoice action={{ ...signing, error: signing.error ?? refusal }} signer={shown} />
      </div>
    </Dialog>
  )
}

/** Lets a wallet that the user has consent to a new one (D144), which has signed already. */
function ConsentDialog({
  user,
  added,
  isAgain,
  onConsent,
  onClose,
}: {
  user: SignedInUser
  added: Place
  isAgain: boolean
  onConsent: (wallet: Wallet) => Promise<void>
  onClose: () => void
}) {
  const consenting = useAction((_, wallet: Wallet) => onConsent(wallet))
  return (
    <Dialog title="Now sign with a wallet that you have" onClose={onClose}>
      <div class="stack is-close">
        <p>
          The new wallet has signed: <WalletName {...added} />
        </p>
        {isAgain && <p>It is a smart account: please sign once more, for its chain.</p>}
        <p>Now one of these must sign that you add it, and not the new one:</p>
        <ul class="connect-list stack is-close">
          {user.wallets.map((each) => (
            <li key={`${each.address} ${each.chain}`}>
              <WalletName {...each} />
            </li>
          ))}
        </ul>
        <p>Choose where it is. If it is in the same app, switch to it first.</p>
        <WalletChoice action={consenting} />
      </div>
    </Dialog>
  )
}

/** Asks whether a wallet of another user is to move (D114). */
const MoveDialog = ({
  added,
  onMove,
  onClose,
}: {
  added: Place
  onMove: () => Promise<void>
  onClose: () => void
}) => (
  <ConfirmDialog
    title="Another player has this wallet"
    action="Move the wallet to me"
    onConfirm={onMove}
    onClose={onClose}
  >
    <p>
      <WalletName {...added} />
    </p>
    <p>You have signed with it, so you can move it to you.</p>
    <Notice kind="warning" title="If it is the only wallet of that player, that player ends.">
      <p>
        The progress of that player in games stays behind: it does not come to you, and nobody can
        sign in to it again. If that player is you, sign in with that wallet instead, and keep its
        progress.
      </p>
    </Notice>
  </ConfirmDialog>
)
