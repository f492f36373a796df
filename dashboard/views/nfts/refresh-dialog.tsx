import { useState } from 'preact/hooks'
import type {
  ConnectedContract,
  RefreshedNft,
  RefreshReport,
} from '../../../clients/typescript/src/types.ts'
import { Fact } from '../../components/fact.tsx'
import { Notice, Progress } from '../../components/feedback.tsx'
import { ForeignText } from '../../components/foreign-text.tsx'
import { FormDialog, useForm } from '../../components/form.tsx'
import { Table } from '../../components/table.tsx'
import { capitalized, counted } from '../../shell/counted.ts'
import { useClient } from '../../shell/shell-context.ts'
import { exactTime } from '../../shell/time-text.ts'
import { changesOf, type FieldChange } from './nft-changes.ts'
import type { NftPages } from './nft-pages.ts'

/** Fetches the metadata of a contract again, and shows what has changed. */
export function RefreshDialog({
  contract,
  pages,
  onClose,
}: {
  contract: ConnectedContract
  pages: NftPages
  onClose: () => void
}) {
  const client = useClient()
  const [result, setResult] = useState<Refreshed>()
  const { chain, address } = contract
  const refresh = useForm(async (signal) => {
    const before = new Map(pages.state.entries.map((nft) => [nft.tokenId, nft]))
    const call = client.refreshMetadata({ smartContract: address, chain }, { signal })
    const { data: report, headers } = await call.withResponse()
    const changed = new Set(report.tokens.map(({ tokenId }) => tokenId))
    const reread = await pages.reread(({ tokenId }) => changed.has(tokenId), signal)
    const isEarlier = isBefore(report.refreshedAt, headers.get('date'))
    const changes = new Map<string, FieldChange[]>()
    for (const nft of reread) {
      const old = before.get(nft.tokenId)
      if (old) changes.set(nft.tokenId, changesOf(old, nft))
    }
    setResult({ report, isEarlier, changes })
  })
  return (
    <FormDialog
      title="Refresh metadata"
      action={result ? undefined : 'Refresh now'}
      form={refresh}
      layout="stack is-tight"
      isWide={result !== undefined}
      onClose={onClose}
    >
      {result ? (
        <RefreshReportView {...result} />
      ) : (
        <p>
          The metadata of every NFT on this contract's allowlist is fetched from its source again.
          Large allowlists continue in the background. A contract is refreshed at most once in 15
          minutes, and a refresh counts for the indexer calls of your game.
        </p>
      )}
      {refresh.isRunning && <Progress label="Fetching metadata. This can take 20 seconds…" />}
    </FormDialog>
  )
}

/** A refresh of this request ends at most 30 seconds before its response. */
const longestRequest = 35_000

/** Whether a refresh was made by an earlier request than that of a response, by the clock of the service. */
function isBefore(refreshedAt: string, date: string | null): boolean {
  const now = date === null ? Date.now() : Date.parse(date)
  return now - Date.parse(refreshedAt) > longestRequest
}

interface Refreshed {
  report: RefreshReport
  isEarlier: boolean
  /** What has changed of each NFT that was loaded before, by its identifier. */
  changes: ReadonlyMap<string, readonly FieldChange[]>
}

const maxShown = 100

/** What a refresh has found: counts, failures, and the changed NFTs before and after side by side. */
function RefreshReportView({ report, isEarlier, changes }: Refreshed) {
  const { tokens, failures, omitted = 0 } = report
  const hidden = omitted + Math.max(0, tokens.length - maxShown)
  return (
    <>
      {isEarlier && (
        <Notice kind="info" title="This contract was refreshed less than 15 minutes ago.">
          <p>
            These are the numbers of that refresh, at {exactTime(report.refreshedAt)}. Wait until 15
            minutes have passed to refresh it again.
          </p>
        </Notice>
      )}
      <Counts report={report} />
      {report.pending > 0 && (
        <p class="soft">
          The other NFTs are refreshed in the background. Look at this contract again in some
          minutes.
        </p>
      )}
      {failures.length > 0 && <Failures failures={failures} />}
      {tokens.slice(0, maxShown).map((token) => (
        <ChangedNft key={token.tokenId} token={token} changes={changes.get(token.tokenId)} />
      ))}
      {hidden > 0 && <p class="soft">{counted(hidden, 'more NFT')} changed.</p>}
    </>
  )
}

const Counts = ({ report }: { report: RefreshReport }) => (
  <dl class="counts columns" aria-live="polite">
    {(['checked', 'changed', 'failed', 'pending'] as const).map((name) => (
      <Fact key={name} name={capitalized(name)}>
        {report[name].toLocaleString('en-US')}
      </Fact>
    ))}
  </dl>
)

const reasons = {
  no_link: 'the contract has no link to metadata',
  not_available: 'the source does not answer with metadata',
} as const

const Failures = ({ failures }: { failures: RefreshReport['failures'] }) => (
  <Notice
    kind="warning"
    title={`The metadata of ${counted(failures.length, 'NFT')} could not be fetched.`}
  >
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
    <ul class="bad-lines stack is-dense small" tabIndex={0}>
      {failures.slice(0, maxShown).map(({ tokenId, reason, metadataLink }) => (
        <li key={tokenId}>
          <span class="mono foreign">{tokenId}</span>: {reasons[reason]}
          {metadataLink && (
            <>
              {' '}
              (<ForeignText text={metadataLink} />)
            </>
          )}
        </li>
      ))}
    </ul>
  </Notice>
)

function ChangedNft({
  token: { tokenId, rawMetadataText },
  changes,
}: {
  token: RefreshedNft
  changes: readonly FieldChange[] | undefined
}) {
  return (
    <section class="change">
      <h3 class="mono foreign">{tokenId}</h3>
      {changes ? (
        <Changes changes={changes} />
      ) : (
        <>
          <p class="soft">This NFT was not loaded before, so only its new metadata is shown.</p>
          <pre class="raw">
            <ForeignText text={rawMetadataText} max={2_000} />
          </pre>
        </>
      )}
    </section>
  )
}

function Changes({ changes }: { changes: readonly FieldChange[] }) {
  if (changes.length === 0) {
    return <p class="soft">The source has changed, but nothing of what players see.</p>
  }
  return (
    <Table columns={['Field', 'Before', 'After']} kind="changes">
      {changes.slice(0, maxShown).map(({ field, isAttribute, before, after }, index) => (
        <tr key={index}>
          <th scope="row">
            <ForeignText text={isAttribute ? field : (fieldNames[field] ?? field)} max={100} />
          </th>
          <td>
            <Value text={before} />
          </td>
          <td>
            <Value text={after} />
          </td>
        </tr>
      ))}
    </Table>
  )
}

const Value = ({ text }: { text: string | undefined }) =>
  text === undefined ? <span class="soft">none</span> : <ForeignText text={text} max={500} />

const fieldNames: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  image: 'Picture',
  metadataLink: 'Metadata link',
}
