import { Button } from '../../components/button.tsx'
import type { SampleCollectionEntry } from '../../shell/dashboard-config.ts'

/** Fills the form with a collection of the sample world. Only the local stack has them. */
export const SampleCollections = ({
  samples,
  onChoose,
}: {
  samples: readonly SampleCollectionEntry[]
  onChoose: (sample: SampleCollectionEntry) => void
}) =>
  samples.length > 0 && (
    <section class="samples" aria-label="Sample collections">
      <p class="soft">Fill the form with a sample collection:</p>
      <div class="actions">
        {samples.map((sample) => (
          <Button key={sample.address} onClick={() => onChoose(sample)}>
            {sample.name}
          </Button>
        ))}
      </div>
      <p class="soft">
        This service knows these, and what <code>npm run mint</code> adds. For contracts on real
        chains, start it with <code>ALCHEMY_API_KEY</code>.
      </p>
    </section>
  )
