import type {
  DescribedNft,
  RefreshedNft,
  RefreshReport,
} from '../../../clients/typescript/src/types.ts'
import { Notice } from '../../components/feedback.tsx'
import { ForeignText } from '../../components/foreign-text.tsx'
import { Table } from '../../components/table.tsx'
import { counted } from '../../shell/counted.ts'
import { exactTime } from '../../shell/time-text.ts'
import { changesOf, type FieldChange } from './nft-changes.ts'

/** A refresh with the states of the NFTs before and after it. */
export interface Refreshed {
  report: RefreshReport
  /** Whether the report is that of an earlier refresh. */
  isEarlier: boolean
  before: ReadonlyMap<string, DescribedNft>
  after: ReadonlyMap<string, DescribedNft>
}

/** The number of changed NFTs and of failures that are shown. */
const maxShown = 100

/** What a refresh has found: counts, failures, and the changed NFTs before and after side by side. */
export function RefreshReportView({ report, isEarlier, before, after }: Refreshed) {
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
        <ChangedNft
          key={token.tokenId}
          token={token}
          before={before.get(token.tokenId)}
          after={after.get(token.tokenId)}
        />
      ))}
      {hidden > 0 && <p class="soft">{counted(hidden, 'more NFT')} changed.</p>}
    </>
  )
}

const Counts = ({ report }: { report: RefreshReport }) => (
  <dl class="counts" aria-live="polite">
    {(['checked', 'changed', 'failed', 'pending'] as const).map((name) => (
      <div key={name}>
        <dt class="hint">{countNames[name]}</dt>
        <dd>{report[name].toLocaleString('en-US')}</dd>
      </div>
    ))}
  </dl>
)

const countNames = {
  checked: 'Checked',
  changed: 'Changed',
  failed: 'Failed',
  pending: 'Pending',
} as const

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
    <ul class="bad-lines small" tabIndex={0}>
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
  token,
  before,
  after,
}: {
  token: RefreshedNft
  before: DescribedNft | undefined
  after: DescribedNft | undefined
}) {
  const { tokenId, rawMetadataText } = token
  return (
    <section class="change">
      <h3 class="mono foreign">{tokenId}</h3>
      {before && after ? (
        <Changes changes={changesOf(before, after)} />
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
