import { Button } from '../../components/button.tsx'
import { useShell } from '../../shell/shell-context.ts'

/** Opens the sample product of the local stack. Deployments have none. */
export function SampleProduct() {
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
