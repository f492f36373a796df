import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/notice.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import type { SessionEnd } from '../../shell/session.ts'
import { useShell } from '../../shell/shell-context.ts'
import { RegisterForm } from './register-form.tsx'
import { SignInForm } from './sign-in-form.tsx'

const endings: Readonly<Record<SessionEnd, { title: string; text: string }>> = {
  refused: {
    title: 'The service no longer accepts your API key.',
    text: 'It was revoked or has expired, or the game was deleted. Sign in with another key. What you have typed is kept.',
  },
  signedOut: {
    title: 'You have signed out.',
    text: 'This browser tab has no trace of the API key any more.',
  },
  deleted: {
    title: 'The game is deleted.',
    text: 'None of its API keys works any more. Its data is removed in the background, within some minutes.',
  },
}

/** The page Sign in: with the key of a product, or by registering one. With a session, the page goes on by itself. */
export function SignInView() {
  const { session } = useShell()
  const ending = session.ended && endings[session.ended]
  return (
    <div class="sign-in">
      <PageHeading title="Sign in or register">
        Choose the NFTs that your game supports, and see which of them your players hold.
      </PageHeading>
      <div class="stack">
        {ending && (
          <Notice kind={session.ended === 'refused' ? 'warning' : 'info'} title={ending.title}>
            <p>{ending.text}</p>
          </Notice>
        )}
        <SampleProduct />
        <div class="sign-in-ways">
          <section class="card" aria-labelledby="register-title">
            <h2 id="register-title">Register your game</h2>
            <RegisterForm />
          </section>
          <section class="card" aria-labelledby="sign-in-title">
            <h2 id="sign-in-title">Sign in with an API key</h2>
            <SignInForm />
          </section>
        </div>
      </div>
    </div>
  )
}

/** Opens the sample product of the local stack. Deployments have none. */
function SampleProduct() {
  const { config, session } = useShell()
  const { sampleApiKey } = config
  if (sampleApiKey === undefined) return null
  return (
    <section class="card sample-product" aria-labelledby="sample-title">
      <div>
        <h2 id="sample-title">Just looking around?</h2>
        <p class="soft">The sample game has NFTs on two chains, players and events.</p>
      </div>
      <Button kind="primary" onClick={() => session.signIn(sampleApiKey)}>
        Open the sample game
      </Button>
    </section>
  )
}
