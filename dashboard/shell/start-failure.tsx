import { Failure } from '../components/failure.tsx'

/** The page if the dashboard cannot start, for example because the server does not respond. */
export const StartFailure = ({ error }: { error: unknown }) => (
  <main class="view">
    <h1>Player NFTs</h1>
    <Failure error={error} retry={() => location.reload()} />
  </main>
)
