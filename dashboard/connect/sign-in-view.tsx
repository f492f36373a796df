import { Notice, Progress } from '../components/feedback.tsx'
import { useAction } from '../shell/use-action.ts'
import { Card, Heading } from './heading.tsx'
import { NoWallet, OnPhone } from './no-wallet.tsx'
import { pageService } from './service.ts'
import { type SignedIn, signInWith } from './sign-in.ts'
import { texts } from './texts.ts'
import { Trouble } from './trouble.tsx'
import type { Wallet } from './wallet.ts'
import { isSamplePlayer, useWallets, WalletList } from './wallet-choice.tsx'

const own = texts.signIn

/** Why the user is not signed in any more. */
export type Ending = 'signedOut' | 'expired'

/** The first view: a wallet signs the user in. `address`: that of the page, for a phone. */
export function SignInView({
  ending,
  isForGame,
  address,
  onSignedIn,
}: {
  ending: Ending | undefined
  isForGame: boolean
  address: string
  onSignedIn: (signedIn: SignedIn) => void
}) {
  const wallets = useWallets()
  const { run, isRunning, error } = useAction(async (_, wallet: Wallet) =>
    onSignedIn(await signInWith(wallet, pageService())),
  )
  const choice = { isBusy: isRunning, onChoose: (wallet: Wallet) => void run(wallet) }
  return (
    <div class="stack">
      <Heading title={own.title}>{own.lead}</Heading>
      {ending && (
        <Notice title={texts.ending[ending]}>
          <p>{texts.ending[`${ending}Lead`]}</p>
        </Notice>
      )}
      {isForGame && (
        <Notice title={own.forGame}>
          <p>{own.forGameLead}</p>
        </Notice>
      )}
      <Trouble error={error} />
      {isRunning && <Progress label={own.waiting} />}
      {wallets ? <Wallets {...{ wallets, address, choice }} /> : <Progress label={own.looking} />}
    </div>
  )
}

function Wallets({
  wallets,
  address,
  choice,
}: {
  wallets: readonly Wallet[]
  address: string
  choice: { isBusy: boolean; onChoose: (wallet: Wallet) => void }
}) {
  const samplePlayers = wallets.filter(isSamplePlayer)
  const others = wallets.filter((wallet) => !isSamplePlayer(wallet))
  return (
    <>
      {samplePlayers.length > 0 && (
        <Card title={own.samplePlayers}>
          <p class="soft">{own.samplePlayersLead}</p>
          <WalletList wallets={samplePlayers} labelOf={own.asSamplePlayer} {...choice} />
        </Card>
      )}
      {others.length > 0 ? (
        <Card title={own.wallets}>
          <WalletList wallets={others} {...choice} />
          <details class="on-phone">
            <summary>{own.onPhone}</summary>
            <OnPhone address={address} />
          </details>
        </Card>
      ) : (
        <NoWallet address={address} />
      )}
    </>
  )
}
