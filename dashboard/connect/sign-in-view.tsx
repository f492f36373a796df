import { Notice, Progress } from '../components/feedback.tsx'
import { useAction } from '../shell/use-action.ts'
import { NoWallet, OnPhone } from './no-wallet.tsx'
import { Card, Heading, Trouble } from './parts.tsx'
import { pageService } from './service.ts'
import { type SignedIn, signInWith } from './sign-in.ts'
import type { Wallet } from './wallet.ts'
import { isSamplePlayer, Signing, useWallets, WalletList } from './wallet-choice.tsx'

/** Why the user is not signed in any more. */
export type Ending = keyof typeof endings

const endings = {
  signedOut: {
    title: 'You are signed out everywhere.',
    text: 'Games that verify players themselves can notice it up to 24 hours later.',
  },
  expired: {
    title: 'Your sign-in has ended.',
    text: 'It lasts for an hour, or until you sign out or remove the wallet that you signed in with.',
  },
}

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
      <Heading title="Sign in with your wallet">
        Your wallet shows a message and asks you to sign it. This costs nothing and moves nothing.
      </Heading>
      {ending && (
        <Notice title={endings[ending].title}>
          <p>{endings[ending].text}</p>
        </Notice>
      )}
      {isForGame && (
        <Notice title="A game asks for access.">
          <p>Sign in, and you see which game it is. It gets nothing before you say yes.</p>
        </Notice>
      )}
      <Trouble error={error} />
      {isRunning && <Signing />}
      {wallets ? (
        <Wallets {...{ wallets, address, choice }} />
      ) : (
        <Progress label="Looking for wallets…" />
      )}
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
        <Card title="Sample players">
          <p class="soft">They exist only on this computer, while npm start runs.</p>
          <WalletList
            wallets={samplePlayers}
            labelOf={(name) => `Sign in as ${name}`}
            {...choice}
          />
        </Card>
      )}
      {others.length > 0 ? (
        <Card title="Your wallets in this browser">
          <WalletList wallets={others} {...choice} />
          <details class="on-phone">
            <summary>My wallet is on my phone</summary>
            <OnPhone address={address} />
          </details>
        </Card>
      ) : (
        <NoWallet address={address} />
      )}
    </>
  )
}
