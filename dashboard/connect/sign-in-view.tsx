import { useMemo, useState } from 'preact/hooks'
import encodeQR from 'qr'
import { Button, CopyButton } from '../components/button.tsx'
import { Notice, Progress } from '../components/feedback.tsx'
import { useAction } from '../shell/use-action.ts'
import { pageAddress } from './code-in-address.ts'
import { Card, Heading, Trouble } from './parts.tsx'
import { pageClient, type SignedIn, signInWith } from './sign-in.ts'
import type { Signer } from './signer.ts'
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
  const [signer, setSigner] = useState<Signer>()
  const { run, isRunning, error } = useAction(async (_, wallet: Wallet) =>
    onSignedIn(await signInWith(wallet, pageClient(), setSigner)),
  )
  const choice = { isBusy: isRunning, onChoose: (wallet: Wallet) => void run(wallet) }
  return (
    <div class="stack">
      <Heading title="Sign in with your wallet">
        Your wallet shows a message and asks you to sign it. This costs nothing and moves nothing.
        {!isForGame && ' If a game shows you a code, sign in first: then this page asks for it.'}
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
      {isRunning && <Signing signer={signer} />}
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
          <p class="soft">
            They exist only on this computer, while npm start runs. Its own code says what its smart
            accounts accept.
          </p>
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
          <details class="more">
            <summary>My wallet is on my phone</summary>
            <OnPhone address={address} />
          </details>
          <SmartAccounts />
        </Card>
      ) : (
        <Card title="There is no wallet in this browser">
          <p>A wallet is the app in which you keep your NFTs. Where is yours?</p>
          <h3>On your phone</h3>
          <OnPhone address={address} />
          <h3>On this computer</h3>
          <p>Install the extension of your wallet for this browser, and load this page again.</p>
          <div class="actions">
            <Button onClick={() => location.reload()}>Load the page again</Button>
          </div>
          <SmartAccounts />
        </Card>
      )}
    </>
  )
}

/** What is different for wallets without a key of their own. */
const SmartAccounts = () => (
  <details class="more">
    <summary>My wallet is a smart account</summary>
    <div class="stack is-close">
      <p>
        Such a wallet often opens with a passkey, or belongs to several people. It counts on its own
        chain only: let it switch to that chain before you sign in.
      </p>
      <p>
        A message can be signed for five minutes. If the owners of your wallet take longer to sign
        together, it cannot sign in.
      </p>
      <p>
        If a game has made your wallet for you, and it exists only inside that game, sign in there.
      </p>
    </div>
  </details>
)

/** How to open the page in the browser of a wallet app. The code of a game is in the QR code only: it is typed otherwise. */
function OnPhone({ address }: { address: string }) {
  const { size, path } = useMemo(() => {
    const rows = encodeQR(address, 'raw', { border })
    const squares = rows.flatMap((row, y) =>
      row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
    )
    return { size: rows.length, path: squares.join('') }
  }, [address])
  return (
    <div class="stack is-close">
      <p>
        Open your wallet app, and in it its browser. Scan this code there, or enter the address of
        this page.
      </p>
      <svg
        class="qr-code"
        role="img"
        aria-label="QR code of the address of this page"
        viewBox={`0 0 ${size} ${size}`}
      >
        <rect width={size} height={size} fill="#fff" />
        <path d={path} fill="#000" />
      </svg>
      <div class="secret line">
        <code>{pageAddress()}</code>
        <CopyButton text={pageAddress()} what="the address of this page" />
      </div>
    </div>
  )
}

/** The white border that readers of QR codes need, in modules. */
const border = 4
