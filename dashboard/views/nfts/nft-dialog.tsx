import type { ConnectedContract, DescribedNft } from '../../../clients/typescript/src/types.ts'
import { parseTokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { Button, CopyButton } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { LoadState, Notice } from '../../components/feedback.tsx'
import { ForeignText, isolated, shortened } from '../../components/foreign-text.tsx'
import { NftPicture } from '../../components/nft-picture.tsx'
import { safeLink } from '../../components/picture-source.ts'
import { Table } from '../../components/table.tsx'
import { useClient } from '../../shell/shell-context.ts'
import { useLoad } from '../../shell/use-load.ts'
import { nameOf } from './nft-gallery.tsx'
import { cursorBefore } from './nft-pages.ts'

/** The maximum lengths and numbers of what is shown of the metadata, which can have a megabyte. */
const maxDescription = 5_000
const maxAttributes = 200

/** One NFT of a contract with its metadata. It is loaded unless the page has loaded it before. */
export function NftDialog({
  contract: { chain, address },
  tokenId,
  loaded,
  onClose,
  onRemove,
}: {
  contract: ConnectedContract
  tokenId: string
  loaded: DescribedNft | undefined
  onClose: () => void
  onRemove: (tokenId: string) => void
}) {
  const client = useClient()
  const nftLoad = useLoad(
    async (signal) => {
      if (loaded) return loaded
      const wanted = parseTokenId(tokenId)
      if (wanted === undefined) return undefined
      const cursor = cursorBefore(chain, address, wanted)
      const query = { chain, contractAddress: address, limit: 1, cursor } as const
      const { data } = await client.getNfts(query, { signal }).page()
      return data.find((nft) => nft.tokenId === wanted)
    },
    [client, chain, address, tokenId, loaded],
  )
  const { data: nft = loaded, error, isLoading } = nftLoad
  return (
    <Dialog title={nft ? shortened(nameOf(nft), 200) : 'NFT'} onClose={onClose} isWide>
      {nft && <NftDetails nft={nft} onRemove={onRemove} />}
      <LoadState loaded={{ ...nftLoad, data: nft }} label="Loading…" />
      {!nft && !isLoading && error === undefined && (
        <Notice
          kind="info"
          title={`No NFT ${isolated(shortened(tokenId, 100))} is on the allowlist.`}
        >
          <p>It may have been removed, or it does not exist.</p>
        </Notice>
      )}
    </Dialog>
  )
}

function NftDetails({ nft, onRemove }: { nft: DescribedNft; onRemove: (tokenId: string) => void }) {
  const { tokenId, address, chain, formattedMetadata, attributesLeftOut } = nft
  const { description, image, attributes } = formattedMetadata
  return (
    <div class="nft-details">
      <NftPicture image={image} name={nameOf(nft)} />
      <div class="stack is-tight">
        {nft.metadataError && (
          <Notice
            kind="warning"
            title={faults[nft.metadataError] ?? 'The metadata of this NFT is not available.'}
          />
        )}
        {description && (
          <p class="nft-description">
            <ForeignText text={description} max={maxDescription} />
          </p>
        )}
        <dl class="facts">
          <dt>Identifier</dt>
          <dd class="with-copy cluster">
            <span class="mono">{tokenId}</span>{' '}
            <CopyButton text={tokenId} what="the token identifier" />
          </dd>
          <dt>Contract</dt>
          <dd class="with-copy cluster">
            <span class="mono">{address}</span>{' '}
            <CopyButton text={address} what="the contract address" />
          </dd>
          <dt>Chain</dt>
          <dd>{chain}</dd>
          <dt>Metadata</dt>
          <dd>
            <MetadataLink link={nft.metadataLink} />
          </dd>
        </dl>
        {attributes.length > 0 && <Attributes attributes={attributes} />}
        {attributesLeftOut !== undefined && (
          <p class="soft">
            {`Attributes without a name or a value, or in another form: ${attributesLeftOut.toLocaleString('en-US')}. Only raw metadata has them.`}
          </p>
        )}
        <div class="actions">
          <Button kind="danger" onClick={() => onRemove(tokenId)}>
            Remove…
          </Button>
        </div>
      </div>
    </div>
  )
}

const faults: Readonly<Record<string, string>> = {
  not_available: 'The indexer has no metadata of this NFT. It may not exist yet.',
  not_an_object: 'The metadata of this NFT is not a JSON object.',
  too_large: 'The metadata of this NFT is larger than 1 MiB.',
}

/** A link with its host, if it is a web address; otherwise its text. */
function MetadataLink({ link }: { link: string }) {
  const safe = safeLink(link)
  if (safe) {
    return (
      <a href={safe.url} target="_blank" rel="noopener noreferrer" title={safe.url.slice(0, 2000)}>
        Open on <bdi>{safe.host}</bdi>
      </a>
    )
  }
  return link ? <ForeignText text={link} /> : <span class="soft">No link</span>
}

const Attributes = ({
  attributes,
}: {
  attributes: DescribedNft['formattedMetadata']['attributes']
}) => (
  <div>
    <Table columns={['Attribute', 'Value']} kind="attributes">
      {attributes.slice(0, maxAttributes).map(({ name, value }, index) => (
        <tr key={index}>
          <td>
            <ForeignText text={name} />
          </td>
          <td>
            <ForeignText text={value} max={1000} />
          </td>
        </tr>
      ))}
    </Table>
    {attributes.length > maxAttributes && (
      <p class="soft">and {(attributes.length - maxAttributes).toLocaleString('en-US')} more</p>
    )}
  </div>
)
