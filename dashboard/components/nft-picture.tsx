import { type ComponentChildren, Fragment } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { newChanges, useChanges } from '../shell/changes.ts'
import { useShell } from '../shell/shell-context.ts'
import { Icon } from './icon.tsx'
import { pictureSource } from './picture-source.ts'

/**
 * The picture of an NFT in a square. Pictures of the dashboard's own host and of the gateways load by themselves, others
 * after a click on a button that names their host (D62). Large pictures inside the metadata are decoded after a click on
 * a button with their size (D79). Where there is no picture, it says why.
 */
export function NftPicture({ image, name }: { image: string | null; name: string }) {
  const { config } = useShell()
  const source = pictureSource(image, config, location.origin)
  useChanges(permissions)
  if (source.kind === 'none') return <Placeholder text={source.reason} />
  const permits = source.kind === 'asks' ? source.host : source.url
  if (source.kind === 'loads' || permitted.has(permits))
    return <LoadedPicture url={source.url} name={name} />
  return source.kind === 'asks' ? (
    <Question
      permits={permits}
      title={`Loads the pictures of ${source.host}. The host sees your IP address.`}
    >
      Load pictures from <HostName host={source.host} />
    </Question>
  ) : (
    <Question permits={permits} title="Decoding a large picture can slow the browser down.">
      {`Show picture (${source.size})`}
      <span class="visually-hidden"> of {name.slice(0, 100)}</span>
    </Question>
  )
}

/** A button in place of a picture, which permits the pictures of a host, or the picture with a URL. */
const Question = ({
  permits,
  title,
  children,
}: {
  permits: string
  title: string
  children: ComponentChildren
}) => (
  <div class="nft-picture">
    <button
      type="button"
      class="nft-picture-button"
      onClick={() => {
        permitted.add(permits)
        permissions.changed()
      }}
      title={title}
    >
      <Icon name="nfts" />
      <span>{children}</span>
    </button>
  </div>
)

/** The name of a host, which can be broken between its labels. */
const HostName = ({ host }: { host: string }) => (
  <bdi class="nft-picture-host strong">
    {host.split('.').map((label, index) => (
      <Fragment key={index}>
        {index > 0 && (
          <>
            .<wbr />
          </>
        )}
        {label}
      </Fragment>
    ))}
  </bdi>
)

function LoadedPicture({ url, name }: { url: string; name: string }) {
  const [hasFailed, setHasFailed] = useState(false)
  // Another picture may load.
  useEffect(() => setHasFailed(false), [url])
  if (hasFailed) return <Placeholder text="The picture cannot be loaded" />
  return (
    <div class="nft-picture">
      <img
        key={url}
        src={url}
        alt={name.slice(0, 100)}
        loading="lazy"
        decoding="async"
        referrerpolicy="no-referrer"
        onError={() => setHasFailed(true)}
      />
    </div>
  )
}

const Placeholder = ({ text }: { text: string }) => (
  <div class="nft-picture is-empty">
    <Icon name="nfts" />
    <span>{text}</span>
  </div>
)

/** The hosts whose pictures, and the URLs of the large pictures, that the user has chosen to load. Forgotten with the page. */
const permitted = new Set<string>()

const permissions = newChanges()
