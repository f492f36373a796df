import { useState } from 'preact/hooks'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { ActionForm, useForm } from '../../components/form.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { describeError } from '../../shell/describe-error.ts'
import type { SessionEnd } from '../../shell/session.ts'
import { clientWithKey, useShell } from '../../shell/shell-context.ts'
import { useDraft } from '../../shell/use-draft.ts'
import { faultsOf, noFields, ProductForm, registrationOf } from '../product/product-form.tsx'

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
        <div class="columns">
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
    <section class="card spread" aria-labelledby="sample-title">
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

/** Signs in with a key that can manage its product. A call verifies the key first. */
function SignInForm() {
  const { session } = useShell()
  const [typed, setTyped] = useState('')
  const apiKey = typed.trim()
  const signIn = useForm(async (signal) => {
    await clientWithKey(apiKey).getProduct({ signal })
    session.signIn(apiKey)
  })
  const fault = faultOf(apiKey, signIn.error)
  return (
    <ActionForm
      form={fault ? { ...signIn, error: undefined } : signIn}
      action="Sign in"
      isDisabled={apiKey === ''}
    >
      <TextField
        label="API key"
        hint="A key that can manage the game. It stays in this browser tab until you sign out or close the tab."
        type="password"
        spellcheck={false}
        value={typed}
        onValue={(value) => {
          signIn.clear()
          setTyped(value)
        }}
        error={fault}
      />
    </ActionForm>
  )
}

/** Says what is wrong with the key itself. Other failures have nothing to do with it. */
function faultOf(apiKey: string, error: unknown): string | undefined {
  if (error === undefined) return undefined
  const { code } = describeError(error)
  if (code === 'insufficient_scope') {
    return 'This key has the scope READ: game servers can read the NFTs of players with it. Sign in with a key that has the scope MANAGE.'
  }
  if (code !== 'invalid_api_key') return undefined
  return /^(pnk_\w{52}|[0-9a-f-]{36})$/i.test(apiKey)
    ? 'The service does not know this key, or it was revoked or has expired.'
    : 'This is not an API key. A key begins with pnk_, or is a UUID.'
}

const firstKeyNote =
  'It manages your game. For a game server, create a key with the scope Read on the page Keys.'

function RegisterForm() {
  const { session } = useShell()
  const [fields, setFields, clearFields] = useDraft('register', noFields)
  const register = useForm(async () => {
    const { apiKey } = await clientWithKey().registerProduct(registrationOf(fields))
    session.showNewSecret({
      title: 'Your API key',
      kind: 'apiKey',
      secret: apiKey,
      note: firstKeyNote,
    })
    clearFields()
    session.signIn(apiKey)
  }, faultsOf(fields))
  return (
    <ActionForm form={register} action="Register">
      <ProductForm isShort fields={fields} onFields={setFields} faultOf={register.faultOf} />
    </ActionForm>
  )
}
