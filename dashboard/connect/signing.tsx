import { useRef, useState } from 'preact/hooks'
import { Progress } from '../components/feedback.tsx'
import { SmartAccountNote } from './parts.tsx'
import type { Signer } from './signer.ts'

/** Says that an account of a wallet signs. `show`: called with the account as soon as it is known. */
export function useSigning() {
  const latest = useRef<Signer>(undefined)
  const [smartAccount, setSmartAccount] = useState<Signer>()
  const show = async (signer: Signer) => {
    latest.current = signer
    setSmartAccount(undefined)
    const isContract = (await signer.code) === 'contract'
    if (isContract && latest.current === signer) setSmartAccount(signer)
  }
  return { smartAccount, show: (signer: Signer) => void show(signer) }
}

/** What to do while a wallet signs. */
export const Signing = ({ smartAccount }: { smartAccount: Signer | undefined }) => (
  <>
    <Progress label="Look at your wallet: it asks you to connect, and then to sign a message." />
    {smartAccount && <SmartAccountNote chain={smartAccount.chain} />}
  </>
)
