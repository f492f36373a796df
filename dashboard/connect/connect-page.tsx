import { useMemo, useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { ForeignText } from '../components/foreign-text.tsx'
import { Announcer } from '../shell/announcer.tsx'
import { ThemeSwitch } from '../shell/theme-switch.tsx'
import { AccountView } from './account-view.tsx'
import { codeFromAddress, pageAddress } from './code-in-address.ts'
import { DeviceView } from './device-view.tsx'
import { pageService } from './service.ts'
import type { SignedIn } from './sign-in.ts'
import { type Ending, SignInView } from './sign-in-view.tsx'
import { texts } from './texts.ts'

/** The page on which players sign in with their wallets (D114). */
export function ConnectPage() {
  const [signedIn, setSignedIn] = useState<SignedIn>()
  const [ending, setEnding] = useState<Ending>()
  const [code, setCode] = useState(codeFromAddress)
  const end = (reason?: Ending) => {
    setSignedIn(undefined)
    setEnding(reason)
  }
  const session = signedIn?.session
  const service = useMemo(() => pageService(session, () => end('expired')), [session])
  return (
    <div class="connect">
      <header class="connect-bar">
        <span class="connect-brand">
          <img src="/icon.svg" alt="" width="28" height="28" />
          {texts.brand}
        </span>
        {signedIn && (
          <Button kind="quiet" onClick={() => end()}>
            {texts.otherWallet}
          </Button>
        )}
      </header>
      <main class="connect-main">
        {!signedIn && (
          <SignInView
            ending={ending}
            isForGame={code !== undefined}
            address={pageAddress(code)}
            onSignedIn={(entered) => {
              setSignedIn(entered)
              setEnding(undefined)
            }}
          />
        )}
        {signedIn && code !== undefined && (
          <DeviceView
            key={code}
            {...{ code, service }}
            onCode={setCode}
            onLeave={() => setCode(undefined)}
          />
        )}
        {signedIn && code === undefined && (
          <AccountView
            {...{ signedIn, service }}
            onChange={setSignedIn}
            onCode={setCode}
            onSignOut={() => end('signedOut')}
          />
        )}
      </main>
      <footer class="connect-foot">
        {signedIn && (
          <p class="soft">
            {texts.signedInAs} <ForeignText text={signedIn.user.username} max={60} />
          </p>
        )}
        <ThemeSwitch />
      </footer>
      <Announcer />
    </div>
  )
}
