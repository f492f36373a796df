import { Progress } from '../components/progress.tsx'
import type { useAction } from '../shell/use-action.ts'
import { texts } from './texts.ts'
import { Trouble } from './trouble.tsx'
import { useWallets } from './use-wallets.ts'
import type { Wallet } from './wallet.ts'
import { WalletList } from './wallet-list.tsx'

/** The wallets of this browser, one of which is to sign something, and how that goes. */
export function WalletChoice({
  action: { run, isRunning, error },
}: {
  action: ReturnType<typeof useAction<[Wallet]>>
}) {
  const wallets = useWallets()
  return (
    <>
      {wallets ? (
        <WalletList {...{ wallets, isBusy: isRunning }} onChoose={(wallet) => void run(wallet)} />
      ) : (
        <Progress label={texts.signIn.looking} />
      )}
      {isRunning && <Progress label={texts.signIn.waiting} />}
      <Trouble error={error} />
    </>
  )
}
