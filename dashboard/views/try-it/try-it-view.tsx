import { useState } from 'preact/hooks'
import { PageHeading } from '../../components/page-heading.tsx'
import { useQuery } from '../../shell/location.ts'
import { useProduct, useShell } from '../../shell/shell-context.ts'
import { AnswerView } from './answer-view.tsx'
import { queryOf, readSettings } from './call.ts'
import { CallForm } from './call-form.tsx'
import { CodeView } from './code-view.tsx'
import { useAnswers } from './use-answers.ts'

/** The page Try it: what a game sees of a player, and the call as code. */
export function TryItView() {
  const { config } = useShell()
  const { data: product } = useProduct()
  const players = (config.samplePlayers ?? []).map(({ player }) => player)
  const settings = readSettings(useQuery(), players, config.chains)
  // A player token is a credential: it is kept in the memory of this page only.
  const [token, setToken] = useState('')
  const answers = useAnswers(settings, token)
  return (
    <>
      <PageHeading title="Try it">
        What your game sees of a player: the allowlisted NFTs in the player’s wallets.
      </PageHeading>
      <div class="stack">
        <CallForm
          settings={settings}
          token={token}
          onToken={setToken}
          isRunning={answers.isRunning}
          onSend={answers.send}
        />
        <AnswerView answers={answers} settings={settings} />
        {product && (
          <CodeView
            product={product}
            origin={location.origin}
            form={settings.form}
            query={queryOf(settings)}
          />
        )}
      </div>
    </>
  )
}
