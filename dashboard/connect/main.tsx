import { render } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { ErrorBoundary } from '../components/feedback.tsx'
import { ForeignText } from '../components/foreign-text.tsx'
import { Announcer } from '../shell/announcer.tsx'
import { ThemeSwitch } from '../shell/theme-switch.tsx'
import { AccountView } from './account-view.tsx'
import { codeFromAddress, keepCode, pageAddress } from './code-in-address.ts'
import { DeviceView } from './device-view.tsx'
import { pageClient, type SignedIn } from './sign-in.ts'
import { type Ending, SignInView } from './sign-in-view.tsx'

interface State {
  signedIn?: SignedIn
  ending?: Ending
}

const expired: State = { ending: 'expired' }

function ConnectPage() {
  const [{ signedIn, ending }, setState] = useState<State>({})
  const [code, showCode] = useState(codeFromAddress)
  const setCode = (next?: string) => {
    keepCode(next)
    showCode(next)
  }
  const session = signedIn?.session
  const client = useMemo(() => {
    const end = (state: State) => (state.signedIn?.session === session ? expired : state)
    // A late answer can be about a session before the present one.
    return pageClient(session, () => setState(end))
  }, [session])
  return (
    <div class="connect">
      <header class="connect-bar spread">
        <span class="connect-brand">
          <img src="/icon.svg" alt="" width="28" height="28" />
          Player NFTs
        </span>
        {signedIn && (
          <Button kind="quiet" onClick={() => setState({})}>
            Change wallet
          </Button>
        )}
      </header>
      <main class="connect-main">
        {!signedIn && (
          <SignInView
            ending={ending}
            isForGame={code !== undefined}
            address={pageAddress(code)}
            onSignedIn={(entered) => setState({ signedIn: entered })}
          />
        )}
        {signedIn && code !== undefined && (
          <DeviceView key={code} {...{ code, client }} onCode={setCode} onLeave={() => setCode()} />
        )}
        {signedIn && code === undefined && (
          <AccountView
            {...{ signedIn, client }}
            onChange={(changed) => setState({ signedIn: changed })}
            onCode={setCode}
            onSignOut={() => setState({ ending: 'signedOut' })}
          />
        )}
      </main>
      <footer class="connect-foot spread">
        {signedIn && (
          <p class="soft">
            Signed in as <ForeignText text={signedIn.user.username} max={60} />
          </p>
        )}
        <ThemeSwitch />
      </footer>
      <Announcer />
    </div>
  )
}

render(
  <ErrorBoundary>
    <ConnectPage />
  </ErrorBoundary>,
  document.querySelector('#connect') as HTMLElement,
)
